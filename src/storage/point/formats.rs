//! The number formats of features.

use super::{Base, Columns, Feature, Rounding, Rows, WeightedDistance, is_finite};
use crate::{
    error::InputError,
    num::{Fixed, dsp, round},
    persist::{
        ImageError, Reader,
        packed::{self, Packed},
    },
};

/// Standard deviations that the largest fixed-point feature stands for.
const RANGE: f32 = 4.0;

impl WeightedDistance for i8 {
    #[inline(always)]
    fn accumulate_weighted(weight: u16, sum: &mut Fixed, x: i8, s: i8) {
        let difference = i32::from(x) - i32::from(s);
        *sum = Fixed::from_raw(sum.raw() + i32::from(weight) * (difference * difference));
    }
}

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

    fn read(features: &mut [f32], _: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        for feature in features {
            *feature = reader.finite()?;
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

/// Adds one feature of a pair of fixed-point vectors to its dot product or squared distance.
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
