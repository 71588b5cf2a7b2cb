//! One hash per front end over all features of a movement, and one over the whole chain: driver, windows, learner.
//!
//! `cargo xtask parity` compares the hashes of all targets.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod hash;
#[path = "../../../examples/platform/mod.rs"]
#[macro_use]
mod platform;
#[path = "../../../examples/sensor/mod.rs"]
mod sensor;
mod signals;

use core::fmt::{self, Write};

use embedded_hal::delay::DelayNs;
use hash::{Hash, feed_image};
use lsm303agr::{AccelMode, AccelOutputDataRate, AccelScale, Lsm303agr};
use pocketron::{
    prelude::*,
    signal::{
        Event, FrontEnd, Idle, Motion, Quality, Teachable, Teacher, Vibration, Windowed,
        features::{PerChannel, Spectrum},
        recorded::RecordedAccelerometer,
    },
};
use signals::{Everything, Movement, Spectra};

/// Samples of each run.
const SAMPLES: usize = 2048;

fn demo(out: &mut impl Write) -> fmt::Result {
    run::<Motion<128>>(out, "motion", |sample| sample)?;
    run::<Vibration<128>>(out, "vibration", |[x, _, _]| [x])?;
    run::<Everything<i16>>(out, "everything-i16", |sample| sample)?;
    run::<Everything<f32>>(out, "everything-f32", in_g)?;
    run::<Spectra<i16>>(out, "spectrum-i16", |sample| sample)?;
    run::<Spectra<f32>>(out, "spectrum-f32", in_g)?;
    // To the ends of the numbers.
    run::<Everything<i16>>(out, "extreme-i16", |sample| {
        sample.map(|axis| axis.saturating_mul(axis))
    })?;
    run::<Everything<f32>>(out, "extreme-f32", |sample| {
        sample.map(|axis| f32::from_bits((axis as u16 as u32) << 16))
    })?;
    chain::<Motion<128>>(out, "chain")?;
    chain::<Windowed<i16, PerChannel<Spectrum<128, 4>>, 3, 128, 2, 12>>(out, "chain-spectrum")
}

/// Milli-g to g.
fn in_g(sample: [i16; 3]) -> [f32; 3] {
    sample.map(|axis| f32::from(axis) / 1000.0)
}

fn run<F: FrontEnd>(
    out: &mut impl Write,
    name: &str,
    sample: impl Fn([i16; 3]) -> F::Sample,
) -> fmt::Result {
    let mut front_end = F::BLANK;
    let mut hash = Hash::START;
    for (number, milli_g) in Movement::new(7).take(SAMPLES).enumerate() {
        if number == 700 {
            front_end.skip(3);
        }
        if let Some(features) = front_end.push(&sample(milli_g)) {
            let features: &[f32] = features.as_ref();
            features.iter().for_each(|x| hash.feed(x.to_bits()));
        }
    }
    let Quality {
        samples,
        lost,
        saturated,
        constant,
        non_finite,
    } = front_end.quality();
    for count in [samples, lost, saturated, constant, non_finite] {
        hash.feed(count);
    }
    writeln!(out, "{name} {:016x}", hash.0)
}

/// The recording is always ready.
struct NoDelay;

impl DelayNs for NoDelay {
    fn delay_ns(&mut self, _: u32) {}
}

/// From the registers of a sensor to a model that is taught by hand: each class is taught, rehearsed in idle time, then asked.
fn chain<F>(out: &mut impl Write, name: &str) -> fmt::Result
where
    F: FrontEnd<Sample = [i16; 3], Features = [f32; 12]>,
{
    let movement = Movement::new(11);
    let mut sensor = Lsm303agr::new_with_i2c(RecordedAccelerometer::new(movement.clone()));
    let mode = (AccelMode::HighResolution, AccelOutputDataRate::Hz50);
    sensor.init().map_err(|_| fmt::Error)?;
    sensor
        .set_accel_mode_and_odr(&mut NoDelay, mode.0, mode.1)
        .map_err(|_| fmt::Error)?;
    sensor
        .set_accel_scale(AccelScale::G8)
        .map_err(|_| fmt::Error)?;

    let mut device = Teacher::<F, Teachable<12, 24, 4>>::new();
    let mut hash = Hash::START;
    let mut label = movement;
    for number in 0..6 * SAMPLES {
        let class = Class(label.class());
        label.next();
        let held = (number < 4 * SAMPLES && number % 500 < 450).then_some(class);
        let (x, y, z) = sensor.acceleration().map_err(|_| fmt::Error)?.xyz_mg();
        let sample = [x, y, z].map(|axis| axis as i16);
        let event = device.sample(&sample, held).map_err(|_| fmt::Error)?;
        feed_event(&mut hash, event);
        hash.feed(match device.idle() {
            Idle::Nothing => 0,
            Idle::Rehearsed => 1,
            Idle::Save => 2,
        });
    }
    feed_image(&mut hash, &device);
    writeln!(out, "{name} {:016x}", hash.0)
}

fn feed_event(hash: &mut Hash, event: Event) {
    let (kind, class, number) = match event {
        Event::Nothing => (0, 0, 0),
        Event::Teaching { class, windows } => (1, class.0, windows.into()),
        Event::Taught { class, windows } => (2, class.0, windows.into()),
        Event::Known { class, probability } => (3, class.0, probability.map_or(0, f32::to_bits)),
        Event::Unknown => (4, 0, 0),
        Event::NotReady(missing) => (5, missing as u8, 0),
    };
    for word in [kind, class.into(), number] {
        hash.feed(word);
    }
}

run_demo!(demo);
