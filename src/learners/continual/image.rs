//! The learner's image.

use super::{ContinualLearner, Update};
use crate::{
    persist::{ImageError, Persist, Reader, Shape, Writer},
    storage::{Memory, PerFeature},
};

/// Saves all but the repetition counter, which starts again at zero.
impl<S, M, U, const C: usize, const N: usize, T> Persist for ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory,
    U: Update<C, N>,
{
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("continual", |inside| {
            self.class_stats.shape(inside);
            self.vectors.shape(inside);
            self.scale.shape(inside);
            self.kernel.shape(inside);
            self.update.shape(inside);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.class_stats.save(writer);
        writer.with_slots(|writer| {
            self.scale.save(writer);
            self.vectors.save(writer);
            self.kernel.save(writer);
            self.update.save(writer);
        });
        self.rng.save(writer);
        let flags = [
            self.merged.into(),
            self.saturated.into(),
            self.rehearsals,
            0,
        ];
        writer.word(u32::from_le_bytes(flags));
        writer.word(u32::from(self.rehearsed) | u32::from(self.shrunk) << 16);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.class_stats.load(reader)?;
        reader.with_slots(|reader| {
            self.scale.load(reader)?;
            self.vectors.load(reader)?;
            self.kernel.load(reader)?;
            self.update.load(reader)
        })?;
        self.load_rest(reader)
    }
}

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory,
    U: Update<C, N>,
{
    /// Reads what comes after the update.
    #[inline]
    pub(super) fn load_rest(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.rng.load(reader)?;
        let [merged, saturated, rehearsals, zero] = reader.word()?.to_le_bytes();
        if merged > 1 || saturated > 1 || zero != 0 {
            return Err(ImageError::Malformed);
        }
        let slots = reader.word()?;
        reader.put(&mut self.merged, merged == 1);
        reader.put(&mut self.saturated, saturated == 1);
        reader.put(&mut self.rehearsals, rehearsals);
        reader.put(&mut self.rehearsed, slots as u16);
        reader.put(&mut self.shrunk, (slots >> 16) as u16);
        reader.put(&mut self.reading, 0);
        reader.put(&mut self.repeats, 0);
        Ok(())
    }
}
