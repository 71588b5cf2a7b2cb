//! Slow, obvious versions of every budget kernel perceptron, in `f64` and `Vec`.
//!
//! You need this when the core has given an answer and you want to know whether it is the right
//! one. Nothing here is clever: a kernel value is computed again whenever it is needed, a linear
//! system is solved afresh, the loss after a removal is summed from nothing. The code was written
//! from the papers without looking at the core, so the two agree only where both are right.
//!
//! Conventions shared by all: labels are -1 or +1; a score of 0 is a mistake; every tie goes to the
//! oldest vector, and two losses closer than 1e-9 are a tie ([`choice`]).
//!
//! ```
//! use pocketron_testkit::reference::{Algorithm, Kernel, Settings, run};
//!
//! let data = vec![(vec![0.0], 1.0), (vec![1.0], -1.0), (vec![0.9], -1.0)];
//! let settings = Settings::usual(Algorithm::Stoptron, 2);
//! let trace = run(Algorithm::Stoptron, Kernel::Gaussian { gamma: 5.0 }, settings, &data, 1);
//! assert_eq!((trace.mistakes, trace.sv, trace.alpha), (2, vec![0, 1], vec![1.0, -1.0]));
//! ```

pub mod batch;
pub mod beta;
pub mod bsgd;
pub mod choice;
pub mod fixed;
pub mod forgetron;
pub mod generator;
pub mod gram;
pub mod kernel;
pub mod merge;
pub mod model;
pub mod passive_aggressive;
pub mod paum;
pub mod plain;
pub mod projectron;
pub mod tighter;
pub mod tightest;
pub mod voted;

use std::fmt;
use std::str::FromStr;

pub use kernel::Kernel;
pub use model::{Example, Model, SupportVector};

/// Every algorithm of the budget family, named as on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// `perceptron`: no budget at all.
    Perceptron,
    /// `stoptron`: learns nothing once the budget is full.
    Stoptron,
    /// `random`: a random old vector makes room.
    Random,
    /// `remove-oldest`: the oldest vector makes room.
    RemoveOldest,
    /// `fixed`: the vector with the largest margin without itself goes.
    Fixed,
    /// `forgetron`: everything shrinks, then the oldest goes (self-tuned).
    Forgetron,
    /// `tighter0`: least 0-1 error on the support vectors.
    Tighter0,
    /// `tighter`: least 0-1 error on a reservoir of other points.
    Tighter,
    /// `tighterfull`: least 0-1 error on everything seen.
    TighterFull,
    /// `tightest`: least expected hinge loss on the support vectors, weighed by the labels seen
    /// around them.
    Tightest,
    /// `projectron`: mistakes that fit into the span of the support vectors, or find it full, are
    /// projected.
    Projectron,
    /// `projectron++`: the same, and margin errors are projected as well.
    ProjectronPlusPlus,
    /// `bpa-s`: passive-aggressive steps; the new vector takes over from the one it replaces best.
    BpaS,
    /// `merge`: unit steps; the lightest vector is merged with its best partner.
    Merge,
    /// `bsgd`: shrinking (Pegasos) steps with the same merging.
    Bsgd,
}

impl Algorithm {
    /// All of them, in the order of the enum.
    pub const ALL: [Algorithm; 15] = [
        Self::Perceptron,
        Self::Stoptron,
        Self::Random,
        Self::RemoveOldest,
        Self::Fixed,
        Self::Forgetron,
        Self::Tighter0,
        Self::Tighter,
        Self::TighterFull,
        Self::Tightest,
        Self::Projectron,
        Self::ProjectronPlusPlus,
        Self::BpaS,
        Self::Merge,
        Self::Bsgd,
    ];

