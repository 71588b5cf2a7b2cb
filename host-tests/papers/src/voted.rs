//! Freund and Schapire's experiment at full size: the voted perceptron on MNIST.
//!
//! The same bits as the core's learners (`tests/voted.rs` holds them against each other), in a
//! fraction of the time. Three things make the difference:
//!
//! - Scores are not computed anew at every visit but kept, as the core's eight partial sums, and a
//!   mistake adds one similarity to each.
//! - A similarity is computed once for all classes that got the same visit wrong, for 64 examples
//!   side by side, and only over the pixels that are not zero.
//! - Rows hear of mistakes only when their next visit is near, thousands at a time, so that their
//!   features are read from the cache. Only among a thousand rows is there a sequence; all else runs
//!   on all cores.
//!
//! One [`Learner`] gives the figures of all three tables of the paper: every [`Checkpoint`] has the
//! errors of telling all classes apart and of each class against the rest, by seven methods.

mod bench;
mod learner;
mod mistake_log;
mod outcome;
mod panel;
mod panel_scores;
mod problem;

pub use learner::{Halt, Learner};
pub use mistake_log::ClassHistory;
pub use outcome::{Checkpoint, Errors, Standing};
pub use problem::Problem;
