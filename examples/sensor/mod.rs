//! A synthetic sensor: the same 2,000 labelled samples everywhere.

use core::convert::Infallible;

use pocketron::{
    label::Sign,
    rng::XorShift32,
    stream::{Example, ExampleSource, Next},
};

/// Features of a sample.
pub const FEATURES: usize = 4;
const SAMPLES: u32 = 2_000;

/// Four readings in [-1, 1]. The class is that of a 2 x 2 checkerboard over the
/// first two readings, one label in ten is wrong. Integers decide everything, so
/// that no rounding can make two targets see different samples.
pub struct Sensor {
    rng: XorShift32,
    left: u32,
    sample: [f32; FEATURES],
}

impl Sensor {
    /// At the first sample.
    pub fn new() -> Self {
        Sensor {
            rng: XorShift32::new(7),
            left: SAMPLES,
            sample: [0.0; FEATURES],
        }
    }
}

impl ExampleSource for Sensor {
    type Input = [f32; FEATURES];
    type Label = Sign;
    type Error = Infallible;

    fn next_example(&mut self) -> Next<'_, Self> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        let readings = [0; FEATURES].map(|_| self.rng.below(1_025) as i32 - 512);
        let flipped = self.rng.below(10) == 0;
        let [first, second, ..] = readings;
        let label = if ((first > 0) == (second > 0)) != flipped {
            Sign::Pos
        } else {
            Sign::Neg
        };
        self.sample = readings.map(|reading| reading as f32 / 512.0);
        Ok(Some(Example::new(&self.sample, label)))
    }
}
