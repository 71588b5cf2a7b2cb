//! One method on one set: each run is a cell that draws its own examples.

use std::{fmt, ops::Range};

use anyhow::Result;
use pocketron::label::Class;

use super::{
    baseline::{Batch, Format},
    draw::Draw,
    learner::{self, Part, Shape},
    order::Order,
    percent,
    problem::{Problem, Rows},
    seed,
};
use crate::{
    classes::ClassLearner,
    reproduce::{Bench, Cell, Figures, FinishedCells, Name, Scope, Watch},
    spread::Spread,
};

/// Budgets of the learner.
const BUDGETS: [usize; 2] = [50, 100];

/// Who learns the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The majority of so many nearest examples.
    Neighbours(usize),
    /// The nearest mean of a class.
    Centroid,
    /// A support vector machine for each pair of classes.
    Svm,
    /// The nearest of a sample in the bytes of the learner with this budget.
    Reservoir(Format, usize),
    /// The learner without a part, its budget, and the order in which it is taught.
    Learner(Part, usize, Order),
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Neighbours(count) => write!(f, "{count}-NN"),
            Method::Centroid => f.write_str("nearest centroid"),
            Method::Svm => f.write_str("RBF SVM"),
            Method::Reservoir(Format::I8, budget) => {
                write!(f, "1-NN of an i8 reservoir, bytes of B {budget}")
            }
            Method::Reservoir(Format::F32, budget) => {
                write!(f, "1-NN of an f32 reservoir, bytes of B {budget}")
            }
            Method::Learner(part, budget, order) => {
                write!(f, "{} B {budget}, {order}", part.name())
            }
        }
    }
}

/// A method on a set.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    /// The set.
    pub problem: &'static Problem,
    /// Percent of the examples that are taught with a wrong label.
    pub wrong: usize,
    /// Who learns.
    pub method: Method,
}

impl Trial {
    /// A cell for each run.
    pub fn cells(self, runs: Range<u64>) -> impl Iterator<Item = Cell> {
        runs.map(move |run| {
            let work = move |bench: &Bench, watch: &Watch<'_>| self.run(bench, run, watch);
            let cell = Cell::new(self.name(run), self.cost(), work);
            cell.needing(self.problem.files())
        })
    }

    /// Accuracy after so many examples per class.
    pub fn accuracy(self, kept: &FinishedCells, runs: Range<u64>, shots: usize) -> Option<Spread> {
        let names = runs.map(|run| self.name(run));
        kept.spread(names, &figure(shots))
    }

    /// Accuracy of one run.
    pub fn accuracy_of(self, kept: &FinishedCells, run: u64, shots: usize) -> Option<f64> {
        kept.figure(&self.name(run), &figure(shots))
    }

    fn name(self, run: u64) -> Name {
        let method = self.method.to_string().replace(',', "").replace(' ', "-");
        let name = Name::new("few-shot").with("set", self.problem.name);
        name.with("wrong-labels", self.wrong)
            .with("method", method)
            .with("run", run)
    }

    /// Millions of multiplications, about.
    fn cost(self) -> u64 {
        let Problem { dim, classes, .. } = *self.problem;
        let of = |shots: usize| {
            let examples = shots * classes;
            match self.method {
                Method::Learner(_, budget, _) => (800 + 4 * examples) * budget.min(examples) * dim,
                _ => 800 * examples * dim,
            }
        };
        (self.problem.shots().map(of).sum::<usize>() / 1_000_000) as u64
    }

    fn run(self, bench: &Bench, run: u64, watch: &Watch<'_>) -> Result<Figures> {
        let rows = self.problem.load(bench)?;
        let all: Vec<_> = self.problem.shots().collect();
        let mut figures = Figures::new();
        for (number, shots) in all.iter().enumerate() {
            let draw = Draw::new(&rows, *shots, run);
            let draw = draw.with_wrong_labels(self.wrong, self.problem.classes, run);
            figures.insert(figure(*shots), self.measure(&rows, &draw, run)?);
            watch.done(number + 1, all.len());
        }
        Ok(figures)
    }

    /// Percent of the test rows that are right.
    fn measure(self, rows: &Rows, draw: &Draw, run: u64) -> Result<f64> {
        let shape = |budget| Shape {
            dim: self.problem.dim,
            classes: self.problem.classes,
            budget,
        };
        let batch = || Batch::new(rows, &draw.examples, &draw.classes, &draw.test);
        Ok(match self.method {
            Method::Neighbours(count) => batch()?.neighbours(count),
            Method::Centroid => batch()?.centroid(),
            Method::Svm => batch()?.svm()?,
            Method::Reservoir(format, budget) => {
                let bytes = learner::bytes(shape(budget));
                let vectors = format.vectors(self.problem.dim, bytes);
                batch()?.reservoir(vectors, format, seed(run, 3))
            }
            Method::Learner(part, budget, order) => {
                let mut learner = learner::learner(part, shape(budget))?;
                teach(&mut *learner, rows, draw, order, run)?;
                accuracy(&*learner, rows, &draw.test)?
            }
        })
    }
}

/// The name of the accuracy after so many examples per class; also a heading.
pub fn figure(shots: usize) -> String {
    format!("{shots} per class")
}

/// Teaches the examples of a draw in an order.
pub fn teach(
    learner: &mut dyn ClassLearner,
    rows: &Rows,
    draw: &Draw,
    order: Order,
    run: u64,
) -> Result<()> {
    for example in order.sequence(&draw.classes, seed(run, 4)) {
        let x = rows.device.row(draw.examples[example]);
        learner.learn(x, Class(draw.classes[example]), 0)?;
    }
    Ok(())
}

/// Percent of some rows that are right.
pub fn accuracy(learner: &dyn ClassLearner, rows: &Rows, test: &[usize]) -> Result<f64> {
    let mut right = 0;
    for row in test {
        let class = learner.predict(rows.device.row(*row))?;
        right += usize::from(class == Class(rows.class(*row)));
    }
    Ok(percent(right, test.len()))
}

/// Budgets that are wanted; the first one in the quick form.
pub fn budgets(scope: &Scope) -> Vec<usize> {
    let wanted = BUDGETS.into_iter();
    let wanted = wanted.filter(|budget| scope.wants_budget(*budget));
    wanted
        .filter(|budget| !scope.quick || *budget == BUDGETS[0])
        .collect()
}

/// The numbers of the draws.
pub fn runs(scope: &Scope) -> Range<u64> {
    scope.runs(10, 1)
}
