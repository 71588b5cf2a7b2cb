//! An approximate large margin that tunes itself.

use super::{Evaluated, Rule, Step};
use crate::{
    error::ConfigError,
    num::{
        math::{Math, Precise},
        saturated,
    },
};

/// ALMA(alpha) with `p = 2`: approaches the maximal margin up to a factor
/// `1 - alpha`.
///
/// With `k` one more than the updates so far, an example of length one, `x / |x|`,
/// moves the hypothesis while
///
/// ```text
/// y f(x) / |x| <= (1 - alpha) B / sqrt(k),   B = 1 / alpha
/// f += C / sqrt(k) * y k(x, .) / |x|,        C = sqrt(2)
/// f /= max(1, |f|)
/// ```
///
/// Keeps `|f|^2` by itself, so it must not be combined with a budget policy that
/// gives vectors up: use it with [`Linear`](crate::hypothesis::Linear) or with
/// [`NoBudget`](crate::budget::NoBudget).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alma {
    alpha: f32,
    updates: u32,
    norm_squared: f32,
}

impl Alma {
    /// Accuracy `alpha` in `(0, 1]`; one asks for no margin.
    pub const fn new(alpha: f32) -> Result<Self, ConfigError> {
        if !is_accuracy(alpha) {
            return Err(ConfigError::Accuracy);
        }
        Ok(Alma {
            alpha,
            updates: 0,
            norm_squared: 0.0,
        })
    }
}

const fn is_accuracy(alpha: f32) -> bool {
    alpha > 0.0 && alpha <= 1.0
}

impl Rule for Alma {
    fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step {
        let length = Precise::sqrt(example.self_similarity);
        let root = Precise::sqrt(self.updates.saturating_add(1) as f32);
        let wanted = (1.0 - self.alpha) / (self.alpha * root);
        let moves = length > 0.0 && example.margin() <= wanted * length;
        if !moves {
            return Step::towards(example.label, 0.0, false);
        }
        self.updates = self.updates.saturating_add(1);
        let size = core::f32::consts::SQRT_2 / (root * length);
        let grown = self.norm_squared
            + 2.0 * size * example.margin()
            + size * size * example.self_similarity;
        let shrink = if grown > 1.0 {
            1.0 / Precise::sqrt(grown)
        } else {
            1.0
        };
        // Rounding may take it a little below zero, nothing may take it farther.
        self.norm_squared = saturated(grown).clamp(-1.0, 1.0);
        Step {
            shrink,
            ..Step::towards(example.label, shrink * size, true)
        }
    }

    fn restart(&mut self) {
        (self.updates, self.norm_squared) = (0, 0.0);
    }

    fn check(&self) -> Result<(), ConfigError> {
        Self::new(self.alpha).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::Sign;

    #[test]
    fn the_first_step_is_cut_back_to_length_one() {
        let mut rule = Alma::new(0.5).expect("a valid accuracy");
        let at = |score| Evaluated {
            self_similarity: 4.0,
            ..Evaluated::scored(Sign::Pos, score)
        };
        // sqrt(2) / 2 along x of length 2 has length sqrt(2), which becomes 1.
        let step = rule.step(&at(0.0));
        let coefficient = step.coefficient.expect("zero is a mistake");
        assert!((coefficient * 2.0 - 1.0).abs() < 1e-6, "{coefficient}");
        assert_eq!(rule.norm_squared, 1.0);
        // k = 2: the margin wanted is 1 / sqrt(2), times |x| = 2.
        assert!(rule.clone().step(&at(1.41)).coefficient.is_some());
        assert!(rule.clone().step(&at(1.42)).coefficient.is_none());
    }
}

crate::persist::persist!([] Alma as "alma" { alpha if is_accuracy, updates, norm_squared in -1.0..=1.0 });
