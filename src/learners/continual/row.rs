//! The coefficients of one support vector.

use super::update::{largest, owner};
use crate::{
    num::{Fixed, math::power::RESULT, rng::XorShift32, rolled},
    persist::{Element, ImageError, Persist, Reader, Shape, Writer},
};

/// A byte for every class, a common power of two, and how often the vector was wrong: `N + 2` bytes.
///
/// ```text
/// A_c = values_c * 2^(exponent - 15)
/// ```
///
/// The largest value lies between 64 and 127, except for coefficients below 2^-9. Every operation rounds at random with
/// the right mean, so that steps below a unit are neither lost nor drift. Coefficients end at 508: what would go
/// beyond is cut off there, and reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CoefficientRow<const N: usize> {
    pub(super) values: [i8; N],
    pub(super) head: RowHead,
}

/// What the values of a row have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowHead {
    pub(super) exponent: u8,
    /// Local error rate: recent share of wrong answers where this vector was the nearest, in 256ths.
    pub(super) error_rate: u8,
}

/// The coefficients of one support vector, whatever the number of classes.
#[derive(Clone, Copy)]
pub(super) struct RowRef<'a> {
    pub values: &'a [i8],
    pub exponent: u8,
}

/// The exponent of a value of one.
const ONE: u8 = 15;
/// The largest exponent: coefficients end at 508.
pub(super) const LARGEST_EXPONENT: u8 = 17;
const LARGEST: i32 = i8::MAX as i32;
/// Bits of a factor behind the point.
const FACTOR: u32 = 15;

/// Fraction bits of a sum of [`weights`](weight) times values.
pub(super) const FRACTION: u32 = RESULT - (LARGEST_EXPONENT - ONE) as u32 - 1;

impl<const N: usize> CoefficientRow<N> {
    /// Coefficients for a new vector.
    pub fn of(steps: &[f32; N], rng: &mut XorShift32) -> Self {
        let mut values = [0; N];
        let head = round(steps, &mut values, rng);
        CoefficientRow { values, head }
    }

    #[inline]
    pub(super) fn as_ref(&self) -> RowRef<'_> {
        self.head.with(&self.values)
    }

    /// The bytes.
    #[inline]
    pub fn values(&self) -> &[i8; N] {
        &self.values
    }

    /// Power of two that all values have in common.
    #[inline]
    pub fn exponent(&self) -> u32 {
        self.head.exponent.into()
    }

    /// The coefficient of a class.
    pub fn coefficient(&self, class: usize) -> f32 {
        self.as_ref().coefficient(class)
    }

    /// The class that the vector stands for: that of the largest value, or the side of a single one.
    pub fn owner(&self) -> usize {
        owner(&self.values)
    }

    /// `sum_c a_c b_c`, in units of both.
    #[inline]
    pub fn dot(&self, other: &Self) -> i32 {
        dot(&self.values, &other.values)
    }

    /// Local error rate: recent share (about the last 64) of wrong answers where this vector was the nearest.
    #[inline]
    pub fn error_rate(&self) -> f32 {
        self.head.error_rate()
    }
}

