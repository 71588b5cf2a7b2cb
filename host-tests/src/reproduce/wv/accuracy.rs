//! Table 2: accuracy of every budget perceptron with 20, 100 and 500 support vectors.

use anyhow::Result;

use super::problem::{PROBLEMS, Problem};
use crate::{
    evaluate,
    learner::{self, Algorithm, Learner, Settings},
    reproduce::{
        bench::Bench,
        cell::{Cell, Figures, Name},
        experiment::{Experiment, Scope},
        kept::Kept,
        line::Line,
        printed,
    },
};

const PRINTED: &str = include_str!("../../../papers/wv2.csv");

/// The columns of the table.
pub(super) const ALGORITHMS: [(&str, Algorithm); 8] = [
    ("perceptron", Algorithm::Perceptron),
    ("tighter-full", Algorithm::TighterFull),
    ("tighter-b", Algorithm::Tighter),
    ("stoptron", Algorithm::Stoptron),
    ("forgetron", Algorithm::Forgetron),
    ("random", Algorithm::Random),
    ("tighter-0", Algorithm::Tighter0),
    ("tightest", Algorithm::Tightest),
];

const BUDGETS: [usize; 3] = [20, 100, 500];

/// Sets that are learned in seconds.
const QUICK: [&str; 3] = ["ncheckerboard", "gauss", "waveform"];

/// Table 2.
pub struct Accuracy;

impl Experiment for Accuracy {
    fn name(&self) -> &'static str {
        "wv2"
    }

    fn title(&self) -> &'static str {
        "accuracy of budget perceptrons with 20, 100 and 500 support vectors (Wang and Vucetic, Table 2)"
    }

    fn remarks(&self) -> &'static str {
        "One pass over each of ten random orders, features scaled to deviation 1 on the training part, kernel widths of \
         the paper's Table 1. Banana is divided anew in each run, the artificial sets are drawn anew. Covertype has \
         46,481 rows in each part instead of 100,000."
    }

    fn sets(&self) -> Vec<&'static str> {
        PROBLEMS.iter().map(|problem| problem.name).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for problem in PROBLEMS.iter().filter(|problem| wanted(problem, scope)) {
            for run in scope.runs(10, 2) {
                for (column, algorithm) in ALGORITHMS {
                    cells.extend(
                        budgets(algorithm, scope)
                            .map(|budget| cell(problem, column, algorithm, budget, run)),
                    );
                }
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &Kept) -> Vec<Line> {
        let figures = printed::figures(PRINTED);
        let figures = figures.into_iter().filter_map(|figure| {
            let problem = Problem::named(figure.label("set"))?;
            let budget: usize = figure.label("budget").parse().ok()?;
            let column = figure.label("algorithm");
            let (_, algorithm) = ALGORITHMS.iter().find(|(name, _)| *name == column)?;
            let what = figure.label("figure");
            let wanted = wanted(problem, scope) && wants_budget(scope, budget);
            wanted.then(|| {
                let own = (*algorithm != Algorithm::Perceptron).then_some(budget);
                let cells = scope.runs(10, 2).map(|run| name(problem, column, own, run));
                Line {
                    block: match what {
                        "accuracy" => format!("accuracy %, B = {budget}"),
                        _ => "support vectors without a budget".into(),
                    },
                    row: problem.name.into(),
                    column: column.into(),
                    printed: Some(figure.printed),
                    ours: kept.spread(cells, what),
                    digits: figure.digits,
                }
            })
        });
        let mut lines: Vec<_> = figures.collect();
        lines.sort_by_key(|line| {
            let budget = BUDGETS.map(|budget| format!("accuracy %, B = {budget}"));
            budget
                .iter()
                .position(|block| *block == line.block)
                .unwrap_or(BUDGETS.len())
        });
        lines
    }
}

fn wanted(problem: &Problem, scope: &Scope) -> bool {
    scope.wants_set(problem.name) && (!scope.quick || QUICK.contains(&problem.name))
}

fn wants_budget(scope: &Scope, budget: usize) -> bool {
    scope.wants_budget(budget) && (!scope.quick || budget == 20)
}

/// The budgets of a column: the kernel perceptron has none.
fn budgets(algorithm: Algorithm, scope: &Scope) -> impl Iterator<Item = Option<usize>> {
    let bounded = algorithm != Algorithm::Perceptron;
    let wanted = BUDGETS
        .into_iter()
        .filter(move |budget| bounded && wants_budget(scope, *budget));
    wanted.map(Some).chain((!bounded).then_some(None))
}

fn name(problem: &Problem, column: &str, budget: Option<usize>, run: u64) -> Name {
    let name = Name::new("wv")
        .with("set", problem.name)
        .with("learner", column);
    let name = match budget {
        Some(budget) => name.with("B", budget),
        None => name,
    };
    name.with("run", run)
}

fn cell(
    problem: &'static Problem,
    column: &str,
    algorithm: Algorithm,
    budget: Option<usize>,
    run: u64,
) -> Cell {
    let work = move |bench: &Bench| learn(problem, algorithm, budget, run, bench);
    let name = name(problem, column, budget, run);
    Cell::new(name, cost(problem, algorithm, budget), work).needing(problem.files())
}

/// Millions of multiplications, roughly: a prediction of every example, and an update of some.
fn cost(problem: &Problem, algorithm: Algorithm, budget: Option<usize>) -> u64 {
    let support = budget.unwrap_or(problem.learned / 8) as u64;
    let examples = (problem.learned + problem.tested) as u64;
    let (per_pair, updates) = (problem.dim as u64 + 10, problem.learned as u64 / 8);
    let update = match algorithm {
        Algorithm::Tightest | Algorithm::Tighter0 => support * support,
        Algorithm::Tighter => 2 * support * support,
        Algorithm::TighterFull => problem.learned as u64 / 2 * support,
        _ => support,
    };
    (examples * support * per_pair + updates * update) / 1_000_000
}

fn learn(
    problem: &Problem,
    algorithm: Algorithm,
    budget: Option<usize>,
    run: u64,
    bench: &Bench,
) -> Result<Figures> {
    let (train, test) = problem.run(bench, run)?;
    let mut learner = build(problem, algorithm, budget, run)?;
    let run = evaluate::run_learner(&mut *learner, &train, &test, 1, |_| {})?;
    Ok([
        ("accuracy", run.accuracy),
        ("support_vectors", run.support_vectors),
        ("mistakes", run.mistakes),
    ]
    .map(|(name, figure)| (name.to_owned(), figure))
    .into())
}

/// A learner of the paper; what it draws is settled by the run.
pub(super) fn build(
    problem: &Problem,
    algorithm: Algorithm,
    budget: Option<usize>,
    run: u64,
) -> Result<Box<dyn Learner>> {
    let settings = Settings {
        kernel: problem.kernel(),
        budget,
        margin: 0.0,
        seed: run as u32,
        tolerance: 0.0,
        aggressiveness: 1.0,
        lambda: None,
    };
    learner::build(algorithm, &settings, problem.dim, problem.learned)
}
