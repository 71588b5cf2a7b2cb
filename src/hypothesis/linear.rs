//! Weights in the space of the features.

use core::fmt::Debug;

use super::{Averageable, Hypothesis, Snapshots};
use crate::{
    budget::{Admission, Guarantee, KeepsAll},
    error::InputError,
    num::{Base, saturate},
    persist::{ImageError, Persist, Reader, Restart, Shape, Writer},
    storage::{Evaluated, point::is_finite},
};

/// A weight vector and the inputs it is multiplied with.
pub trait Weights: Clone + Debug {
    /// One feature vector.
    type Input: ?Sized;

    /// Number of weights.
    fn dim(&self) -> usize;

    /// Refuses inputs that must not get in.
    fn check(&self, x: &Self::Input) -> Result<(), InputError>;

    /// `w . x`, summed over the features in order.
    fn dot(&self, x: &Self::Input) -> f32;

    /// `w += factor * x`.
    fn add(&mut self, x: &Self::Input, factor: f32);

    /// `w += factor * other`.
    fn add_weights(&mut self, other: &Self, factor: f32);

    /// `w *= factor`.
    fn scale(&mut self, factor: f32);

    /// Whether one of them is at the end of its range.
    fn is_saturated(&self) -> bool {
        false
    }

    /// [Saturates](saturate) every weight, so that an image of them can be loaded again. Weights that are never saved need not.
    fn saturate(&mut self) {}

    /// `x . x`.
    fn norm_squared(x: &Self::Input) -> f32;
}

impl<const D: usize> Weights for [f32; D] {
    type Input = [f32; D];

    fn dim(&self) -> usize {
        D
    }

    #[inline]
    fn check(&self, x: &[f32; D]) -> Result<(), InputError> {
        if is_finite(x) {
            Ok(())
        } else {
            Err(InputError::NonFinite)
        }
    }

    #[inline]
    fn dot(&self, x: &[f32; D]) -> f32 {
        Base::Product.of_pair(self, x)
    }

    #[inline]
    fn add(&mut self, x: &[f32; D], factor: f32) {
        for (weight, x) in self.iter_mut().zip(x) {
            *weight += factor * x;
        }
    }

    #[inline]
    fn add_weights(&mut self, other: &Self, factor: f32) {
        self.add(other, factor);
    }

    fn scale(&mut self, factor: f32) {
        for weight in self {
            *weight *= factor;
        }
    }

    fn is_saturated(&self) -> bool {
        self.iter().any(|weight| weight.abs() == f32::MAX)
    }

    #[inline]
    fn saturate(&mut self) {
        saturate(self);
    }

    #[inline]
    fn norm_squared(x: &[f32; D]) -> f32 {
        Base::Product.of_pair(x, x)
    }
}

/// `f(x) = w . x`: constant memory and time, a plane as boundary.
///
/// The same function as an [`Expansion`](super::Expansion) of the linear kernel,
/// without a budget to keep. `W` is `[f32; D]` on a device.
#[derive(Clone, Debug)]
pub struct Linear<W> {
    weights: W,
}

impl<W> Linear<W> {
    /// Starts from the given weights.
    pub const fn with_weights(weights: W) -> Self {
        Linear { weights }
    }

    /// The weight vector.
    pub fn weights(&self) -> &W {
        &self.weights
    }
}

crate::persist::blank!([W] Linear<W> { weights });

impl<W: Restart> Restart for Linear<W> {
    fn restart(&mut self) {
        self.weights.restart();
    }
}

impl<W: Weights> Hypothesis for Linear<W> {
    type Input = W::Input;
    type Number = f32;
    type Row = ();

    #[inline]
    fn check(&self, x: &W::Input) -> Result<(), InputError> {
        self.weights.check(x)
    }

    #[inline]
    fn score(&self, x: &W::Input) -> f32 {
        self.weights.dot(x)
    }

    #[inline]
    fn evaluate<'a>(&self, example: &mut Evaluated<'a, W::Input>, (): &'a mut ()) {
        example.set_score(self.score(example.x));
    }

    #[inline]
    fn self_similarity(&self, x: &W::Input) -> f32 {
        W::norm_squared(x)
    }

    fn shrink(&mut self, factor: f32) {
        self.weights.scale(factor);
    }

    fn is_saturated(&self) -> bool {
        self.weights.is_saturated()
    }

    fn apply(&mut self, example: &Evaluated<'_, W::Input>, coefficient: f32) -> Admission {
        self.weights.add(example.x, coefficient);
        self.weights.saturate();
        Admission::Absorbed
    }
}

impl<W> Guarantee<KeepsAll> for Linear<W> {}

/// A past hypothesis is a copy of the weights.
impl<W: Weights> Snapshots for Linear<W> {
    type Snapshot = W;

    fn snapshot(&self) -> W {
        self.weights.clone()
    }

    fn score_at(&self, snapshot: &W, x: &W::Input) -> f32 {
        snapshot.dot(x)
    }
}

/// The sum of past hypotheses is a weight vector, `None` while it is zero.
impl<W: Weights> Averageable for Linear<W> {
    type Sum = Option<W>;

    fn fold(&self, sum: &mut Option<W>, weight: f32) {
        match sum {
            Some(sum) => {
                sum.add_weights(&self.weights, weight);
                sum.saturate();
            }
            None => {
                let mut first = self.weights.clone();
                first.scale(weight);
                first.saturate();
                *sum = Some(first);
            }
        }
    }

    fn follow(&self, _: &mut Option<W>, _: Admission) {}

    fn sum_score(&self, sum: &Option<W>, weight: f32, x: &W::Input) -> f32 {
        sum.as_ref().map_or(0.0, |sum| sum.dot(x)) + weight * self.score(x)
    }
}

/// Named by the number of weights.
impl<W: Weights + Persist> Persist for Linear<W> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("linear", |inside| inside.number(self.weights.dim()));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.weights.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.weights.load(reader)
    }
}
