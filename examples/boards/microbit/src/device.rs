//! The model and its front end: change them here.

use core::ops::Range;

use embedded_hal::i2c;
use lsm303agr::{Acceleration, Error};
use pocketron::{
    prelude::*,
    signal::{Idle, Motion, Teachable, Teacher, errors::ErrorCounts},
};

/// Movements that can be taught.
pub const CLASSES: usize = 4;

/// Features of a window.
pub const FEATURES: usize = 12;

/// From a sample to an answer: 4.9 KB of RAM. Blank it is all zeros: it lies in `.bss` and costs no flash.
///
/// `Motion<64>` makes 12 features of 64 samples, every 32 samples: at 50 Hz there is an answer every 0.64 s. The model takes 12 features,
/// keeps 24 support vectors, and can take back the last block.
/// The sensor is set to 4 g and 12 bits: samples from 4094 milli-g on, the end of its range, are counted as saturated.
pub type Device = Teacher<Motion<64, i16, 4094>, Undo<Teachable<FEATURES, 24, CLASSES>>>;

/// Samples per second.
pub const RATE: u32 = 50;

/// Exemplars that are replayed between two samples: 4 take about 2 ms on a Cortex-M4F at 64 MHz, and a sample comes every 20 ms. After a block, the
/// 12 exemplars of each of 4 classes are replayed 5 times: 240 replays are done in 1.2 seconds.
const REPLAYS: usize = 4;

/// To be called between two samples with `idle` of the device: replays what was taught while no button is held. Whether it is time to save.
pub fn rehearse(mut idle: impl FnMut() -> Idle) -> bool {
    for _ in 0..REPLAYS {
        match idle() {
            Idle::Rehearsed => {}
            Idle::Save => return true,
            Idle::Nothing => break,
        }
    }
    false
}

/// When samples are due, on a counter that wraps.
pub struct Pace {
    period: u32,
    /// When the last sample was due.
    last: u32,
}

impl Pace {
    /// [`RATE`] samples a second of a counter with `ticks_per_second`; the first one a period from now.
    pub fn new(ticks_per_second: u32, now: u32) -> Self {
        let period = ticks_per_second / RATE;
        Pace { period, last: now }
    }

    /// Waits until a sample is due; how many were missed before.
    #[allow(
        dead_code,
        reason = "a program that serves a host waits for bytes, too"
    )]
    pub fn wait(&mut self, mut now: impl FnMut() -> u32) -> u32 {
        let missed = self.missed(now());
        while self.remaining(now()) > 0 {}
        self.advance();
        missed
    }

    /// Samples that were missed until now. They are not made up for: the same reading would come several times.
    ///
    /// If the caller is less than one period late, none was missed, and the next sample is due immediately.
    pub fn missed(&mut self, now: u32) -> u32 {
        let late = now.wrapping_sub(self.last) / self.period;
        let missed = late.saturating_sub(1);
        self.last = self.last.wrapping_add(missed * self.period);
        missed
    }

    /// Ticks until the next sample is due.
    pub fn remaining(&self, now: u32) -> u32 {
        self.period.saturating_sub(now.wrapping_sub(self.last))
    }

    /// To be called before the sample is taken that is due.
    pub fn advance(&mut self) {
        self.last = self.last.wrapping_add(self.period);
    }
}

/// Counts what a driver reports, by kind.
pub fn count<E: i2c::Error>(errors: &mut ErrorCounts, error: &Error<E>) {
    match error {
        Error::Comm(error) => errors.i2c(error),
        Error::InvalidInputData => errors.other(),
    }
}

pub fn milli_g(acceleration: Acceleration) -> [i16; 3] {
    let (x, y, z) = acceleration.xyz_mg();
    [x, y, z].map(|axis| axis as i16)
}

/// Addresses of the flash that `memory.x` keeps for models.
pub fn store() -> Range<u32> {
    unsafe extern "C" {
        static _store_start: u8;
        static _store_end: u8;
    }
    &raw const _store_start as u32..&raw const _store_end as u32
}
