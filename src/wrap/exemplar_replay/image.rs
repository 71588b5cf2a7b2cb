//! The model as an image.

use super::{ExemplarReplay, novelty::FARTHEST, roles::Taught};
use crate::persist::{ImageError, Persist, Reader, Shape, Writer};

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
        for taught in &mut self.taught {
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
