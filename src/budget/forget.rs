//! Shrink all coefficients before a removal, within the bound of the Forgetron.

use core::borrow::Borrow;

use super::{Admission, EvaluatedIn, Oldest, Policy};
use crate::{
    kernel::KernelIn,
    label::Sign,
    num::{
        math::{Math, Precise},
        saturated,
    },
    persist::{Blank, Ready},
    storage::{FeatureIn, Memory, SupportSet},
};

/// Self-tuned Forgetron: shrinks every coefficient by `phi`, then discards the
/// oldest vector `r`.
///
/// With `s = |alpha_r|` and `mu = y_r f(x_r)` after the insertion, the damage of
/// discarding is `a phi^2 + b phi`, `a = s^2 - 2 s mu`, `b = 2 s`. Over the run
/// it may grow to `15/32` per mistake. `phi` is the largest factor, at most one,
/// that stays within what is left: the root of `a phi^2 + b phi + c = 0` with
/// `c = (damage so far) - 15/32 (mistakes so far)`.
#[derive(Clone, Copy, Debug)]
pub struct Forget {
    oldest: Oldest,
    /// `-c`: kept as the difference, which stays small however long the run.
    allowance: f32,
}

/// Increase of the allowance per mistake.
const PER_MISTAKE: f32 = 15.0 / 32.0;

impl Forget {
    /// Nothing forgotten yet.
    pub const fn new() -> Self {
        Self::BLANK
    }
}

impl Default for Forget {
    fn default() -> Self {
        Self::new()
    }
}

impl Ready for Forget {}

/// Largest `phi <= 1` with `a phi^2 + b phi + c <= 0`, given `b > 0 >= c`.
///
/// The root is `-2 c / (b + sqrt(b^2 - 4 a c))`: the same as the textbook's
/// `(-b + sqrt(..)) / 2 a`, but without a difference that is all rounding when
/// `a` is small, and right for `a = 0` too.
fn largest_factor(a: f32, b: f32, c: f32) -> f32 {
    let discriminant = b * b - 4.0 * a * c;
    let root = Precise::sqrt(discriminant.max(0.0));
    let bounded = a >= 0.0 || (discriminant > 0.0 && (-b - root) / (2.0 * a) > 1.0);
    if bounded {
        // Not below zero, either, whatever the numbers of an image: that would turn the coefficients round.
        saturated(-2.0 * c / (b + root)).clamp(0.0, 1.0)
    } else {
        1.0
    }
}

impl<K: KernelIn<FeatureIn<M>>, M: Memory> Policy<K, M> for Forget {
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        self.allowance += PER_MISTAKE;
        if set.push(candidate.x, coefficient) {
            return Admission::Inserted;
        }
        let oldest = self.oldest.slot();
        let weight = set.alpha(oldest);
        let near = candidate.near(oldest);
        let score = set.score(kernel, set.point(oldest).borrow()) + coefficient * near;
        let (s, mu) = (weight.abs(), Sign::of(weight).value() * score);
        let (a, b) = (s * s - 2.0 * s * mu, 2.0 * s);
        let phi = largest_factor(a, b, -self.allowance);
        self.allowance = saturated(self.allowance - (a * phi * phi + b * phi));
        if phi != 1.0 {
            set.scale(phi);
        }
        self.oldest.overwrite(set, candidate.x, phi * coefficient)
    }
}

#[cfg(test)]
mod tests {
    use super::largest_factor;

    #[test]
    fn the_factor_is_the_root_that_keeps_the_allowance() {
        // 3 phi^2 + 2 phi - 1 = 0 has the roots -1 and 1/3.
        assert!((largest_factor(3.0, 2.0, -1.0) - 1.0 / 3.0).abs() < 1e-6);
        // -phi^2 + 4 phi - 3 = 0 has the roots 1 and 3: everything below 1 is allowed.
        assert_eq!(largest_factor(-1.0, 4.0, -3.0), 1.0);
        // -phi^2 + 3 phi - 1 = 0 has the roots 0.382 and 2.618.
        assert!((largest_factor(-1.0, 3.0, -1.0) - 0.381_966).abs() < 1e-5);
        // Linear: 2 phi - 1 = 0; and an allowance that suffices for phi = 1.
        assert_eq!(largest_factor(0.0, 2.0, -1.0), 0.5);
        assert_eq!(largest_factor(3.0, 2.0, -10.0), 1.0);
        // Nearly linear: the textbook's root would be zero, or anything.
        assert!((largest_factor(f32::EPSILON / 2.0, 2.0, -1.0) - 0.5).abs() < 1e-6);
        // No real root: the damage never reaches the allowance.
        assert_eq!(largest_factor(-1.0, 1.0, -5.0), 1.0);
    }
}

crate::persist::persist!([] Forget as "forget" { oldest, allowance });
