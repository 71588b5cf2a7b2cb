//! Unknown inputs.

use super::{ExemplarReplay, store::Query};
use crate::{
    classifier::{OnlineClassifier, RemoteModel},
    error::InputError,
    num::math::{Math as _, Precise},
    wrap::confidence::EvidenceSource,
};

/// Inputs farther than this many mean nearest-neighbour distances are unknown; 10 % of later known windows on the watch
/// data are, too.
const UNKNOWN: f32 = 1.95;
/// A value `2^FAR` times larger than any before is unknown.
const FAR: u8 = 2;
/// No distance is larger.
pub(super) const FARTHEST: f32 = 1e6;

impl<L, const D: usize, const C: usize, const K: usize, const H: usize>
    ExemplarReplay<L, D, C, K, H>
where
    L: EvidenceSource + RemoteModel + OnlineClassifier<Input = [f32; D]>,
{
    /// Whether `x` is like the exemplars: its [`distance`](Self::distance) is at most 1.95. `None` before they have been
    /// [rehearsed](Self::rehearse) once.
    pub fn is_known(&self, x: &[f32; D]) -> Result<Option<bool>, InputError> {
        let distance = self.distance(x)?;
        Ok(distance.map(|distance| distance <= UNKNOWN))
    }

    /// How far `x` is from the nearest exemplar, where the mean distance of exemplars from their nearest is one. `None` before they have been
    /// [rehearsed](Self::rehearse) once; infinite if a number is more than four times larger than any before.
    pub fn distance(&self, x: &[f32; D]) -> Result<Option<f32>, InputError> {
        if x.iter().any(|x| !x.is_finite()) {
            return Err(InputError::NonFinite);
        }
        let is_measured = self.spacing > 0.0;
        if !is_measured {
            return Ok(None);
        }
        // A copy: a number that is larger than all before may not change what is stored.
        let mut exponents = self.exponents.clone();
        if exponents.include(x).iter().any(|shift| *shift > FAR) {
            return Ok(Some(f32::INFINITY));
        }
        let nearest = self.nearest(&self.exponents.query(x), None);
        Ok(Some(nearest / self.spacing))
    }

    /// Distance to the nearest exemplar but the one in that place: the mean difference of a feature, in standard deviations.
    pub(super) fn nearest(&self, x: &Query<D>, without: Option<(usize, usize)>) -> f32 {
        let mut factors = [0.0; D];
        for (factor, moments) in factors.iter_mut().zip(self.learner.moments()) {
            if moments.variance >= f32::MIN_POSITIVE {
                *factor = 1.0 / (Precise::sqrt(moments.variance) * D as f32);
            }
        }
        let factors = self.exponents.scaled(&factors);
        let mut nearest = f32::MAX;
        for class in 0..C {
            for (slot, exemplar) in self.kept.of(class).iter().enumerate() {
                if without != Some((class, slot)) {
                    nearest = nearest.min(exemplar.distance(x, &factors));
                }
            }
        }
        nearest
    }
}
