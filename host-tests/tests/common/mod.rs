//! What several tests share. Each test binary uses a part of it.
#![allow(dead_code)]

pub mod embedded;
pub mod golden;
pub mod streams;

use pocketron::{kernel::Gaussian, label::Sign};
use pocketron_host::{
    kernel::AnyKernel,
    learner::{Algorithm, Learner, Settings},
};

/// Every algorithm of the core.
pub const ALL: [Algorithm; 15] = [
    Algorithm::Perceptron,
    Algorithm::Stoptron,
    Algorithm::Random,
    Algorithm::RemoveOldest,
    Algorithm::Fixed,
    Algorithm::Forgetron,
    Algorithm::Tighter0,
    Algorithm::Tighter,
    Algorithm::TighterFull,
    Algorithm::Tightest,
    Algorithm::Projectron,
    Algorithm::ProjectronPlus,
    Algorithm::BpaS,
    Algorithm::Merge,
    Algorithm::Bsgd,
];

/// A Gaussian of width `gamma`, margin 0, and a usual value for everything else.
pub fn settings(gamma: f32, budget: usize) -> Settings {
    let kernel = Gaussian::new(gamma).expect("a width");
    Settings {
        kernel: AnyKernel::Gaussian(kernel),
        budget: Some(budget),
        margin: 0.0,
        seed: 1,
        tolerance: 0.1,
        aggressiveness: 1.0,
        lambda: Some(0.01),
    }
}

/// Share of `rows` that is predicted rightly; a score of zero never is.
pub fn accuracy(learner: &dyn Learner, rows: &[(Vec<f32>, Sign)]) -> f64 {
    let right = |(x, label): &&(Vec<f32>, Sign)| {
        learner.score(x).expect("a good row") * label.value() > 0.0
    };
    rows.iter().filter(right).count() as f64 / rows.len() as f64
}

/// Bit patterns, to compare what must be the same and not only equal.
pub fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}
