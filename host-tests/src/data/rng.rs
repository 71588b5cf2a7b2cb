//! Random numbers for drawn sets and tests.

use super::shuffle::SplitMix64;

/// Random numbers that are the same on every machine.
#[derive(Clone, Debug)]
pub struct TestRng(SplitMix64);

impl TestRng {
    /// The numbers of a seed.
    pub const fn new(seed: u64) -> Self {
        TestRng(SplitMix64::new(seed))
    }

    /// Uniform below `bound`.
    pub const fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    /// Uniform in `[0, 1)`, on a grid of `2^-53`.
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Standard normal (Box and Muller).
    pub fn gaussian(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.unit()));
        radius * libm::cos(std::f64::consts::TAU * self.unit())
    }

    /// Uniform from `from` to below `to`, at 2^30 places.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * (self.below(1 << 30) as f64 / (1_u64 << 30) as f64)
    }

    /// -1 or 1.
    pub fn sign(&mut self) -> f32 {
        if self.between(0.0, 1.0) < 0.5 {
            1.0
        } else {
            -1.0
        }
    }

    /// Uniform in `[-1, 1)`, on a grid of `2^-23`.
    pub fn even(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 / 8_388_608.0 - 1.0
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.even() < 2.0 * probability - 1.0
    }

    /// Nearly normal, mean 0, variance 1: a sum of twelve, without functions that may differ between machines.
    pub fn normal(&mut self) -> f32 {
        (0..12).map(|_| self.even()).sum::<f32>() / 2.0
    }
}
