//! All of them, added up.

use super::{History, Raw, Run, ScoreScale};
use crate::{budget::Admission, hypothesis::Averageable, persist::Blank, storage::Evaluated};

/// The sum of all hypotheses, each weighted by the examples it survived:
/// `sum_k c_k f_k(x)`, with [`UnitNorm`](super::UnitNorm) `sum_k c_k f_k(x) / |f_k|`.
///
/// One pass of similarities, whatever the number of hypotheses. When a budget
/// policy gives a vector up, its share of the sum goes with it; a merged vector
/// hands its share on.
#[derive(Clone, Debug)]
pub struct Averaged<S, N = Raw, const OPENING: u32 = 1> {
    sum: S,
    run: Run<OPENING>,
    scale: N,
}

impl<S: Blank, N: Blank, const OPENING: u32> Averaged<S, N, OPENING> {
    /// Nothing has survived yet.
    pub const fn new() -> Self {
        Self::BLANK
    }
}

impl<S, N, const OPENING: u32> Averaged<S, N, OPENING> {
    /// The sum of those that have retired.
    pub const fn sum(&self) -> &S {
        &self.sum
    }

    /// Weight of the present hypothesis, before any division by its norm.
    pub fn present(&self) -> f32 {
        self.run.weight()
    }
}

impl<S: Blank, N: Blank, const OPENING: u32> Default for Averaged<S, N, OPENING> {
    fn default() -> Self {
        Self::new()
    }
}

impl<H, N, const OPENING: u32> History<H> for Averaged<H::Sum, N, OPENING>
where
    H: Averageable,
    N: ScoreScale<H>,
{
    fn survived(&mut self) {
        self.run.survive();
    }

    fn shrunk(&mut self, factor: f32) {
        self.scale.shrunk(factor);
    }

    fn retiring(&mut self, hypothesis: &H) {
        let weight = self.run.weight() * self.scale.factor();
        if weight != 0.0 {
            hypothesis.fold(&mut self.sum, weight);
        }
        self.run.end();
    }

    fn moved(
        &mut self,
        hypothesis: &H,
        example: &Evaluated<'_, H::Input, H::Number>,
        coefficient: f32,
        admission: Admission,
    ) {
        hypothesis.follow(&mut self.sum, admission);
        self.scale.moved(example, coefficient);
        self.run.begin();
    }

    fn score(&self, hypothesis: &H, x: &H::Input) -> f32 {
        let weight = self.run.weight() * self.scale.factor();
        hypothesis.sum_score(&self.sum, weight, x)
    }
}

crate::persist::persist!([S, N; const OPENING: u32] Averaged<S, N, OPENING> as "averaged" { sum, run, scale });
