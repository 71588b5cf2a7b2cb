//! Stochastic gradient steps on the regularised hinge loss.

use super::{Evaluated, Rule, Step};
use crate::{
    error::{ConfigError, is_positive},
    num::is_step,
};

/// BSGD and Pegasos: at example `t`, `f *= 1 - 1/t`, and `f += y / (lambda t)
/// k(x, .)` when `y f(x) <= 1` before the shrinking.
///
/// The step that minimises `lambda/2 |f|^2 + mean hinge loss`. Early steps are
/// large, later ones small, so it suits streams that do not drift.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shrinking {
    lambda: f32,
    examples: u32,
}

impl Shrinking {
    /// Regularisation `lambda`, positive and finite, its inverse at most 1e28; `10 / N`
    /// is a fair guess for `N` examples.
    pub const fn new(lambda: f32) -> Result<Self, ConfigError> {
        if !is_regularisation(lambda) {
            return Err(ConfigError::Regularisation);
        }
        Ok(Shrinking {
            lambda,
            examples: 0,
        })
    }
}

/// The first step is `1 / lambda`.
const fn is_regularisation(lambda: f32) -> bool {
    is_positive(lambda) && is_step(1.0 / lambda)
}

impl Rule for Shrinking {
    #[inline]
    fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step {
        self.examples = self.examples.saturating_add(1);
        let t = self.examples as f32;
        let size = 1.0 / (self.lambda * t);
        Step {
            shrink: 1.0 - 1.0 / t,
            ..Step::towards(example.label, size, example.margin() <= 1.0)
        }
    }

    fn restart(&mut self) {
        self.examples = 0;
    }

    fn check(&self) -> Result<(), ConfigError> {
        Self::new(self.lambda).map(|_| ())
    }
}

crate::persist::persist!([] Shrinking as "shrinking" { lambda if is_regularisation, examples });
