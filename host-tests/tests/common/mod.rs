//! What several tests share. Each test binary uses a part of it.
#![allow(dead_code)]

pub mod at_hand;
pub mod bench;
pub mod cli;
pub mod embedded;
pub mod files;
pub mod finite;
pub mod golden;
pub mod lossy;
pub mod program;
pub mod streams;
pub mod within;

use clap::ValueEnum;
use pocketron::{kernel::Gaussian, label::Sign};
use pocketron_cli::learner::{Algorithm, Learner, Settings};
use pocketron_testkit::kernel::AnyKernel;

/// Every algorithm of the core, as the command line knows them.
pub fn algorithms() -> impl Iterator<Item = Algorithm> {
    let all = Algorithm::value_variants().iter().copied();
    // It has whole numbers, a scale and a kernel of its own, and so its own tests.
    all.filter(|algorithm| !algorithm.is_pocketron())
}

/// The name on the command line, which is also that of the reference and of the golden files.
pub fn name(algorithm: Algorithm) -> String {
    let value = algorithm.to_possible_value().expect("none is hidden");
    value.get_name().to_string()
}

/// A Gaussian of width `gamma`, margin 0, and a usual value for everything else.
pub fn settings(gamma: f32, budget: usize) -> Settings {
    let kernel = Gaussian::new(gamma).expect("a width");
    Settings {
        kernel: Some(AnyKernel::Gaussian(kernel)),
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

/// The same numbers as the reference takes them.
pub fn f64s(x: &[f32]) -> Vec<f64> {
    x.iter().copied().map(f64::from).collect()
}
