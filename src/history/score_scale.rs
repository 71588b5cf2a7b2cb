//! Making scores of different hypotheses comparable.

use crate::{
    budget::{Guarantee, KeepsAll},
    num::{
        math::{Math, Precise},
        saturated,
    },
    persist::Blank,
    storage::Evaluated,
};

/// Normalisation of scores, so that hypotheses of different norm can be averaged: [`Raw`] is none, [`UnitNorm`] divides by the norm.
pub trait ScoreScale<H>: Blank + Copy + crate::sealed::Sealed {
    /// The factor.
    fn factor(&self) -> f32;

    /// The rule multiplied the hypothesis by `factor`.
    fn shrunk(&mut self, _factor: f32) {}

    /// The example was added with `coefficient`.
    fn moved<X: ?Sized, N>(&mut self, _example: &Evaluated<'_, X, N>, _coefficient: f32) {}
}

/// Scores as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct Raw;

impl<H> ScoreScale<H> for Raw {
    #[inline]
    fn factor(&self) -> f32 {
        1.0
    }
}

/// Scores divided by the norm `|f|` of their hypothesis.
///
/// The norm is kept along: a step of `c` adds `2 c f(x) + c^2 k(x, x)` to its
/// square. That needs a hypothesis that [gives nothing up](KeepsAll).
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitNorm {
    norm_squared: f32,
}

impl<H: Guarantee<KeepsAll>> ScoreScale<H> for UnitNorm {
    #[inline]
    fn factor(&self) -> f32 {
        if self.norm_squared > 0.0 {
            1.0 / Precise::sqrt(self.norm_squared)
        } else {
            0.0
        }
    }

    fn shrunk(&mut self, factor: f32) {
        self.norm_squared *= factor * factor;
    }

    fn moved<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>, coefficient: f32) {
        let cross = 2.0 * coefficient * example.score;
        let own = coefficient * coefficient * example.self_similarity;
        self.norm_squared = saturated(self.norm_squared + (cross + own));
    }
}

crate::persist::persist!([] Raw as "raw");
crate::persist::persist!([] UnitNorm as "unit-norm" { norm_squared });

impl crate::sealed::Sealed for Raw {}
impl crate::sealed::Sealed for UnitNorm {}
