//! Features brought into one range.

use crate::{
    error::InputError,
    persist::{ImageError, Persist, Reader, Shape, Writer},
    storage::point::is_finite,
};

/// The least and the largest value of each feature: `8 D + 4` bytes.
///
/// ```
/// use pocketron::{learners::batch::Ranges, persist::Blank};
///
/// let mut ranges = Ranges::BLANK;
/// for x in [[1.0, 5.0], [3.0, 5.0]] {
///     ranges.see(&x)?;
/// }
/// assert_eq!(ranges.apply(&[1.5, 9.0]), [-0.5, 0.0]); // a constant feature says nothing
/// assert_eq!(ranges.apply(&[4.0, 5.0]), [2.0, 0.0]); // beyond what was seen
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranges<const D: usize> {
    low: [f32; D],
    high: [f32; D],
    seen: u32,
}

crate::persist::blank!([; const D: usize] Ranges<D> { low, high, seen });

impl<const D: usize> Ranges<D> {
    /// Widens the ranges so that they hold `x`; an error means that it was refused
    /// and nothing changed.
    pub fn see(&mut self, x: &[f32; D]) -> Result<(), InputError> {
        if !is_finite(x) {
            return Err(InputError::NonFinite);
        }
        if self.seen == 0 {
            (self.low, self.high) = (*x, *x);
        }
        self.seen = self.seen.saturating_add(1);
        for ((low, high), x) in self.low.iter_mut().zip(&mut self.high).zip(x) {
            *low = low.min(*x);
            *high = high.max(*x);
        }
        Ok(())
    }

    /// `x` with every feature mapped so that its range becomes `[-1, 1]`; zero
    /// for a feature that was constant.
    pub fn apply(&self, x: &[f32; D]) -> [f32; D] {
        let mut mapped = [0.0; D];
        let ranges = self.low.iter().zip(&self.high);
        for ((mapped, x), (low, high)) in mapped.iter_mut().zip(x).zip(ranges) {
            // Halves, because the whole range may be more than f32 can hold.
            let half = 0.5 * high - 0.5 * low;
            if half > 0.0 {
                *mapped = 2.0 * ((0.5 * x - 0.5 * low) / half) - 1.0;
            }
        }
        mapped
    }
}

/// Named by the number of features; all the lows, then all the highs.
impl<const D: usize> Persist for Ranges<D> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("ranges", |inside| inside.number(D));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.with_slots(|writer| {
            self.low.save(writer);
            self.high.save(writer);
        });
        self.seen.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.with_slots(|reader| {
            self.low.load(reader)?;
            self.high.load(reader)
        })?;
        self.seen.load(reader)
    }
}
