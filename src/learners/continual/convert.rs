//! The learner from the image of one with another budget or number of classes.

use core::borrow::Borrow;

use super::{CoefficientRow, ContinualLearner, Update};
use crate::{
    persist::{Convert, ImageError, Persist as _, Reader, StoredSizes},
    storage::{Memory, PerFeature, point::Points},
};

/// Vectors in an image: feature by feature a column of bytes, then the coefficients of each.
struct StoredVectors {
    position: u32,
    len: u32,
    dim: u32,
    columns: usize,
}

impl StoredVectors {
    /// Bytes of a column, in whole words.
    fn column(&self) -> u32 {
        self.len.next_multiple_of(4)
    }

    /// Bytes of the coefficients of a vector.
    fn row(&self) -> u32 {
        self.columns.next_multiple_of(4) as u32 + 4
    }

    fn rows(&self) -> u32 {
        self.position + self.dim * self.column()
    }

    /// Goes through all of them; fails on what no model writes.
    fn check<const N: usize>(&self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        // So that no later sum leaves the range.
        let vector = u64::from(self.dim) + u64::from(self.row());
        if u64::from(self.len) * vector > u64::from(reader.left()) {
            return Err(ImageError::Malformed);
        }
        let unused = self.column() - self.len;
        for _ in 0..self.dim {
            let mut last = 0;
            for _ in 0..self.column() / 4 {
                last = reader.word()?;
            }
            if last.leading_zeros() < 8 * unused {
                return Err(ImageError::Malformed);
            }
        }
        for _ in 0..self.len {
            CoefficientRow::<N>::read(self.columns, reader)?;
        }
        Ok(())
    }

    /// One feature of a vector.
    fn byte(&self, feature: usize, slot: u32, reader: &mut Reader<'_>) -> Result<i8, ImageError> {
        let at = self.position + feature as u32 * self.column() + slot;
        reader.seek(at & !3);
        Ok((reader.word()? >> (8 * (at & 3))) as i8)
    }
}

impl<S, M, U, const C: usize, const N: usize, T> Convert for ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
{
    fn convert(
        &mut self,
        stored: &mut StoredSizes,
        reader: &mut Reader<'_>,
    ) -> Result<(), ImageError> {
        let [classes, dim, slots, columns] = [
            stored.next_size()?,
            stored.next_size()?,
            stored.next_size()?,
            stored.next_size()?,
        ];
        stored.same(&self.update)?;
        // A column for each class, or one that two classes share.
        let expected = if N == C { classes } else { N };
        let shared = N != C && classes != C;
        if dim != self.vectors.points().dim() || columns != expected || shared {
            return Err(stored.other());
        }
        self.class_stats.convert(classes, reader)?;
        let mut vectors = None;
        reader.with_slots(|reader| {
            self.scale.load(reader)?;
            let len = reader.word()?;
            if len as usize > slots {
                return Err(ImageError::Malformed);
            }
            let found = StoredVectors {
                position: reader.position(),
                len,
                dim: dim as u32,
                columns,
            };
            found.check::<N>(reader)?;
            vectors = Some(found);
            self.kernel.load(reader)?;
            self.update.convert(classes, reader)
        })?;
        self.load_rest(reader)?;
        match vectors {
            Some(vectors) if !reader.is_dry_run() => self.take_over(&vectors, reader),
            _ => Ok(()),
        }
    }
}

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
{
    /// Stores all vectors, one after the other: a full budget merges, as it does when the model learns.
    fn take_over(
        &mut self,
        stored: &StoredVectors,
        reader: &mut Reader<'_>,
    ) -> Result<(), ImageError> {
        let end = reader.position();
        self.vectors.clear();
        for slot in 0..stored.len {
            let mut failure = None;
            let point = self.vectors.points().gather(|feature| {
                let byte = stored.byte(feature, slot, reader);
                byte.unwrap_or_else(|error| {
                    failure = Some(error);
                    0
                })
            });
            if let Some(error) = failure {
                return Err(error);
            }
            reader.seek(stored.rows() + slot * stored.row());
            let row = CoefficientRow::read(stored.columns, reader)?;
            self.merged |= self.vectors.is_full();
            let kernel = &self.kernel;
            let admitted =
                self.vectors
                    .admit(kernel, point.borrow(), &row, |_| true, &mut self.rng);
            self.saturated |= admitted.saturated;
        }
        let len = self.vectors.len();
        for slot in [&mut self.rehearsed, &mut self.shrunk] {
            if usize::from(*slot) >= len {
                *slot = 0;
            }
        }
        reader.seek(end);
        Ok(())
    }
}
