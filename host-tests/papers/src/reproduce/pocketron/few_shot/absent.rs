//! A class that is taught once and never again.

use anyhow::{Result, ensure};
use pocketron::label::Class;

use super::{
    learner::{self, Part, Shape},
    problem::{self, Problem, Rows},
    seed,
    trial::{accuracy, budgets, runs},
};
use crate::{
    data::shuffle::permutation,
    reproduce::{About, Bench, Cell, Experiment, Figures, FinishedCells, Line, Name, Scope, Watch},
};

/// A class that is gone.
pub struct Absent;

const SETS: [&str; 5] = ["digits", "wisdm", "uwave", "pendigits", "usps"];

/// Examples of other classes before the class is taught.
const BEFORE: usize = 100;

/// Examples of the class.
const TAUGHT: usize = 20;

/// Columns of every set: a heading, and the figure.
const COLUMNS: [(&str, &str); 2] = [("other classes", "others"), ("absent class", "absent")];

impl Experiment for Absent {
    fn about(&self) -> About {
        About {
            name: "few-shot-absent",
            title: "a class that is taught once and then absent",
            remarks: "The stream has 100 shuffled examples of the other classes, 20 of one class in a row, and all others of the training \
                     part without that class; accuracy on the test part, in which each of the ten draws takes another class as long as \
                     there are any. The training part of digits and uwave is four fifths of the rows, the same in all draws; the others \
                     have a training part. Persons of wisdm's test part are not in its training part.",
            sets: &SETS,
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for problem in problem::wanted(scope, &SETS) {
            for budget in budgets(scope) {
                for run in runs(scope) {
                    let work = move |bench: &Bench, watch: &Watch<'_>| {
                        let rows = problem.load(bench)?;
                        measure(problem, &rows, budget, run, watch)
                    };
                    let cost = 4 * problem.rows * problem.dim * budget / 1_000_000;
                    let cell = Cell::new(name(problem, budget, run), cost as u64, work);
                    cells.push(cell.needing(problem.files()));
                }
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for budget in budgets(scope) {
            for problem in problem::wanted(scope, &SETS) {
                for (column, figure) in COLUMNS {
                    let names = runs(scope).map(|run| name(problem, budget, run));
                    let ours = kept.spread(names, figure);
                    lines.push(Line::percent(
                        format!("B = {budget}"),
                        problem.name,
                        column,
                        ours,
                    ));
                }
            }
        }
        lines
    }
}

fn name(problem: &Problem, budget: usize, run: u64) -> Name {
    let name = Name::new("few-shot-absent").with("set", problem.name);
    name.with("B", budget).with("run", run)
}

fn measure(
    problem: &Problem,
    rows: &Rows,
    budget: usize,
    run: u64,
    watch: &Watch<'_>,
) -> Result<Figures> {
    let (train, test) = parts(rows);
    let absent = (run % problem.classes as u64) as u8;
    let order = permutation(train.len(), seed(run, 5)).into_iter();
    let order: Vec<_> = order.map(|place| train[place]).collect();
    let stream = stream(&order, |row| rows.class(row) == absent)?;
    let mut learner = learner::learner(
        Part::None,
        Shape {
            dim: problem.dim,
            classes: problem.classes,
            budget,
        },
    )?;
    for (number, &row) in stream.iter().enumerate() {
        learner.learn(rows.device.row(row), Class(rows.class(row)), 0)?;
        watch.done(number + 1, stream.len());
    }
    let (own, others): (Vec<_>, Vec<_>) =
        test.into_iter().partition(|row| rows.class(*row) == absent);
    Ok(Figures::from([
        ("others".into(), accuracy(&*learner, rows, &others)?),
        ("absent".into(), accuracy(&*learner, rows, &own)?),
    ]))
}

/// Rows to learn and to test: those of the files, or four fifths and the rest.
fn parts(rows: &Rows) -> (Vec<usize>, Vec<usize>) {
    let count = rows.exact.len();
    match rows.training {
        0 => {
            let mut train = permutation(count, 1);
            let test = train.split_off(count * 4 / 5);
            (train, test)
        }
        training => ((0..training).collect(), (training..count).collect()),
    }
}

/// The first others, the first of the class, and the others that are left.
fn stream(rows: &[usize], is_absent: impl Fn(usize) -> bool) -> Result<Vec<usize>> {
    let (own, others): (Vec<_>, Vec<_>) = rows.iter().copied().partition(|row| is_absent(*row));
    let enough = own.len() >= TAUGHT && others.len() >= BEFORE;
    ensure!(enough, "{} and {} examples", own.len(), others.len());
    let (before, after) = others.split_at(BEFORE);
    Ok([before, &own[..TAUGHT], after].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_is_taught_once_and_the_others_before_and_after() {
        let rows: Vec<usize> = (0..400).collect();
        let stream = stream(&rows, |row| row % 4 == 0).unwrap();
        assert_eq!(stream.len(), 300 + TAUGHT);
        let places: Vec<_> = (0..stream.len())
            .filter(|it| stream[*it] % 4 == 0)
            .collect();
        let expected: Vec<_> = (BEFORE..BEFORE + TAUGHT).collect();
        assert_eq!(places, expected);
        assert!(super::stream(&rows[..60], |row| row % 4 == 0).is_err());
    }
}
