//! Wang and Vucetic: budget perceptrons up to Tightest.

mod accuracy;
mod problem;

pub use accuracy::Accuracy;
pub use problem::{PROBLEMS, Problem};
