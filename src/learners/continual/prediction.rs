//! The numbers that a prediction is made of, for predictors in other languages.

use super::ContinualLearner;
use crate::storage::{Memory, PerFeature};

impl<S: PerFeature, M: Memory, U, const C: usize, const N: usize, T>
    ContinualLearner<S, M, U, C, N, T>
{
    /// Offset and factor by which a feature is standardised: `(x - offset) * factor`, with one rounding each.
    ///
    /// Clamped to 2.5 on both sides, it is multiplied by 31.75 and rounded to the nearest byte, half away from zero.
    pub fn standardisation(&self, feature: usize) -> (f32, f32) {
        self.scale.standardisation(feature)
    }
}
