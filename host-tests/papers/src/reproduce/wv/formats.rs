//! Cost of fixed-point features: the same learners over `f32`, `i16` and `i8`.

use anyhow::Result;

use super::{
    problem::Problem,
    runs::{self, ComparedLearner},
};
use crate::{
    learner::Format,
    reproduce::{About, Cell, Demand, Experiment, FinishedCells, Line, Scope, Target},
    spread::Spread,
};

/// Learners that fixed-point features were made for.
const COMPARED: [ComparedLearner; 7] = [
    runs::STOPTRON,
    runs::RANDOM,
    runs::FORGETRON,
    runs::TIGHTEST,
    runs::TIGHTEST_U16,
    runs::MERGING,
    runs::BSGD,
];

const SETS: [&str; 4] = ["banana", "letter", "pendigits", "waveform"];

const BUDGETS: [usize; 2] = [20, 100];

const FORMATS: [Format; 4] = [Format::F32, Format::F32Scaled, Format::I16, Format::I8];

/// A comparison of two formats.
struct Contrast {
    title: &'static str,
    of: Format,
    against: Format,
}

/// Cost of `i8`, on rows that both sides standardise alike.
const BYTES_ALONE: Contrast = Contrast {
    title: "i8 less f32, both standardised in the stream, points",
    of: Format::I8,
    against: Format::F32Scaled,
};

/// Cost of `i8` on a device, which does not know its stream beforehand.
const BYTES_IN_ALL: Contrast = Contrast {
    title: "i8 less f32 standardised beforehand, points",
    of: Format::I8,
    against: Format::F32,
};

const CONTRASTS: [Contrast; 4] = [
    BYTES_ALONE,
    Contrast {
        title: "i16 less f32, both standardised in the stream, points",
        of: Format::I16,
        against: Format::F32Scaled,
    },
    Contrast {
        title: "f32 standardised in the stream less beforehand, points",
        of: Format::F32Scaled,
        against: Format::F32,
    },
    BYTES_IN_ALL,
];

/// Accuracy by number format.
pub struct Formats;

impl Experiment for Formats {
    fn about(&self) -> About {
        About {
            name: "formats",
            title: "accuracy of fixed-point features",
            remarks: "No paper's table: the problems and kernels of wv2, one pass. `f32` features are standardised by the whole \
                     training part beforehand, as in wv2; `f32-scaled`, `i16` and `i8` in the stream, by what came before, as a device \
                     does it. All formats see the same rows in the same order. `tightest-u16` is Tightest with 16 bits for a similarity \
                     in its Gram cache. First what a format gains, less than nothing where it loses, order by order, then the accuracies \
                     themselves.",
            why: "Against rows that were standardised beforehand, bytes answer for the scale as well: it is rough at first, and the \
                     Stoptron keeps what it stored then. The third part of the table has what the scale alone costs.",
            sets: &SETS,
            targets: &[
                Target {
                    demands: "By bytes alone, learners that do not merge lose at most 1 point in every place",
                    about: |line| line.block == BYTES_ALONE.title && !merges(line),
                    each: Demand::AtLeast(-1.0),
                    percent: 100,
                },
                Target {
                    demands: "By bytes alone, those that merge lose at most 2",
                    about: |line| line.block == BYTES_ALONE.title && merges(line),
                    each: Demand::AtLeast(-2.0),
                    percent: 100,
                },
                Target {
                    demands: "By bytes and a scale that is found in the stream, those that do not merge lose at most 1",
                    about: |line| line.block == BYTES_IN_ALL.title && !merges(line),
                    each: Demand::AtLeast(-1.0),
                    percent: 100,
                },
                Target {
                    demands: "By both, those that merge lose at most 2",
                    about: |line| line.block == BYTES_IN_ALL.title && merges(line),
                    each: Demand::AtLeast(-2.0),
                    percent: 100,
                },
            ],
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for Row {
            problem,
            learner,
            budget,
        } in rows(scope)
        {
            for format in FORMATS {
                let cell = |run| runs::cell_in(format, problem, learner, Some(budget), run);
                cells.extend(orders(scope).map(cell));
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let rows = rows(scope);
        let mut lines = Vec::new();
        for contrast in &CONTRASTS {
            for learner in &COMPARED {
                let is_own = |row: &&Row| row.learner.name == learner.name;
                let own: Vec<_> = rows.iter().filter(is_own).collect();
                lines.extend(contrast.lines(&own, scope, kept));
            }
        }
        for row in &rows {
            let block = format!("{}, B = {}, accuracy %", row.problem.name, row.budget);
            for format in FORMATS {
                let accuracies = orders(scope).filter_map(|run| row.accuracy(format, run, kept));
                let accuracy = Spread::over(accuracies);
                lines.push(row.line(&block, format.name(), 1, accuracy));
            }
        }
        lines
    }
}

/// The column over all sets and budgets.
const MEAN: &str = "mean";

impl Contrast {
    /// Gain of a learner on every set with every budget, and in the mean of all if all are there.
    fn lines(&self, rows: &[&Row], scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for row in rows {
            let gain = |run: u64| {
                let accuracy = |format| row.accuracy(format, run, kept);
                Some(accuracy(self.of)? - accuracy(self.against)?)
            };
            let gains = Spread::over(orders(scope).filter_map(gain));
            let column = format!("{}, {}", row.problem.name, row.budget);
            lines.push(row.line(self.title, &column, 2, gains));
        }
        if rows.len() == SETS.len() * BUDGETS.len() {
            let means: Option<Vec<f64>> = lines.iter().map(|line| Some(line.ours?.mean)).collect();
            let mean = means.and_then(|means| Spread::over(means.into_iter()));
            lines.push(rows[0].line(self.title, MEAN, 2, mean.map(Spread::mean_alone)));
        }
        lines
    }
}

/// Whether a line is of a learner that merges.
fn merges(line: &Line) -> bool {
    [runs::MERGING.name, runs::BSGD.name].contains(&line.row.as_str())
}

/// A learner with a budget on a set.
struct Row {
    problem: &'static Problem,
    learner: &'static ComparedLearner,
    budget: usize,
}

impl Row {
    fn accuracy(&self, format: Format, run: u64, kept: &FinishedCells) -> Option<f64> {
        let Row {
            problem,
            learner,
            budget,
        } = *self;
        let name = runs::name_in(format, problem, learner, Some(budget), run);
        kept.figure(&name, "accuracy")
    }

    fn line(&self, block: &str, column: &str, digits: usize, ours: Option<Spread>) -> Line {
        Line::percent(block, self.learner.name, column, ours).with_digits(digits)
    }
}

/// Every row of the table.
fn rows(scope: &Scope) -> Vec<Row> {
    let sets = SETS.iter().filter(|set| scope.wants_set(set));
    let sets = sets.filter(|set| !scope.quick || **set == "waveform");
    let problems: Vec<_> = sets.filter_map(|set| Problem::named(set)).collect();
    let budgets = BUDGETS
        .into_iter()
        .filter(|budget| scope.wants_budget(*budget));
    let budgets: Vec<_> = budgets
        .filter(|budget| !scope.quick || *budget == 20)
        .collect();
    let mut rows = Vec::new();
    for problem in problems {
        for &budget in &budgets {
            let row = |learner| Row {
                problem,
                learner,
                budget,
            };
            rows.extend(COMPARED.iter().map(row));
        }
    }
    rows
}

fn orders(scope: &Scope) -> std::ops::Range<u64> {
    scope.runs(200, 1)
}
