//! A finite set of weighted examples, as trainers see it.

use super::{Breakpoint, Plane, Progress};
use crate::{
    label::Sign,
    num::{rng::XorShift32, sum},
    storage::point::is_finite,
};

/// Examples, their weights, and room to work in: what one epoch needs.
///
/// A weight carries the label as its sign, so that an example of `D` features
/// takes `4 D + 4` bytes; a weight of zero still has a sign. [`Replay`] lends its
/// examples like this, and so can any slices of one length.
///
/// [`Replay`]: super::Replay
///
/// ```
/// use pocketron::learners::batch::{Breakpoint, Plane, Samples};
/// use pocketron::persist::Blank;
///
/// let x = [[0.5], [-0.5]];
/// let mut weights = [2.0, -1.0]; // a positive example that counts twice, a negative one
/// let mut scratch = [Breakpoint::BLANK; 2];
/// let samples = Samples::new(&x, &mut weights, &mut scratch).unwrap();
/// assert_eq!(samples.wrong(&Plane { weights: [-1.0], bias: 0.25 }), 3.0);
/// ```
#[derive(Debug)]
pub struct Samples<'a, const D: usize> {
    pub(super) x: &'a [[f32; D]],
    pub(super) weights: &'a mut [f32],
    pub(super) scratch: &'a mut [Breakpoint],
}

impl<'a, const D: usize> Samples<'a, D> {
    /// Features, label times weight, and scratch; `None` unless all three have the
    /// same length, and the features and the sum of the weights are finite.
    pub fn new(
        x: &'a [[f32; D]],
        weights: &'a mut [f32],
        scratch: &'a mut [Breakpoint],
    ) -> Option<Self> {
        let fits = x.len() == weights.len() && x.len() == scratch.len();
        let samples = Samples {
            x,
            weights,
            scratch,
        };
        let finite = is_finite(x.as_flattened()) && samples.total().is_finite();
        (fits && finite).then_some(samples)
    }

    /// Number of examples.
    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.x.is_empty()
    }

    /// Features, label and weight of each example.
    pub fn iter(&self) -> impl Iterator<Item = (&[f32; D], Sign, f32)> {
        let weighted = self.x.iter().zip(self.weights.iter());
        weighted.map(|(x, weight)| (x, label(*weight), weight.abs()))
    }

    /// Sum of all weights.
    #[inline(never)]
    pub fn total(&self) -> f32 {
        sum::zip_sum(self.weights, self.x, |weight, _| weight.abs())
    }

    /// Sum of the weights of those that the plane gets wrong; a score of zero
    /// always is.
    #[inline(never)] // one copy: it is called wherever something is judged
    pub fn wrong(&self, plane: &Plane<D>) -> f32 {
        sum::zip_sum(self.weights, self.x, |weight, x| {
            if is_wrong(weight, plane.side(&x)) {
                weight.abs()
            } else {
                0.0
            }
        })
    }

    /// Share of the weight that the plane gets wrong, between 0 and 1; zero when
    /// there is no weight.
    pub fn error(&self, plane: &Plane<D>) -> f32 {
        self.share(self.wrong(plane))
    }

    fn share(&self, part: f32) -> f32 {
        let total = self.total();
        if total > 0.0 { part / total } else { 0.0 }
    }

    /// Progress of a learner with that weight of misclassified samples.
    pub(super) fn progress(&self, epochs: u32, wrong: f32) -> Progress {
        Progress {
            epochs,
            error: self.share(wrong),
        }
    }

    /// Gives every example the weight one.
    pub fn equalise(&mut self) {
        for weight in self.weights.iter_mut() {
            *weight = 1_f32.copysign(*weight);
        }
    }

    /// Multiplies the weights of wrong and of right examples. None gets so small
    /// that it could never grow again.
    #[inline(never)]
    pub(super) fn reweight(&mut self, plane: &Plane<D>, wrong: f32, right: f32) {
        for (weight, x) in self.weights.iter_mut().zip(self.x) {
            let factor = if is_wrong(*weight, plane.side(x)) {
                wrong
            } else {
                right
            };
            let size = (factor * weight.abs()).max(f32::MIN_POSITIVE);
            *weight = size.copysign(*weight);
        }
    }

    /// The examples without the scratch, and the scratch.
    pub(super) fn split(&mut self) -> (&'a [[f32; D]], &[f32], &mut [Breakpoint]) {
        (self.x, self.weights, self.scratch)
    }

    /// Makes the scratch a table for [`draw`](Self::draw): the weight up to and
    /// including each example.
    #[inline(never)]
    pub(super) fn prepare_draws(&mut self) {
        let mut sum = 0.0;
        for (place, weight) in self.scratch.iter_mut().zip(self.weights.iter()) {
            sum += weight.abs();
            *place = Breakpoint::new(sum, 0.0);
        }
    }

    /// One example, with a chance that is proportional to its weight.
    #[inline(never)]
    pub(super) fn draw(&self, rng: &mut XorShift32) -> Option<(&'a [f32; D], Sign)> {
        let total = self.scratch.last()?.at();
        // 24 bits, so that the product never reaches the total by rounding the number.
        let mark = (rng.next_u32() >> 8) as f32 / 16_777_216.0 * total;
        let mark = Breakpoint::new(mark, 0.0);
        let slot = self.scratch.partition_point(|place| *place <= mark);
        let (x, weight) = (self.x.get(slot)?, self.weights.get(slot)?);
        Some((x, label(*weight)))
    }

    /// One example and label times weight, each with the same chance.
    pub(super) fn pick(&self, rng: &mut XorShift32) -> Option<(&'a [f32; D], f32)> {
        let slot = rng.below(self.x.len() as u32) as usize;
        self.x.get(slot).zip(self.weights.get(slot).copied())
    }
}

/// The label that a weight carries.
#[inline]
pub(super) fn label(weight: f32) -> Sign {
    if weight.is_sign_negative() {
        Sign::Neg
    } else {
        Sign::Pos
    }
}

/// Whether a score lies on the wrong side of an example of this weight.
#[inline]
pub(super) fn is_wrong(weight: f32, score: f32) -> bool {
    let right = match label(weight) {
        Sign::Pos => score > 0.0,
        Sign::Neg => score < 0.0,
    };
    !right
}
