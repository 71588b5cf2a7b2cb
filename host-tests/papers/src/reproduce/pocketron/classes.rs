//! Several classes: the default learner beside machines that keep far more.

mod machine;
mod problem;

use anyhow::Result;

use crate::reproduce::{
    About, Bench, Cell, Experiment, FinishedCells, Line, Name, Scope, Unit, Watch,
};
use machine::Machine;
use problem::{PROBLEMS, Problem};

/// All classes of a set.
pub struct Classes;

const BUDGETS: [usize; 4] = [50, 100, 200, 500];

impl Experiment for Classes {
    fn about(&self) -> About {
        About {
            name: "pocketron-classes",
            title: "the default learner for several classes, beside batch machines of any size",
            remarks: "`top` moves the true class and the best wrong one, `each` every class that is too close; both in one pass over raw \
                     features with bytes for vectors and coefficients, one configuration for all sets, five orders (three of MNIST). Their \
                     bytes are those of the whole model. The others are batch machines over standardised features, clipped at three \
                     standard deviations, of `f32`: LIBSVM's C-SVC with a machine for every pair of classes (C = 10, gamma of 1 / D for \
                     letter, usps and wisdm and 2 / D elsewhere, which a cross-validation on training rows had chosen; bytes \
                     `S (4 D + 4 C - 4)` for S support vectors), the nearest neighbour (`N (4 D + 1)`), and a random forest of 100 trees \
                     (8 bytes a node). Of MNIST they learn the first 10,000 rows only, the learners here all 60,000. Letter: the first 16,000 \
                     rows are learned; uwave and digits: four fifths, the same in all orders; the others have a test part. The persons of \
                     wisdm's test part are not in its training part. Constants were chosen by prequential accuracy on the training parts of \
                     pendigits, letter, usps and wisdm and on persons of wisdm's training part that were held out (about 60 configurations of a \
                     model in floating point). The power and the widening of `top` were settled later among six variants, whose mistakes \
                     in the stream and test accuracies on these four sets were seen side by side.",
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        PROBLEMS.iter().map(|problem| problem.name).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for (problem, machine) in tasks(scope) {
            for run in orders(problem, machine, scope) {
                let work = move |bench: &Bench, watch: &Watch<'_>| {
                    let parts = problem.parts(bench, machine)?;
                    machine.run(problem, &parts, run, watch)
                };
                let cost = machine.cost(problem);
                let cell = Cell::new(name(problem, machine, run), cost, work);
                cells.push(cell.needing(problem.files()));
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for (figure, block, unit, digits) in [
            ("accuracy", "accuracy %", Unit::Percent, 1),
            ("bytes", "bytes", Unit::Count, 0),
        ] {
            for (problem, machine) in tasks(scope) {
                let names = orders(problem, machine, scope).map(|run| name(problem, machine, run));
                lines.push(
                    Line::percent(
                        block,
                        problem.name,
                        machine.to_string(),
                        kept.spread(names, figure),
                    )
                    .in_unit(unit)
                    .with_digits(digits),
                );
            }
        }
        lines
    }
}

fn name(problem: &Problem, machine: Machine, run: u64) -> Name {
    let name = Name::new("pocketron-classes").with("set", problem.name);
    name.with("machine", machine.to_string().replace(' ', "-"))
        .with("run", run)
}

/// The order of examples only matters to those who learn one after the other.
fn orders(problem: &Problem, machine: Machine, scope: &Scope) -> std::ops::Range<u64> {
    let usual = match machine {
        Machine::BestWrongClass(_) | Machine::AllViolating(_) => problem.orders,
        _ => return scope.seed..scope.seed + 1,
    };
    scope.runs(usual, 1)
}

fn tasks(scope: &Scope) -> impl Iterator<Item = (&'static Problem, Machine)> {
    let wanted = |problem: &&Problem| {
        scope.wants_set(problem.name) && (!scope.quick || problem.is_at_hand())
    };
    let mut machines = Vec::new();
    for budget in BUDGETS
        .into_iter()
        .filter(|budget| scope.wants_budget(*budget))
    {
        if !scope.quick || budget == BUDGETS[0] {
            machines.extend([
                Machine::BestWrongClass(budget),
                Machine::AllViolating(budget),
            ]);
        }
    }
    machines.extend([Machine::Svm, Machine::Nearest, Machine::Forest]);
    let problems: Vec<_> = PROBLEMS.iter().filter(wanted).collect();
    problems.into_iter().flat_map(move |problem| {
        machines
            .clone()
            .into_iter()
            .map(move |machine| (problem, machine))
    })
}
