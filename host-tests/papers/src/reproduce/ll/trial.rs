//! One training on one split: what the tables and figures are made of.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use clap::ValueEnum;
use pocketron::learners::batch::{Draw, Seeding};

use super::problem::Problem;
use crate::{
    batch::{Learner, Training},
    rcd,
    reproduce::{Bench, Cell, Figures, Name, Watch},
};

/// A learner as a column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Heading of the column.
    pub name: &'static str,
    /// Who learns.
    pub learner: Learner,
    /// Distribution of its random directions, if it has such.
    pub draw: Draw,
}

impl Column {
    /// A learner as the authors have it.
    pub const fn new(name: &'static str, learner: Learner) -> Self {
        Column {
            name,
            learner,
            draw: Draw::Uniform,
        }
    }

    /// The column of the paper's tables with that heading.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn named(name: &str) -> Self {
        let found = COLUMNS.into_iter().find(|column| column.name == name);
        found.unwrap_or_else(|| panic!("no column `{name}`"))
    }

    /// The same with other directions.
    const fn along(self, draw: Draw) -> Self {
        Column { draw, ..self }
    }
}

/// The columns of the paper's tables.
pub const COLUMNS: [Column; 6] = [
    Column::new("rcd-plain", Learner::RcdPlain),
    Column::new("rcd-bias", Learner::RcdBias),
    Column::new("pocket", Learner::Pocket),
    Column::new("ave-perc", Learner::AvePerc),
    Column::new("sgd-mls", Learner::SgdMls),
    Column::new("soft-svm", Learner::SoftSvm),
];

/// Directions of which the paper prints no errors.
pub const OTHER_DIRECTIONS: [Column; 4] = [
    Column::new("rcd-plain, own", Learner::RcdPlain).along(Draw::UnitBias),
    Column::new("rcd-bias, own", Learner::RcdBias).along(Draw::UnitBias),
    Column::new("rcd-plain, Gaussian", Learner::RcdPlain).along(Draw::FeatureNormal),
    Column::new("rcd-bias, Gaussian", Learner::RcdBias).along(Draw::FeatureNormal),
];

/// One training on one split.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// On which set.
    pub problem: &'static Problem,
    /// Who learns, how long, and from where.
    pub training: Training,
    /// Number of the split.
    pub run: u64,
}

impl Trial {
    /// A learner alone. The support vector machine has no epochs and no start.
    pub fn alone(
        problem: &'static Problem,
        column: Column,
        (seeding, epochs): (Seeding, u32),
        run: u64,
    ) -> Self {
        let training = match column.learner {
            Learner::SoftSvm => Training::new(column.learner, Seeding::Zero, 1),
            learner => Training {
                draw: column.draw,
                ..Training::new(learner, seeding, epochs)
            },
        };
        Trial {
            problem,
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

    /// Name of its cell.
    pub fn name(&self) -> Name {
        let name = Name::new("ll")
            .with("set", self.problem.name)
            .with("learner", learner_name(self.training.learner));
        // What was changed since the first cells were kept is part of the name.
        let name = match self.training.learner {
            Learner::RcdPlain | Learner::RcdBias => {
                name.with("directions", directions(self.training.draw))
            }
            Learner::RcdGrad => name.with("directions", "misclassified"),
            Learner::SgdMls => name.with("step", "eta"),
            Learner::SoftSvm => name.with("solver", "interior-point"),
            _ => name,
        };
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

/// Name of a learner on the command line.
fn learner_name(learner: Learner) -> String {
    let value = learner.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Name of a distribution of directions.
fn directions(draw: Draw) -> &'static str {
    match draw {
        Draw::Uniform => "uniform",
        Draw::FeatureNormal => "feature-normal",
        Draw::UnitBias => "unit-bias",
        Draw::StandardNormal => "standard-normal",
    }
}

/// Name of a start.
pub fn start(seeding: Seeding) -> &'static str {
    match seeding {
        Seeding::Zero => "zero",
        Seeding::Fisher => "fisher",
        Seeding::FisherMidway => "fisher-midway",
    }
}
