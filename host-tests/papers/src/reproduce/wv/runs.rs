//! One pass of a learner over one order of a problem: what the table and the figures are made of.

use anyhow::Result;

use super::problem::Problem;
use crate::{
    evaluate,
    learner::{self, Algorithm, Format, Learner, Settings},
    reproduce::{Bench, Cell, Figures, Name, Watch},
};

/// A learner that takes part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedLearner {
    /// Its name in tables.
    pub name: &'static str,
    /// Its algorithm.
    pub algorithm: Algorithm,
    /// It learns while `y f(x) <= margin`.
    pub margin: f32,
}

/// A learner of the paper: it learns from its mistakes only.
const fn plain(name: &'static str, algorithm: Algorithm) -> ComparedLearner {
    ComparedLearner {
        name,
        algorithm,
        margin: 0.0,
    }
}

pub const PERCEPTRON: ComparedLearner = plain("perceptron", Algorithm::Perceptron);
pub const TIGHTER_FULL: ComparedLearner = plain("tighter-full", Algorithm::TighterFull);
pub const TIGHTER: ComparedLearner = plain("tighter-b", Algorithm::Tighter);
pub const STOPTRON: ComparedLearner = plain("stoptron", Algorithm::Stoptron);
pub const FORGETRON: ComparedLearner = plain("forgetron", Algorithm::Forgetron);
pub const RANDOM: ComparedLearner = plain("random", Algorithm::Random);
pub const TIGHTER_0: ComparedLearner = plain("tighter-0", Algorithm::Tighter0);
pub const TIGHTEST: ComparedLearner = plain("tightest", Algorithm::Tightest);
pub const TIGHTEST_U16: ComparedLearner = plain("tightest-u16", Algorithm::TightestU16);
pub const REMOVE_OLDEST: ComparedLearner = plain("remove-oldest", Algorithm::RemoveOldest);
pub const FIXED: ComparedLearner = plain("fixed", Algorithm::Fixed);
pub const PROJECTRON: ComparedLearner = plain("projectron", Algorithm::Projectron);
pub const PROJECTRON_PLUS: ComparedLearner = ComparedLearner {
    name: "projectron++",
    algorithm: Algorithm::ProjectronPlus,
    margin: 1.0,
};
pub const BPA_S: ComparedLearner = plain("bpa-s", Algorithm::BpaS);
pub const BSGD: ComparedLearner = plain("bsgd", Algorithm::Bsgd);
pub const POCKETRON: ComparedLearner = plain("pocketron", Algorithm::Pocketron);
pub const MERGING: ComparedLearner = ComparedLearner {
    name: "merging",
    algorithm: Algorithm::Merge,
    margin: 1.0,
};

impl ComparedLearner {
    /// Whether it has a budget.
    pub fn is_bounded(&self) -> bool {
        self.algorithm != Algorithm::Perceptron
    }

    /// The learner itself; what it draws is settled by the run.
    pub fn build(
        &self,
        problem: &Problem,
        budget: Option<usize>,
        run: u64,
    ) -> Result<Box<dyn Learner>> {
        self.build_in(Format::F32, problem, budget, run)
    }

    /// The same over features of any format.
    fn build_in(
        &self,
        format: Format,
        problem: &Problem,
        budget: Option<usize>,
        run: u64,
    ) -> Result<Box<dyn Learner>> {
        let settings = Settings {
            kernel: match self.algorithm {
                // It finds its width.
                own if own.is_pocketron() => None,
                _ => Some(problem.kernel()),
            },
            budget,
            margin: self.margin,
            seed: run as u32,
            tolerance: match self.algorithm {
                // Without one it would store every margin error until it is full, as the Stoptron does.
                Algorithm::ProjectronPlus => 0.1,
                _ => 0.0,
            },
            aggressiveness: 1.0,
            lambda: None,
        };
        let (algorithm, examples) = (self.algorithm, problem.learned);
        learner::build_in(format, algorithm, &settings, problem.dim, examples)
    }
}

/// Name of the run.
pub fn name(problem: &Problem, learner: &ComparedLearner, budget: Option<usize>, run: u64) -> Name {
    let name = Name::new("wv").with("set", problem.name);
    let name = name.with("learner", learner.name);
    let name = match budget {
        Some(budget) => name.with("B", budget),
        None => name,
    };
    name.with("run", run)
}

/// The run as a piece of work.
pub fn cell(
    problem: &'static Problem,
    learner: &ComparedLearner,
    budget: Option<usize>,
    run: u64,
) -> Cell {
    cell_in(Format::F32, problem, learner, budget, run)
}

/// Name of the run over features of some format.
pub fn name_in(
    format: Format,
    problem: &Problem,
    learner: &ComparedLearner,
    budget: Option<usize>,
    run: u64,
) -> Name {
    let name = name(problem, learner, budget, run);
    match format {
        Format::F32 => name,
        other => name.with("format", other.name()),
    }
}

/// The run over features of some format.
pub fn cell_in(
    format: Format,
    problem: &'static Problem,
    learner: &ComparedLearner,
    budget: Option<usize>,
    run: u64,
) -> Cell {
    let learner = *learner;
    let build = move || learner.build_in(format, problem, budget, run);
    let work =
        move |bench: &Bench, watch: &Watch<'_>| learn(problem, &mut *build()?, run, (bench, watch));
    let name = name_in(format, problem, &learner, budget, run);
    Cell::new(name, cost(problem, learner.algorithm, budget), work).needing(problem.files())
}

/// Millions of multiplications, roughly: a prediction of every example, and an update of some.
fn cost(problem: &Problem, algorithm: Algorithm, budget: Option<usize>) -> u64 {
    let support = budget.unwrap_or(problem.learned / 8) as u64;
    let examples = (problem.learned + problem.tested) as u64;
    let (per_pair, updates) = (problem.dim as u64 + 10, problem.learned as u64 / 8);
    let update = match algorithm {
        Algorithm::Tightest
        | Algorithm::TightestU16
        | Algorithm::Tighter0
        | Algorithm::Projectron
        | Algorithm::ProjectronPlus => support * support,
        Algorithm::Tighter => 2 * support * support,
        Algorithm::TighterFull => problem.learned as u64 / 2 * (support + per_pair),
        Algorithm::Merge | Algorithm::Bsgd => 1000 * support,
        _ => support,
    };
    (examples * support * per_pair + updates * update) / 1_000_000
}

fn learn(
    problem: &Problem,
    learner: &mut dyn Learner,
    run: u64,
    (bench, watch): (&Bench, &Watch<'_>),
) -> Result<Figures> {
    let (train, test) = problem.run(bench, run)?;
    let learned = std::cell::Cell::new(0);
    let tick = |more| {
        learned.set(learned.get() + more);
        watch.done(learned.get() as usize, train.len());
    };
    let run = evaluate::run_learner(learner, &train, &test, 1, tick)?;
    Ok([
        ("accuracy", run.accuracy),
        ("support_vectors", run.support_vectors),
        ("mistakes", run.mistakes),
    ]
    .map(|(name, figure)| (name.to_owned(), figure))
    .into())
}
