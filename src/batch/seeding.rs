//! Where a training starts.

use super::{Plane, Samples, fisher};
use crate::{
    image::{ImageError, Persist, Reader, Shape, Writer},
    memory::Blank,
};

/// Where a training starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Seeding {
    /// At the zero plane, which gets everything wrong.
    Zero,
    /// At [Fisher's linear discriminant](fisher) of the weighted examples.
    Fisher,
}

impl Seeding {
    /// The plane to start from.
    pub fn plane<const D: usize>(self, samples: &Samples<'_, D>) -> Plane<D> {
        match self {
            Seeding::Zero => Plane::BLANK,
            Seeding::Fisher => fisher(samples),
        }
    }
}

/// One word.
impl Persist for Seeding {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        writer.word(match self {
            Seeding::Zero => 0,
            Seeding::Fisher => 1,
        });
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let found = match reader.word()? {
            0 => Seeding::Zero,
            1 => Seeding::Fisher,
            _ => return Err(ImageError::Malformed),
        };
        reader.put(self, found);
        Ok(())
    }
}
