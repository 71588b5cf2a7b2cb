//! The smallest step that suffices.

use super::{Rule, Step, Trial};
use crate::{
    error::{ConfigError, is_positive},
    memory::Blank,
};

/// PA-I: while `y f(x) < 1`, the step `min(C, (1 - y f(x)) / k(x, x))` that just
/// restores a margin of one, bounded by the aggressiveness `C`.
///
/// ```
/// use pocketron::{label::Sign, rule::{PassiveAggressive, Rule, Trial}};
/// let mut rule = PassiveAggressive::new(10.0)?;
/// let trial = Trial { label: Sign::Neg, score: 0.5, self_similarity: 1.0, own_steps: 0 };
/// assert_eq!(rule.step(&trial).coefficient, Some(-1.5));
/// # Ok::<(), pocketron::error::ConfigError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassiveAggressive {
    aggressiveness: f32,
}

impl PassiveAggressive {
    /// Steps of at most `aggressiveness`, positive and finite.
    pub const fn new(aggressiveness: f32) -> Result<Self, ConfigError> {
        if !is_positive(aggressiveness) {
            return Err(ConfigError::Aggressiveness);
        }
        Ok(PassiveAggressive { aggressiveness })
    }
}

impl Blank for PassiveAggressive {
    const BLANK: Self = PassiveAggressive {
        aggressiveness: 0.0,
    };
}

impl Rule for PassiveAggressive {
    #[inline]
    fn step(&mut self, trial: &Trial) -> Step {
        let loss = 1.0 - trial.margin();
        // A point at the origin of feature space cannot be moved towards.
        let moves = loss > 0.0 && trial.self_similarity > 0.0;
        let size = (loss / trial.self_similarity).min(self.aggressiveness);
        Step::towards(trial.label, size, moves)
    }

    fn check(&self) -> Result<(), ConfigError> {
        Self::new(self.aggressiveness).map(|_| ())
    }
}

crate::image::persist!([] PassiveAggressive as "passive-aggressive" { aggressiveness });
