//! Counts what learners execute, and prints it.

#[path = "../../examples/platform/mod.rs"]
#[macro_use]
pub mod platform;
mod clock;
mod sample;
mod subject;

pub use sample::{GAUSSIAN, gaussian, warm_up};
pub use subject::{Name, Plan, Report, UPDATES};
