//! The learner without one of its parts: what each of them is worth.

use anyhow::Result;

use super::{
    learner::Part,
    order::Order,
    problem,
    trial::{Method, Trial, budgets, figure, runs},
};
use crate::{
    reproduce::{About, Cell, Experiment, FinishedCells, Line, Scope},
    spread::Spread,
};

/// Ablations.
pub struct Parts;

/// Sets on which parts were chosen.
const SETS: [&str; 3] = ["uwave", "digits", "wisdm"];

/// Examples per class.
const SHOTS: [usize; 5] = [2, 5, 20, 50, 100];

const ORDERS: [Order; 3] = [Order::Shuffled, Order::Blocked(1), Order::Pairs];

impl Experiment for Parts {
    fn about(&self) -> About {
        About {
            name: "few-shot-parts",
            title: "few examples per class without one of the learner's parts",
            remarks: "The draws of `few-shot-accuracy`: the mean accuracy on uwave, digits and wisdm, and its standard deviation over \
                     the draws. The first row of each part of the table is the whole learner.",
            sets: &SETS,
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for method in methods(scope) {
            for trial in trials(scope, method) {
                cells.extend(trial.cells(runs(scope)));
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for method in methods(scope) {
            let Method::Learner(part, budget, order) = method else {
                continue;
            };
            let trials = trials(scope, method);
            let block = format!("B = {budget}, {order}");
            for shots in SHOTS {
                let ours = mean(&trials, scope, kept, shots);
                lines.push(Line::percent(&block, part.name(), figure(shots), ours));
            }
        }
        lines
    }
}

/// The spread over the runs of the mean over the sets; runs that lack a set do not count.
fn mean(trials: &[Trial], scope: &Scope, kept: &FinishedCells, shots: usize) -> Option<Spread> {
    let of_run = |run| {
        let sets = trials.iter();
        let sets = sets.map(|trial| trial.accuracy_of(kept, run, shots));
        let sets: Option<Vec<f64>> = sets.collect();
        Some(Spread::over(sets?.into_iter())?.mean)
    };
    Spread::over(runs(scope).filter_map(of_run))
}

fn trials(scope: &Scope, method: Method) -> Vec<Trial> {
    let trial = |problem| Trial {
        problem,
        wrong: 0,
        method,
    };
    let problems = problem::wanted(scope, &SETS).into_iter();
    problems.map(trial).collect()
}

fn methods(scope: &Scope) -> Vec<Method> {
    let mut methods = Vec::new();
    for budget in budgets(scope) {
        for order in ORDERS {
            methods.extend(Part::ALL.map(|part| Method::Learner(part, budget, order)));
        }
    }
    methods
}
