//! A new person teaches a model that others have taught before.

use anyhow::{Result, ensure};
use pocketron::label::Class;

use super::{
    baseline::Batch,
    draw::Draw,
    learner::{self, Part, Shape},
    order::Order,
    problem::{self, Problem, Rows},
    seed,
    trial::{accuracy, figure, teach},
};
use crate::{
    classes::ClassLearner,
    data::shuffle::permutation,
    reproduce::{About, Bench, Cell, Experiment, Figures, FinishedCells, Line, Name, Scope, Watch},
};

/// A new person.
pub struct Person;

const SET: &str = "wisdm";

const BUDGET: usize = 100;

/// Examples per class of the new person.
const SHOTS: [usize; 3] = [2, 5, 10];

/// Rows and classes that a person has at least.
const LEAST: (usize, usize) = (60, 4);

/// Persons who have as many.
const PERSONS: [u16; 33] = [
    1, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 26, 27, 28,
    29, 30, 31, 32, 33, 34, 35, 36,
];

/// Orders in which the person teaches the general model.
const ORDERS: [Order; 3] = [Order::Blocked(1), Order::Shuffled, Order::Blocked(3)];

/// Learners that are computed together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    Learner,
    Baselines,
}

const MACHINES: [Machine; 2] = [Machine::Learner, Machine::Baselines];

/// Rows of the table.
const FROZEN: &str = "general model, frozen";
const ALONE: &str = "person alone, blocked";
const TOGETHER: &str = "general and person shuffled together";
const ALONE_NEAREST: &str = "1-NN, person alone";
const ALONE_SVM: &str = "RBF SVM, person alone";
const GENERAL_SVM: &str = "RBF SVM, general, frozen";
const TOGETHER_SVM: &str = "RBF SVM, retrained with the person";

impl Machine {
    fn name(self) -> &'static str {
        match self {
            Machine::Learner => "pocketron",
            Machine::Baselines => "baselines",
        }
    }

    /// The rows of the table that it fills.
    fn rows(self) -> Vec<String> {
        match self {
            Machine::Learner => {
                let taught = ORDERS.map(taught);
                let others = [ALONE, TOGETHER].map(str::to_owned);
                [&[FROZEN.to_owned()], &taught[..], &others[..]].concat()
            }
            Machine::Baselines => [ALONE_NEAREST, ALONE_SVM, GENERAL_SVM, TOGETHER_SVM]
                .map(str::to_owned)
                .to_vec(),
        }
    }

    /// Millions of multiplications, about.
    fn cost(self, problem: &Problem) -> u64 {
        let pass = problem.rows * problem.dim / 1000;
        (match self {
            Machine::Learner => 12 * 3 * BUDGET * pass / 1000,
            Machine::Baselines => 4 * problem.rows * pass / 1000,
        }) as u64
    }
}

fn taught(order: Order) -> String {
    format!("general model, then the person {order}")
}

impl Experiment for Person {
    fn about(&self) -> About {
        About {
            name: "few-shot-person",
            title: "a new person teaches a model that others have taught before",
            remarks: "Activities of wisdm. Each of the 33 persons with 60 rows and 4 classes or more is left out in turn, two draws each. \
                     The general model learns all rows of the 35 other persons, shuffled, with 100 vectors. Then the person teaches 2, 5 or 10 \
                     examples per class, but at most half of the rows of a class; accuracy on the person's other rows, so that columns \
                     have other test rows. *Frozen* models learn nothing from the person. The SVM as in `few-shot-accuracy`. The ± is the \
                     standard deviation over persons and draws, of which persons are the larger part.",
            sets: &[SET],
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for problem in task(scope) {
            for machine in MACHINES {
                for (person, run) in trials(scope) {
                    let work = move |bench: &Bench, watch: &Watch<'_>| {
                        let split = Split::new(problem, bench, person, run)?;
                        match machine {
                            Machine::Learner => split.learn(watch),
                            Machine::Baselines => split.baselines(watch),
                        }
                    };
                    let cell = Cell::new(name(machine, person, run), machine.cost(problem), work);
                    cells.push(cell.needing(problem.files()));
                }
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for _ in task(scope) {
            for machine in MACHINES {
                for row in machine.rows() {
                    for shots in SHOTS {
                        let names = trials(scope).map(|(person, run)| name(machine, person, run));
                        let ours = kept.spread(names, &figure_of(&row, shots));
                        lines.push(Line::percent("", &row, figure(shots), ours));
                    }
                }
            }
        }
        lines
    }
}

/// The set, if it and its budget are wanted.
fn task(scope: &Scope) -> Vec<&'static Problem> {
    match scope.wants_budget(BUDGET) {
        true => problem::wanted(scope, &[SET]),
        false => Vec::new(),
    }
}

fn trials(scope: &Scope) -> impl Iterator<Item = (u16, u64)> {
    let runs = scope.runs(2, 1);
    let persons = PERSONS.into_iter();
    persons.flat_map(move |person| runs.clone().map(move |run| (person, run)))
}

fn name(machine: Machine, person: u16, run: u64) -> Name {
    let name = Name::new("few-shot-person")
        .with("set", SET)
        .with("B", BUDGET);
    name.with("machine", machine.name())
        .with("person", person)
        .with("run", run)
}

fn figure_of(row: &str, shots: usize) -> String {
    format!("{row}, {}", figure(shots))
}

/// Rows of one person and of all others.
struct Split {
    rows: std::sync::Arc<Rows>,
    shape: Shape,
    /// Rows of others, shuffled.
    others: Vec<usize>,
    /// Rows of the person, shuffled.
    own: Vec<usize>,
    run: u64,
}

impl Split {
    fn new(problem: &Problem, bench: &Bench, person: u16, run: u64) -> Result<Self> {
        let rows = problem.load(bench)?;
        let persons = problem::persons(problem, bench)?;
        let order = permutation(problem.rows, seed(run, 6)).into_iter();
        let (own, others): (Vec<_>, Vec<_>) = order.partition(|row| persons[*row] == person);
        let classes = (0..problem.classes).filter(|class| {
            let mut own = own.iter();
            own.any(|row| usize::from(rows.class(*row)) == *class)
        });
        let enough = own.len() >= LEAST.0 && classes.count() >= LEAST.1;
        ensure!(enough, "person {person} has {} rows", own.len());
        Ok(Split {
            shape: Shape {
                dim: problem.dim,
                classes: problem.classes,
                budget: BUDGET,
            },
            rows,
            others,
            own,
            run,
        })
    }

