//! The nearest vector gives way.

use super::{Admission, Candidate, Forgetful, Policy};
use crate::{
    error::ConfigError,
    kernel::KernelIn,
    memory::{Blank, FeatureIn, Memory, NumberIn, Point, Ready},
    number::Number as _,
    point::Rounding,
    support::SupportSet,
};

/// Moves the vector that is most similar to an example a little, towards it when they are of one
/// class and away from it when they are not, and then does what `P` does.
///
/// The way is `0.05 k` of the distance: a vector between the classes finds its place, one far from
/// the example stays where it is. `P` sees the similarities of before the move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nudging<P> {
    inner: P,
}

/// Share of the way.
const SHARE: f32 = 0.05;

/// Moves the vector that is most similar to `x`; `agrees` says whether towards it.
fn nudge<M: Memory>(
    set: &mut SupportSet<M>,
    x: &Point<M>,
    row: &[NumberIn<M>],
    agrees: impl FnOnce(&SupportSet<M>, usize) -> bool,
) {
    let mut best = None;
    for (slot, near) in row.iter().enumerate() {
        if best.is_none_or(|(_, most)| *near > most) {
            best = Some((slot, *near));
        }
    }
    if let Some((slot, near)) = best {
        let share = if agrees(set, slot) { SHARE } else { -SHARE };
        set.blend(slot, x, share * near.value(), Rounding::Nearest);
    }
}

impl<P> Nudging<P> {
    /// In front of another policy.
    pub const fn new(inner: P) -> Self {
        Nudging { inner }
    }

    /// The other policy.
    pub(crate) const fn inner_mut(&mut self) -> &mut P {
        &mut self.inner
    }
}

impl<P: Blank> Blank for Nudging<P> {
    const BLANK: Self = Nudging::new(P::BLANK);
}

impl<P: Ready> Ready for Nudging<P> {}

impl<P, K, M> Policy<K, M> for Nudging<P>
where
    P: Policy<K, M> + Forgetful,
    K: KernelIn<FeatureIn<M>>,
    M: Memory,
{
    const WANTS_NEAREST: bool = P::WANTS_NEAREST;

    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &Candidate<'_, M>,
        coefficient: f32,
    ) -> Admission {
        nudge(set, candidate.x, candidate.row, |set, slot| {
            (set.alpha(slot) > 0.0) == (coefficient > 0.0)
        });
        self.inner.admit(kernel, set, candidate, coefficient)
    }

    fn passed(&mut self, kernel: &K, set: &SupportSet<M>, candidate: &Candidate<'_, M>) {
        self.inner.passed(kernel, set, candidate);
    }

    fn shrunk(&mut self, factor: f32) {
        self.inner.shrunk(factor);
    }

    fn check(&self) -> Result<(), ConfigError> {
        self.inner.check()
    }

    fn own_steps(&self, set: &SupportSet<M>, id: u32) -> u32 {
        self.inner.own_steps(set, id)
    }
}

crate::image::persist!([P: crate::image::Persist] Nudging<P> as "nudging" { inner });