impl RowHead {
    #[inline]
    pub(super) fn with(self, values: &[i8]) -> RowRef<'_> {
        RowRef {
            values,
            exponent: self.exponent,
        }
    }

    #[inline]
    pub(super) fn error_rate(self) -> f32 {
        f32::from(self.error_rate) * (1.0 / 256.0)
    }

    /// Takes in whether the answer for an example near the vector was wrong; `weight` is the share of such examples that
    /// count.
    pub(super) fn record_answer(&mut self, wrong: bool, weight: f32, rng: &mut XorShift32) {
        if weight < 1.0 && (rng.next_u32() >> 8) as f32 >= weight * (1 << 24) as f32 {
            return;
        }
        /// Answers that count: 2^6.
        const WINDOW: u32 = 6;
        let goal = if wrong { u32::from(u8::MAX) } else { 0 };
        let own = u32::from(self.error_rate);
        let dithered = goal.abs_diff(own) + (rng.next_u32() >> (u32::BITS - WINDOW));
        let step = (dithered >> WINDOW) as u8;
        self.error_rate = if wrong {
            self.error_rate.saturating_add(step)
        } else {
            self.error_rate.saturating_sub(step)
        };
    }

    /// Makes coefficients of 2 and more those of less than 2 that have the same digits.
    pub(super) fn clamp_coefficients(&mut self) {
        self.exponent = self.exponent.min(ONE - 6);
    }

    /// Multiplies the coefficients with a factor from zero to one.
    pub(super) fn shrink(&mut self, values: &mut [i8], keep: f32, rng: &mut XorShift32) {
        const NOTHING: RowRef<'_> = RowRef {
            values: &[],
            exponent: 0,
        };
        self.mix(values, keep, NOTHING, 0.0, rng);
    }

    /// The coefficients become `keep * themselves + share * other`, with factors from zero to one; whether that is cut off.
    /// Values that `other` has not are zero.
    #[inline(never)]
    pub(super) fn mix(
        &mut self,
        values: &mut [i8],
        keep: f32,
        other: RowRef<'_>,
        share: f32,
        rng: &mut XorShift32,
    ) -> bool {
        let common = self.exponent.max(other.exponent);
        let factor = |factor: f32, exponent: u8| {
            ((factor * (1 << FACTOR) as f32) as i32) >> (common - exponent)
        };
        let (keep, share) = (factor(keep, self.exponent), factor(share, other.exponent));
        let sum = |own: i8, class: usize| {
            let other = other.values.get(class).copied().unwrap_or(0);
            i32::from(own) * keep + i32::from(other) * share
        };
        let mut largest = 0;
        for (class, own) in values.iter().enumerate() {
            rolled();
            largest = largest.max(sum(*own, class).abs());
        }
        // The least exponent that leaves bytes.
        let mut shift = FACTOR.saturating_sub(common.into());
        let most = FACTOR + u32::from(LARGEST_EXPONENT - common);
        while shift < most && (largest + (1 << shift) - 1) >> shift > LARGEST {
            rolled();
            shift += 1;
        }
        let mut cut_off = false;
        for (class, own) in values.iter_mut().enumerate() {
            rolled();
            // Less than one unit; a shift of nothing is never needed, since sums have the digits of a factor.
            let below_one = rng.next_u32() & ((1 << shift) - 1);
            let rounded = (sum(*own, class) + below_one as i32) >> shift;
            cut_off |= rounded.abs() > LARGEST;
            *own = rounded.clamp(-LARGEST, LARGEST) as i8;
        }
        self.exponent = (u32::from(common) + shift - FACTOR) as u8;
        cut_off
    }
}

impl RowRef<'_> {
    /// The coefficient of a class.
    pub fn coefficient(&self, class: usize) -> f32 {
        let value = self.values.get(class).copied().unwrap_or(0);
        let unit = (1_u32 << self.exponent) as f32 * (1.0 / (1 << ONE) as f32);
        f32::from(value) * unit
    }

    /// `|A|^2`, up to what all vectors have in common.
    #[inline]
    pub fn norm_squared(&self) -> u64 {
        u64::from(dot(self.values, self.values) as u32) << (2 * self.exponent)
    }

    /// `A . B`, in the same unit: exact, since products have at most 22 digits.
    pub fn product(&self, other: &RowRef<'_>) -> f32 {
        let power = 127 + u32::from(self.exponent) + u32::from(other.exponent);
        dot(self.values, other.values) as f32 * f32::from_bits(power << 23)
    }
}

/// `sum_c a_c b_c`, in units of both.
#[inline]
pub(super) fn dot(a: &[i8], b: &[i8]) -> i32 {
    match (a, b) {
        // Two classes have one column.
        ([a], [b]) => i32::from(*a) * i32::from(*b),
        _ => dot_of_several(a, b),
    }
}

