//! The training runs behind all tables and the figure: one for each degree and order.

use std::{ops::ControlFlow, sync::Arc};

use anyhow::{Context, Result};

use crate::{
    data::DenseData,
    reproduce::{
        bench::Bench,
        cell::{Cell, Figures, Name},
        experiment::Scope,
        progress::Watch,
    },
    voted::{Checkpoint, Learner, Problem, Standing},
};

pub const SET: &str = "mnist";
/// Degrees of the kernel `(1 + x.z)^d`.
pub const DEGREES: [u32; 6] = [1, 2, 3, 4, 5, 6];
/// A pixel of this value becomes 1. The paper does not say how pixels are scaled; with 255 the linear kernel makes a
/// tenth fewer mistakes than printed, with a tenth of it all degrees have the mistakes of the paper.
const WHITE: f64 = 25.5;

/// Epochs, in tenths, after which test errors are taken: every tenth of the first, then every epoch.
pub fn checkpoints(degree: u32) -> impl Iterator<Item = u32> {
    // As in the paper, the linear kernel stops earlier: its mistakes do not end.
    let last = if degree == 1 { 10 } else { 30 };
    let later = (1..=last).filter(|epoch| *epoch <= 10 || epoch % 5 == 0);
    (1..10).chain(later.map(|epoch| 10 * epoch))
}

/// Orders of the training rows, as many as in the paper.
pub fn orders(scope: &Scope) -> std::ops::Range<u64> {
    scope.runs(10, 0)
}

/// The run of a degree and an order.
pub fn name(degree: u32, order: u64) -> Name {
    Name::new("fs").with("d", degree).with("run", order)
}

/// What a figure of a run is called: of all digits, or of one against the rest.
pub fn figure(tenths: u32, digit: Option<usize>, what: &str) -> String {
    let epochs = f64::from(tenths) / 10.0;
    match digit {
        Some(digit) => format!("T={epochs} {digit} {what}"),
        None => format!("T={epochs} {what}"),
    }
}

/// The runs of some degrees.
pub fn cells(scope: &Scope, degrees: &[u32]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for order in orders(scope).filter(|_| scope.wants_set(SET)) {
        for degree in degrees.iter().copied() {
            let cost = if degree == 1 { 40_000 } else { 20_000 };
            let work = move |bench: &Bench, watch: &Watch<'_>| run(bench, watch, degree, order);
            let cell = Cell::new(name(degree, order), cost, work);
            cells.push(cell.needing(["mnist.train", "mnist.test"]));
        }
    }
    cells
}

fn problem(bench: &Bench, order: u64) -> Result<Arc<Problem>> {
    let pixels = bench.prepared("fs pixels", || {
        let (train, test) = bench.places.load_split(SET)?;
        Ok((train.to_dense()?, test.to_dense()?))
    })?;
    bench.prepared(&format!("fs {order}"), || {
        let (train, test): &(DenseData, DenseData) = &pixels;
        Problem::of_pixels(train, test, WHITE, order)
    })
}

fn run(bench: &Bench, watch: &Watch<'_>, degree: u32, order: u64) -> Result<Figures> {
    let problem = problem(bench, order)?;
    let mut learner = Learner::new(&problem, degree).context("degrees are from 1 to 6")?;
    let mut figures = Figures::new();
    let last = checkpoints(degree).last().unwrap_or_default();
    let last = problem.visits(f64::from(last) / 10.0);
    for tenths in checkpoints(degree) {
        let visits = problem.visits(f64::from(tenths) / 10.0);
        learner.learn_until(visits, |done| {
            watch.done(done, last);
            ControlFlow::Continue(())
        })?;
        let Checkpoint { all, each, .. } = learner.checkpoint();
        let each = each.iter().enumerate();
        let each = each.map(|(digit, standing)| (Some(digit), standing));
        for (digit, standing) in each.chain([(None, &all)]) {
            let own = measures(standing).map(|(what, value)| (figure(tenths, digit, what), value));
            figures.extend(own);
        }
    }
    Ok(figures)
}

fn measures(standing: &Standing) -> [(&'static str, f64); 9] {
    let errors = standing.errors;
    [
        ("vote", errors.vote),
        ("avg", errors.avg),
        ("avg_norm", errors.avg_norm),
        ("last", errors.last),
        ("last_norm", errors.last_norm),
        ("rand", errors.rand),
        ("rand_norm", errors.rand_norm),
        ("support_vectors", standing.support_vectors as f64),
        ("mistakes", standing.mistakes as f64),
    ]
}
