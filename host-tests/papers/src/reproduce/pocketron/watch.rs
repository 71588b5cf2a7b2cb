//! A person teaches a smartwatch seven exercises by hand: from raw samples through the front end of the device.
//!
//! | module | holds |
//! |---|---|
//! | `person` | the windows of each person, halves to teach and to test with, and orders of teaching |
//! | `machine` | who learns: the default learner, and the one for teaching by hand |
//! | `neighbours` | 5-NN that keeps all windows |
//! | `teaching`, `unknown`, `minutes` | the tables |

mod machine;
mod minutes;
mod neighbours;
pub(super) mod person;
mod teaching;
mod unknown;

pub use minutes::Minutes;
pub use teaching::Teaching;
pub use unknown::Unknown;

use std::ops::Range;

use anyhow::Result;

use crate::reproduce::{Bench, Cell, Figures, Name, Scope, Watch};

/// The set, which the repository carries.
const SET: &str = "watch";

/// Support vectors of the learners.
const BUDGET: usize = 40;

/// Every person and the number of each order of the classes; the first two people in the quick form.
fn trials(scope: &Scope, orders: u64) -> Vec<(usize, u64)> {
    if !scope.wants_set(SET) || !scope.budgets.is_empty() {
        return Vec::new();
    }
    let people = if scope.quick { 2 } else { person::PEOPLE };
    let runs: Range<u64> = scope.runs(orders, 1);
    let of = |person| runs.clone().map(move |run| (person, run));
    (0..people).flat_map(of).collect()
}

/// A seed for one purpose of a run.
fn seed(person: usize, run: u64, purpose: u64) -> u64 {
    run + 1000 * person as u64 + (purpose << 32)
}

/// A cell for each of the trials; `seconds` is what it costs.
fn cells(
    scope: &Scope,
    orders: u64,
    seconds: u64,
    name: fn(usize, u64) -> Name,
    work: fn(&Bench, &Watch<'_>, usize, u64) -> Result<Figures>,
) -> Vec<Cell> {
    let cell = |(who, run)| {
        Cell::new(name(who, run), seconds, move |bench, watch| {
            work(bench, watch, who, run)
        })
    };
    trials(scope, orders).into_iter().map(cell).collect()
}
