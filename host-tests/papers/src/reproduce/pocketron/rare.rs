//! Classes that are rare: what margins and steps for them are worth.

use anyhow::{Context, Result};

use super::{
    detection::Detection,
    further::{self, divided},
    runs::memories,
};
use crate::{
    data::{DenseData, generate::Artificial},
    learner::{self, Algorithm, Settings},
    options::sign,
    reproduce::{About, Bench, Cell, Experiment, Figures, FinishedCells, Line, Name, Scope, Watch},
};

/// A stream with a rare class.
#[derive(Clone, Copy)]
struct Problem {
    name: &'static str,
    source: Source,
}

#[derive(Clone, Copy)]
enum Source {
    Divided(further::Problem),
    /// 10,000 points to learn and 5,000 to test, drawn in each run, of which one in twenty of the positive ones stays.
    Thinned(Artificial),
}

/// The checkerboard is for quick runs.
const PROBLEMS: [Problem; 4] = [
    from_file(divided("ijcnn", "ijcnn1", 1.0)),
    from_file(divided("covertype-4", "covertype", 4.0)),
    from_file(divided("covertype-5", "covertype", 5.0)),
    Problem {
        name: "checkerboard",
        source: Source::Thinned(Artificial::Checkerboard),
    },
];

const fn from_file(problem: further::Problem) -> Problem {
    Problem {
        name: problem.name,
        source: Source::Divided(problem),
    }
}

/// Who takes part, and what the tables call him.
const MODES: [(&str, Algorithm); 3] = [
    ("plain", Algorithm::Pocketron),
    ("balanced", Algorithm::PocketronBalanced),
    ("F1", Algorithm::PocketronF1),
];

/// Figures of a run, and their columns.
const FIGURES: [(&str, &str); 8] = [
    ("recall", "recall"),
    ("precision", "precision"),
    ("balanced", "balanced"),
    ("auc", "AUC"),
    ("f1", "F1"),
    ("stream balanced", "balanced, stream"),
    ("stream f1", "F1, stream"),
    ("accuracy", "accuracy"),
];

/// Rare classes.
pub struct Rare;

impl Experiment for Rare {
    fn about(&self) -> About {
        About {
            name: "rare",
            title: "the default learner where one class is rare",
            remarks: "One pass over the training part in five orders, tested on all of the test part; the bytes are those of 20 and 100 \
                     support vectors of Tightest with `f32` features. IJCNN has 9.7 % positive examples, cover types 4 and 5 against the \
                     rest have 0.5 % and 1.6 %. The mode \
                     for balanced errors gives the rare class a margin and steps of `rho`, that for F1 gives the common class a margin of \
                     `1 / rho`, where `rho = sqrt(n_common / n_rare)` from 1 to 10 comes from the examples seen so far. AUC is the share of \
                     pairs of a positive and a negative test example whose scores are in order. The columns of the stream are of its second \
                     half, each example predicted before it was learned. The two modes and their constants are those of a study with plain merging; none \
                     was chosen here.",
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        PROBLEMS.iter().map(|problem| problem.name).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for problem in problems(scope) {
            for vectors in memories(scope) {
                for (_, mode) in MODES {
                    for run in orders(scope) {
                        let work = move |bench: &Bench, watch: &Watch<'_>| {
                            detect(problem, mode, vectors, run, (bench, watch))
                        };
                        let name = name(problem, mode, vectors, run);
                        let cost = 40 * vectors as u64;
                        cells.push(Cell::new(name, cost, work).needing(problem.files()));
                    }
                }
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for problem in problems(scope) {
            for vectors in memories(scope) {
                for (row, mode) in MODES {
                    for (figure, column) in FIGURES {
                        let names = orders(scope).map(|run| name(problem, mode, vectors, run));
                        lines.push(Line::percent(
                            format!("{}, bytes of {vectors} vectors", problem.name),
                            row,
                            column,
                            kept.spread(names, figure),
                        ));
                    }
                }
            }
        }
        lines
    }
}

fn problems(scope: &Scope) -> impl Iterator<Item = &'static Problem> {
    let wanted = PROBLEMS
        .iter()
        .filter(|problem| scope.wants_set(problem.name));
    wanted.filter(|problem| scope.quick == matches!(problem.source, Source::Thinned(_)))
}

fn orders(scope: &Scope) -> std::ops::Range<u64> {
    scope.runs(5, 1)
}

fn name(problem: &Problem, mode: Algorithm, vectors: usize, run: u64) -> Name {
    let mode = format!("{mode:?}").to_lowercase();
    let name = Name::new("rare")
        .with("set", problem.name)
        .with("learner", mode);
    name.with("vectors", vectors).with("run", run)
}

impl Problem {
    fn files(&self) -> Vec<String> {
        match &self.source {
            Source::Divided(problem) => problem.files(),
            Source::Thinned(_) => Vec::new(),
        }
    }

    fn raw(&self, bench: &Bench, run: u64) -> Result<(DenseData, DenseData)> {
        match &self.source {
            Source::Divided(problem) => problem.raw(bench, run),
            Source::Thinned(set) => Ok((
                thinned(&set.draw(10_000, 2 * run)),
                thinned(&set.draw(5_000, 2 * run + 1)),
            )),
        }
    }
}

/// The rows without nineteen of twenty positive ones.
fn thinned(data: &DenseData) -> DenseData {
    let mut positive = 0;
    let (mut x, mut labels) = (Vec::new(), Vec::new());
    for (row, label) in data.iter() {
        positive += u32::from(label > 0.0);
        if label <= 0.0 || positive % 20 == 0 {
            x.extend_from_slice(row);
            labels.push(label);
        }
    }
    DenseData {
        dim: data.dim,
        x,
        labels,
    }
}

/// Learns and tests.
fn detect(
    problem: &Problem,
    mode: Algorithm,
    vectors: usize,
    run: u64,
    (bench, watch): (&Bench, &Watch<'_>),
) -> Result<Figures> {
    let (train, test) = problem.raw(bench, run)?;
    let (train, test) = (train.to_f32()?, test.to_f32()?);
    let settings = Settings {
        kernel: None,
        budget: Some(learner::budget_in_bytes_of(mode, train.dim, vectors)),
        margin: 1.0,
        seed: 1,
        tolerance: 0.0,
        aggressiveness: 1.0,
        lambda: None,
    };
    let mut learner = learner::build(mode, &settings, train.dim, train.len())?;
    let (mut stream, mut tested) = (Detection::default(), Detection::default());
    for (row, (x, label)) in train.iter().enumerate() {
        let outcome = learner.learn(x, sign(label));
        let outcome = outcome.with_context(|| format!("row {row}"))?;
        if 2 * row >= train.len() {
            stream.add(outcome.score, label > 0.0);
        }
        watch.done(row + 1, train.len());
    }
    for (x, label) in test.iter() {
        tested.add(learner.score(x)?, label > 0.0);
    }
    let figures = [
        ("recall", tested.recall()),
        ("precision", tested.precision()),
        ("balanced", tested.balanced()),
        ("auc", tested.area()),
        ("f1", tested.f1()),
        ("accuracy", tested.accuracy()),
        ("stream balanced", stream.balanced()),
        ("stream f1", stream.f1()),
    ];
    let figures = figures.map(|(name, share)| (name.to_owned(), 100.0 * share));
    Ok(figures.into())
}