#[inline(never)]
fn dot_of_several(a: &[i8], b: &[i8]) -> i32 {
    let mut sum = 0;
    for (a, b) in a.iter().zip(b) {
        rolled();
        sum += i32::from(*a) * i32::from(*b);
    }
    sum
}

/// Factor of every value in a score, for a vector of that similarity: below 2^24.
#[inline(always)]
pub(super) fn weight(exponent: u8, near: Fixed) -> i32 {
    near.raw() >> (u32::from(LARGEST_EXPONENT) + 1 - u32::from(exponent))
}

/// Rounds the steps for a new vector to values.
#[inline(never)]
pub(super) fn round(steps: &[f32], values: &mut [i8], rng: &mut XorShift32) -> RowHead {
    let largest = largest(steps);
    let mut exponent = LARGEST_EXPONENT;
    // Positive numbers have the order of their bits; a step of the exponent halves the limit and the unit.
    const STEP: u32 = 1 << (f32::MANTISSA_DIGITS - 1);
    let mut unit = ((1 << (LARGEST_EXPONENT - ONE)) as f32).to_bits();
    let mut limit = (63.5 * (1 << (LARGEST_EXPONENT - ONE)) as f32).to_bits();
    while exponent > 0 && largest.to_bits() < limit {
        rolled();
        exponent -= 1;
        unit -= STEP;
        limit -= STEP;
    }
    let per_unit = 65_536.0 / f32::from_bits(unit);
    /// Beyond the largest value in 65,536ths, and still an `i32` with half a unit more.
    const TOO_LARGE: f32 = (128 << 16) as f32;
    for (value, step) in values.iter_mut().zip(steps) {
        rolled();
        let scaled = (step * per_unit).clamp(-TOO_LARGE, TOO_LARGE) as i32;
        let fraction = if exponent > 0 {
            1 << 15
        } else {
            (rng.next_u32() >> 16) as i32
        };
        *value = ((scaled + fraction) >> 16).clamp(-LARGEST, LARGEST) as i8;
    }
    RowHead {
        exponent,
        error_rate: 0,
    }
}

crate::persist::blank!([; const N: usize] CoefficientRow<N> { values, head });
crate::persist::blank!([] RowHead { exponent, error_rate });

impl crate::sealed::Sealed for RowHead {}

impl Element for RowHead {
    fn image_len(count: usize) -> u32 {
        4 * count as u32
    }
}

/// A word.
impl Persist for RowHead {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        writer.word(u32::from(self.exponent) | u32::from(self.error_rate) << 8);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let head = RowHead::read(reader)?;
        reader.put(self, head);
        Ok(())
    }
}

impl RowHead {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ImageError> {
        let [exponent, error_rate, zero, none] = reader.word()?.to_le_bytes();
        if exponent > LARGEST_EXPONENT || zero != 0 || none != 0 {
            return Err(ImageError::Malformed);
        }
        Ok(RowHead {
            exponent,
            error_rate,
        })
    }
}

impl<const N: usize> CoefficientRow<N> {
    /// Reads a row of so many columns. What comes beyond `N` must be zero.
    pub(super) fn read(columns: usize, reader: &mut Reader<'_>) -> Result<Self, ImageError> {
        const PER_WORD: usize = 4;
        let mut values = [0; N];
        for first in (0..columns).step_by(PER_WORD) {
            let word = reader.word()?.to_le_bytes();
            for (column, value) in (first..first + PER_WORD).zip(word) {
                match values.get_mut(column).filter(|_| column < columns) {
                    Some(place) => *place = value as i8,
                    None if value != 0 => return Err(ImageError::Malformed),
                    None => {}
                }
            }
        }
        let head = RowHead::read(reader)?;
        if values.contains(&i8::MIN) {
            return Err(ImageError::Malformed);
        }
        Ok(CoefficientRow { values, head })
    }
}
