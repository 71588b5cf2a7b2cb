//! Where the weights live: in the primal ([`Linear`]) or the dual ([`Expansion`]).

mod expansion;
mod linear;

pub use expansion::{Expansion, Row};
pub use linear::Linear;

use crate::{
    budget::Admission,
    error::{ConfigError, InputError},
    label::Sign,
    memory::Blank,
};

/// An example and the step that a rule decided for it.
#[derive(Debug)]
pub struct Labelled<'a, X: ?Sized> {
    /// The feature vector.
    pub x: &'a X,
    /// Its true label.
    pub label: Sign,
    /// `f(x)` before the step.
    pub score: f32,
    /// `k(x, x)`.
    pub self_similarity: f32,
}

/// A decision function that can be moved along an example.
///
/// The learning step calls, for each example, `evaluate`, then `shrink` when
/// the rule asks for it, then either `pass` or `apply`.
pub trait Hypothesis {
    /// What is classified.
    type Input: ?Sized;
    /// What an evaluation leaves behind for `pass` and `apply`.
    type Trail: Blank;

    /// Refuses inputs that must not get in.
    fn check(&self, x: &Self::Input) -> Result<(), InputError>;

    /// Refuses parameters outside their domain.
    fn check_parameters(&self) -> Result<(), ConfigError> {
        Ok(())
    }

    /// `f(x)`, for prediction.
    fn score(&self, x: &Self::Input) -> f32;

    /// `f(x)` with the same bits as [`score`](Self::score), leaving a trail for learning.
    fn evaluate(&self, x: &Self::Input, trail: &mut Self::Trail) -> f32;

    /// `k(x, x)`.
    fn self_similarity(&self, x: &Self::Input) -> f32;

    /// `f *= factor`.
    fn shrink(&mut self, factor: f32);

    /// The example leaves the hypothesis as it is.
    fn pass(&mut self, _example: &Labelled<'_, Self::Input>, _trail: &Self::Trail) {}

    /// `f += coefficient * k(x, .)`, within the memory available.
    fn apply(
        &mut self,
        example: &Labelled<'_, Self::Input>,
        coefficient: f32,
        trail: &Self::Trail,
    ) -> Admission;
}
