//! Accuracy against examples per class, in five orders.

use anyhow::Result;

use super::{
    baseline::Format,
    learner::Part,
    order::{ORDERS, Order},
    problem::{self, PROBLEMS, Problem},
    trial::{Method, Trial, budgets, figure, runs},
};
use crate::{
    plot::{Axis, Trend},
    reproduce::{About, Cell, Experiment, FinishedCells, Line, Pictures, Scope},
};

/// A few examples of each class.
pub struct Accuracy;

impl Experiment for Accuracy {
    fn about(&self) -> About {
        About {
            name: "few-shot-accuracy",
            title: "accuracy with 1 to 100 examples per class, in any order of the classes",
            remarks: "Each of ten draws takes 1 to 100 examples of each class from all rows of a set, and up to 800 of the others to test \
                     on; every method sees the same draw, and the ± is the standard deviation of the draws. The learner gets raw \
                     features, one example after the other: *shuffled*; *round robin*, one example of each class in turn; *blocked*, \
                     class after class, in another order of the classes in each draw; *blocked twice*, the same sequence again; \
                     *pairs*, two classes in turn, then the next two. The others see all examples at once, standardised on them. The \
                     SVM is LIBSVM's with C = 10 and a gamma of 1 over the number of features that vary. Ties of 3-NN go to the nearest \
                     example. A reservoir holds a uniform sample of the examples in the bytes of the learner: D + 1 bytes for each \
                     vector of `i8`, 4 D + 1 for one of `f32`, as Arduino_KNN has them; the bytes of its scale are not counted. Bytes are \
                     clipped at four standard deviations, which can make `i8` better than `f32`. Rows of \
                     wisdm come from 36 persons, who are mixed here. Features of basicmotions are made: mean, standard deviation, \
                     minimum, maximum, crossings of the mean and mean absolute step of each of the six channels.",
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        PROBLEMS.iter().map(|problem| problem.name).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let trials = trials(self, scope).into_iter();
        Ok(trials.flat_map(|trial| trial.cells(runs(scope))).collect())
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for trial in trials(self, scope) {
            let Problem { dim, classes, .. } = trial.problem;
            let block = format!("{} (D {dim}, C {classes})", trial.problem.name);
            for shots in trial.problem.shots() {
                let ours = trial.accuracy(kept, runs(scope), shots);
                let row = trial.method.to_string();
                lines.push(Line::percent(&block, &row, figure(shots), ours));
            }
        }
        lines
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        let Some(budget) = budgets(scope).into_iter().max() else {
            return Ok(());
        };
        for problem in problem::wanted(scope, &self.sets()) {
            let drawn: Vec<_> = shown(budget)
                .into_iter()
                .enumerate()
                .map(|(colour, method)| trend(problem, method, colour, scope, kept))
                .collect();
            if drawn.iter().any(|trend| trend.points.is_empty()) {
                continue;
            }
            let title = format!("{}, B {budget}", problem.name);
            let file = format!("few-shot-{}", problem.name);
            let axes = [
                Axis::logarithmic("examples per class"),
                Axis::even("accuracy (%)"),
            ];
            let above = "accuracy by examples per class: ";
            to.lines(&file, above, &title, axes, &drawn)?;
        }
        Ok(())
    }
}

/// Methods that are drawn.
fn shown(budget: usize) -> [Method; 5] {
    [
        Method::Neighbours(1),
        Method::Svm,
        Method::Reservoir(Format::I8, budget),
        Method::Learner(Part::None, budget, Order::Shuffled),
        Method::Learner(Part::None, budget, Order::Blocked(1)),
    ]
}

/// The line of a method; baselines are dashed.
fn trend(
    problem: &'static Problem,
    method: Method,
    colour: usize,
    scope: &Scope,
    kept: &FinishedCells,
) -> Trend {
    let trial = Trial {
        problem,
        wrong: 0,
        method,
    };
    let point = |shots: usize| {
        let accuracy = trial.accuracy(kept, runs(scope), shots)?;
        Some((shots as f64, accuracy.mean, 0.0))
    };
    let name = match method {
        Method::Reservoir(..) => "1-NN, same bytes".into(),
        Method::Learner(part, _, order) => format!("{}, {order}", part.name()),
        baseline => baseline.to_string(),
    };
    Trend {
        name,
        colour,
        dashed: !matches!(method, Method::Learner(..)),
        points: problem.shots().filter_map(point).collect(),
    }
}

fn trials(table: &Accuracy, scope: &Scope) -> Vec<Trial> {
    let mut methods = vec![
        Method::Neighbours(1),
        Method::Neighbours(3),
        Method::Centroid,
        Method::Svm,
    ];
    for budget in budgets(scope) {
        methods.extend([Format::I8, Format::F32].map(|format| Method::Reservoir(format, budget)));
        methods.extend(ORDERS.map(|order| Method::Learner(Part::None, budget, order)));
    }
    let trial = |(problem, method)| Trial {
        problem,
        wrong: 0,
        method,
    };
    let problems = problem::wanted(scope, &table.sets()).into_iter();
    let pairs = problems.flat_map(|problem| methods.iter().map(move |method| (problem, *method)));
    pairs.map(trial).collect()
}
