//! Learn until full.

use super::{Admission, EvaluatedIn, Policy};
use crate::{
    kernel::Uniform,
    persist::Ready,
    storage::{Memory, SupportSet},
};

/// Stoptron: learns until the budget is full, then ignores every update.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop;

impl Ready for Stop {}

impl<K: Uniform, M: Memory> Policy<K, M> for Stop {
    #[inline]
    fn admit(
        &mut self,
        _: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        if set.push(candidate.x, coefficient) {
            Admission::Inserted
        } else {
            Admission::Refused
        }
    }
}

crate::persist::persist!([] Stop as "stop");
