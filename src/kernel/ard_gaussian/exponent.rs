//! The logarithm of a weight.

use crate::persist::{
    Element, ImageError, Persist, Reader, Shape, Writer,
    packed::{self, Packed},
};

/// The logarithm of a weight to the base of two, times 2^11.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exponent(i16);

/// Fraction bits of an exponent.
pub(super) const DIGITS: u32 = 11;
pub(super) const OCTAVE: i32 = 1 << DIGITS;
/// Weights lie between 2^-8 and 2^8.
const FARTHEST: i32 = 8 * OCTAVE;

impl Exponent {
    /// In steps.
    #[inline]
    pub(super) fn steps(self) -> i32 {
        self.0.into()
    }

    /// Goes on by this many steps, as far as there are weights.
    #[inline]
    pub(super) fn plus(self, steps: i32) -> Self {
        Exponent((self.steps() + steps).clamp(-FARTHEST, FARTHEST) as i16)
    }

    fn is_within_bounds(self) -> bool {
        (-FARTHEST..=FARTHEST).contains(&self.steps())
    }
}

crate::persist::blank!([] Exponent { 0 });

impl Packed for Exponent {
    const PER_WORD: usize = i16::PER_WORD;

    fn to_bits(self) -> u32 {
        self.0.to_bits()
    }

    fn from_bits(bits: u32) -> Self {
        Exponent(i16::from_bits(bits))
    }
}

/// Two to a word, none of them beyond the weights that there are.
impl crate::sealed::Sealed for Exponent {}

impl Element for Exponent {
    fn image_len(count: usize) -> u32 {
        packed::len::<Self>(count)
    }

    fn save_all(entries: &[Self], writer: &mut Writer<'_>) {
        packed::save(entries, writer);
    }

    fn load_all(entries: &mut [Self], reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let mut all_fit = true;
        packed::load(entries, reader, |reader, entry, found: Self| {
            all_fit &= found.is_within_bounds();
            reader.put(entry, found);
        })?;
        if all_fit {
            Ok(())
        } else {
            Err(ImageError::Malformed)
        }
    }
}

/// A column of one.
impl Persist for Exponent {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        Self::save_all(&[*self], writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        Self::load_all(core::slice::from_mut(self), reader)
    }
}
