//! Number formats of features.

use super::{Base, Columns, Points, Rows, is_finite};
use crate::{
    error::InputError,
    num::{Fixed, Number, dsp, round},
    persist::{
        Blank, Element, ImageError, Reader,
        packed::{self, Packed},
    },
};

/// A format: how a feature is stored, and the arithmetic that follows from it.
///
/// | format | a feature is | largest, in units of [`step`](Self::step) | similarities and coefficients |
/// |---|---|---|---|
/// | `f32` | as it comes | - | `f32` |
/// | `i16` | a multiple of `4 / levels` | `levels = floor(sqrt((2^31 - 1) / D) / 2)` | [`Fixed`] |
/// | `i8` | a multiple of `4 / 127` | 128 | [`Fixed`] |
///
/// Whole features stand for standardised ones, from -4 to 4 standard deviations:
/// [`Standardized`](crate::wrap::Standardized) makes them. They are as fine as
/// possible under the condition that no base number of two vectors leaves 32
/// bits: `D (2 levels)^2 < 2^31`.
pub trait Feature: Element + PartialEq + crate::sealed::Sealed {
    /// The arithmetic over support vectors.
    type Number: Number;
    /// `B` vectors of `D` such features inside the model.
    type Inline<const D: usize, const B: usize>: Points<Feature = Self, Point = [Self; D], Owned = [Self; D]>
        + Blank;

    /// What the format is called in the [shape](crate::persist) of a model.
    const NAME: &str;

    /// What a feature of one stands for, in vectors of `dim` features.
    fn step(dim: usize) -> f32;

    /// The feature of a vector of `dim` features that is nearest to `value`.
    fn nearest(value: f32, dim: usize) -> Self;

    /// Whether a feature may be part of a vector of `dim` features.
    fn fits(self, dim: usize) -> bool;

    /// Refuses vectors that must not get in.
    fn check(x: &[Self]) -> Result<(), InputError>;

