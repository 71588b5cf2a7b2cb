//! Everything of Pocketron that needs `std`: data files, reference implementations, experiments.

pub mod heap;
pub mod kernel;
pub mod learner;
pub mod roster;
