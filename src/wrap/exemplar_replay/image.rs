//! The model as an image.

use super::{ExemplarReplay, novelty::FARTHEST, roles::Taught};
use crate::persist::{
    Blank as _, Convert, ImageError, Persist, Reader, Shape, StoredSizes, Writer,
};

impl<L: Persist, const D: usize, const C: usize, const K: usize, const H: usize> Persist
    for ExemplarReplay<L, D, C, K, H>
{
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("exemplar-replay", |inside| {
            self.learner.shape(inside);
            inside.number(D);
            inside.number(C);
            self.kept.shape(inside);
            self.held_out.shape(inside);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.learner.save(writer);
        self.exponents.save(writer);
        self.kept.save(writer);
        self.held_out.save(writer);
        for taught in &self.taught {
            writer.word(u32::from(taught.examples) | u32::from(taught.has_earlier) << 16);
        }
        self.rng.save(writer);
        writer.word(u32::from(self.pending_replays) | u32::from(self.next) << 16);
        self.spacing.save(writer);
        self.sum.save(writer);
        writer.word(u32::from(self.count) | u32::from(self.outliers) << 16);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.learner.load(reader)?;
        self.exponents.load(reader)?;
        self.kept.load(reader)?;
        self.held_out.load(reader)?;
        self.load_rest(C, reader)
    }
}

impl<L: Convert, const D: usize, const C: usize, const K: usize, const H: usize> Convert
    for ExemplarReplay<L, D, C, K, H>
{
    fn convert(
        &mut self,
        stored: &mut StoredSizes,
        reader: &mut Reader<'_>,
    ) -> Result<(), ImageError> {
        self.learner.convert(stored, reader)?;
        if stored.next_size()? != D {
            return Err(stored.other());
        }
        let classes = stored.next_size()?;
        self.exponents.load(reader)?;
        self.kept.convert(classes, stored.next_size()?, reader)?;
        self.held_out
            .convert(classes, stored.next_size()?, reader)?;
        self.load_rest(classes, reader)
    }
}

impl<L, const D: usize, const C: usize, const K: usize, const H: usize>
    ExemplarReplay<L, D, C, K, H>
{
    /// Reads what comes after the exemplars of so many classes.
    #[inline]
    fn load_rest(&mut self, classes: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        for class in 0..classes.max(C) {
            // Classes that are there only in the image were never taught.
            let mut other = Taught::BLANK;
            let taught = self.taught.get_mut(class).unwrap_or(&mut other);
            if class >= classes {
                reader.put(taught, Taught::BLANK);
                continue;
            }
            let word = reader.word()?;
            if word >> 17 != 0 {
                return Err(ImageError::Malformed);
            }
            let found = Taught {
                examples: word as u16,
                has_earlier: word >> 16 != 0,
            };
            reader.put(taught, found);
        }
        self.rng.load(reader)?;
        let word = reader.word()?;
        reader.put(&mut self.pending_replays, word as u16);
        reader.put(&mut self.next, (word >> 16) as u16);
        reader.number(&mut self.spacing, 0.0..=FARTHEST)?;
        reader.number(&mut self.sum, 0.0..=FARTHEST * f32::from(u16::MAX))?;
        let word = reader.word()?;
        if word >> 24 != 0 {
            return Err(ImageError::Malformed);
        }
        reader.put(&mut self.count, word as u16);
        reader.put(&mut self.outliers, (word >> 16) as u8);
        Ok(())
    }
}