    /// The name under which golden files, tables and the command know it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Perceptron => "perceptron",
            Self::Stoptron => "stoptron",
            Self::Random => "random",
            Self::RemoveOldest => "remove-oldest",
            Self::Fixed => "fixed",
            Self::Forgetron => "forgetron",
            Self::Tighter0 => "tighter0",
            Self::Tighter => "tighter",
            Self::TighterFull => "tighterfull",
            Self::Tightest => "tightest",
            Self::Projectron => "projectron",
            Self::ProjectronPlusPlus => "projectron++",
            Self::BpaS => "bpa-s",
            Self::Merge => "merge",
            Self::Bsgd => "bsgd",
        }
    }

    fn step(self, settings: &Settings) -> Box<dyn Step> {
        let &Settings {
            budget,
            margin,
            seed,
            tolerance,
            aggressiveness,
            lambda,
            reservoir,
        } = settings;
        match self {
            Self::Perceptron => Box::new(plain::Perceptron { margin }),
            Self::Stoptron => Box::new(plain::Stoptron { margin, budget }),
            Self::Random => Box::new(plain::Random::new(margin, budget, seed)),
            Self::RemoveOldest => Box::new(plain::RemoveOldest { margin, budget }),
            Self::Fixed => Box::new(fixed::Fixed { margin, budget }),
            Self::Forgetron => Box::new(forgetron::Forgetron::new(margin, budget)),
            Self::Tighter0 => Box::new(tighter::Tighter::on_support_vectors(margin, budget)),
            Self::Tighter => Box::new(tighter::Tighter::on_reservoir(
                margin, budget, reservoir, seed,
            )),
            Self::TighterFull => Box::new(tighter::Tighter::on_everything(margin, budget)),
            Self::Tightest => Box::new(tightest::Tightest { margin, budget }),
            Self::Projectron => Box::new(projectron::Projectron {
                margin,
                budget,
                tolerance,
            }),
            Self::ProjectronPlusPlus => {
                Box::new(projectron::ProjectronPlusPlus { budget, tolerance })
            }
            Self::BpaS => Box::new(passive_aggressive::BpaS {
                budget,
                aggressiveness,
            }),
            Self::Merge => Box::new(merge::Merge { margin, budget }),
            Self::Bsgd => Box::new(bsgd::Bsgd::new(margin, budget, lambda)),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The name is none of [`Algorithm::ALL`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm(pub String);

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Algorithm::ALL.map(Algorithm::name).join(", ");
        write!(f, "no algorithm is called {:?}; known: {known}", self.0)
    }
}

impl std::error::Error for UnknownAlgorithm {}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == name);
        found.ok_or_else(|| UnknownAlgorithm(name.to_string()))
    }
}

/// The numbers an algorithm may depend on; each reads only its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// B, the greatest number of vectors kept (all but `perceptron`).
    pub budget: usize,
    /// beta: the rule fires while y f <= beta (all but `bpa-s` and `projectron++`, which are
    /// defined on the hinge loss max(0, 1 - y f)).
    pub margin: f64,
    /// Start of the generator (`random`, `tighter`).
    pub seed: u32,
    /// eta^2: a new vector whose squared distance from the span of the others is at most this is
    /// not stored (`projectron`, `projectron++`).
    pub tolerance: f64,
    /// C, the longest step of PA-I (`bpa-s`).
    pub aggressiveness: f64,
    /// lambda, the weight of the regulariser (`bsgd`).
    pub lambda: f64,
    /// A, the number of validation points (`tighter`).
    pub reservoir: usize,
}

impl Settings {
    /// What is usual for this algorithm: margin 1 for the two merging learners and 0 elsewhere, A =
    /// B, eta = 0, C = 1, lambda = 1e-4, seed 1.
    pub fn usual(algorithm: Algorithm, budget: usize) -> Self {
        let margin = match algorithm {
            Algorithm::Merge | Algorithm::Bsgd => 1.0,
            _ => 0.0,
        };
        Self {
            budget,
            margin,
            seed: 1,
            tolerance: 0.0,
            aggressiveness: 1.0,
            lambda: 1e-4,
            reservoir: budget,
        }
    }
}

/// What an algorithm does with one example.
pub trait Step {
    /// Learns from `example`, whose score was `f` before; tells whether the rule fired.
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool;
}

/// What happened on one example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// The score before learning.
    pub score: f64,
    /// y f <= 0.
    pub mistake: bool,
    /// The rule fired (also when a full Stoptron then could not follow it).
    pub update: bool,
}

/// A model together with the algorithm that teaches it, one example at a time.
pub struct Learner {
    model: Model,
    step: Box<dyn Step>,
    mistakes: usize,
    updates: usize,
    scores: Vec<f64>,
}

