//! Boosting.

use super::{Ensemble, Plane, Samples, Seeding, WeightedLearner};
use crate::memory::Blank;

/// AdaBoost: `R` rounds, in each of which a weighted learner finds a plane, and
/// the examples that the plane gets wrong gain weight for the next.
///
/// With `e` the share of the weight on the wrong side, the plane votes with
/// `ln((1 - e) / e) / 2`, and the weights of wrong examples are divided by `2 e`,
/// of right ones by `2 (1 - e)`; they are kept at a mean of one. Boosting ends
/// after `R` rounds, when `e` is a half or more (that plane is left out), or when
/// it is zero: then no weight would change any more, and the plane votes with
/// `ln(2 N) / 2`, as if it had about half an example wrong.
///
/// The weights live with the examples, so a boosting under way wants the same set
/// until its end; a new example of weight one has the mean.
/// `R (4 D + 8) + 16` bytes and the learner; the last epoch of a round takes `3 N D`
/// multiplications more.
///
/// ```
/// use pocketron::batch::{AdaBoost, Directions, Rcd, Replay, Scratch, Seeding};
/// use pocketron::prelude::*;
///
/// // Positive inside of an interval: no single plane can tell.
/// let mut buffer = Replay::<1, 64>::new(1);
/// for step in 0..64 {
///     let x = step as f32 / 32.0 - 1.0;
///     buffer.offer(&[x], Sign::of(0.5 - x.abs()))?;
/// }
/// let learner = Rcd::new(Directions::Plain, 7);
/// let mut boost = AdaBoost::<_, 1, 20>::new(learner, Seeding::Zero, 5);
/// let mut scratch = Scratch::BLANK;
/// while !boost.step(&mut buffer.samples(&mut scratch)).finished {}
/// assert_eq!(boost.ensemble().predict(&[0.0])?, Sign::Pos);
/// assert_eq!(boost.ensemble().predict(&[0.9])?, Sign::Neg);
/// assert_eq!(boost.ensemble().predict(&[-0.9])?, Sign::Neg);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct AdaBoost<T, const D: usize, const R: usize> {
    ensemble: Ensemble<D, R>,
    learner: T,
    seeding: Seeding,
    epochs: u32,
    finished: u32,
}

/// How far a boosting has come.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Boosting {
    /// Planes that vote.
    pub rounds: u32,
    /// Epochs done in the present round.
    pub epochs: u32,
    /// Share of the weight that the present plane gets wrong.
    pub error: f32,
    /// Whether there will be no more planes.
    pub finished: bool,
}

impl<T, const D: usize, const R: usize> AdaBoost<T, D, R> {
    /// A learner that gets `epochs` epochs a round, at least one, from a fresh start.
    pub const fn new(learner: T, seeding: Seeding, epochs: u32) -> Self {
        AdaBoost {
            ensemble: Ensemble::BLANK,
            learner,
            seeding,
            epochs,
            finished: 0,
        }
    }

    /// The planes so far: they can be asked at any time.
    pub const fn ensemble(&self) -> &Ensemble<D, R> {
        &self.ensemble
    }

    /// The learner of the present round.
    pub const fn learner(&self) -> &T {
        &self.learner
    }
}

impl<T: WeightedLearner<D>, const D: usize, const R: usize> AdaBoost<T, D, R> {
    /// Forgets all planes and gives every example the weight one.
    pub fn restart(&mut self, samples: &mut Samples<'_, D>) {
        self.ensemble = Ensemble::BLANK;
        self.finished = 0;
        samples.equalise();
        self.learner.restart(&self.seeding.plane(samples));
    }

    /// One epoch of the learner, in bounded time; after the last one of a round,
    /// the weights change. Does nothing once boosting is finished.
    pub fn step(&mut self, samples: &mut Samples<'_, D>) -> Boosting {
        if self.finished != 0 || samples.is_empty() {
            let error = samples.error(&self.learner.plane());
            return self.progress(self.learner.epochs(), error);
        }
        if self.learner.epochs() == 0 {
            self.learner.restart(&self.seeding.plane(samples));
        }
        let progress = self.learner.step(samples);
        if progress.epochs >= self.epochs {
            let plane = self.learner.plane();
            self.conclude(samples, plane);
            self.learner.restart(&Plane::BLANK);
        }
        self.progress(progress.epochs, progress.error)
    }

    /// Ends a round with this plane.
    fn conclude(&mut self, samples: &mut Samples<'_, D>, plane: Plane<D>) {
        let (wrong, total) = (samples.wrong(&plane), samples.total());
        let (right, count) = (total - wrong, samples.len() as f32);
        self.finished = 1;
        if wrong >= right {
            return;
        }
        if wrong > 0.0 {
            self.ensemble.push(plane, half_log(right / wrong));
            samples.reweight(&plane, 0.5 * count / wrong, 0.5 * count / right);
            self.finished = u32::from(self.ensemble.is_full());
        } else {
            self.ensemble.push(plane, half_log(2.0 * count));
        }
    }

    fn progress(&self, epochs: u32, error: f32) -> Boosting {
        Boosting {
            rounds: self.ensemble.len() as u32,
            epochs,
            error,
            finished: self.finished != 0,
        }
    }
}

/// From `libm`: the same bits everywhere.
fn half_log(ratio: f32) -> f32 {
    0.5 * libm::logf(ratio)
}

impl<T: Blank, const D: usize, const R: usize> Blank for AdaBoost<T, D, R> {
    const BLANK: Self = Self::new(T::BLANK, Seeding::Zero, 0);
}

crate::image::persist!([T: crate::image::Persist, const D: usize, const R: usize] AdaBoost<T, D, R> as "adaboost" { ensemble, learner, seeding, epochs, finished });
