//! Random coordinate descent.

use super::{Directions, Draw, Plane, Progress, Samples, WeightedLearner, least_wrong};
use crate::{num::rng::XorShift32, persist::Blank};

/// Random coordinate descent on the 0/1 loss: in every epoch, the best point on a
/// line through the present plane. The training error never rises.
///
/// Features should be [normalised](super::Ranges). `4 D + 16` bytes; an epoch
/// takes `4 N D` multiplications and sorts `N` numbers.
///
/// ```
/// use pocketron::learners::batch::{Directions, Rcd, Replay, Scratch, WeightedLearner};
/// use pocketron::prelude::*;
///
/// let mut buffer = Replay::<2, 16>::new(1);
/// for (x, label) in [([0.2, 0.9], Sign::Pos), ([0.6, 0.1], Sign::Neg), ([0.9, 0.4], Sign::Neg)] {
///     buffer.offer(&x, label)?;
/// }
/// let (mut scratch, mut rcd) = (Scratch::BLANK, Rcd::new(Directions::Bias, 7));
/// while rcd.step(&mut buffer.samples(&mut scratch)).error > 0.0 {} // or one step now and then
/// assert_eq!(rcd.plane().predict(&[0.2, 0.9])?, Sign::Pos);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rcd<const D: usize> {
    plane: Plane<D>,
    directions: Directions,
    draw: Draw,
    epochs: u32,
    rng: XorShift32,
}

impl<const D: usize> Rcd<D> {
    /// Starts from the zero plane, with uniform directions out of `seed`.
    pub const fn new(directions: Directions, seed: u32) -> Self {
        Rcd {
            plane: Plane::BLANK,
            directions,
            draw: Draw::Uniform,
            epochs: 0,
            rng: XorShift32::new(seed),
        }
    }

    /// With random directions of another distribution.
    pub const fn with_draw(self, draw: Draw) -> Self {
        Rcd { draw, ..self }
    }
}

/// RCD-plain with uniform directions.
impl<const D: usize> Blank for Rcd<D> {
    const BLANK: Self = Self::new(Directions::Plain, 0);
}

impl<const D: usize> WeightedLearner<D> for Rcd<D> {
    fn restart(&mut self, start: &Plane<D>) {
        self.plane = start.rescaled();
        self.epochs = 0;
    }

    #[inline(never)]
    fn step(&mut self, samples: &mut Samples<'_, D>) -> Progress {
        let direction = self.directions.of_epoch(
            self.epochs,
            self.draw,
            &mut self.rng,
            (&self.plane, samples),
        );
        self.epochs = self.epochs.wrapping_add(1);
        let before = samples.wrong(&self.plane);
        let best = least_wrong(samples, &self.plane, &direction);
        let moved = self.plane.moved(&direction, best.factor).rescaled();
        let after = samples.wrong(&moved);
        // Rounding may put an example on the other side of the place where it should be.
        let better = moved.is_finite() && after <= before;
        if better {
            self.plane = moved;
        }
        samples.progress(self.epochs, if better { after } else { before })
    }

    fn plane(&self) -> Plane<D> {
        self.plane
    }

    fn epochs(&self) -> u32 {
        self.epochs
    }
}

crate::persist::persist!(only [const D: usize] Rcd<D> as "rcd" { plane, directions, draw, epochs, rng });
