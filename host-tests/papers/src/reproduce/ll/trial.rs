//! One training on one split: what the tables and figures are made of.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use pocketron::learners::batch::Seeding;

use super::problem::Problem;
use crate::{
    batch::{Learner, Training},
    rcd,
    reproduce::{
        bench::Bench,
        cell::{Cell, Figures, Name},
        progress::Watch,
    },
};

/// The columns of the paper's tables.
pub const COLUMNS: [(&str, Learner); 6] = [
    ("rcd-plain", Learner::RcdPlain),
    ("rcd-bias", Learner::RcdBias),
    ("pocket", Learner::Pocket),
    ("ave-perc", Learner::AvePerc),
    ("sgd-mls", Learner::SgdMls),
    ("soft-svm", Learner::SoftSvm),
];

/// One training on one split.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// On which set.
    pub problem: &'static Problem,
    /// What the learner is called.
    pub learner: &'static str,
    /// Who learns, how long, and from where.
    pub training: Training,
    /// Number of the split.
    pub run: u64,
}

impl Trial {
    /// A learner alone. The support vector machine has no epochs and no start.
    pub fn alone(
        problem: &'static Problem,
        (name, learner): (&'static str, Learner),
        (seeding, epochs): (Seeding, u32),
        run: u64,
    ) -> Self {
        let training = match learner {
            Learner::SoftSvm => Training::new(learner, Seeding::Zero, 1),
            _ => Training::new(learner, seeding, epochs),
        };
        Trial {
            problem,
            learner: name,
            training,
            run,
        }
    }

    /// The same, boosted.
    #[must_use]
    pub fn boosted(self, rounds: usize) -> Self {
        let training = Training {
            rounds: Some(rounds),
            ..self.training
        };
        Trial { training, ..self }
    }

    /// What its cell is called.
    pub fn name(&self) -> Name {
        let name = Name::new("ll")
            .with("set", self.problem.name)
            .with("learner", self.learner);
        let name = match self.training.learner {
            Learner::SoftSvm => name,
            _ => name
                .with("start", start(self.training.seeding))
                .with("T", self.training.epochs),
        };
        let name = match self.training.rounds {
            Some(rounds) => name.with("rounds", rounds),
            None => name,
        };
        name.with("run", self.run)
    }

    /// The work.
    pub fn cell(self) -> Cell {
        Cell::new(
            self.name(),
            self.cost(),
            move |bench: &Bench, watch: &Watch<'_>| self.figures(bench, watch),
        )
        .needing(self.problem.file())
    }

    fn figures(&self, bench: &Bench, watch: &Watch<'_>) -> Result<Figures> {
        let set = self.problem.set(bench)?;
        let epochs = AtomicU64::new(0);
        let tick = |more: u64| {
            let done = epochs.fetch_add(more, Ordering::Relaxed) + more;
            watch.done(done as usize, self.training.total() as usize);
        };
        let errors = rcd::runs(&set, &self.training, self.run..self.run + 1, tick)?;
        let errors = errors.first().context("one run")?;
        let figures = [
            ("training", errors.training),
            ("test", errors.test),
            ("planes", errors.planes as f64),
        ];
        Ok(figures
            .map(|(name, figure)| (name.to_owned(), figure))
            .into())
    }

    /// Millions of multiplications, roughly. Half of a boosting with a machine ends early.
    fn cost(&self) -> u64 {
        let (examples, dim) = (self.problem.learned as u64, self.problem.dim() as u64);
        let rounds = self.training.rounds.map_or(1, |rounds| rounds as u64);
        let epochs = u64::from(self.training.epochs) * rounds;
        let per_epoch = match self.training.learner {
            Learner::SoftSvm => examples * 1000 * dim,
            _ => examples * (4 * dim + 100),
        };
        epochs * per_epoch / 1_000_000
    }
}

/// What a start is called.
pub fn start(seeding: Seeding) -> &'static str {
    match seeding {
        Seeding::Zero => "zero",
        Seeding::Fisher => "fld",
    }
}
