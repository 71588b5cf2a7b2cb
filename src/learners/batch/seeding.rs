//! Where a training starts.

use super::{Plane, Samples, fisher};
use crate::persist::Blank;

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

crate::persist::persist_choice!(Seeding { Zero = 0, Fisher = 1 });
