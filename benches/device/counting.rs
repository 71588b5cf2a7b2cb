//! Counts what learners execute, and prints it.

#[path = "../../examples/platform/mod.rs"]
#[macro_use]
pub mod platform;
mod clock;
pub mod grid;
mod sample;
mod subject;

pub use subject::Report;
