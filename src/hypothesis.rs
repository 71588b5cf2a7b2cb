//! Hypotheses: weights in the primal ([`Linear`]) or the dual ([`Expansion`]).
//!
//! Two wrappers add what only some learners need: [`Biased`] a threshold that is
//! learned along (8 bytes), [`UpdateCounts`] a count of the steps taken on each of `N`
//! examples (`4 N` bytes).

mod biased;
mod expansion;
mod linear;
mod update_counts;

pub use biased::{BiasStep, Biased, FixedRadius, LargestNorm};
pub use expansion::Expansion;
pub use linear::{Linear, Weights};
pub use update_counts::UpdateCounts;

use crate::{
    budget::Admission,
    error::{ConfigError, InputError},
    persist::Blank,
    storage::Evaluated,
};

/// A decision function that can be moved along an example.
///
/// The learning step calls, for each example, `evaluate`, then `shrink` when
/// the rule asks for it, then either `pass`, or `adapt_kernel` and `apply`.
pub trait Hypothesis: crate::sealed::Sealed {
    /// Type of a sample.
    type Input: ?Sized;
    /// The number format of similarities.
    type Number;
    /// Memory for a row of similarities.
    type Row: Blank;

    /// Refuses inputs that must not get in.
    fn check(&self, x: &Self::Input) -> Result<(), InputError>;

    /// Refuses parameters outside their domain.
    fn check_parameters(&self) -> Result<(), ConfigError> {
        Ok(())
    }

    /// `f(x)`, for prediction.
    fn score(&self, x: &Self::Input) -> f32;

    /// Fills in `f(x)`, with the same bits as [`score`](Self::score), and the similarities behind it.
    fn evaluate<'a>(
        &self,
        example: &mut Evaluated<'a, Self::Input, Self::Number>,
        row: &'a mut Self::Row,
    );

    /// `k(x, x)`.
    fn self_similarity(&self, x: &Self::Input) -> f32;

    /// Steps already taken on the example `id`; zero when they are not counted.
    fn own_steps(&self, _id: Option<u32>) -> Result<u32, InputError> {
        Ok(0)
    }

    /// `f *= factor`.
    fn shrink(&mut self, factor: f32);

    /// The example leaves the hypothesis as it is.
    fn pass(&mut self, _example: &Evaluated<'_, Self::Input, Self::Number>) {}

    /// The kernel, if it can, learns from an example that is about to be added with `coefficient`.
    #[inline]
    fn adapt_kernel(
        &mut self,
        _example: &Evaluated<'_, Self::Input, Self::Number>,
        _coefficient: f32,
    ) {
    }

    /// Whether the example that was just admitted has a coefficient of zero: its step was rounded away.
    fn has_underflowed(&self, _admission: Admission) -> bool {
        false
    }

    /// Whether a coefficient or weight has reached the largest there is.
    fn is_saturated(&self) -> bool {
        false
    }

    /// `f += coefficient * k(x, .)`, within the memory available.
    fn apply(
        &mut self,
        example: &Evaluated<'_, Self::Input, Self::Number>,
        coefficient: f32,
    ) -> Admission;
}

/// A hypothesis that can be asked what it was.
pub trait Snapshots: Hypothesis {
    /// Copy of a past state.
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
