//! Identities of stored examples.

use super::{
    Admission, ChangesOneSlot, EvaluatedIn, Guarantee, IgnoresCoefficients, KeepsAll, Policy,
};
use crate::{
    error::ConfigError,
    kernel::Kernel,
    persist::{Blank, Ready, Restart},
    storage::{Column, Memory, SupportSet, put},
};

/// Adds a step on a stored example to the slot that holds it; any other example
/// asks `P` for a slot.
///
/// The dual form of the papers: one vector and one coefficient per example,
/// however many epochs. Keeps the number of each example and the steps taken on
/// it, which is also what [`Soft`](crate::rule::Soft) asks for. A vector that
/// `P` evicts is forgotten altogether.
#[derive(Clone, Debug)]
pub struct WithIdentities<P, M: Memory> {
    inner: P,
    entries: M::Column<RememberedExample>,
}

/// Identity and state of the example in a slot.
#[derive(Clone, Copy, Debug)]
pub struct RememberedExample {
    /// Its number plus one; zero for an example without a number.
    name: u32,
    steps: u32,
}

impl RememberedExample {
    fn name_of(id: Option<u32>) -> u32 {
        id.map_or(0, |id| id.wrapping_add(1))
    }
}

impl<P, M: Memory> WithIdentities<P, M> {
    /// Wraps a policy.
    pub const fn new(inner: P) -> Self {
        WithIdentities {
            inner,
            entries: <M::Column<RememberedExample>>::BLANK,
        }
    }

    /// Slot and steps of the example `id`.
    fn find(&self, len: usize, id: Option<u32>) -> Option<(usize, u32)> {
        let name = RememberedExample::name_of(id);
        let mut entries = self.entries.as_slice().iter().take(len).enumerate();
        let found = entries.find(|(_, entry)| name != 0 && entry.name == name);
        found.map(|(slot, entry)| (slot, entry.steps))
    }

    fn note(&mut self, slot: usize, id: Option<u32>, steps: u32) {
        self.entries.ensure(slot + 1);
        let name = RememberedExample::name_of(id);
        put(
            self.entries.as_mut_slice(),
            slot,
            RememberedExample { name, steps },
        );
    }
}

impl<P: Ready, M: Memory> Ready for WithIdentities<P, M> {}

impl<P: Restart, M: Memory> Restart for WithIdentities<P, M> {
    fn restart(&mut self) {
        self.inner.restart();
        self.entries = <M::Column<RememberedExample>>::BLANK;
    }
}

impl<P: Guarantee<ChangesOneSlot>, M: Memory> Guarantee<ChangesOneSlot> for WithIdentities<P, M> {}
impl<P: Guarantee<IgnoresCoefficients>, M: Memory> Guarantee<IgnoresCoefficients>
    for WithIdentities<P, M>
{
}
impl<P: Guarantee<KeepsAll>, M: Memory> Guarantee<KeepsAll> for WithIdentities<P, M> {}

impl<P, K, M> Policy<K, M> for WithIdentities<P, M>
where
    P: Policy<K, M> + Guarantee<ChangesOneSlot>,
    K: Kernel,
    M: Memory,
{
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        if let Some((slot, steps)) = self.find(set.len(), candidate.id) {
            set.set_alpha(slot, set.alpha(slot) + coefficient);
            self.note(slot, candidate.id, steps.saturating_add(1));
            return Admission::Joined(slot);
        }
        let admission = self.inner.admit(kernel, set, candidate, coefficient);
        match admission {
            Admission::Inserted => self.note(set.len().saturating_sub(1), candidate.id, 1),
            Admission::Replaced(slot) => self.note(slot, candidate.id, 1),
            _ => {}
        }
        admission
    }

    super::forward!(inner);

    fn check(&self) -> Result<(), ConfigError> {
        self.inner.check()
    }

    fn own_steps(&self, set: &SupportSet<M>, id: u32) -> u32 {
        self.find(set.len(), Some(id)).map_or(0, |(_, steps)| steps)
    }
}

crate::persist::persist!([P; M: Memory] WithIdentities<P, M> as "remembering" { inner, entries });

crate::persist::persist!([] RememberedExample as "entry" { name, steps });

impl crate::persist::Element for RememberedExample {}
impl crate::sealed::Sealed for RememberedExample {}
