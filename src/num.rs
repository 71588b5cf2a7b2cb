//! The arithmetic of a model: floating point or fixed point.
//!
//! Values per support vector (similarities, coefficients, kept
//! scores) are in the [`Number`] that goes with the [format](crate::storage::point::Feature)
//! of the points: `f32` beside `f32` features, [`Fixed`] beside `i8` and `i16`,
//! so that a core without a floating-point unit does no floating-point work in
//! its loops. Values per example (score, margin, step) are always `f32`.
//!
//! | | similarity | coefficient | sum over the vectors |
//! |---|---|---|---|
//! | `f32` | `f32` | `f32` | eight partial sums ([`sum`]) |
//! | [`Fixed`] | multiples of 2^-24 | `i16` times a [unit](Unit) that all of them share | exact, 64 bits |

pub(crate) mod dsp;
pub(crate) mod exp;
mod fixed;
mod float;
pub mod math;
mod rank;
pub mod rng;
pub mod sum;
pub(crate) mod vfp;

pub(crate) use fixed::round;
pub use fixed::{Fixed, Unit};
pub(crate) use rank::Rank;

use core::{
    fmt::Debug,
    ops::{Add, Sub},
};

use crate::{
    label::Sign,
    persist::{Blank, Element, ImageError, Persist, Reader},
};

/// The largest step, margin and coefficient: sums of them over all vectors, times similarities, are still numbers.
pub const LARGEST: f32 = 1e28;

/// The number itself; beyond [`LARGEST`] that with its sign, and zero for NaN.
#[inline]
pub(crate) const fn limited(value: f32) -> f32 {
    at_most(LARGEST, value)
}

/// The number itself; the largest of its sign in place of an infinity, and zero for NaN.
///
/// For what is kept of sums that may leave `f32`: the image of a model must be one that loads.
#[inline]
pub const fn saturated(value: f32) -> f32 {
    at_most(f32::MAX, value)
}

/// The same for each of them.
// Out of line: sums that may leave `f32` are rare, and code is not.
#[inline(never)]
pub fn saturate(values: &mut [f32]) {
    for value in values {
        if size(*value) > f32::MAX.to_bits() {
            *value = saturated(*value);
        }
    }
}

#[inline]
const fn at_most(largest: f32, value: f32) -> f32 {
    let size = size(value);
    if size <= largest.to_bits() {
        value
    } else if size <= f32::INFINITY.to_bits() {
        largest.copysign(value)
    } else {
        0.0
    }
}

/// An integer in the order of `|value|`; infinity is the largest but NaN. By bits, since without a floating-point unit a
/// comparison of floats is a call.
#[inline]
const fn size(value: f32) -> u32 {
    value.to_bits() & (u32::MAX >> 1)
}

/// Whether the number can be the size of a step, or a factor on it: a larger one would make every score overflow.
pub(crate) const fn is_step(value: f32) -> bool {
    value > 0.0 && value <= LARGEST
}

/// Whether the number is finite, and not beyond [`LARGEST`].
pub(crate) const fn is_limited(value: f32) -> bool {
    -LARGEST <= value && value <= LARGEST
}

/// Argument of a kernel: the dot product or the squared distance of two points. The docs call it the *base* of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The dot product `a . b`.
    Product,
    /// The squared distance `|a - b|^2`.
    Distance,
}

/// A coefficient as it lies in memory.
pub trait Coefficient: Element + crate::sealed::Sealed {
    /// Its size.
    type Size: Rank;

    /// `|alpha|`, up to what all coefficients have in common.
    fn size(self) -> Self::Size;

    /// Whether both have the same sign, and neither is zero.
    fn agrees(self, other: Self) -> bool;

    /// The class that it speaks for; none if it is zero.
    fn sign(self) -> Option<Sign>;
}

/// The arithmetic over support vectors.
///
/// Sums, differences and [`times`](Self::times) round as the type does; nothing
/// overflows into nonsense.
pub trait Number:
    crate::sealed::Sealed + Element + PartialOrd + Add<Output = Self> + Sub<Output = Self>
{
    /// A coefficient in memory.
    type Stored: Coefficient;
    /// Unit that the coefficients of a model share.
    type Unit: Blank + Copy + Debug + Persist;
    /// Products of coefficients and similarities, added up.
    type Sum: Copy + Default;

    /// Zero.
    const ZERO: Self;
    /// One: the similarity of equal points.
    const ONE: Self;

    /// The nearest number of this kind.
    fn of(value: f32) -> Self;

    /// The number as `f32`.
    fn value(self) -> f32;

    /// The number itself, or the largest of its sign if it has become infinite.
    #[inline(always)]
    fn saturated(self) -> Self {
        self
    }

    /// The base of a pair of points, whose features are multiples of `step`.
    fn base(self, step: f32) -> f32;

    /// The product with a similarity, or any other number from zero to one.
    fn times(self, share: Self) -> Self;

    /// The coefficient that is stored as `stored`.
    fn coefficient(stored: Self::Stored, unit: Self::Unit) -> f32;

    /// The stored form that is nearest to `alpha`.
    fn stored(alpha: f32, unit: Self::Unit) -> Self::Stored;

    /// Changes the unit, and all that is stored with it, so that `alpha` fits in.
    fn make_room(stored: &mut [Self::Stored], unit: &mut Self::Unit, alpha: f32);

    /// Multiplies every coefficient by `factor`.
    fn scale(stored: &mut [Self::Stored], unit: &mut Self::Unit, factor: f32);

    /// Reads a unit back.
    fn load_unit(unit: &mut Self::Unit, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        unit.load(reader)
    }

    /// Adds products of coefficients and similarities: a multiple of
    /// [`LANES`](crate::num::sum::LANES) of them, except at the end.
    fn add_products(sum: &mut Self::Sum, stored: &[Self::Stored], row: &[Self]);

    /// The sum of the products as `f32`.
    fn total(sum: Self::Sum, unit: Self::Unit) -> f32;

    /// Sum of `term(row[j], other[j])`; the shorter one decides the length.
    fn zip_sum<T: Copy>(row: &[Self], other: &[T], term: impl Fn(Self, T) -> Self) -> f32;

    /// `sum_j alpha_j row_j`; the shorter one decides the length.
    #[inline]
    fn dot(stored: &[Self::Stored], unit: Self::Unit, row: &[Self]) -> f32 {
        let len = stored.len().min(row.len());
        let (stored, row) = (stored.get(..len), row.get(..len));
        let mut sum = Self::Sum::default();
        Self::add_products(
            &mut sum,
            stored.unwrap_or_default(),
            row.unwrap_or_default(),
        );
        Self::total(sum, unit)
    }

    /// The number itself, or zero if it is negative.
    #[inline(always)]
    fn positive_part(self) -> Self {
        // Not `f32::max`, which also looks for NaN.
        if self > Self::ZERO { self } else { Self::ZERO }
    }
}

impl crate::sealed::Sealed for f32 {}
impl crate::sealed::Sealed for u32 {}
impl crate::sealed::Sealed for i16 {}
impl crate::sealed::Sealed for Fixed {}
