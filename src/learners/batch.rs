//! Learning from a buffer: more than one look at a few hundred examples.
//!
//! A stream shows an example once. A device that keeps some of them can train
//! between two samples, and get more out of what it has seen: keep examples in a
//! [`Replay`] buffer, call `step` of a learner whenever there is time, and use the
//! [`Plane`] or the [`Ensemble`] that it has come to, at any moment.
//!
//! ```
//! use pocketron::learners::batch::{Directions, Rcd, Replay, Scratch, Seeding, WeightedLearner};
//! use pocketron::prelude::*;
//!
//! let mut buffer = Replay::<2, 100>::new(1); // 1,216 bytes
//! for step in 0..500 {
//!     let x = [(step % 13) as f32 / 6.0 - 1.0, (step % 7) as f32 / 3.0 - 1.0];
//!     buffer.offer(&x, Sign::of(x[0] - 2.0 * x[1] + 0.3))?;
//! }
//! let mut scratch = Scratch::BLANK; // 800 bytes, only while training
//! let mut learner = Rcd::new(Directions::Bias, 7);
//! let mut samples = buffer.samples(&mut scratch);
//! learner.restart(&Seeding::Fisher.plane(&samples));
//! let before = samples.error(&learner.plane());
//! for _ in 0..50 {
//!     learner.step(&mut samples); // one epoch: as long as there is time
//! }
//! assert!(samples.error(&learner.plane()) <= before);
//! assert_eq!(learner.plane().predict(&[0.9, -0.5])?, Sign::Pos);
//! # Ok::<(), pocketron::error::InputError>(())
//! ```
//!
//! # Learners
//!
//! | learner | minimises | bytes | an epoch, in multiplications |
//! |---|---|---|---|
//! | [`Rcd`], random coordinate descent | the 0/1 loss, exactly along a line | `4 D + 16` | `4 N D`, and a sort of some of `N` |
//! | [`Pocket`] with ratchet | the 0/1 loss, by luck | `8 D + 28` | `3 N D` and more, see there |
//! | [`RandomPerceptron`] | nothing in particular | `4 D + 16` | `3 N D`, `D` for each mistake |
//! | [`AveragedPerceptron`] | nothing, but predicts well | `8 D + 28` | `3 N D`, `2 D` for each mistake |
//! | [`ReweightedPocket`] | as the pocket; weights multiply its steps | `8 D + 24` | `3 N D` and more |
//! | [`ReweightedAverage`] | as the averaged perceptron, the same way | `8 D + 20` | `2 N D`, `2 D` for each mistake |
//! | [`LeastSquaresDescent`] | `max(0, 1 - y f)^2` | `4 D + 20` | at most `4 N D` |
//! | [`AdaBoost`] over any of them | the error of a vote | `R (4 D + 8) + 12` more | as the learner; `2 N D` in the last of a round |
//!
//! Inputs and results:
//!
//! | part | holds | bytes |
//! |---|---|---|
//! | [`Replay`] | `N` examples, as many of either class | `N (4 D + 4) + 16` |
//! | [`Scratch`] | places along a line, while an epoch lasts | `8 N` |
//! | [`Ranges`] | what normalises a feature | `8 D + 4` |
//! | [`Plane`] | a linear model | `4 D + 4` |
//! | [`Ensemble`] | planes that vote | `R (4 D + 8) + 4` |
//!
//! All but the scratch can be [saved](crate::persist), learners included, so that a
//! training goes on after a restart where it was. A test computes `size_of` from
//! these formulas.
//!
//! RCD gets the lowest training error, and is the base learner that [`AdaBoost`]
//! wants. Alone, on data with much noise, it learns the noise too: there the
//! averaged perceptron predicts unseen examples better.
//!
//! Bring features into one range first ([`Replay::normalise`], [`Ranges`]): random
//! directions treat all of them alike. Starting from Fisher's discriminant
//! ([`Seeding::Fisher`]) saves RCD some hundred epochs.
//!
//! An epoch ends in bounded time, and looks at the buffer as it is then: a sample
//! may come in between two. For online learners that should see the buffer again
//! there is [`Replay::shuffled`], a source for the [streaming loop](crate::stream).

mod adaboost;
mod breakpoint;
mod directions;
mod ensemble;
mod fisher;
mod line_search;
mod multi_epoch;
mod plane;
mod pocket;
mod ranges;
mod rcd;
mod replay;
mod reweighted;
mod samples;
mod seeding;
mod segments;
mod shuffle;

pub use adaboost::{AdaBoost, Boosting};
pub use breakpoint::Breakpoint;
pub use directions::{Directions, Draw};
pub use ensemble::Ensemble;
pub use fisher::{SHRINKAGE, fisher};
pub use line_search::{Best, least_wrong};
pub use multi_epoch::{
    AveragedPerceptron, BiasedLinear, LeastSquaresDescent, MultiEpoch, RandomPerceptron,
};
pub use plane::Plane;
pub use pocket::Pocket;
pub use ranges::Ranges;
pub use rcd::Rcd;
pub use replay::{Epoch, Replay, Scratch};
pub use reweighted::{ReweightedAverage, ReweightedPocket};
pub use samples::Samples;
pub use seeding::Seeding;
pub use shuffle::Shuffle;

/// Progress of a training.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Progress {
    /// Epochs done since the start.
    pub epochs: u32,
    /// Share of the weight on the wrong side, between 0 and 1.
    pub error: f32,
}

/// Learns a finite set of weighted examples, an epoch at a time.
pub trait WeightedLearner<const D: usize> {
    /// Begins anew from a plane. Random state goes on, so that another start
    /// takes another way.
    fn restart(&mut self, start: &Plane<D>);

    /// One epoch, in bounded time. The examples may have changed since the last one.
    fn step(&mut self, samples: &mut Samples<'_, D>) -> Progress;

    /// The hyperplane learned so far.
    fn plane(&self) -> Plane<D>;

    /// Epochs since the start.
    fn epochs(&self) -> u32;
}

impl<const D: usize, T: WeightedLearner<D> + ?Sized> WeightedLearner<D> for &mut T {
    fn restart(&mut self, start: &Plane<D>) {
        (**self).restart(start);
    }

    fn step(&mut self, samples: &mut Samples<'_, D>) -> Progress {
        (**self).step(samples)
    }

    fn plane(&self) -> Plane<D> {
        (**self).plane()
    }

    fn epochs(&self) -> u32 {
        (**self).epochs()
    }
}
