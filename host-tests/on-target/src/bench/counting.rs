//! Counts what learners execute, and prints it.

#[path = "../../../../examples/platform/mod.rs"]
#[macro_use]
pub mod platform;
mod clock;
pub mod sample;
pub mod subject;

pub use sample::{GAUSSIAN, gaussian};
pub use subject::{Name, Plan, Report, UPDATES};
