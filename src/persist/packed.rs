//! Numbers of less than 32 bits: several to a word.

use super::{ImageError, Persist, Reader, Shape, Writer};
use crate::persist::{Blank, Element};

/// A number of 8 or 16 bits.
pub(crate) trait Packed: Element {
    /// Values in a word.
    const PER_WORD: usize;

    /// Its bits, the lowest of a word.
    fn to_bits(self) -> u32;

    /// The number in the lowest bits of a word.
    fn from_bits(bits: u32) -> Self;
}

/// Writes all of them, the first into the lowest bits, and fills the last word up with zeros.
// Out of line: with the arrays' lengths known, the compiler would unroll it, tens of kilobytes for the exemplars of a device.
#[inline(never)]
pub(crate) fn save<T: Packed>(entries: &[T], writer: &mut Writer<'_>) {
    for together in entries.chunks(T::PER_WORD) {
        let bits = together.iter().rev();
        writer.word(bits.fold(0, |word, entry| word << shift::<T>() | entry.to_bits()));
    }
}

/// Reads as many as `entries` has, and hands each one over with its place.
pub(crate) fn load<T: Packed>(
    entries: &mut [T],
    reader: &mut Reader<'_>,
    mut put: impl FnMut(&Reader<'_>, &mut T, T),
) -> Result<(), ImageError> {
    for together in entries.chunks_mut(T::PER_WORD) {
        let mut word = reader.word()?;
        for entry in together {
            put(reader, entry, T::from_bits(word));
            word = word.wrapping_shr(shift::<T>());
        }
        // A full word has been shifted by all of its 32 bits in steps, an unfinished one ends in zeros.
        if word != 0 {
            return Err(ImageError::Malformed);
        }
    }
    Ok(())
}

/// Bytes of `N` elements in an image.
pub(crate) fn len<T: Packed>(count: usize) -> u32 {
    4 * count.div_ceil(T::PER_WORD) as u32
}

const fn shift<T: Packed>() -> u32 {
    u32::BITS / T::PER_WORD as u32
}

/// A number alone is a column of one.
macro_rules! packed {
    ($number:ty, $bits:ty, $per_word:literal) => {
        impl Packed for $number {
            const PER_WORD: usize = $per_word;

            fn to_bits(self) -> u32 {
                (self as $bits).into()
            }

            fn from_bits(bits: u32) -> Self {
                bits as Self
            }
        }

        impl Blank for $number {
            const BLANK: Self = 0;
        }

        impl Element for $number {
            fn image_len(count: usize) -> u32 {
                len::<Self>(count)
            }

            fn save_all(entries: &[Self], writer: &mut Writer<'_>) {
                save(entries, writer);
            }

            fn load_all(entries: &mut [Self], reader: &mut Reader<'_>) -> Result<(), ImageError> {
                load(entries, reader, |reader, entry, found| {
                    reader.put(entry, found)
                })
            }
        }

        impl Persist for $number {
            fn shape(&self, _: &mut Shape<'_>) {}

            fn save(&self, writer: &mut Writer<'_>) {
                save(&[*self], writer);
            }

            fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
                Self::load_all(core::slice::from_mut(self), reader)
            }
        }
    };
}

packed!(i8, u8, 4);
packed!(i16, u16, 2);
packed!(u16, u16, 2);
