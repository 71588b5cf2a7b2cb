//! The default learner: accuracy in the bytes of other learners, without a parameter to choose.

mod further;
mod runs;
mod table;

pub use table::Table;
