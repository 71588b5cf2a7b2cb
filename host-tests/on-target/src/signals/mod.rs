//! Front ends of all kinds, and a movement for them. Each program uses a part of this.
#![allow(dead_code)]

use pocketron::{
    num::rng::XorShift32,
    signal::{Windowed, features::*},
};

/// Every feature of one channel that needs no buffer, with `K` bands.
pub type All<const K: usize> = (
    MeanDeviation,
    Range,
    Energy,
    Crossings,
    MeanStep,
    Peaks,
    Bands<K>,
);
/// Every feature without a buffer, over four panes.
pub type Everything<S> = Windowed<
    S,
    (
        PerChannel<All<5>>,
        Magnitude<(MeanDeviation, Range, Crossings, MeanStep, Bands<3>)>,
        Correlations,
    ),
    3,
    128,
    4,
    { 3 * 13 + 9 + 3 },
>;
/// Fourier transforms of three axes.
pub type Spectra<S> = Windowed<S, PerChannel<Spectrum<128, 8>>, 3, 128, 2, 24>;

/// A movement that changes its class every 512 samples: a rhythm, a tilt and some noise, in milli-g.
#[derive(Clone)]
pub struct Movement {
    generator: XorShift32,
    time: u32,
}

impl Movement {
    pub const fn new(seed: u32) -> Self {
        Movement {
            generator: XorShift32::new(seed),
            time: 0,
        }
    }

    /// The class of the sample that comes next.
    pub fn class(&self) -> u8 {
        (self.time >> 9) as u8 & 3
    }
}

impl Iterator for Movement {
    type Item = [i16; 3];

    fn next(&mut self) -> Option<[i16; 3]> {
        let class = i32::from(self.class());
        let period = 10 + 7 * class;
        let phase = self.time as i32 % period;
        self.time = self.time.wrapping_add(1);
        // A triangle from -1000 to 1000.
        let swing = 1000 - 4000 * (2 * phase - period).abs().min(period) / (2 * period);
        let mut noise = || self.generator.below(65) as i32 - 32;
        let x = swing + noise();
        let y = 300 * class + swing / 3 + noise();
        let z = 1000 - 250 * class + noise();
        Some([x, y, z].map(|axis| axis as i16))
    }
}
