//! Perceptrons that learn on the microcontroller, in memory fixed at compile time.
#![no_std]
#![forbid(unsafe_code)]

pub mod budget;
pub mod error;
pub mod hypothesis;
pub mod kernel;
pub mod label;
pub mod learners;
pub mod math;
pub mod memory;
pub mod metrics;
pub mod perceptron;
pub mod point;
pub mod rng;
pub mod rule;
pub mod stream;
pub mod sum;
pub mod support;

/// The names that almost every user needs.
pub mod prelude {
    pub use crate::kernel::{Gaussian, Polynomial};
    pub use crate::label::Sign;
    pub use crate::learners::*;
    pub use crate::memory::Blank;
    pub use crate::perceptron::{KernelPerceptron, OnlineClassifier, Outcome, Perceptron};
    pub use crate::rule::{MarginRule, PassiveAggressive, Shrinking, UnitSteps};
}
