//! Training rows that wait for their next visit.

use super::{
    mistake_log::MistakeLog,
    panel::{Panel, PartialSums, Similarity},
    problem::Problem,
};

/// The rows of a panel and what the present hypotheses make of them, as far as the panel has heard
/// of the mistakes.
///
/// Hearing of them late is what makes training fast: a panel hears of thousands at a time, in
/// order, while its features are in the cache, and independently of the other panels.
#[derive(Debug)]
pub(super) struct PanelScores<'a> {
    panel: &'a Panel,
    sums: Vec<PartialSums>,
    heard: usize,
}

impl<'a> PanelScores<'a> {
    pub fn new(panel: &'a Panel, classes: usize) -> Self {
        PanelScores {
            panel,
            sums: vec![PartialSums::ZERO; classes],
            heard: 0,
        }
    }

    /// Catches up with the mistakes; returns the kernel evaluations.
    pub fn catch_up(
        &mut self,
        mistake_log: &MistakeLog,
        problem: &Problem,
        kernel: &Similarity,
    ) -> u64 {
        let news = &mistake_log.events[self.heard..];
        for event in news {
            let near = kernel.row(self.panel, &problem.sparse[event.row as usize]);
            for step in &event.steps {
                self.sums[step.class].add(step.slot, step.alpha, &near);
            }
        }
        self.heard = mistake_log.events.len();
        (news.len() * self.panel.len()) as u64
    }

    /// The score of each class for a row of the panel.
    pub fn scores(&self, row: usize) -> impl Iterator<Item = f32> {
        self.sums.iter().map(move |sums| sums.total(row))
    }
}
