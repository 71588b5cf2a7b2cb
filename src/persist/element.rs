//! Elements of a column.

use core::fmt::Debug;

use super::{Blank, ImageError, Persist, Reader, Shape, Writer};

/// A plain value that a [`Column`](crate::storage::Column) can hold one of per slot, and that an image can store: `f32`, `u32`, `i8`, ...
pub trait Element: Blank + Copy + Debug + Persist + crate::sealed::Sealed {
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

/// A fixed column: as many entries as are in use.
impl<T: Element, const N: usize> Persist for [T; N] {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        writer.column(self);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.column(self)
    }
}

impl Writer<'_> {
    /// Writes those entries of a column that are in use.
    pub fn column<T: Element>(&mut self, entries: &[T]) {
        self.entries(entries.get(..self.slots()).unwrap_or(entries));
    }

    /// Writes entries.
    pub fn entries<T: Element>(&mut self, entries: &[T]) {
        let len = T::image_len(entries.len());
        if self.misses(len) {
            return self.skip(len);
        }
        T::save_all(entries, self);
    }
}

impl Reader<'_> {
    /// Reads those entries of a column that are in use; the others become blank.
    pub fn column<T: Element>(&mut self, entries: &mut [T]) -> Result<(), ImageError> {
        let used = self.slots().min(entries.len());
        let (used, unused) = entries.split_at_mut_checked(used).unwrap_or_default();
        T::load_all(used, self)?;
        if !self.is_dry_run() {
            unused.fill(T::BLANK);
        }
        Ok(())
    }
}
