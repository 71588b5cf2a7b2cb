//! The smallest step that suffices.

use super::{Evaluated, Rule, Step};
use crate::{error::ConfigError, num::is_step};

/// PA-I: while `y f(x) < 1`, the step `min(C, (1 - y f(x)) / k(x, x))` that just
/// restores a margin of one, bounded by the aggressiveness `C`.
///
/// ```
/// use pocketron::{label::Sign, rule::{Evaluated, PassiveAggressive, Rule}};
/// let mut rule = PassiveAggressive::new(10.0)?;
/// assert_eq!(rule.step(&Evaluated::scored(Sign::Neg, 0.5)).coefficient, Some(-1.5));
/// # Ok::<(), pocketron::error::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassiveAggressive {
    aggressiveness: f32,
}

impl PassiveAggressive {
    /// Steps of at most `aggressiveness`, positive and at most 1e28.
    pub const fn new(aggressiveness: f32) -> Result<Self, ConfigError> {
        if !is_step(aggressiveness) {
            return Err(ConfigError::Aggressiveness);
        }
        Ok(PassiveAggressive { aggressiveness })
    }
}

impl Rule for PassiveAggressive {
    #[inline]
    fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step {
        let loss = 1.0 - example.margin();
        // A point at the origin of feature space cannot be moved towards.
        let moves = loss > 0.0 && example.self_similarity > 0.0;
        let size = (loss / example.self_similarity).min(self.aggressiveness);
        Step::towards(example.label, size, moves)
    }

    fn check(&self) -> Result<(), ConfigError> {
        Self::new(self.aggressiveness).map(|_| ())
    }
}

crate::persist::persist!([] PassiveAggressive as "passive-aggressive" { aggressiveness if is_step });
