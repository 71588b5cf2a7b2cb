//! Gradient steps on a squared loss.

use super::{Evaluated, Rule, Step};
use crate::error::{ConfigError, is_positive};

/// Stochastic gradient descent on the modified least squares, `max(0, 1 - y f)^2`:
/// while `y f(x) < 1`, a step of `2 eta (1 - y f(x))`.
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
    eta: f32,
}

impl LeastSquares {
    /// Learning rate `eta`, positive and finite.
    pub const fn new(eta: f32) -> Result<Self, ConfigError> {
        if !is_positive(eta) {
            return Err(ConfigError::StepSize);
        }
        Ok(LeastSquares { eta })
    }
}

impl Rule for LeastSquares {
    #[inline]
    fn step(&mut self, example: &Evaluated) -> Step {
        let gap = 1.0 - example.margin();
        Step::towards(example.label, 2.0 * self.eta * gap, gap > 0.0)
    }

    fn check(&self) -> Result<(), ConfigError> {
        Self::new(self.eta).map(|_| ())
    }
}

crate::persist::persist!([] LeastSquares as "least-squares" { eta });
