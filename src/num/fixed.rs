//! Fixed-point numbers.

use core::ops::{Add, Sub};

use super::{Coefficient, Number};
use crate::{
    label::Sign,
    num::math::power::RESULT,
    persist::{Element, ImageError, Persist, Reader, Shape, Writer},
};

/// A multiple of 2^-24 in 32 bits: from -128 to 128, where sums end.
///
/// A row of a model over fixed-point features holds bases (dot products or squared distances), which are integers,
/// until the kernel turns them into similarities of this kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fixed(i32);

/// Fraction bits.
const FRACTION: u32 = RESULT;
const ONE: i32 = 1 << FRACTION;

impl Fixed {
    /// `numerator / 2^24`.
    #[inline(always)]
    pub const fn from_raw(numerator: i32) -> Self {
        Fixed(numerator)
    }

    /// The number times 2^24.
    #[inline(always)]
    pub const fn raw(self) -> i32 {
        self.0
    }
}

impl Add for Fixed {
    type Output = Fixed;

    #[inline(always)]
    fn add(self, other: Fixed) -> Fixed {
        Fixed(self.0.saturating_add(other.0))
    }
}

impl Sub for Fixed {
    type Output = Fixed;

    #[inline(always)]
    fn sub(self, other: Fixed) -> Fixed {
        Fixed(self.0.saturating_sub(other.0))
    }
}

/// The unit of all coefficients of a model; zero before the first.
///
/// The first coefficient makes it a power of two, so that steps of one size are
/// exact. A larger coefficient than fits makes it coarser, shrinking all of them
/// makes it smaller and leaves the numbers in memory alone. So a coefficient is
/// off by at most 2^-15 of the largest one that there was.
pub type Unit = f32;

impl Coefficient for i16 {
    type Size = u32;

    #[inline]
    fn size(self) -> u32 {
        self.unsigned_abs().into()
    }

    #[inline]
    fn agrees(self, other: i16) -> bool {
        i32::from(self) * i32::from(other) > 0
    }

    #[inline]
    fn sign(self) -> Option<Sign> {
        match self {
            ..0 => Some(Sign::Neg),
            0 => None,
            1.. => Some(Sign::Pos),
        }
    }
}

/// The nearest integer, halves away from zero.
#[inline]
pub(crate) fn round(value: f32) -> i32 {
    let half = 0.5_f32.copysign(value);
    (value + half) as i32
}

/// `2^exponent`, for exponents of normal numbers.
#[inline]
fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits(((exponent + 127).clamp(1, 254) as u32) << 23)
}

/// Whether the core multiplies 32 bits to 64 in one instruction.
const LONG_PRODUCTS: bool = !cfg!(short_products);

/// Half of the digits of a similarity. `TOGETHER` products of them with coefficients add up to at
/// most 2^30.
const HALF: u32 = FRACTION / 2;
const TOGETHER: usize = 8;

/// The largest unit of an image: the sum of 2^16 coefficients is still a number.
const LARGEST_UNIT: f32 = f32::MAX / (1_u64 << 32) as f32;

impl Number for Fixed {
    type Stored = i16;
    type Unit = Unit;
    type Sum = i64;

    const ZERO: Fixed = Fixed(0);
    const ONE: Fixed = Fixed(ONE);

    #[inline]
    fn of(value: f32) -> Fixed {
        Fixed(round(value * ONE as f32))
    }

    #[inline]
    fn value(self) -> f32 {
        self.0 as f32 * (1.0 / ONE as f32)
    }

    #[inline]
    fn base(self, step: f32) -> f32 {
        self.0 as f32 * (step * step)
    }

    #[inline(always)]
    fn times(self, share: Fixed) -> Fixed {
        let product = i64::from(self.0) * i64::from(share.0);
        Fixed(((product + (1 << (FRACTION - 1))) >> FRACTION) as i32)
    }

    #[inline]
    fn coefficient(stored: i16, unit: Unit) -> f32 {
        f32::from(stored) * unit
    }

    #[inline]
    fn stored(alpha: f32, unit: Unit) -> i16 {
        // Without a unit there is nothing yet; the conversion of NaN is zero.
        round(alpha / unit).clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16
    }

    /// The unit doubles until there is room, or becomes what the first
    /// coefficient makes of it.
    fn make_room(stored: &mut [i16], unit: &mut Unit, alpha: f32) {
        if *unit == 0.0 {
            // A mantissa of 15 bits: from 2^14 to just below 2^15.
            let exponent = ((alpha.to_bits() >> 23) & 0xff) as i32 - 127;
            *unit = power_of_two(exponent - 14);
        }
        // As many doublings as there are exponents will do.
        for _ in 0..u8::MAX {
            if alpha.abs() < *unit * (f32::from(i16::MAX) + 0.5) {
                break;
            }
            *unit *= 2.0;
            for mantissa in &mut *stored {
                // Halves go to the even neighbour, so that rounding does not drift.
                let odd = (*mantissa >> 1) & *mantissa & 1;
                *mantissa = (*mantissa >> 1) + odd;
            }
        }
    }

    #[inline]
    fn scale(stored: &mut [i16], unit: &mut Unit, factor: f32) {
        *unit *= factor;
        if *unit < f32::MIN_POSITIVE {
            *unit = 0.0;
            stored.fill(0);
        }
    }

    fn load_unit(unit: &mut Unit, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.number(unit, 0.0..=LARGEST_UNIT)
    }

    #[inline(always)]
    fn add_products(sum: &mut i64, stored: &[i16], row: &[Fixed]) {
        if LONG_PRODUCTS {
            let products = stored.iter().zip(row);
            *sum += products
                .map(|(alpha, near)| i64::from(*alpha) * i64::from(near.0))
                .sum::<i64>();
            return;
        }
        // In two halves, since the smallest cores multiply no more than 32 bits.
        for (stored, row) in stored.chunks(TOGETHER).zip(row.chunks(TOGETHER)) {
            let (mut high, mut low) = (0, 0);
            for (alpha, near) in stored.iter().zip(row) {
                let alpha = i32::from(*alpha);
                high += alpha * (near.0 >> HALF);
                low += alpha * (near.0 & ((1 << HALF) - 1));
            }
            *sum += (i64::from(high) << HALF) + i64::from(low);
        }
    }

    #[inline]
    fn total(sum: i64, unit: Unit) -> f32 {
        sum as f32 * (unit * (1.0 / ONE as f32))
    }

    #[inline(always)]
    fn zip_sum<T: Copy>(row: &[Fixed], other: &[T], term: impl Fn(Fixed, T) -> Fixed) -> f32 {
        let terms = row.iter().zip(other);
        let sum: i64 = terms.map(|(a, b)| i64::from(term(*a, *b).0)).sum();
        sum as f32 * (1.0 / ONE as f32)
    }
}

crate::persist::blank!([] Fixed { 0 });

impl Element for Fixed {}

/// Its numerator as a word.
impl Persist for Fixed {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        writer.word(self.0 as u32);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let word = reader.word()?;
        reader.put(self, Fixed(word as i32));
        Ok(())
    }
}
