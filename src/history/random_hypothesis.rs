//! Chance gives everyone a turn.

use super::{History, Raw, Run, ScoreScale};
use crate::{
    budget::Admission, hypothesis::Snapshots, num::rng::XorShift32, persist::Blank,
    storage::Evaluated,
};

/// One hypothesis, drawn with a chance proportional to the examples it survived.
///
/// Drawing goes along with the stream, so that one copy is enough however long
/// it is; the current hypothesis joins the draw when it retires.
#[derive(Clone, Debug)]
pub struct RandomHypothesis<S, N = Raw, const OPENING: u32 = 1> {
    pick: Option<(S, f32)>,
    total: u32,
    run: Run<OPENING>,
    rng: XorShift32,
    scale: N,
}

impl<S, N: Blank, const OPENING: u32> RandomHypothesis<S, N, OPENING> {
    /// Draws from the given seed.
    pub const fn new(seed: u32) -> Self {
        RandomHypothesis {
            pick: None,
            total: 0,
            run: Run::BLANK,
            rng: XorShift32::new(seed),
            scale: N::BLANK,
        }
    }
}

impl<S, N: Blank, const OPENING: u32> Blank for RandomHypothesis<S, N, OPENING> {
    const BLANK: Self = Self::new(0);
}

impl<H, N, const OPENING: u32> History<H> for RandomHypothesis<H::Snapshot, N, OPENING>
where
    H: Snapshots,
    N: ScoreScale<H>,
{
    fn survived(&mut self) {
        self.run.survive();
    }

    fn shrunk(&mut self, factor: f32) {
        self.scale.shrunk(factor);
    }

    fn retiring(&mut self, hypothesis: &H) {
        self.total = self.total.saturating_add(self.run.0);
        if self.run.0 > 0 && self.rng.below(self.total) < self.run.0 {
            self.pick = Some((hypothesis.snapshot(), self.scale.factor()));
        }
        self.run.end();
    }

    fn moved(
        &mut self,
        _: &H,
        example: &Evaluated<'_, H::Input, H::Number>,
        coefficient: f32,
        _: Admission,
    ) {
        self.scale.moved(example, coefficient);
        self.run.begin();
    }

    fn score(&self, hypothesis: &H, x: &H::Input) -> f32 {
        match &self.pick {
            Some((pick, factor)) => factor * hypothesis.score_at(pick, x),
            None => self.scale.factor() * hypothesis.score(x),
        }
    }
}

crate::persist::persist!(only [S: crate::persist::Persist + Blank, N: crate::persist::Persist, const OPENING: u32] RandomHypothesis<S, N, OPENING> as "drawn" { pick, total, run, rng, scale });
