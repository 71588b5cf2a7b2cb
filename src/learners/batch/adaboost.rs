//! Boosting.

use super::{Ensemble, Samples, Seeding, WeightedLearner};
use crate::persist::Blank;

/// AdaBoost: `R` rounds, in each of which a weighted learner finds a plane, and
/// the examples that the plane gets wrong gain weight for the next.
///
/// With `e` the share of the weight on the wrong side, the plane votes with
/// `ln((1 - e) / e) / 2`, and the weights of wrong examples are divided by `2 e`,
/// of right ones by `2 (1 - e)`; they are kept at a mean of one. Boosting ends
/// after `R` rounds, when `e` is a half or more (that plane is left out), or when
/// it is zero or too small for `f32` to divide by: then no weight would change any
/// more, and the plane votes with `ln(2 N) / 2`, as if it had about half an example
/// wrong.
///
/// The weights live with the examples: the first step makes them all one, whatever
/// they were, and later ones want the same set until the end; a new example of
/// weight one has the mean. So a boosting under way is two things that must be
/// [saved](crate::persist) as one, the pair of it and its buffer.
///
/// `R (4 D + 8) + 12` bytes and the learner. The last epoch of a round takes
/// `2 N D` multiplications more, and the first one what its seeding takes.
///
/// ```
/// use pocketron::learners::batch::{AdaBoost, Directions, Rcd, Replay, Scratch, Seeding};
/// use pocketron::{persist::store::{RamFlash, SlotRing}, prelude::*};
///
/// // Positive inside of an interval: no single plane can tell.
/// let mut buffer = Replay::<1, 64>::new(1);
/// for step in 0..64 {
///     let x = step as f32 / 32.0 - 1.0;
///     buffer.offer(&[x], Sign::of(0.5 - x.abs()))?;
/// }
/// let learner = Rcd::<1>::new(Directions::Plain, 7);
/// let mut boost = AdaBoost::<_, 1, 20>::new(learner, Seeding::Zero, 5);
/// let mut scratch = Scratch::BLANK;
/// let mut ring: SlotRing<_> = SlotRing::mount(RamFlash::<8>::new(), 0..8192)?;
/// while !boost.is_finished() {
///     boost.step(&mut buffer.samples(&mut scratch));
///     ring.save_model(&(&mut boost, &mut buffer))?; // or now and then
/// }
/// ring.load_model(&mut (&mut boost, &mut buffer))?; // after a power cut
/// assert_eq!(boost.ensemble().predict(&[0.0])?, Sign::Pos);
/// assert_eq!(boost.ensemble().predict(&[0.9])?, Sign::Neg);
/// assert_eq!(boost.ensemble().predict(&[-0.9])?, Sign::Neg);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct AdaBoost<T, const D: usize, const R: usize> {
    ensemble: Ensemble<D, R>,
    learner: T,
    seeding: Seeding,
    epochs: u32,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Neither learner nor weights are known to be as they must be.
    Blank,
    Boosting,
    Finished,
}

/// Progress of a boosting.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Boosting {
    /// Planes that vote.
    pub rounds: u32,
    /// Epochs done in the present round, or in the last one.
    pub epochs: u32,
    /// Share of the weight that the plane of that round gets wrong.
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
            stage: Stage::Blank,
        }
    }

    /// The planes so far: they can be asked at any time.
    pub const fn ensemble(&self) -> &Ensemble<D, R> {
        &self.ensemble
    }

    /// The learner of the present round, or of the last one.
    pub const fn learner(&self) -> &T {
        &self.learner
    }

    /// Whether there will be no more planes.
    pub const fn is_finished(&self) -> bool {
        matches!(self.stage, Stage::Finished)
    }
}

impl<T: WeightedLearner<D>, const D: usize, const R: usize> AdaBoost<T, D, R> {
    /// Forgets all planes and gives every example the weight one.
    pub fn restart(&mut self, samples: &mut Samples<'_, D>) {
        self.ensemble = Ensemble::BLANK;
        self.stage = Stage::Boosting;
        samples.equalise();
        self.start_round(samples);
    }

    fn start_round(&mut self, samples: &Samples<'_, D>) {
        self.learner.restart(&self.seeding.plane(samples));
    }

    /// One epoch of the learner, in bounded time; after the last one of a round,
    /// the weights change. Does nothing once boosting is finished, or while there
    /// are no examples.
    pub fn step(&mut self, samples: &mut Samples<'_, D>) -> Boosting {
        match self.stage {
            _ if samples.is_empty() => return self.progress(0.0),
            Stage::Finished => return self.progress(samples.error(&self.learner.plane())),
            Stage::Blank => self.restart(samples),
            Stage::Boosting if self.learner.epochs() >= self.epochs => self.start_round(samples),
            Stage::Boosting => {}
        }
        let progress = self.learner.step(samples);
        if progress.epochs >= self.epochs {
            self.conclude(samples);
        }
        self.progress(progress.error)
    }

    /// Ends a round. The weights of the last one stay, and with them its error.
    fn conclude(&mut self, samples: &mut Samples<'_, D>) {
        let plane = self.learner.plane();
        let (wrong, count) = (samples.wrong(&plane), samples.len() as f32);
        let right = samples.total() - wrong;
        self.stage = Stage::Finished;
        let has_a_say = wrong < right;
        if !has_a_say {
            return;
        }
        let [odds, more, less] = [right / wrong, 0.5 * count / wrong, 0.5 * count / right];
        if [odds, more, less].into_iter().all(f32::is_finite) {
            self.ensemble.push(plane, half_log(odds));
            if !self.ensemble.is_full() {
                samples.reweight(&plane, more, less);
                self.stage = Stage::Boosting;
            }
        } else {
            self.ensemble.push(plane, half_log(2.0 * count));
        }
    }

    fn progress(&self, error: f32) -> Boosting {
        Boosting {
            rounds: self.ensemble.len() as u32,
            epochs: self.learner.epochs(),
            error,
            finished: self.is_finished(),
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

crate::persist::persist!(only [T: crate::persist::Persist, const D: usize, const R: usize] AdaBoost<T, D, R> as "adaboost" { ensemble, learner, seeding, epochs, stage });
crate::persist::persist_choice!(Stage { Blank = 0, Boosting = 1, Finished = 2 });
