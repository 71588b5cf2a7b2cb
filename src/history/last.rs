//! The current hypothesis alone.

use super::{History, Raw, ScoreScale};
use crate::{
    budget::Admission,
    hypothesis::Hypothesis,
    persist::{Blank, Ready},
    storage::Evaluated,
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
    fn moved(
        &mut self,
        _: &H,
        example: &Evaluated<'_, H::Input, H::Number>,
        coefficient: f32,
        _: Admission,
    ) {
        self.scale.moved(example, coefficient);
    }

    #[inline]
    fn score(&self, hypothesis: &H, x: &H::Input) -> f32 {
        self.scale.factor() * hypothesis.score(x)
    }
}

crate::persist::persist!([S] Last<S> as "last" { scale });
