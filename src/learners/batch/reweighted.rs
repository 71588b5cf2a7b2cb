//! Online learners whose steps are multiplied by the weights of the examples.
//!
//! [`Pocket`](super::Pocket) and [`AveragedPerceptron`](super::AveragedPerceptron) draw
//! examples by weight, and each draw counts once (resampling). These two draw all
//! examples alike, and a draw counts as much as its weight (reweighting), as Li and
//! Lin do under AdaBoost.

use super::{Plane, Progress, Samples, WeightedLearner, samples::is_wrong};
use crate::{
    num::{rng::XorShift32, saturated},
    persist::Blank,
};

/// The pocket algorithm with ratchet on weighted examples.
///
/// As [`Pocket`](super::Pocket), but all examples are drawn alike: a mistake moves
/// the plane by `w y x`, with `w` the weight of the example, and a run is the sum
/// of the weights that were right in a row. `8 D + 24` bytes; an epoch takes what
/// that of `Pocket` takes, without the searches.
///
/// ```
/// use pocketron::learners::batch::{
///     AdaBoost, Replay, ReweightedPocket, Scratch, Seeding, WeightedLearner,
/// };
/// use pocketron::prelude::*;
///
/// let mut buffer = Replay::<2, 16>::new(1);
/// for (x, label) in [([0.2, 0.9], Sign::Pos), ([0.6, 0.1], Sign::Neg), ([0.9, 0.4], Sign::Neg)] {
///     buffer.offer(&x, label)?;
/// }
/// let (mut scratch, pocket) = (Scratch::BLANK, ReweightedPocket::new(7));
/// let mut boost = AdaBoost::<_, 2, 4>::new(pocket, Seeding::Zero, 20);
/// while !boost.step(&mut buffer.samples(&mut scratch)).finished {}
/// assert_eq!(boost.ensemble().predict(&[0.2, 0.9])?, Sign::Pos);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReweightedPocket<const D: usize> {
    best: Plane<D>,
    present: Plane<D>,
    /// Run of the plane in the pocket when it was put there.
    record: f32,
    /// Weight that the present plane has got right in a row.
    run: f32,
    epochs: u32,
    rng: XorShift32,
}

impl<const D: usize> ReweightedPocket<D> {
    /// Starts from the zero plane; the order of the examples comes out of `seed`.
    pub const fn new(seed: u32) -> Self {
        ReweightedPocket {
            best: Plane::BLANK,
            present: Plane::BLANK,
            record: 0.0,
            run: 0.0,
            epochs: 0,
            rng: XorShift32::new(seed),
        }
    }
}

impl<const D: usize> WeightedLearner<D> for ReweightedPocket<D> {
    fn restart(&mut self, start: &Plane<D>) {
        (self.best, self.present) = (*start, *start);
        (self.record, self.run, self.epochs) = (0.0, 0.0, 0);
    }

    #[inline(never)]
    fn step(&mut self, samples: &mut Samples<'_, D>) -> Progress {
        let mut least = samples.wrong(&self.best);
        for _ in 0..samples.len() {
            let Some((x, weight)) = samples.pick(&mut self.rng) else {
                break;
            };
            if is_mistake(&self.present, x, weight) {
                self.present = corrected(&self.present, x, weight).unwrap_or(self.present);
                self.run = 0.0;
                continue;
            }
            let before = self.run;
            self.run = saturated(self.run + weight.abs());
            // A plane is looked at when its run gets longer than the record, not again after that.
            if before <= self.record && self.run > self.record {
                let wrong = samples.wrong(&self.present);
                if wrong < least {
                    (self.best, self.record, least) = (self.present, self.run, wrong);
                }
            }
        }
        self.epochs = self.epochs.wrapping_add(1);
        samples.progress(self.epochs, least)
    }

    fn plane(&self) -> Plane<D> {
        self.best
    }

    fn epochs(&self) -> u32 {
        self.epochs
    }
}

/// The averaged perceptron on weighted examples.
///
/// As [`AveragedPerceptron`](super::AveragedPerceptron), but all examples are drawn
/// alike: a mistake moves the plane by `w y x`, with `w` the weight of the example,
/// and a plane counts as the sum of the weights that it survived, that of the
/// example which made it included. `8 D + 20` bytes; an epoch takes `2 N D`
/// multiplications, and `2 D` for each mistake.
#[derive(Clone, Debug)]
pub struct ReweightedAverage<const D: usize> {
    present: Plane<D>,
    /// Sum of the planes before, each with its run.
    past: Plane<D>,
    run: f32,
    epochs: u32,
    rng: XorShift32,
}

impl<const D: usize> ReweightedAverage<D> {
    /// Starts from the zero plane; the order of the examples comes out of `seed`.
    pub const fn new(seed: u32) -> Self {
        ReweightedAverage {
            present: Plane::BLANK,
            past: Plane::BLANK,
            run: 0.0,
            epochs: 0,
            rng: XorShift32::new(seed),
        }
    }
}

impl<const D: usize> WeightedLearner<D> for ReweightedAverage<D> {
    fn restart(&mut self, start: &Plane<D>) {
        (self.present, self.past) = (*start, Plane::BLANK);
        (self.run, self.epochs) = (0.0, 0);
    }

    #[inline(never)]
    fn step(&mut self, samples: &mut Samples<'_, D>) -> Progress {
        for _ in 0..samples.len() {
            let Some((x, weight)) = samples.pick(&mut self.rng) else {
                break;
            };
            if !is_mistake(&self.present, x, weight) {
                self.run = saturated(self.run + weight.abs());
                continue;
            }
            let past = self.past.moved(&self.present, self.run);
            if let Some(moved) = corrected(&self.present, x, weight).filter(|_| past.is_finite()) {
                (self.past, self.present, self.run) = (past, moved, weight.abs());
            }
        }
        self.epochs = self.epochs.wrapping_add(1);
        samples.progress(self.epochs, samples.wrong(&self.plane()))
    }

    fn plane(&self) -> Plane<D> {
        let sum = self.past.moved(&self.present, self.run);
        // Before the first example nothing has a run.
        if sum.is_finite() && sum != Plane::BLANK {
            sum
        } else {
            self.present
        }
    }

    fn epochs(&self) -> u32 {
        self.epochs
    }
}

/// Whether an example is misclassified; one without weight counts for nothing.
fn is_mistake<const D: usize>(plane: &Plane<D>, x: &[f32; D], weight: f32) -> bool {
    weight != 0.0 && is_wrong(weight, plane.side(x))
}

/// The plane after the step of a misclassified example, unless its numbers get too
/// large. A weight carries the label as its sign.
fn corrected<const D: usize>(plane: &Plane<D>, x: &[f32; D], weight: f32) -> Option<Plane<D>> {
    let example = Plane {
        weights: *x,
        bias: 1.0,
    };
    Some(plane.moved(&example, weight)).filter(Plane::is_finite)
}

crate::persist::persist!(only [const D: usize] ReweightedPocket<D> as "reweighted-pocket" { best, present, record, run, epochs, rng });
crate::persist::persist!(only [const D: usize] ReweightedAverage<D> as "reweighted-average" { present, past, run, epochs, rng });
