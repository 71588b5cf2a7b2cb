//! Table 2: accuracy of every budget perceptron with 20, 100 and 500 support vectors.

use anyhow::Result;

use super::{
    problem::{PROBLEMS, Problem},
    runs::{self, ComparedLearner},
};
use crate::{
    reproduce::{
        About, Cell, Demand, Experiment, FinishedCells, Line, Scope, Target, Unit, printed,
    },
    spread::Spread,
};

const PRINTED: &str = include_str!("../../../printed/wv2.csv");

/// The row of means over all sets.
const AVERAGE: &str = "average";

/// The columns of the table.
pub(super) const COLUMNS: [ComparedLearner; 8] = [
    runs::PERCEPTRON,
    runs::TIGHTER_FULL,
    runs::TIGHTER,
    runs::STOPTRON,
    runs::FORGETRON,
    runs::RANDOM,
    runs::TIGHTER_0,
    runs::TIGHTEST,
];

/// The budgets of the table.
const BUDGETS: [usize; 3] = [20, 100, 500];

/// Sets that are learned in seconds.
const QUICK: [&str; 3] = ["ncheckerboard", "gauss", "waveform"];

/// Table 2.
pub struct Accuracy;

impl Experiment for Accuracy {
    fn about(&self) -> About {
        About {
            name: "wv2",
            title: "accuracy of budget perceptrons with 20, 100 and 500 support vectors (Wang and Vucetic, Table 2)",
            remarks: "One pass over each of thirty random orders, features scaled to deviation 1 on the training part, kernel widths of \
                     the paper's Table 1. Banana is divided anew in each run, the artificial sets are drawn anew. Covertype has \
                     46,481 rows in each part instead of 100,000. The printed averages are those of ten sets, without Waveform, and so \
                     are ours.",
            why: "The paper has ten orders. Which cells of Tightest are farther than 2 points from print depends on the ten; \
                     with thirty the deviation of a mean is half a point or less. The spreads are lenient, the test of means is not. Tighter-Full and Tighter-0 do better here than printed on several sets. A second, independent implementation has \
                     the same differences, so that it is no slip of the core; what the paper does otherwise is not known. Random on \
                     Pendigits with B = 100 is printed as 98.3, more than the paper's unbounded perceptron (97.7) and its Tightest \
                     (97.1) have there; the second implementation has 92.5. Pendigits' perceptron is printed as 97.7 in two parts and \
                     as 98.2 in the third, where the budget of 500 never binds. Covertype has fewer examples here, and so fewer support vectors \
                     without a budget. Only the hypothesis at the end of the stream is tested, and single runs may end \
                     badly: one order of ijcnn may leave Tightest with B = 20 at half of the answers wrong after few mistakes on the \
                     way, and the mean well below the others.",
            targets: &[Target {
                demands: "all 22 accuracies of Tightest with 20 and 100 support vectors are within 2 points of the paper's",
                about: |line| {
                    line.column == runs::TIGHTEST.name
                        && [block(20), block(100)].contains(&line.block)
                        && line.row != AVERAGE
                },
                each: Demand::Near(2.0),
                percent: 100,
            }],
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        PROBLEMS.iter().map(|problem| problem.name).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for problem in PROBLEMS.iter().filter(|problem| wanted(problem, scope)) {
            for run in orders(scope) {
                for learner in &COLUMNS {
                    let budgets = budgets(learner, scope);
                    cells.extend(budgets.map(|budget| runs::cell(problem, learner, budget, run)));
                }
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let figures = printed::figures(PRINTED);
        let figures = figures.into_iter().filter_map(|figure| {
            let row = figure.label("set");
            let budget: usize = figure.label("budget").parse().ok()?;
            let column = figure.label("algorithm");
            let learner = COLUMNS.iter().find(|learner| learner.name == column)?;
            let what = figure.label("figure");
            let own = learner.is_bounded().then_some(budget);
            let spread = |problem: &Problem| {
                let cells = orders(scope);
                let cells = cells.map(|run| runs::name(problem, learner, own, run));
                kept.spread(cells, what)
            };
            let (wanted, ours) = match Problem::named(row) {
                Some(problem) => (wanted(problem, scope), spread(problem)),
                None if row != AVERAGE => return None,
                None => (
                    averaged().all(|problem| wanted(problem, scope)),
                    mean(averaged().map(spread)),
                ),
            };
            (wanted && wants_budget(scope, budget)).then(|| {
                Line::percent(
                    match what {
                        "accuracy" => block(budget),
                        _ => "support vectors without a budget".into(),
                    },
                    row,
                    column,
                    ours,
                )
                .in_unit(match what {
                    "accuracy" => Unit::Percent,
                    _ => Unit::Count,
                })
                .beside(&figure)
            })
        });
        let mut lines: Vec<_> = figures.collect();
        lines.sort_by_key(|line| {
            let blocks = BUDGETS.map(block);
            let place = blocks.iter().position(|block| *block == line.block);
            place.unwrap_or(BUDGETS.len())
        });
        lines
    }
}

/// The sets whose mean is printed: all 24 averages are those of the rows above them without one.
fn averaged() -> impl Iterator<Item = &'static Problem> {
    PROBLEMS.iter().filter(|problem| problem.name != "waveform")
}

/// The mean over sets, if it is known of all of them.
fn mean(sets: impl Iterator<Item = Option<Spread>>) -> Option<Spread> {
    let means: Option<Vec<f64>> = sets.map(|set| Some(set?.mean)).collect();
    let mean = Spread::over(means?.into_iter())?.mean;
    Some(Spread::single(mean))
}

/// The part of the table with that budget.
fn block(budget: usize) -> String {
    format!("accuracy %, B = {budget}")
}

/// The orders: three times as many as in the paper, since its ten leave means uncertain by a point.
fn orders(scope: &Scope) -> std::ops::Range<u64> {
    scope.runs(30, 2)
}

fn wanted(problem: &Problem, scope: &Scope) -> bool {
    scope.wants_set(problem.name) && (!scope.quick || QUICK.contains(&problem.name))
}

fn wants_budget(scope: &Scope, budget: usize) -> bool {
    scope.wants_budget(budget) && (!scope.quick || budget == 20)
}

/// The budgets of a column: the kernel perceptron has none.
fn budgets(learner: &ComparedLearner, scope: &Scope) -> impl Iterator<Item = Option<usize>> {
    let bounded = learner.is_bounded();
    let wanted = BUDGETS
        .into_iter()
        .filter(move |budget| bounded && wants_budget(scope, *budget));
    wanted.map(Some).chain((!bounded).then_some(None))
}
