//! Wrong labels among the examples that are taught.

use anyhow::Result;

use super::{
    learner::Part,
    order::Order,
    problem,
    trial::{Method, Trial, budgets, runs},
};
use crate::reproduce::{About, Cell, Experiment, FinishedCells, Line, Scope};

/// Wrong labels.
pub struct Noise;

/// Percent of the labels that are wrong.
const WRONG: [usize; 3] = [0, 10, 20];

/// Examples per class.
const SHOTS: [usize; 3] = [5, 10, 20];

const SETS: [&str; 3] = ["uwave", "digits", "pendigits"];

impl Experiment for Noise {
    fn about(&self) -> About {
        About {
            name: "few-shot-noise",
            title: "few examples per class, some of them with a wrong label",
            remarks: "The draws of `few-shot-accuracy`, in which 0, 10 or 20 % of the examples get the label of another class, drawn at \
                     random. Blocks are those of the labels: a wrong example is taught among those of the class that it is said to be. \
                     Test rows keep their labels. All methods learn the same wrong labels.",
            sets: &SETS,
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let trials = trials(scope).into_iter();
        Ok(trials.flat_map(|trial| trial.cells(runs(scope))).collect())
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for trial in trials(scope) {
            for shots in SHOTS {
                let column = format!("{shots} per class, {} % wrong", trial.wrong);
                let ours = trial.accuracy(kept, runs(scope), shots);
                let (block, row) = (trial.problem.name, trial.method.to_string());
                lines.push(Line::percent(block, &row, &column, ours));
            }
        }
        lines
    }
}

fn trials(scope: &Scope) -> Vec<Trial> {
    let mut methods = vec![Method::Neighbours(1), Method::Neighbours(3), Method::Svm];
    for budget in budgets(scope) {
        let orders = [Order::Shuffled, Order::Blocked(1)];
        methods.extend(orders.map(|order| Method::Learner(Part::None, budget, order)));
    }
    let mut trials = Vec::new();
    for problem in problem::wanted(scope, &SETS) {
        for &method in &methods {
            trials.extend(WRONG.map(|wrong| Trial {
                problem,
                wrong,
                method,
            }));
        }
    }
    trials
}
