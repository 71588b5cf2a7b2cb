//! The coefficients of one vector.

use crate::{
    image::{ImageError, Persist, Reader, Shape, Writer, packed},
    memory::{Blank, Entry},
};

/// A byte for every class, in multiples of `1 / 64` of a size that the vector has for all of them.
///
/// The largest lies between 64 and 127, so there is room to add; when there is none left, the size
/// doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row<const C: usize>(pub(super) [i8; C]);

/// What stands for the size itself.
pub(super) const WHOLE: i32 = 64;
/// Binary digits of that.
pub(super) const DIGITS: u32 = WHOLE.ilog2();
const LARGEST: i32 = i8::MAX as i32;
/// Doublings after which any sum of two rows has room, and so many halvings too.
const DOUBLINGS: usize = 16;
/// Binary digits of a share behind the point.
const SHARE: u32 = 16;
/// The largest share: weaker rows are added to stronger ones, and sizes differ from norms by at most
/// `2 sqrt(C)`.
const MOST: f32 = 64.0;

impl<const C: usize> Row<C> {
    /// Steps of which `largest` is the largest.
    pub(super) fn of(steps: &[f32; C], largest: f32) -> Self {
        let scale = WHOLE as f32 / largest;
        Row(steps.map(|step| {
            let value = step * scale;
            (value + 0.5_f32.copysign(value)) as i8
        }))
    }

    /// `sum_c a_c b_c`, in units of both.
    #[inline]
    pub(super) fn dot(&self, other: &Self) -> i32 {
        let pairs = self.0.iter().zip(&other.0);
        pairs.map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
    }

    fn largest(&self) -> i32 {
        let sizes = self.0.iter().map(|value| i32::from(*value).abs());
        sizes.fold(0, i32::max)
    }

    /// Adds `share` of another row; the result has to be multiplied by `2^doublings` more than before.
    ///
    /// A heavy row gets additions that are smaller than its unit: they are rounded up as often as
    /// their fraction says, so that many of them have their say.
    pub(super) fn add(&mut self, other: &Self, share: f32) -> u32 {
        let share = (share.clamp(0.0, MOST) * (1_u32 << SHARE) as f32) as i32;
        let (mut own, mut doublings) = (self.0.map(i32::from), 0);
        for _ in 0..DOUBLINGS {
            let share = share >> doublings;
            let sum = |(own, other): (&i32, &i8)| {
                let part = i32::from(*other) * share;
                *own + ((part + chance(*own, part)) >> SHARE)
            };
            let pairs = || own.iter().zip(&other.0);
            if pairs().map(sum).all(|sum| sum.abs() <= LARGEST) {
                for (value, (own, other)) in self.0.iter_mut().zip(pairs()) {
                    *value = sum((own, other)) as i8;
                }
                break;
            }
            doublings += 1;
            for value in &mut own {
                // Halves go to the even neighbour, so that rounding does not drift.
                *value = (*value >> 1) + ((*value >> 1) & *value & 1);
            }
        }
        doublings
    }

    /// Doubles all coefficients until the largest fills its byte, `limit` times at most; how often.
    pub(super) fn fill(&mut self, limit: u32) -> u32 {
        let largest = self.largest();
        let mut doublings = 0;
        while largest > 0 && doublings < limit && (largest << doublings) < WHOLE {
            doublings += 1;
        }
        for value in &mut self.0 {
            *value = (i32::from(*value) << doublings) as i8;
        }
        doublings
    }
}

/// Less than one, with as many digits as a share: a hash of the operands, so there is no state to
/// keep, and the same merger rounds alike everywhere.
#[inline]
fn chance(own: i32, part: i32) -> i32 {
    // Parts are multiples of few numbers, so they are stirred twice.
    let mixed = (own as u32).wrapping_mul(0x9E37_79B9) ^ (part as u32).wrapping_mul(0x85EB_CA6B);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D);
    ((mixed ^ (mixed >> 13)).wrapping_mul(0x297A_2D39) >> SHARE) as i32
}

impl<const C: usize> Blank for Row<C> {
    const BLANK: Self = Row([0; C]);
}

impl<const C: usize> Entry for Row<C> {
    fn image_len(count: usize) -> u32 {
        count as u32 * packed::len::<i8>(C)
    }
}

/// Whole words.
impl<const C: usize> Persist for Row<C> {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        packed::save(&self.0, writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let mut found = [0; C];
        packed::load(&mut found, reader, |_, place, value| *place = value)?;
        if found.contains(&i8::MIN) {
            return Err(ImageError::Malformed);
        }
        reader.put(self, Row(found));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_rows_add_up_exactly() {
        let row = Row([64, -64, 0, 2]);
        let mut sum = row;
        assert_eq!(sum.add(&row, 1.0), 1);
        assert_eq!(sum, row); // twice of what it was, in units twice as large
    }

    #[test]
    fn many_small_additions_to_a_heavy_row_have_their_say() {
        // A tenth of a unit on average for the second class, and off the third.
        let (mut heavy, light) = (Row([100, 0, 120]), Row([0, 64, -64]));
        for n in 0..600 {
            // The share differs every time, as it does in a stream.
            let share = 0.2 * (n * 37 % 601) as f32 / 601.0 / 64.0;
            assert_eq!(heavy.add(&light, share), 0);
        }
        assert_eq!(heavy.0[0], 100);
        // Four standard deviations of so many throws.
        assert!((heavy.0[1] - 60).abs() <= 28, "{heavy:?}");
        assert!((heavy.0[2] - 60).abs() <= 28, "{heavy:?}");
    }

    #[test]
    fn no_sum_leaves_its_byte() {
        let extreme = Row([127, -127, 127, 64]);
        for share in [0.0, 0.3, 1.0, 7.7, 63.9, 1e9, f32::INFINITY, f32::NAN] {
            let mut row = extreme;
            let doublings = row.add(&extreme, share);
            assert!(doublings <= 7, "{share}: {doublings}");
            assert!(row.0.iter().all(|value| *value > i8::MIN));
            // And it is the sum, but for a unit or two of rounding.
            let unit = (1 << doublings) as f32;
            let share = if share > 0.0 { share.min(MOST) } else { 0.0 };
            for (sum, value) in row.0.iter().zip(extreme.0) {
                let exact = f32::from(value) * (1.0 + share);
                let off = f32::from(*sum) * unit - exact;
                assert!(off.abs() <= 1.51 * unit, "{share}: {sum} {value} {off}");
            }
        }
    }
}
