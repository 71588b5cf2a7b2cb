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
//! | [`LeastSquares`] | `y f < 1` | `2 eta (1 - y f)` | gradient descent on the modified least squares |
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

use crate::{error::ConfigError, label::Sign};

/// What a rule may look at before it decides.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated {
    /// True label.
    pub label: Sign,
    /// `f(x)` of the current hypothesis.
    pub score: f32,
    /// `k(x, x)`.
    pub self_similarity: f32,
    /// Steps already taken on this very example; zero when nobody counts.
    pub own_steps: u32,
}

impl Evaluated {
    /// `y f(x)`: positive when the prediction is right.
    #[inline]
    pub fn margin(&self) -> f32 {
        self.label.value() * self.score
    }
}

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

/// Promise: does not look at the steps already taken on an example.
pub trait Memoryless: Rule {}

impl Memoryless for UnitSteps {}
impl Memoryless for Always {}
impl Memoryless for MarginRule {}
impl Memoryless for PassiveAggressive {}
impl Memoryless for LeastSquares {}
impl Memoryless for Shrinking {}

/// Decides whether and how far an example moves the hypothesis.
pub trait Rule {
    /// The decision for one example. A rule with a clock counts here.
    fn step(&mut self, example: &Evaluated) -> Step;

    /// Forgets what it has counted; parameters stay. Most rules count nothing.
    fn restart(&mut self) {}

    /// Fails for parameters outside their domain, a blank rule included.
    fn check(&self) -> Result<(), ConfigError> {
        Ok(())
    }
}
