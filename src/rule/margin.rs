//! Fixed steps until a margin is reached.

use super::{Evaluated, Rule, Step};
use crate::{
    error::ConfigError,
    label::Sign,
    num::{
        is_limited, is_step,
        math::{Math, Precise},
    },
};

/// Adds an example with coefficient `eta y` while `y f(x) <= tau` of its class.
///
/// Equal margins make the perceptron with margin, uneven ones PAUM; margins of
/// zero the perceptron. A negative margin tolerates mistakes of that class.
///
/// ```
/// use pocketron::rule::MarginRule;
/// assert!(MarginRule::new(1.0).with_margin(1.0).checked().is_ok());
/// assert!(MarginRule::new(f32::NAN).checked().is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarginRule {
    /// Step size.
    pub eta: f32,
    /// Margin that positive examples must exceed.
    pub tau_pos: f32,
    /// Margin that negative examples must exceed.
    pub tau_neg: f32,
}

impl MarginRule {
    /// Steps of `eta` on mistakes.
    pub const fn new(eta: f32) -> Self {
        MarginRule {
            eta,
            tau_pos: 0.0,
            tau_neg: 0.0,
        }
    }

    /// The same margin for both classes (PAM).
    pub const fn with_margin(self, tau: f32) -> Self {
        self.with_margins(tau, tau)
    }

    /// A margin for negative and one for positive examples (PAUM).
    pub const fn with_margins(self, tau_neg: f32, tau_pos: f32) -> Self {
        MarginRule {
            tau_pos,
            tau_neg,
            ..self
        }
    }

    /// Margins for a class of a known size, as the paper on uneven margins
    /// suggests: `tau_neg` as given (a small negative number), and
    /// `tau_pos = scale / (1 + exp(-kappa c))` with `c` the fraction of positive
    /// examples. A negative `kappa` gives rarer classes the larger margin.
    ///
    /// ```
    /// use pocketron::rule::MarginRule;
    /// let rule = MarginRule::new(1.0);
    /// let rare = rule.with_class_size(0.01, -0.1, 2.0, -5.0);
    /// let common = rule.with_class_size(0.5, -0.1, 2.0, -5.0);
    /// assert!(rare.tau_pos > common.tau_pos);
    /// ```
    pub fn with_class_size(self, fraction: f32, tau_neg: f32, scale: f32, kappa: f32) -> Self {
        let tau_pos = scale / (1.0 + Precise::exp(-kappa * fraction));
        self.with_margins(tau_neg, tau_pos)
    }

    /// The rule itself when every field is in its domain.
    pub fn checked(self) -> Result<Self, ConfigError> {
        self.check().map(|()| self)
    }
}

impl Default for MarginRule {
    /// Unit steps on mistakes.
    fn default() -> Self {
        Self::new(1.0)
    }
}

impl Rule for MarginRule {
    #[inline]
    fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step {
        let tau = match example.label {
            Sign::Pos => self.tau_pos,
            Sign::Neg => self.tau_neg,
        };
        Step::towards(example.label, self.eta, example.margin() <= tau)
    }

    fn check(&self) -> Result<(), ConfigError> {
        if !is_step(self.eta) {
            Err(ConfigError::StepSize)
        } else if !(is_limited(self.tau_pos) && is_limited(self.tau_neg)) {
            Err(ConfigError::Margin)
        } else {
            Ok(())
        }
    }
}

crate::persist::persist!([] MarginRule as "margin" { eta if is_step, tau_pos if is_limited, tau_neg if is_limited });
