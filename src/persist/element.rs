//! What a column consists of.

use core::fmt::Debug;

use super::{Blank, ImageError, Persist, Reader, Writer};

/// What a column can hold: plain numbers.
pub trait Element: Blank + Copy + Debug + Persist {
    /// Bytes of `count` entries in an image: as many as in memory, for numbers of whole words.
    fn image_len(count: usize) -> u32 {
        (count * size_of::<Self>()) as u32
    }

    /// Writes entries one after the other.
    fn save_all(entries: &[Self], writer: &mut Writer<'_>) {
        for entry in entries {
            entry.save(writer);
        }
    }

    /// Reads entries one after the other.
    fn load_all(entries: &mut [Self], reader: &mut Reader<'_>) -> Result<(), ImageError> {
        entries.iter_mut().try_for_each(|entry| entry.load(reader))
    }
}

impl Element for f32 {}
impl Element for u32 {}
