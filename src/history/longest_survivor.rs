//! The one that did best.

use super::{History, Run};
use crate::{hypothesis::Snapshots, persist::Blank};

/// The hypothesis that survived the most examples in a row, the earliest on a
/// tie: as long as none has survived an example, the one that the learner started with.
#[derive(Clone, Debug)]
pub struct LongestSurvivor<S> {
    best: Option<S>,
    record: u32,
    run: Run<0>,
}

impl<S> LongestSurvivor<S> {
    /// Nothing has survived yet.
    pub const fn new() -> Self {
        Self::BLANK
    }

    /// Most examples in a row that any hypothesis has survived, the present one
    /// included.
    pub fn record(&self) -> u32 {
        self.record.max(self.run.0)
    }
}

impl<S> Default for LongestSurvivor<S> {
    fn default() -> Self {
        Self::new()
    }
}

crate::persist::blank!([; S] LongestSurvivor<S> { best, record, run });

impl<H: Snapshots> History<H> for LongestSurvivor<H::Snapshot> {
    fn survived(&mut self) {
        self.run.survive();
    }

    fn retiring(&mut self, hypothesis: &H) {
        // The first one is kept even if it survived nothing: it predicts until another survives.
        if self.best.is_none() || self.run.0 > self.record {
            self.best = Some(hypothesis.snapshot());
            self.record = self.run.0;
        }
        self.run.end();
    }

    fn score(&self, hypothesis: &H, x: &H::Input) -> f32 {
        match &self.best {
            Some(best) if self.record >= self.run.0 => hypothesis.score_at(best, x),
            _ => hypothesis.score(x),
        }
    }
}

crate::persist::persist!(only [S: crate::persist::Persist + Blank] LongestSurvivor<S> as "longest-survivor" { best, record, run });
