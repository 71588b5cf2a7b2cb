//! Numbers from a sensor, and exact sums of them.

use core::fmt::Debug;

use crate::{persist::Blank, sealed::Sealed};

/// A number as a sensor gives it: `i16` or `f32`.
pub trait Sample: Copy + PartialEq + Blank + Debug + Sealed {
    /// Wider type for sums.
    type Reading: Reading;

    /// Its name in the [shape](crate::persist) of a model.
    const NAME: &str;

    /// The number, cut off at the ends of what can be summed; none if it is not finite.
    fn reading(self) -> Option<Self::Reading>;

    /// Whether the value is at or beyond full scale, `-end` or `end`; `end` 0 means the type's limit.
    fn is_saturated(self, end: i32) -> bool;
}

/// A sample in the wider type: `i32` for `i16` samples and magnitudes of them, `f32` for `f32`.
///
/// Windows have at most 2^15 samples, so that no sum of integers overflows.
pub trait Reading: Copy + PartialOrd + Blank + Debug + Sealed {
    /// Sum and sum of squares.
    type Moments: Blank + Clone + Debug;
    /// Sum of squares, or of products.
    type Wide: Blank + Copy + Debug;

    /// Added to an energy before its logarithm: a whole unit squared, or 2^-20 for `f32`.
    const FLOOR: f32;

    /// As `f32`.
    fn value(self) -> f32;
    /// The sum, for sums of at most 2^15 numbers.
    fn plus(self, other: Self) -> Self;
    /// The difference.
    fn minus(self, other: Self) -> Self;
    /// The distance from zero.
    fn size(self) -> Self;
    /// Divided by `2^exponent`, integers rounded.
    fn halved(self, exponent: u32) -> Self;
    /// The `count`-th part, integers rounded down; zero if there is no such part.
    fn part(self, count: u32) -> Self;
    /// The length of a vector.
    fn length(vector: impl Iterator<Item = Self>) -> Self;

    /// Adds the square.
    fn add_square(self, sum: &mut Self::Wide);
    /// Adds a sum to another.
    fn add_wide(sum: &mut Self::Wide, other: Self::Wide);
    /// A sum as `f32`.
    fn wide_value(sum: Self::Wide) -> f32;

    /// Moments of no number; what comes will be near this one.
    fn moments(self) -> Self::Moments;
    /// Adds the number.
    fn include(self, moments: &mut Self::Moments);
    /// Adds what `other` has of `count` numbers.
    fn merge(moments: &mut Self::Moments, other: &Self::Moments, count: u32);
    /// The mean of `count` numbers.
    fn mean(moments: &Self::Moments, count: u32) -> f32;
    /// Their variance, never negative.
    fn variance(moments: &Self::Moments, count: u32) -> f32;

    /// Adds the product of two numbers; with the moments of each, before or after it was included there.
    fn add_product(sum: &mut Self::Wide, a: (Self, &Self::Moments), b: (Self, &Self::Moments));
    /// Adds a sum of `count` products to another, each with the moments of its numbers, not yet merged.
    fn merge_products(
        into: (&mut Self::Wide, [&Self::Moments; 2]),
        other: (&Self::Wide, [&Self::Moments; 2]),
        count: u32,
    );
    /// The covariance of `count` pairs.
    fn covariance(products: &Self::Wide, moments: [&Self::Moments; 2], count: u32) -> f32;
}

mod float;
mod integer;
