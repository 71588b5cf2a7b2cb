//! A synthetic sensor: the same samples everywhere.
//!
//! Integers decide everything, so that no rounding can make two targets see
//! different samples. Each example uses a part of this.
#![allow(dead_code)]

use core::convert::Infallible;

use pocketron::{
    label::{Class, Label, Sign},
    num::rng::XorShift32,
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

/// A device whose accelerometer tells how it is held: mean of three axes, and how much they vary, all in milli-g.
pub struct Posture {
    rng: XorShift32,
}

impl Posture {
    /// Another seed, other samples.
    pub fn new(seed: u32) -> Self {
        Posture {
            rng: XorShift32::new(seed),
        }
    }

    /// A sample while the device lies (class 0), stands upright (1) or is shaken (2).
    pub fn sample(&mut self, class: Class) -> [f32; FEATURES] {
        let (centre, spread) = match class.0 {
            0 => ([0, 0, 1000, 20], [80, 80, 80, 15]),
            1 => ([0, 1000, 0, 20], [80, 80, 80, 15]),
            _ => ([0, 400, 600, 500], [300, 300, 300, 200]),
        };
        core::array::from_fn(|feature| {
            let spread: i32 = spread[feature];
            let deviation = self.rng.below(2 * spread as u32 + 1) as i32 - spread;
            (centre[feature] + deviation) as f32
        })
    }
}

const SEED: u32 = 7;
/// Sample from which on labels are swapped, in a stream that does so.
pub const TURNED: u32 = 450;

/// Samples in a row of one class, where classes come in blocks.
const BLOCK: u32 = 25;
/// Samples in blocks, then as many that are mixed.
const BLOCKS: u32 = 500;
/// Where labels are swapped in such a stream: during its second half of blocks.
const TURNED_LATE: u32 = 1_250;
/// How often a sample is drawn anew until it is of the class whose turn it is.
const TRIES: u32 = 64;

/// A stream of labelled samples.
pub struct Sensor<L> {
    label: fn([i32; FEATURES], bool) -> L,
    readings: Readings,
    left: u32,
    /// The stream starts again after so many samples, which then have numbers.
    period: Option<u32>,
    /// From this sample on, labels are swapped.
    turned: u32,
    /// Whether classes come one after the other, with this many of them; mixed otherwise.
    in_blocks: Option<u32>,
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

    /// The same samples, whose labels are swapped from sample [`TURNED`] on.
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

    /// The same samples, all of one class.
    pub fn unlabelled() -> Self {
        Self::of(|_, _| Class(0))
    }

    /// The same samples, one label in ten wrong.
    pub fn noisy_fields() -> Self {
        Self::of(|readings, wrong| {
            let Class(class) = field(readings);
            Class((class + u8::from(wrong)) % 4)
        })
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
            in_blocks: None,
            sample: [0.0; FEATURES],
        }
    }

    /// Class after class, then mixed; the same once more, during which labels are swapped.
    pub fn taught(self, classes: u32) -> Self {
        Sensor {
            turned: TURNED_LATE,
            in_blocks: Some(classes),
            ..self
        }
    }
}

impl<L: Label> Sensor<L> {
    /// The next readings and their label: of the class whose turn it is, if classes come in blocks.
    fn labelled(&mut self, done: u32) -> ([i32; FEATURES], L) {
        let classes = self.in_blocks.filter(|_| done % (2 * BLOCKS) < BLOCKS);
        let wanted = classes.and_then(|classes| (done / BLOCK).checked_rem(classes));
        let mut tries = 0;
        loop {
            let readings = self.readings.sample();
            let wrong = self.readings.once_in(10) != (done >= self.turned);
            let label = (self.label)(readings, wrong);
            tries += 1;
            if tries == TRIES || wanted.is_none_or(|wanted| label.index() == wanted as usize) {
                return (readings, label);
            }
        }
    }
}

impl<L: Label> ExampleSource for Sensor<L> {
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
        let (readings, label) = self.labelled(done);
        self.sample = features(readings);
        let x = &self.sample;
        Ok(Some(Example { x, label, id }))
    }
}