impl Learner {
    /// A learner that has seen nothing.
    ///
    /// # Panics
    ///
    /// If the budget is 0, or if a merging learner is given another kernel than the Gaussian.
    pub fn new(algorithm: Algorithm, kernel: Kernel, settings: Settings) -> Self {
        assert!(settings.budget > 0, "a budget of zero learns nothing");
        let merges = matches!(algorithm, Algorithm::Merge | Algorithm::Bsgd);
        let gaussian = matches!(kernel, Kernel::Gaussian { .. });
        assert!(
            gaussian || !merges,
            "vectors can be merged under the Gaussian kernel only"
        );
        let (model, step) = (Model::new(kernel), algorithm.step(&settings));
        Self {
            model,
            step,
            mistakes: 0,
            updates: 0,
            scores: Vec::new(),
        }
    }

    /// f(x), the sum over the support vectors of alpha k(x_i, x); predict +1 above 0.
    pub fn score(&self, x: &[f64]) -> f64 {
        self.model.score(x)
    }

    /// Scores the example, then learns from it. `row` is what [`Trace::sv`] will call it.
    pub fn learn(&mut self, row: usize, x: &[f64], y: f64) -> Outcome {
        let score = self.model.score(x);
        let mistake = y * score <= 0.0;
        let update = self
            .step
            .learn(&mut self.model, &Example { row, x, y }, score);
        self.mistakes += usize::from(mistake);
        self.updates += usize::from(update);
        self.scores.push(score);
        Outcome {
            score,
            mistake,
            update,
        }
    }

    /// The support vectors as they stand.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The fraction of `data` that is predicted rightly (a score of 0 never is), without learning.
    pub fn accuracy(&self, data: &[(Vec<f64>, f64)]) -> f64 {
        let right = data.iter().filter(|(x, y)| y * self.score(x) > 0.0).count();
        right as f64 / data.len() as f64
    }

    /// The history so far, support vectors oldest first.
    pub fn trace(&self) -> Trace {
        let mut vectors: Vec<&SupportVector> = self.model.vectors.iter().collect();
        vectors.sort_by_key(|v| v.birth);
        Trace {
            mistakes: self.mistakes,
            updates: self.updates,
            sv: vectors.iter().map(|v| v.row).collect(),
            x: vectors.iter().map(|v| v.x.clone()).collect(),
            alpha: vectors.iter().map(|v| v.alpha).collect(),
            cplus: vectors.iter().map(|v| v.cplus).collect(),
            cminus: vectors.iter().map(|v| v.cminus).collect(),
            scores: self.scores.clone(),
        }
    }
}

/// The record of a run: counts, every score, and the final support vectors, oldest first.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Examples with y f <= 0.
    pub mistakes: usize,
    /// Examples on which the rule fired.
    pub updates: usize,
    /// Row numbers of the support vectors (a merged vector has its partner's).
    pub sv: Vec<usize>,
    /// Where the support vectors lie (a merged vector lies between two rows).
    pub x: Vec<Vec<f64>>,
    /// Their signed weights.
    pub alpha: Vec<f64>,
    /// Their counts of positive labels (moved by `tightest` only).
    pub cplus: Vec<f64>,
    /// Their counts of negative labels (moved by `tightest` only).
    pub cminus: Vec<f64>,
    /// The score of each example as it came, before learning.
    pub scores: Vec<f64>,
}

/// Runs `algorithm` over `data` (points with labels -1 or +1) in the given order, `epochs` times.
///
/// Later epochs are more of the same stream: a row that fires twice is stored twice.
///
/// # Panics
///
/// As [`Learner::new`].
pub fn run(
    algorithm: Algorithm,
    kernel: Kernel,
    settings: Settings,
    data: &[(Vec<f64>, f64)],
    epochs: usize,
) -> Trace {
    let mut learner = Learner::new(algorithm, kernel, settings);
    for _ in 0..epochs {
        for (row, (x, y)) in data.iter().enumerate() {
            learner.learn(row, x, *y);
        }
    }
    learner.trace()
}

#[cfg(test)]
mod laws;
