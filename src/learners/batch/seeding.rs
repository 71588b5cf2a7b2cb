//! Starting points of a training.

use super::{
    Plane, Samples,
    fisher::{Boundary, discriminant},
};
use crate::persist::Blank;

/// Starting point of a training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Seeding {
    /// At the zero plane, which gets everything wrong.
    Zero,
    /// At [Fisher's linear discriminant](fn@super::fisher) of the weighted examples.
    Fisher,
    /// The same with the boundary midway between the projected means, whatever the
    /// weights of the classes.
    FisherMidway,
}

impl Seeding {
    /// The plane to start from.
    pub fn plane<const D: usize>(self, samples: &Samples<'_, D>) -> Plane<D> {
        match self {
            Seeding::Zero => Plane::BLANK,
            Seeding::Fisher => discriminant(samples, Boundary::ClassWeighted),
            Seeding::FisherMidway => discriminant(samples, Boundary::Midway),
        }
    }
}

crate::persist::persist_choice!(Seeding { Zero = 0, FisherMidway = 1, Fisher = 2 });
