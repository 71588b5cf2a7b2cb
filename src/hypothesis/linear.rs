//! Weights in the space of the features.

use super::{Hypothesis, Labelled};
use crate::{
    budget::Admission,
    error::InputError,
    memory::Blank,
    point::{Base, is_finite},
};

/// `f(x) = w . x`: constant memory and time, a plane as boundary.
///
/// The same function as an [`Expansion`](super::Expansion) of the linear kernel,
/// without a budget to keep.
#[derive(Clone, Debug)]
pub struct Linear<const D: usize> {
    weights: [f32; D],
}

impl<const D: usize> Linear<D> {
    /// Zero weights.
    pub const fn new() -> Self {
        Self::BLANK
    }

    /// The weight vector.
    pub fn weights(&self) -> &[f32; D] {
        &self.weights
    }
}

impl<const D: usize> Default for Linear<D> {
    fn default() -> Self {
        Self::BLANK
    }
}

impl<const D: usize> Blank for Linear<D> {
    const BLANK: Self = {
        assert!(D > 0, "a point needs at least one feature");
        Linear { weights: [0.0; D] }
    };
}

impl<const D: usize> Hypothesis for Linear<D> {
    type Input = [f32; D];
    type Trail = ();

    #[inline]
    fn check(&self, x: &[f32; D]) -> Result<(), InputError> {
        if is_finite(x) {
            Ok(())
        } else {
            Err(InputError::NonFinite)
        }
    }

    #[inline]
    fn score(&self, x: &[f32; D]) -> f32 {
        Base::Product.of_pair(&self.weights, x)
    }

    #[inline]
    fn evaluate(&self, x: &[f32; D], _: &mut ()) -> f32 {
        self.score(x)
    }

    #[inline]
    fn self_similarity(&self, x: &[f32; D]) -> f32 {
        Base::Product.of_pair(x, x)
    }

    fn shrink(&mut self, factor: f32) {
        for weight in &mut self.weights {
            *weight *= factor;
        }
    }

    fn apply(&mut self, example: &Labelled<'_, [f32; D]>, coefficient: f32, _: &()) -> Admission {
        for (weight, x) in self.weights.iter_mut().zip(example.x) {
            *weight += coefficient * x;
        }
        Admission::Absorbed
    }
}

impl Blank for () {
    const BLANK: Self = ();
}