    /// The first `shots` rows of each class of the person, at most half of them, and all others to test on.
    fn draw(&self, shots: usize) -> Draw {
        let class = |row: &usize| self.rows.class(*row);
        let mut count = vec![0; self.shape.classes];
        for row in &self.own {
            count[usize::from(class(row))] += 1;
        }
        let mut left: Vec<usize> = count.iter().map(|count| shots.min(count / 2)).collect();
        let (examples, test): (Vec<_>, Vec<_>) = self.own.iter().partition(|row| {
            let left = &mut left[usize::from(class(row))];
            let taught = *left > 0;
            *left = left.saturating_sub(1);
            taught
        });
        let classes = examples.iter().map(class).collect();
        Draw {
            examples,
            classes,
            test,
        }
    }

    /// The rows of others and the person's examples, as one draw.
    fn together(&self, own: &Draw) -> Draw {
        let examples = [&self.others[..], &own.examples].concat();
        let classes = examples.iter().map(|row| self.rows.class(*row)).collect();
        Draw {
            examples,
            classes,
            test: own.test.clone(),
        }
    }

    fn blank(&self) -> Result<Box<dyn ClassLearner>> {
        learner::learner(Part::None, self.shape)
    }

    /// A model that the others have taught.
    fn general(&self) -> Result<Box<dyn ClassLearner>> {
        let mut learner = self.blank()?;
        for row in &self.others {
            learner.learn(self.rows.device.row(*row), Class(self.rows.class(*row)), 0)?;
        }
        Ok(learner)
    }

    fn learn(&self, watch: &Watch<'_>) -> Result<Figures> {
        let rows = &*self.rows;
        let mut figures = Figures::new();
        for (number, shots) in SHOTS.into_iter().enumerate() {
            let draw = self.draw(shots);
            let mut add = |row: &str, learner: &dyn ClassLearner| -> Result<()> {
                let accuracy = accuracy(learner, rows, &draw.test)?;
                figures.insert(figure_of(row, shots), accuracy);
                Ok(())
            };
            for (place, order) in ORDERS.into_iter().enumerate() {
                let mut learner = self.general()?;
                if place == 0 {
                    add(FROZEN, &*learner)?;
                }
                teach(&mut *learner, rows, &draw, order, self.run)?;
                add(&taught(order), &*learner)?;
            }
            let mut alone = self.blank()?;
            teach(&mut *alone, rows, &draw, Order::Blocked(1), self.run)?;
            add(ALONE, &*alone)?;
            let mut together = self.blank()?;
            let all = self.together(&draw);
            teach(&mut *together, rows, &all, Order::Shuffled, self.run)?;
            add(TOGETHER, &*together)?;
            watch.done(number + 1, SHOTS.len());
        }
        Ok(figures)
    }

    fn baselines(&self, watch: &Watch<'_>) -> Result<Figures> {
        let mut figures = Figures::new();
        for (number, shots) in SHOTS.into_iter().enumerate() {
            let own = self.draw(shots);
            let all = self.together(&own);
            let others = self.others.len();
            let batch = |examples: &[usize], classes: &[u8]| {
                Batch::new(&self.rows, examples, classes, &own.test)
            };
            let alone = batch(&own.examples, &own.classes)?;
            let general = batch(&all.examples[..others], &all.classes[..others])?;
            let together = batch(&all.examples, &all.classes)?;
            let values = [
                (ALONE_NEAREST, alone.neighbours(1)),
                (ALONE_SVM, alone.svm()?),
                (GENERAL_SVM, general.svm()?),
                (TOGETHER_SVM, together.svm()?),
            ];
            figures.extend(values.map(|(row, value)| (figure_of(row, shots), value)));
            watch.done(number + 1, SHOTS.len());
        }
        Ok(figures)
    }
}
