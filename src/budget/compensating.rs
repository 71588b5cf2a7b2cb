//! Evict one vector; the coefficient of the new one compensates for the loss (BPA-S).

use core::borrow::Borrow;

use super::{Admission, EvaluatedIn, Policy, first_least};
use crate::{
    kernel::Kernel,
    num::Number,
    persist::Ready,
    storage::{Memory, SupportSet},
};

/// BPA-S (budgeted passive-aggressive, simple): evicts the vector `r` whose
/// loss the new vector `x` makes up for best, and adjusts the new coefficient.
///
/// ```text
/// r = argmin alpha_r^2 (k(x_r, x_r) - k(x_r, x)^2 / k(x, x)),   alpha = coefficient + alpha_r k(x_r, x) / k(x, x)
/// ```
///
/// That is the least change of `f` that drops `r` and still makes the step that
/// [`PassiveAggressive`](crate::rule::PassiveAggressive) asks for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compensating;

impl Ready for Compensating {}

impl<K: Kernel, M: Memory> Policy<K, M> for Compensating {
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        if set.push(candidate.x, coefficient) {
            return Admission::Inserted;
        }
        let own = candidate.self_similarity;
        if own <= 0.0 {
            return Admission::Refused; // the origin of feature space makes up for nothing
        }
        let stored = set.coefficients().zip(candidate.row).enumerate();
        let victim = first_least(stored.map(|(slot, (alpha, near))| {
            let stored_own = set.own(kernel, set.point(slot).borrow());
            let near = near.value();
            alpha * alpha * (stored_own - near * near / own)
        }));
        let near = candidate.near(victim);
        let alpha = coefficient + set.alpha(victim) * near / own;
        set.remove(victim);
        set.push(candidate.x, alpha);
        Admission::Shifted(victim)
    }
}

crate::persist::persist!([] Compensating as "compensating");
