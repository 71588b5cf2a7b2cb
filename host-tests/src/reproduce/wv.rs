//! Wang and Vucetic: budget perceptrons up to Tightest.

mod accuracy;
mod boundaries;
mod problem;

pub use accuracy::Accuracy;
pub use boundaries::Boundaries;
pub use problem::{PROBLEMS, Problem};
