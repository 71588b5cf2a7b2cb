//! Every mistake is kept.

use super::{Admission, EvaluatedIn, Policy};
use crate::{
    kernel::Uniform,
    persist::Ready,
    storage::{Memory, SupportSet},
};

/// Kernel perceptron: stores every example it is given, while memory lasts.
///
/// Beyond the capacity it answers [`Admission::Exhausted`], so that a truncated
/// model is not taken for the unbounded one; use [`Stop`](super::Stop) to
/// stop on purpose.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBudget;

impl Ready for NoBudget {}

impl<K: Uniform, M: Memory> Policy<K, M> for NoBudget {
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
            Admission::Exhausted
        }
    }
}

crate::persist::persist!([] NoBudget as "unbounded");
