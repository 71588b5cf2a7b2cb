//! Update rules: when does an example move the hypothesis, and how far?
//!
//! | rule | moves when | by | used by |
//! |---|---|---|---|
//! | [`UnitSteps`] | `y f <= 0` | 1 | the perceptron and the papers' budget variants |
//! | [`MarginRule`] | `y f <= tau_y` | `eta` | perceptron with (uneven) margins, merging |
//! | [`Always`] | always | 1 | Servedio's average algorithm |
//! | [`Alma`] | `y f / \|x\| <= (1 - alpha) B / sqrt(k)` | `C / sqrt(k)`, then `\|f\| <= 1` | ALMA |
//! | [`Soft<R>`] | as `R`, with a credit or a bound for examples that come back | as `R` | lambda trick, alpha bound |
//! | [`PassiveAggressive`] | `y f < 1` | `min(C, (1 - y f) / k(x, x))` | BPA-S |
//! | [`LeastSquares`] | `y f < 1` | `eta (1 - y f)` | gradient descent on the modified least squares |
//! | [`PerClass<R, W>`] | as `R`, with a margin for each class | as `R`, times a factor of the class | rare classes, uneven margins |
//! | [`Shrinking`] | `y f <= 1` | `1 / (lambda t)`, after `f *= 1 - 1/t` | BSGD |
//!
//! A rule knows nothing of memory, so any rule goes with any hypothesis.

mod alma;
mod always;
mod least_squares;
mod margin;
mod passive_aggressive;
mod per_class;
mod shrinking;
mod soft;
mod unit_steps;

pub use alma::Alma;
pub use always::Always;
pub use least_squares::LeastSquares;
pub use margin::MarginRule;
pub use passive_aggressive::PassiveAggressive;
pub use per_class::{Balanced, ClassCounts, ClassFactors, F1, Factor, Factors, PerClass};
pub use shrinking::Shrinking;
pub use soft::{Credit, Soft};
pub use unit_steps::UnitSteps;

pub use crate::storage::Evaluated;

use crate::{error::ConfigError, label::Sign};

/// A decision: first `f *= shrink`, then `f += coefficient * k(x, .)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Factor on the whole hypothesis; one leaves it alone.
    pub shrink: f32,
    /// Signed coefficient of the example, if it is to be added.
    pub coefficient: Option<f32>,
    /// Whether the hypothesis stood the test; false for an example that fails
    /// it but may not be learned any more.
    pub survived: bool,
}

impl Step {
    /// Adds the example with `size` times its label when `moves`.
    #[inline]
    pub fn towards(label: Sign, size: f32, moves: bool) -> Self {
        Step {
            shrink: 1.0,
            coefficient: moves.then_some(size * label.value()),
            survived: !moves,
        }
    }
}

/// Decides whether and how far an example moves the hypothesis.
pub trait Rule {
    /// Whether it looks at the [steps already taken](Evaluated::own_steps) on an example. Learners that do not tell them
    /// apart refuse such a rule when they are compiled.
    const USES_OWN_STEPS: bool = false;

    /// The decision for one example. A rule with a clock counts here.
    fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step;

    /// Forgets what it has counted; parameters stay. Most rules count nothing.
    fn restart(&mut self) {}

    /// Fails for parameters outside their domain, a blank rule included.
    fn check(&self) -> Result<(), ConfigError> {
        Ok(())
    }
}
