//! A synthetic sensor: the same samples everywhere.
//!
//! Integers decide everything, so that no rounding can make two targets see
//! different samples. Each example uses a part of this.
#![allow(dead_code)]

use core::convert::Infallible;

use pocketron::{
    label::{Class, Sign},
    rng::XorShift32,
    stream::{Example, ExampleSource, Next},
};

/// Features of a sample.
pub const FEATURES: usize = 4;
/// Samples of a stream.
pub const SAMPLES: u32 = 2_000;
/// Readings lie between minus and plus this; features in `[-1, 1]`.
pub const RANGE: i32 = 512;

/// What the sensor reads: numbers without a meaning yet.
pub struct Readings {
    rng: XorShift32,
}

impl Readings {
    /// Another seed, other samples.
    pub fn new(seed: u32) -> Self {
        Readings {
            rng: XorShift32::new(seed),
        }
    }

    /// The next readings.
    pub fn sample(&mut self) -> [i32; FEATURES] {
        [0; FEATURES].map(|_| self.rng.below(2 * RANGE as u32 + 1) as i32 - RANGE)
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: u32) -> bool {
        self.rng.below(n) == 0
    }
}

/// Readings as a learner takes them.
pub fn features(readings: [i32; FEATURES]) -> [f32; FEATURES] {
    readings.map(|reading| reading as f32 / RANGE as f32)
}

/// Two classes: a 2 x 2 checkerboard over the first two readings, one label in
/// ten wrong.
pub fn side(readings: [i32; FEATURES], flipped: bool) -> Sign {
    let [first, second, ..] = readings;
    if ((first > 0) == (second > 0)) != flipped {
        Sign::Pos
    } else {
        Sign::Neg
    }
}

/// Four classes: the fields of that board.
pub fn field([first, second, ..]: [i32; FEATURES]) -> Class {
    Class(u8::from(first > 0) + 2 * u8::from(second > 0))
}

const SEED: u32 = 7;
/// Where a stream turns that does.
pub const TURNED: u32 = 450;

/// A stream of labelled samples.
pub struct Sensor<L> {
    label: fn([i32; FEATURES], bool) -> L,
    readings: Readings,
    left: u32,
    /// The stream starts again after so many samples, which then have numbers.
    period: Option<u32>,
    /// From this sample on, labels are turned round.
    turned: u32,
    sample: [f32; FEATURES],
}

impl Sensor<Sign> {
    /// `SAMPLES` samples of two classes.
    pub fn new() -> Self {
        Self::of(side)
    }

    /// The first `period` of them, over and over.
    pub fn repeating(period: u32) -> Self {
        Sensor {
            period: Some(period),
            ..Self::of(side)
        }
    }

    /// The same samples, of which one in sixteen is of the positive class.
    pub fn rare() -> Self {
        Self::of(|[first, second, ..], _| {
            if first > RANGE / 2 && second > RANGE / 2 {
                Sign::Pos
            } else {
                Sign::Neg
            }
        })
    }

    /// The same samples, whose labels are turned round from sample [`TURNED`] on.
    pub fn turning() -> Self {
        Sensor {
            turned: TURNED,
            ..Self::of(side)
        }
    }
}

impl Sensor<Class> {
    /// `SAMPLES` samples of four classes.
    pub fn fields() -> Self {
        Self::of(|readings, _| field(readings))
    }
}

impl<L> Sensor<L> {
    fn of(label: fn([i32; FEATURES], bool) -> L) -> Self {
        Sensor {
            label,
            readings: Readings::new(SEED),
            left: SAMPLES,
            period: None,
            turned: u32::MAX,
            sample: [0.0; FEATURES],
        }
    }
}

impl<L> ExampleSource for Sensor<L> {
    type Input = [f32; FEATURES];
    type Label = L;
    type Error = Infallible;

    fn next_example(&mut self) -> Next<'_, Self> {
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        let done = SAMPLES - self.left;
        self.left = left;
        let id = self.period.and_then(|period| done.checked_rem(period));
        if id == Some(0) {
            self.readings = Readings::new(SEED);
        }
        let readings = self.readings.sample();
        let wrong = self.readings.once_in(10) != (done >= self.turned);
        let label = (self.label)(readings, wrong);
        self.sample = features(readings);
        let x = &self.sample;
        Ok(Some(Example { x, label, id }))
    }
}
