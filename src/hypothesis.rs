//! Where the weights live: in the primal ([`Linear`]) or the dual ([`Expansion`]).
//!
//! Two wrappers add what only some learners need: [`Biased`] a threshold that is
//! learned along (8 bytes), [`UpdateCounts`] a count of the steps taken on each of `N`
//! examples (`4 N` bytes).

mod biased;
mod expansion;
mod linear;
mod update_counts;

pub use biased::{BiasStep, Biased, BiasedEvaluation, FixedRadius, LargestNorm};
pub use expansion::{Expansion, KernelRow};
pub use linear::{Linear, Weights};
pub use update_counts::UpdateCounts;

use crate::{
    budget::Admission,
    error::{ConfigError, InputError},
    label::Sign,
    persist::Blank,
};

/// An example as the hypothesis sees it, once the rule has decided.
#[derive(Debug)]
pub struct Labelled<'a, X: ?Sized> {
    /// The feature vector.
    pub x: &'a X,
    /// Its true label.
    pub label: Sign,
    /// Its number, if it is one of a finite set.
    pub id: Option<u32>,
    /// `f(x)` after any shrinking and before the example is added.
    pub score: f32,
    /// Factor by which the rule has just shrunk the hypothesis.
    pub shrink: f32,
    /// `k(x, x)`.
    pub self_similarity: f32,
}

/// A decision function that can be moved along an example.
///
/// The learning step calls, for each example, `evaluate`, then `shrink` when
/// the rule asks for it, then either `pass` or `apply`.
pub trait Hypothesis: crate::sealed::Sealed {
    /// What is classified.
    type Input: ?Sized;
    /// What an evaluation leaves behind for `pass` and `apply`.
    type Evaluation: Blank;

    /// Refuses inputs that must not get in.
    fn check(&self, x: &Self::Input) -> Result<(), InputError>;

    /// Refuses parameters outside their domain.
    fn check_parameters(&self) -> Result<(), ConfigError> {
        Ok(())
    }

    /// `f(x)`, for prediction.
    fn score(&self, x: &Self::Input) -> f32;

    /// `f(x)` with the same bits as [`score`](Self::score), leaving a trail for learning.
    fn evaluate(&self, x: &Self::Input, evaluation: &mut Self::Evaluation) -> f32;

    /// `k(x, x)`.
    fn self_similarity(&self, x: &Self::Input) -> f32;

    /// Steps already taken on the example `id`; zero when nobody counts.
    fn own_steps(&self, _id: Option<u32>) -> Result<u32, InputError> {
        Ok(0)
    }

    /// `f *= factor`.
    fn shrink(&mut self, factor: f32);

    /// The example leaves the hypothesis as it is.
    fn pass(&mut self, _example: &Labelled<'_, Self::Input>, _trail: &Self::Evaluation) {}

    /// `f += coefficient * k(x, .)`, within the memory available.
    fn apply(
        &mut self,
        example: &Labelled<'_, Self::Input>,
        coefficient: f32,
        evaluation: &Self::Evaluation,
    ) -> Admission;
}

/// Promise: the function changes only by shrinking and by `coefficient * k(x, .)`,
/// nothing is ever given up. Then its norm can be kept without looking at it.
pub trait Growing: crate::sealed::Sealed {}

/// A hypothesis that can be asked what it was.
pub trait Snapshots: Hypothesis {
    /// What is kept of a past state.
    type Snapshot: Clone + core::fmt::Debug;

    /// The present state.
    fn snapshot(&self) -> Self::Snapshot;

    /// Score of a past state of this very hypothesis.
    fn score_at(&self, snapshot: &Self::Snapshot, x: &Self::Input) -> f32;
}

/// A hypothesis that can keep a running sum of its past states.
pub trait Averageable: Hypothesis {
    /// The sum.
    type Sum: Blank + Clone + core::fmt::Debug;

    /// Adds `weight` times the present function to the sum.
    fn fold(&self, sum: &mut Self::Sum, weight: f32);

    /// The hypothesis has just changed: keeps the sum in step with its slots.
    fn follow(&self, sum: &mut Self::Sum, admission: Admission);

    /// Score of the sum plus `weight` times the present function.
    fn sum_score(&self, sum: &Self::Sum, weight: f32, x: &Self::Input) -> f32;
}

impl<K, P, M: crate::storage::Memory> crate::sealed::Sealed for Expansion<K, P, M> {}
impl<W> crate::sealed::Sealed for Linear<W> {}
impl<H, S> crate::sealed::Sealed for Biased<H, S> {}
impl<H, L> crate::sealed::Sealed for UpdateCounts<H, L> {}