    /// Reads features of vectors of `dim` features from an image, also in a rehearsal.
    fn read(features: &mut [Self], dim: usize, reader: &mut Reader<'_>) -> Result<(), ImageError>;

    /// Adds one feature of a pair to its base number.
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

/// A format whose base numbers have room for weights.
///
/// There is none for `i16`: its levels take all the bits of a base number.
pub trait Weighed: Feature {
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

impl Weighed for i8 {
    #[inline(always)]
    fn accumulate_weighted(weight: u16, sum: &mut Fixed, x: i8, s: i8) {
        let difference = i32::from(x) - i32::from(s);
        *sum = Fixed::from_raw(sum.raw() + i32::from(weight) * (difference * difference));
    }
}

/// How a moved vector becomes whole again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// To the nearest level: a vector settles, since ways of less than half a level are not gone.
    Nearest,
    /// Up as often as the fraction says: a heavy vector that moves by less than half a level at
    /// a time gets there in the end. The number decides, with the operands; it should be another each time.
    Chance(u32),
}

/// Standard deviations that the largest whole feature stands for.
const RANGE: f32 = 4.0;

/// With more features not even the levels of `i8` fit into a base number.
pub const MOST_FEATURES: usize = (i32::MAX / (255 * 255)) as usize;

impl Feature for f32 {
    type Number = f32;
    type Inline<const D: usize, const B: usize> = Columns<D, B>;

    const NAME: &str = "f32";

    #[inline(always)]
    fn step(_: usize) -> f32 {
        1.0
    }

    #[inline(always)]
    fn nearest(value: f32, _: usize) -> f32 {
        value.clamp(-RANGE, RANGE)
    }

    #[inline(always)]
    fn fits(self, _: usize) -> bool {
        self.is_finite()
    }

    #[inline]
    fn check(x: &[f32]) -> Result<(), InputError> {
        if is_finite(x) {
            Ok(())
        } else {
            Err(InputError::NonFinite)
        }
    }

    /// Bit patterns are kept as they are.
    fn read(features: &mut [f32], _: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        for feature in features {
            *feature = f32::from_bits(reader.word()?);
        }
        Ok(())
    }

    #[inline(always)]
    fn accumulate(base: Base, sum: &mut f32, x: f32, s: f32) {
        *sum += match base {
            Base::Product => x * s,
            Base::Distance => (x - s) * (x - s),
        };
    }

    #[inline(always)]
    fn blend(self, x: f32, share: f32, _: Rounding) -> f32 {
        share * x + (1.0 - share) * self
    }
}

/// Adds one feature of a pair of whole vectors to its base number.
#[inline(always)]
fn accumulate(base: Base, sum: &mut Fixed, x: i32, s: i32) {
    let term = match base {
        Base::Product => x * s,
        Base::Distance => (x - s) * (x - s),
    };
    *sum = Fixed::from_raw(sum.raw() + term);
}

/// `share * x + (1 - share) * own`.
#[inline(always)]
fn blend(own: i32, x: i32, share: f32, rounding: Rounding) -> i32 {
    let share = (share * 65_536.0) as i32;
    let below_one = match rounding {
        Rounding::Nearest => 1 << 15,
        Rounding::Chance(number) => chance(own, x, number),
    };
    let moved = i64::from(share) * i64::from(x - own) + i64::from(below_one);
    own + (moved >> 16) as i32
}

/// 16 bits that look random: a hash of the operands and of a number that says which time it is, so there is no state to
/// keep, and the same merger rounds alike everywhere.
#[inline(always)]
fn chance(own: i32, x: i32, number: u32) -> u32 {
    let mixed = (own as u32).wrapping_mul(0x9E37_79B9)
        ^ (x as u32).wrapping_mul(0x85EB_CA6B)
        ^ number.wrapping_mul(0xC2B2_AE35);
    (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D) >> 16
}

fn read<F: Feature + Packed>(
    features: &mut [F],
    dim: usize,
    reader: &mut Reader<'_>,
) -> Result<(), ImageError> {
    packed::load(features, reader, |_, feature, found| *feature = found)?;
    if features.iter().all(|feature| feature.fits(dim)) {
        Ok(())
    } else {
        Err(ImageError::Malformed)
    }
}

impl Feature for i8 {
    type Number = Fixed;
    type Inline<const D: usize, const B: usize> = Rows<i8, D, B>;

    const NAME: &str = "i8";

    #[inline(always)]
    fn step(_: usize) -> f32 {
        RANGE / 127.0
    }

    #[inline]
    fn nearest(value: f32, _: usize) -> i8 {
        round(value * (127.0 / RANGE)).clamp(-127, 127) as i8
    }

    /// Every one: the limit on the number of features takes care.
    #[inline(always)]
    fn fits(self, _: usize) -> bool {
        true
    }

    #[inline(always)]
    fn check(_: &[i8]) -> Result<(), InputError> {
        Ok(())
    }

    fn read(features: &mut [i8], dim: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        read(features, dim, reader)
    }

    #[inline(always)]
    fn accumulate(base: Base, sum: &mut Fixed, x: i8, s: i8) {
        accumulate(base, sum, x.into(), s.into());
    }

    #[inline(always)]
    fn distances<const D: usize>(x: &[i8; D], rows: &[[i8; D]], out: &mut [Fixed]) -> usize {
        dsp::of_bytes(x, rows, out)
    }

    #[inline(always)]
    fn blend(self, x: i8, share: f32, rounding: Rounding) -> i8 {
        blend(self.into(), x.into(), share, rounding).clamp(-127, 127) as i8
    }
}

/// The largest feature of vectors of `dim` features: `dim * (2 * levels)^2 < 2^31`.
#[inline]
const fn levels(dim: usize) -> i32 {
    // At most `MOST_FEATURES`, and never zero.
    let dim = if dim == 0 { 1 } else { dim as i32 };
    (i32::MAX / dim).isqrt() / 2
}

impl Feature for i16 {
    type Number = Fixed;
    type Inline<const D: usize, const B: usize> = Rows<i16, D, B>;

    const NAME: &str = "i16";

    #[inline]
    fn step(dim: usize) -> f32 {
        RANGE / levels(dim) as f32
    }

    #[inline]
    fn nearest(value: f32, dim: usize) -> i16 {
        let levels = levels(dim);
        let scaled = value * (levels as f32 * (1.0 / RANGE));
        round(scaled).clamp(-levels, levels) as i16
    }

    #[inline]
    fn fits(self, dim: usize) -> bool {
        i32::from(self.unsigned_abs()) <= levels(dim)
    }

    #[inline]
    fn check(x: &[i16]) -> Result<(), InputError> {
        if x.iter().all(|feature| feature.fits(x.len())) {
            Ok(())
        } else {
            Err(InputError::OutOfRange)
        }
    }

    fn read(features: &mut [i16], dim: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        read(features, dim, reader)
    }

    #[inline(always)]
    fn accumulate(base: Base, sum: &mut Fixed, x: i16, s: i16) {
        accumulate(base, sum, x.into(), s.into());
    }

    #[inline(always)]
    fn distances<const D: usize>(x: &[i16; D], rows: &[[i16; D]], out: &mut [Fixed]) -> usize {
        dsp::of_halfwords(x, rows, out)
    }

    #[inline(always)]
    fn blend(self, x: i16, share: f32, rounding: Rounding) -> i16 {
        // Away from `x` there may be no such level; as far out as the two there is.
        let farthest = i32::from(self).abs().max(i32::from(x).abs());
        blend(self.into(), x.into(), share, rounding).clamp(-farthest, farthest) as i16
    }
}

impl crate::sealed::Sealed for i8 {}
