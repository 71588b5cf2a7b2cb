//! The model's image.

use super::Normal;
use crate::persist::{BoundedImage, ImageError, Persist, Reader, Shape, Writer};

impl<const D: usize, const B: usize> Normal<D, B> {
    /// No image is longer.
    pub const MAX_BYTES: usize = {
        let frame = 12 + 4 + TEXT + 4;
        let clusters = 8 + D * B.next_multiple_of(4) + 2 * B.next_multiple_of(2);
        let (scale, residuals, threshold) = (8 * D + 4, 4 * D, 16);
        frame + scale + residuals + threshold + 8 + clusters
    };
}

impl<const D: usize, const B: usize> BoundedImage for Normal<D, B> {
    const MAX_BYTES: usize = Self::MAX_BYTES;

    fn sealed(&self, _: crate::sealed::Token) {}
}

/// The longest text of a shape: with five digits for each of the sizes.
const TEXT: usize = "normal(threshold,coarse-scale,i8(65536,65536))"
    .len()
    .next_multiple_of(4);

/// The largest of a mean squared residual.
const LARGEST: f32 = super::LARGEST_RESIDUAL;

/// Everything but the newest reading: that a sensor is stuck is noticed again.
impl<const D: usize, const B: usize> Persist for Normal<D, B> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("normal", |inside| {
            self.threshold.shape(inside);
            self.scale.shape(inside);
            self.clusters.shape(inside);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.with_slots(|writer| {
            self.threshold.save(writer);
            self.scale.save(writer);
            self.residuals.save(writer);
            self.clusters.save(writer);
        });
        self.seen.save(writer);
        self.rng.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.with_slots(|reader| {
            self.threshold.load(reader)?;
            self.scale.load(reader)?;
            for residual in &mut self.residuals {
                reader.number(residual, 0.0..=LARGEST)?;
            }
            self.clusters.load(reader)
        })?;
        self.seen.load(reader)?;
        self.rng.load(reader)?;
        reader.put(&mut self.reading, 0);
        reader.put(&mut self.repeats, 0);
        Ok(())
    }
}
