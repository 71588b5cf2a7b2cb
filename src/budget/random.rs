//! Evict a vector drawn at random.

use super::{Admission, EvaluatedIn, Policy};
use crate::{
    kernel::Kernel,
    num::rng::XorShift32,
    persist::Ready,
    storage::{Memory, SupportSet},
};

/// Random budget perceptron: overwrites one of the `B` old vectors, drawn
/// uniformly by a generator that is part of the model, so that a run can be
/// repeated.
#[derive(Clone, Copy, Debug)]
pub struct Random(XorShift32);

impl Random {
    /// Draws from the given seed.
    pub const fn new(seed: u32) -> Self {
        Random(XorShift32::new(seed))
    }
}

impl Ready for Random {}

impl<K: Kernel, M: Memory> Policy<K, M> for Random {
    #[inline]
    fn admit(
        &mut self,
        _: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        if set.push(candidate.x, coefficient) {
            return Admission::Inserted;
        }
        let slot = self.0.below(set.len() as u32) as usize;
        set.replace(slot, candidate.x, coefficient);
        Admission::Replaced(slot)
    }
}

crate::persist::persist!([] Random as "random" { 0 });
