//! Feature vectors that every program draws alike, the peers' in C included.

use pocketron::{prelude::*, storage::point::Feature};

/// Numerical Recipes' linear congruential generator: four lines in any language.
pub struct Source(u32);

impl Source {
    pub const fn new(seed: u32) -> Self {
        Source(seed)
    }

    /// Evenly from -1 to 1, a multiple of 2^-23 and so exact.
    pub fn feature(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) as f32 / 8_388_608.0 - 1.0
    }
}

/// What a learner of some number format takes.
pub trait Sample {
    /// Number of features.
    const FEATURES: usize;

    fn draw(source: &mut Source) -> Self;
}

/// Whole features stand for the numbers that they are nearest to.
impl<F: Feature, const D: usize> Sample for [F; D] {
    const FEATURES: usize = D;

    fn draw(source: &mut Source) -> Self {
        core::array::from_fn(|_| F::nearest(source.feature(), D))
    }
}

/// What the kernel of most learners is called in the table.
pub const GAUSSIAN: &str = "gaussian";

/// A width at which the samples are neither all alike nor all strangers.
pub fn gaussian<const D: usize>() -> Gaussian {
    Gaussian::constant(1.0 / D as f32)
}
