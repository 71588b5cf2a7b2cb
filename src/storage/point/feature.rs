//! Number formats of features.

use super::{Base, Points};
use crate::{
    error::InputError,
    num::Number,
    persist::{Blank, Element, ImageError, Reader},
};

/// A format: how a feature is stored, and the arithmetic that follows from it.
///
/// | format | a feature is | largest, in units of [`step`](Self::step) | similarities and coefficients |
/// |---|---|---|---|
/// | `f32` | as it comes | - | `f32` |
/// | `i16` | a multiple of `4 / levels` | `levels = floor(sqrt((2^31 - 1) / D) / 2)` | [`Fixed`](crate::num::Fixed) |
/// | `i8` | a multiple of `4 / 127` | 128 | [`Fixed`](crate::num::Fixed) |
///
/// Whole features stand for standardised ones, from -4 to 4 standard deviations:
/// [`Standardized`](crate::wrap::Standardized) makes them. They are as fine as
/// possible under the condition that no dot product or squared distance leaves 32
/// bits: `D (2 levels)^2 < 2^31`.
pub trait Feature: Element + PartialEq + crate::sealed::Sealed {
    /// The arithmetic over support vectors.
    type Number: Number;
    /// `B` vectors of `D` such features inside the model.
    type Inline<const D: usize, const B: usize>: Points<Feature = Self, Point = [Self; D], Owned = [Self; D]>
        + Blank;

    /// The format's name in the [shape](crate::persist) of a model.
    const NAME: &str;

    /// The quantisation step, the value of a feature of one, in vectors of `dim` features.
    fn step(dim: usize) -> f32;

    /// The feature of a vector of `dim` features that is nearest to `value`.
    fn nearest(value: f32, dim: usize) -> Self;

    /// Whether a feature may be part of a vector of `dim` features.
    fn fits(self, dim: usize) -> bool;

    /// Refuses vectors that must not get in.
    fn check(x: &[Self]) -> Result<(), InputError>;

    /// Reads features of vectors of `dim` features from an image, also in a rehearsal.
    fn read(features: &mut [Self], dim: usize, reader: &mut Reader<'_>) -> Result<(), ImageError>;

    /// Adds one feature of a pair to its dot product or squared distance.
    fn accumulate(base: Base, sum: &mut Self::Number, x: Self, s: Self);

    /// Squared distances to some vectors over as many first features as the core has instructions for, and how
    /// many: none if it has not, and `out` is left alone.
    #[inline(always)]
    fn distances<const D: usize>(_: &[Self; D], _: &[[Self; D]], _: &mut [Self::Number]) -> usize {
        0
    }

    /// `share * x + (1 - share) * self`, as far as there is such a feature.
    fn blend(self, x: Self, share: f32, rounding: Rounding) -> Self;
}

/// A format whose squared distances can be summed with a weight for each feature: `i8` only.
///
/// `i16` levels use all 32 bits of the sum, which leaves none for weights.
pub trait WeightedDistance: Feature {
    /// Adds the squared difference of one feature of a pair, times a weight. All weights
    /// of a sum add up to at most the number of features that a store may have.
    fn accumulate_weighted(weight: u16, sum: &mut Self::Number, x: Self, s: Self);

    /// The squared distance of two vectors in which every feature has its own weight.
    #[inline]
    fn weighted_distance(weights: &[u16], a: &[Self], b: &[Self]) -> Self::Number {
        let mut sum = Self::Number::ZERO;
        for ((weight, a), b) in weights.iter().zip(a).zip(b) {
            Self::accumulate_weighted(*weight, &mut sum, *a, *b);
        }
        sum
    }
}

/// Rounding of a moved vector to levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest level: a vector settles, since moves below half a level are lost.
    Nearest,
    /// Up as often as the fraction says: a heavy vector that moves by less than half a level at
    /// a time gets there in the end. The number decides, with the operands; it should be another each time.
    Chance(u32),
}

/// With more features the squared distance of two `i8` vectors could overflow.
pub const MOST_FEATURES: usize = (i32::MAX / (255 * 255)) as usize;
