//! Wang and Vucetic: budget perceptrons up to Tightest.

mod accuracy;
mod boundaries;
mod bytes;
mod formats;
mod problem;
pub(in crate::reproduce) mod runs;

pub use accuracy::Accuracy;
pub use boundaries::Boundaries;
pub use bytes::Bytes;
pub use formats::Formats;
pub use problem::{PROBLEMS, Problem};
