//! The training runs behind all tables and the figure: one for each degree and order.

use std::{ops::ControlFlow, sync::Arc};

use anyhow::{Context, Result};

use crate::{
    data::DenseData,
    reproduce::{Bench, Cell, Figures, Name, Scope, Watch},
    voted::{Checkpoint, Learner, Problem, Standing},
};

/// The digits that are learned, and how far.
#[derive(Clone, Copy, Debug)]
pub struct DigitSet {
    /// The name of the set.
    pub set: &'static str,
    /// Its files: one that is divided, or a training and a test part.
    files: &'static [&'static str],
    /// A pixel of this value becomes 1. The paper does not say how pixels are scaled; with 255 the linear kernel makes a
    /// tenth fewer mistakes than printed, with a tenth of it all degrees have the mistakes of the paper.
    white: f64,
    /// Degrees of the kernel `(1 + x.z)^d`.
    pub degrees: &'static [u32],
    /// Epochs with the linear kernel and with others.
    epochs: [u32; 2],
    /// Cost of a run with the linear kernel and with others.
    costs: [u64; 2],
}

/// The digits of the paper.
pub const MNIST: DigitSet = DigitSet {
    set: "mnist",
    files: &["mnist.train", "mnist.test"],
    white: 25.5,
    degrees: &[1, 2, 3, 4, 5, 6],
    // As in the paper, the linear kernel stops earlier: its mistakes do not end.
    epochs: [10, 30],
    costs: [40_000, 20_000],
};

/// Digits of the repository, learned in a second, with pixels of the same range: the fourth degree is that of
/// Table 2.
pub const SMALL: DigitSet = DigitSet {
    set: "digits",
    files: &["digits"],
    white: 1.6,
    degrees: &[1, 2, 4],
    epochs: [3, 3],
    costs: [100, 100],
};

impl DigitSet {
    /// The digits for a scope.
    pub fn of(scope: &Scope) -> Self {
        if scope.quick { SMALL } else { MNIST }
    }

    /// Whether these are the digits of the paper, so that its figures can be compared.
    pub fn is_papers(&self) -> bool {
        self.set == MNIST.set
    }

    /// Epochs, in tenths, after which test errors are taken: every tenth of the first, then every epoch.
    pub fn checkpoints(&self, degree: u32) -> impl Iterator<Item = u32> + use<> {
        let last = self.epochs[usize::from(degree > 1)];
        let later = (1..=last).filter(|epoch| *epoch <= 10 || epoch % 5 == 0);
        (1..10).chain(later.map(|epoch| 10 * epoch))
    }

    /// Whether a table shows its figures after so many tenths of an epoch: of the paper all that is printed.
    pub fn shows(&self, degree: u32, tenths: u32) -> bool {
        let is_learned = || {
            self.degrees.contains(&degree) && self.checkpoints(degree).any(|known| known == tenths)
        };
        self.is_papers() || is_learned()
    }

    /// Orders of the training rows, as many as in the paper or one.
    fn orders(scope: &Scope) -> std::ops::Range<u64> {
        scope.runs(10, 1)
    }

    /// The run of a degree and an order.
    fn name(&self, degree: u32, order: u64) -> Name {
        let name = match self.is_papers() {
            true => Name::new("fs"),
            false => Name::new("fs").with("set", self.set),
        };
        name.with("d", degree).with("run", order)
    }

    /// The runs of a degree, one for each order of the training rows.
    pub fn names(self, degree: u32, scope: &Scope) -> impl Iterator<Item = Name> {
        Self::orders(scope).map(move |order| self.name(degree, order))
    }
}

/// Name of a figure of a run: of all digits, or of one against the rest.
pub fn figure(tenths: u32, digit: Option<usize>, what: &str) -> String {
    let epochs = f64::from(tenths) / 10.0;
    match digit {
        Some(digit) => format!("T={epochs} {digit} {what}"),
        None => format!("T={epochs} {what}"),
    }
}

/// The runs of those degrees of the scope's digits that are wanted.
pub fn cells(scope: &Scope, wanted: impl Fn(u32) -> bool) -> Vec<Cell> {
    let digit_set = DigitSet::of(scope);
    let mut cells = Vec::new();
    for order in DigitSet::orders(scope).filter(|_| scope.wants_set(digit_set.set)) {
        for degree in digit_set.degrees.iter().copied().filter(|it| wanted(*it)) {
            let cost = digit_set.costs[usize::from(degree > 1)];
            let work =
                move |bench: &Bench, watch: &Watch<'_>| run(bench, watch, digit_set, degree, order);
            let cell = Cell::new(digit_set.name(degree, order), cost, work);
            cells.push(cell.needing(digit_set.files.iter().copied()));
        }
    }
    cells
}

fn problem(bench: &Bench, digit_set: DigitSet, order: u64) -> Result<Arc<Problem>> {
    let set = digit_set.set;
    let pixels = bench.prepared(&format!("fs pixels of {set}"), || {
        let (train, test) = bench.places.load_split(set)?;
        Ok((train.to_dense()?, test.to_dense()?))
    })?;
    bench.prepared(&format!("fs {set} {order}"), || {
        let (train, test): &(DenseData, DenseData) = &pixels;
        Problem::of_pixels(train, test, digit_set.white, order)
    })
}

fn run(
    bench: &Bench,
    watch: &Watch<'_>,
    digit_set: DigitSet,
    degree: u32,
    order: u64,
) -> Result<Figures> {
    let problem = problem(bench, digit_set, order)?;
    let mut learner = Learner::new(&problem, degree).context("degrees are from 1 to 6")?;
    let mut figures = Figures::new();
    let last = digit_set.checkpoints(degree).last().unwrap_or_default();
    let last = problem.visits(f64::from(last) / 10.0);
    for tenths in digit_set.checkpoints(degree) {
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
