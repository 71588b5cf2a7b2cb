//! Teaching by hand: a few examples of each class, in any order, beside what keeps all of them.
//!
//! | module | holds |
//! |---|---|
//! | `learner` | the learner under test: the only place that names its type |
//! | `problem`, `features` | sets with several classes, and features made from raw signals |
//! | `draw`, `order` | examples and test rows of a run, and the orders in which examples are taught |
//! | `baseline` | neighbours, centroids and support vector machines on the same examples |
//! | `trial` | one method on one set, whose runs are cells |
//! | `accuracy`, `noise`, `parts`, `person`, `absent`, `unknown` | the tables |

mod absent;
mod accuracy;
mod baseline;
mod draw;
mod features;
mod learner;
mod noise;
mod order;
mod parts;
mod person;
mod problem;
mod trial;
mod unknown;

pub use absent::Absent;
pub use accuracy::Accuracy;
pub use noise::Noise;
pub use parts::Parts;
pub use person::Person;
pub use unknown::{Unknown, calibration_error};

/// Percent of `of` that are right.
fn percent(right: usize, of: usize) -> f64 {
    100.0 * right as f64 / of.max(1) as f64
}

/// A seed for one purpose of a run, so that no two choices of a run depend on each other.
fn seed(run: u64, purpose: u64) -> u64 {
    run.wrapping_add(purpose << 32)
}
