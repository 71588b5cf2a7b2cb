//! Support vectors and examples that everything timed has in common.

use std::{fs, path::Path};

use anyhow::{Context, Result};
use pocketron::{kernel::Gaussian, label::Sign, num::rng::XorShift32};

use super::clock::best;
use crate::{
    kernel::AnyKernel,
    learner::{Algorithm, Learner, Settings, build},
};

/// Vectors with coefficients, in a Gaussian kernel.
pub struct Expansion {
    pub features: usize,
    pub gamma: f32,
    pub vectors: Vec<Vec<f32>>,
    pub alphas: Vec<f32>,
}

impl Expansion {
    /// So many vectors, evenly from the cube around zero.
    pub fn new(features: usize, budget: usize) -> Self {
        let mut generator = XorShift32::new(1);
        let vectors = sample(&mut generator, features, budget);
        let alphas = labels(&mut generator, budget);
        Expansion {
            features,
            // A width at which examples are neither all alike nor all strangers.
            gamma: 1.0 / features as f32,
            vectors,
            alphas: alphas.iter().map(|label| label.value()).collect(),
        }
    }

    /// For programs of others: `host-tests/papers/peers/libsvm.cpp` says what stands where.
    pub fn write(&self, questions: &[Vec<f32>], path: &Path) -> Result<()> {
        let sizes = [self.features, self.vectors.len(), questions.len()];
        let points = self.vectors.iter().chain(questions).flatten();
        let numbers = [self.gamma].into_iter().chain(self.alphas.iter().copied());
        let numbers = numbers.chain(points.copied());
        let sizes = sizes.into_iter().map(|size| (size as u32).to_le_bytes());
        let words = sizes.chain(numbers.map(f32::to_le_bytes));
        let bytes: Vec<u8> = words.flatten().collect();
        fs::write(path, bytes).with_context(|| path.display().to_string())
    }

    /// Examples that are none of the vectors; the first are the same however many there are.
    pub fn questions(&self, count: usize) -> Vec<Vec<f32>> {
        sample(&mut XorShift32::new(2), self.features, count)
    }

    /// Our learner that has learned just these vectors.
    pub fn learner(&self) -> Result<Box<dyn Learner>> {
        // A margin that nothing reaches: every example is stored with a coefficient of one.
        let mut learner = self.blank(Algorithm::Stoptron, f32::MAX)?;
        for (x, alpha) in self.vectors.iter().zip(&self.alphas) {
            learner.learn(x, Sign::of(*alpha))?;
        }
        Ok(learner)
    }

    /// Seconds that a learner takes for an example when it is full. Labels are drawn anew each time that an example
    /// comes, so that there is nothing to learn, and about every other is a mistake.
    pub fn learning_time(&self, algorithm: Algorithm, margin: f32) -> Result<f64> {
        const EXAMPLES: usize = 256;
        let mut learner = self.blank(algorithm, margin)?;
        let mut generator = XorShift32::new(3);
        let mut learn = |x: &Vec<f32>| learner.learn(x, label(&mut generator));
        for x in sample(
            &mut XorShift32::new(4),
            self.features,
            4 * self.vectors.len(),
        ) {
            learn(&x)?;
        }
        let examples = sample(&mut XorShift32::new(5), self.features, EXAMPLES);
        let mut turn = examples.iter().cycle();
        // Some at a time, so that mistakes and others are mixed as they are in the long run.
        let some = || turn.by_ref().take(64).filter(|x| learn(x).is_ok()).count();
        Ok(best(some) / 64.0)
    }

    /// A learner of the size of this expansion, empty.
    pub fn blank(&self, algorithm: Algorithm, margin: f32) -> Result<Box<dyn Learner>> {
        let settings = Settings {
            kernel: Some(AnyKernel::Gaussian(Gaussian::new(self.gamma)?)),
            budget: Some(self.vectors.len()),
            margin,
            seed: 1,
            tolerance: 0.1,
            aggressiveness: 1.0,
            lambda: None,
        };
        build(algorithm, &settings, self.features, self.vectors.len())
    }
}

/// Examples, evenly from the cube around zero.
pub fn sample(generator: &mut XorShift32, features: usize, count: usize) -> Vec<Vec<f32>> {
    let mut value = || generator.below(1 << 20) as f32 / (1 << 19) as f32 - 1.0;
    let mut point = || (0..features).map(|_| value()).collect();
    (0..count).map(|_| point()).collect()
}

/// Labels that nobody can learn.
pub fn labels(generator: &mut XorShift32, count: usize) -> Vec<Sign> {
    (0..count).map(|_| label(generator)).collect()
}

fn label(generator: &mut XorShift32) -> Sign {
    match generator.below(2) {
        0 => Sign::Neg,
        _ => Sign::Pos,
    }
}
