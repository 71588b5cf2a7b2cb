//! The coefficients of one support vector.

use crate::{
    num::{Fixed, math::power::RESULT, rng::XorShift32},
    persist::{Blank, Element, ImageError, Persist, Reader, Shape, Writer, packed},
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
    values: [i8; N],
    exponent: u8,
    /// Local error rate: recent share of wrong answers where this vector was the nearest, in 256ths.
    error_rate: u8,
}

/// The exponent of a value of one.
const ONE: u8 = 15;
/// The largest exponent: coefficients end at 508.
const LARGEST_EXPONENT: u8 = 17;
const LARGEST: i32 = i8::MAX as i32;
/// Bits of a factor behind the point.
const FACTOR: u32 = 15;

/// Fraction bits of a sum of [`weights`](CoefficientRow::weight) times values.
pub(super) const FRACTION: u32 = RESULT - (LARGEST_EXPONENT - ONE) as u32 - 1;

impl<const N: usize> CoefficientRow<N> {
    /// Coefficients for a new vector.
    pub fn of(steps: &[f32; N], rng: &mut XorShift32) -> Self {
        let sizes = steps.iter().map(|step| step.abs());
        let largest = sizes.fold(0.0, f32::max);
        let mut exponent = LARGEST_EXPONENT;
        // Positive numbers have the order of their bits; a step of the exponent halves the limit and the unit.
        const STEP: u32 = 1 << (f32::MANTISSA_DIGITS - 1);
        let mut unit = ((1 << (LARGEST_EXPONENT - ONE)) as f32).to_bits();
        let mut limit = (63.5 * (1 << (LARGEST_EXPONENT - ONE)) as f32).to_bits();
        while exponent > 0 && largest.to_bits() < limit {
            exponent -= 1;
            unit -= STEP;
            limit -= STEP;
        }
        let unit = f32::from_bits(unit);
        /// Beyond the largest value in 65,536ths, and still an `i32` with half a unit more.
        const TOO_LARGE: f32 = (128 << 16) as f32;
        let values = steps.map(|step| {
            let scaled = (step / unit * 65_536.0).clamp(-TOO_LARGE, TOO_LARGE) as i32;
            let fraction = if exponent > 0 {
                1 << 15
            } else {
                (rng.next_u32() >> 16) as i32
            };
            ((scaled + fraction) >> 16).clamp(-LARGEST, LARGEST) as i8
        });
        CoefficientRow {
            values,
            exponent,
            error_rate: 0,
        }
    }

    /// The bytes.
    #[inline]
    pub fn values(&self) -> &[i8; N] {
        &self.values
    }

    /// Power of two that all values have in common.
    #[inline]
    pub fn exponent(&self) -> u32 {
        self.exponent.into()
    }

    /// The coefficient of a class.
    pub fn coefficient(&self, class: usize) -> f32 {
        let value = self.values.get(class).copied().unwrap_or(0);
        let unit = (1_u32 << self.exponent) as f32 * (1.0 / (1 << ONE) as f32);
        f32::from(value) * unit
    }

    /// `sum_c a_c b_c`, in units of both.
    #[inline]
    pub fn dot(&self, other: &Self) -> i32 {
        let pairs = self.values.iter().zip(&other.values);
        pairs.map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
    }

    /// Factor of every value in a score, for a vector of that similarity: below 2^24.
    #[inline(always)]
    pub fn weight(&self, near: Fixed) -> i32 {
        near.raw() >> (u32::from(LARGEST_EXPONENT) + 1 - u32::from(self.exponent))
    }

    /// Local error rate: recent share (about the last 64) of wrong answers where this vector was the nearest.
    #[inline]
    pub fn error_rate(&self) -> f32 {
        f32::from(self.error_rate) * (1.0 / 256.0)
    }

    /// Takes in whether the answer for an example near the vector was wrong; `weight` is the share of such examples that
    /// count.
    pub fn record_answer(&mut self, wrong: bool, weight: f32, rng: &mut XorShift32) {
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

    /// Becomes `keep * self + share * other`, with factors from zero to one; whether that is cut off.
    pub fn mix(&mut self, keep: f32, other: &Self, share: f32, rng: &mut XorShift32) -> bool {
        let common = self.exponent.max(other.exponent);
        let factor = |factor: f32, exponent: u8| {
            ((factor * (1 << FACTOR) as f32) as i32) >> (common - exponent)
        };
        let (keep, share) = (factor(keep, self.exponent), factor(share, other.exponent));
        let mut sums = [0; N];
        let mut largest = 0;
        for (sum, (own, other)) in sums.iter_mut().zip(self.values.iter().zip(&other.values)) {
            *sum = i32::from(*own) * keep + i32::from(*other) * share;
            largest = largest.max(sum.abs());
        }
        // The least exponent that leaves bytes.
        let least = FACTOR.saturating_sub(common.into());
        let most = FACTOR + u32::from(LARGEST_EXPONENT - common);
        let mut shift = least;
        while shift < most && (largest + (1 << shift) - 1) >> shift > LARGEST {
            shift += 1;
        }
        let mut cut_off = false;
        for (value, sum) in self.values.iter_mut().zip(sums) {
            // Less than one unit; a shift of nothing is never needed, since sums have the digits of a factor.
            let below_one = rng.next_u32() & ((1 << shift) - 1);
            let rounded = (sum + below_one as i32) >> shift;
            cut_off |= rounded.abs() > LARGEST;
            *value = rounded.clamp(-LARGEST, LARGEST) as i8;
        }
        self.exponent = (u32::from(common) + shift - FACTOR) as u8;
        cut_off
    }

    /// Becomes `keep * self`, for a factor from zero to one.
    pub fn shrink(&mut self, keep: f32, rng: &mut XorShift32) {
        self.mix(keep, &Self::BLANK, 0.0, rng);
    }

    /// Makes coefficients of 2 and more those of less than 2 that have the same digits.
    pub fn clamp_coefficients(&mut self) {
        self.exponent = self.exponent.min(ONE - 6);
    }

    /// Forgets one class.
    pub fn clear(&mut self, class: usize) {
        if let Some(value) = self.values.get_mut(class) {
            *value = 0;
        }
    }
}

crate::persist::blank!([; const N: usize] CoefficientRow<N> { values, exponent, error_rate });

impl<const N: usize> crate::sealed::Sealed for CoefficientRow<N> {}

impl<const N: usize> Element for CoefficientRow<N> {
    fn image_len(count: usize) -> u32 {
        count as u32 * (packed::len::<i8>(N) + 4)
    }
}

/// The values in whole words, then a word with exponent and local error rate.
impl<const N: usize> Persist for CoefficientRow<N> {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        packed::save(&self.values, writer);
        writer.word(u32::from(self.exponent) | u32::from(self.error_rate) << 8);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let mut values = [0; N];
        packed::load(&mut values, reader, |_, place, value| *place = value)?;
        let row = Self::of_words(values, reader.word()?)?;
        reader.put(self, row);
        Ok(())
    }
}

impl<const N: usize> CoefficientRow<N> {
    #[inline]
    fn of_words(values: [i8; N], word: u32) -> Result<Self, ImageError> {
        let [exponent, error_rate, zero, none] = word.to_le_bytes();
        let legal = exponent <= LARGEST_EXPONENT && zero == 0 && none == 0;
        if !legal || values.contains(&i8::MIN) {
            return Err(ImageError::Malformed);
        }
        Ok(CoefficientRow {
            values,
            exponent,
            error_rate,
        })
    }

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
        Self::of_words(values, reader.word()?)
    }
}
