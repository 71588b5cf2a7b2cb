//! The present only.

use super::{History, Raw, ScoreScale};
use crate::{
    budget::Admission,
    hypothesis::{Hypothesis, Labelled},
    persist::{Blank, Ready},
};

/// The current hypothesis alone: costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Last<S = Raw> {
    scale: S,
}

impl<S: Blank> Ready for Last<S> {}

impl<H: Hypothesis, S: ScoreScale<H>> History<H> for Last<S> {
    #[inline]
    fn shrunk(&mut self, factor: f32) {
        self.scale.shrunk(factor);
    }

    #[inline]
    fn moved(&mut self, _: &H, example: &Labelled<'_, H::Input>, coefficient: f32, _: Admission) {
        self.scale.moved(example, coefficient);
    }

    #[inline]
    fn score(&self, hypothesis: &H, x: &H::Input) -> f32 {
        self.scale.factor() * hypothesis.score(x)
    }
}

crate::persist::persist!([S] Last<S> as "last" { scale });
