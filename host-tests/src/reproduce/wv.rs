//! Wang and Vucetic: budget perceptrons up to Tightest.

mod accuracy;
mod boundaries;
mod bytes;
mod problem;
mod runs;

pub use accuracy::Accuracy;
pub use boundaries::Boundaries;
pub use bytes::Bytes;
pub use problem::{PROBLEMS, Problem};
