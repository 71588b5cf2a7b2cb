//! From scores to probabilities.

use crate::{
    label::Sign,
    num::math::exp,
    persist::{Blank, Ready},
};

/// Platt's sigmoid, fitted in the stream: 12 bytes.
///
/// ```text
/// p = 1 / (1 + exp(-(A f + b)))
/// g = p - (y > 0);   A -= 0.01 g f, at least 0.05;   b -= 0.01 g
/// ```
///
/// which is a step of gradient descent on the log loss of every example. It starts with `A = 1`,
/// `b = 0`, and learns nothing from the first 100 examples, whose scores are those of a model that
/// knows nothing. The rate suits scores of the order of one, as rules with a margin of one make them.
///
/// ```
/// use pocketron::{prelude::*, wrap::confidence::Platt};
///
/// let mut platt = Platt::new();
/// assert_eq!(platt.probability(0.0), 0.5);
/// for n in 0..3000 {
///     // Scores of one are right three times in four.
///     platt.learn(1.0, if n % 4 == 0 { Sign::Neg } else { Sign::Pos });
/// }
/// assert!((platt.probability(1.0) - 0.75).abs() < 0.02);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Platt {
    /// `A - 1`, so that the blank state is the start.
    excess: f32,
    offset: f32,
    seen: u32,
}

/// Examples from which nothing is learned.
const SKIPPED: u32 = 100;
const RATE: f32 = 0.01;
/// A model that is always wrong would turn its own probabilities round; at this slope they say little.
const LEAST_SLOPE: f32 = 0.05;
/// Steps of a hundredth change no offset that is larger, and no slope grows beyond it: see `learn`.
const LARGEST: f32 = 1e6;

impl Platt {
    /// Nothing seen yet.
    pub const fn new() -> Self {
        Self::BLANK
    }

    /// `A`.
    pub const fn slope(&self) -> f32 {
        1.0 + self.excess
    }

    /// `b`.
    pub const fn offset(&self) -> f32 {
        self.offset
    }

    /// The probability that an example with this score is of [`Sign::Pos`].
    pub fn probability(&self, score: f32) -> f32 {
        // Beyond the range of the exponential it is zero or infinite, and the result one or zero.
        1.0 / (1.0 + exp(-(self.slope() * score + self.offset)))
    }

    /// Takes in the score of an example before it was learned, and its true label.
    pub fn learn(&mut self, score: f32, label: Sign) {
        if self.seen < SKIPPED {
            self.seen += 1;
            return;
        }
        let truth = if label == Sign::Pos { 1.0 } else { 0.0 };
        let step = RATE * (self.probability(score) - truth);
        // It grows only while `A f` is small, so it stays a number whatever the scores are.
        let slope = (self.slope() - step * score).max(LEAST_SLOPE);
        self.excess = slope - 1.0;
        self.offset -= step;
    }
}

impl Ready for Platt {}

crate::persist::persist!([] Platt as "platt" {
    excess in LEAST_SLOPE - 1.0..=LARGEST,
    offset in -LARGEST..=LARGEST,
    seen
});
