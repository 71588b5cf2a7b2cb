//! Gradient steps on a squared loss.

use super::{Evaluated, Rule, Step};
use crate::{error::ConfigError, num::is_step};

/// Stochastic gradient descent on the modified least squares, `max(0, 1 - y f)^2`:
/// while `y f(x) < 1`, a step of `eta (1 - y f(x))`. The factor 2 of the derivative
/// is part of `eta`, as in Li and Lin's program.
///
/// Examples beyond their margin do not pull it back, unlike in least squares proper.
///
/// ```
/// use pocketron::rule::LeastSquares;
/// assert!(LeastSquares::new(0.002).is_ok());
/// assert!(LeastSquares::new(0.0).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastSquares {
    /// `eta / 2`: saved models hold it, and their words keep their meaning.
    half: f32,
}

impl LeastSquares {
    /// Learning rate `eta`, positive and at most 1e28.
    pub const fn new(eta: f32) -> Result<Self, ConfigError> {
        // Halving and doubling are exact.
        let half = 0.5 * eta;
        if !is_half_step(half) {
            return Err(ConfigError::StepSize);
        }
        Ok(LeastSquares { half })
    }
}

const fn is_half_step(half: f32) -> bool {
    is_step(2.0 * half)
}

impl Rule for LeastSquares {
    #[inline]
    fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step {
        let gap = 1.0 - example.margin();
        Step::towards(example.label, 2.0 * self.half * gap, gap > 0.0)
    }

    fn check(&self) -> Result<(), ConfigError> {
        if is_half_step(self.half) {
            Ok(())
        } else {
            Err(ConfigError::StepSize)
        }
    }
}

crate::persist::persist!([] LeastSquares as "least-squares" { half if is_half_step });
