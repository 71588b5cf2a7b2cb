//! Labels are swapped while the device is in use: who notices, and what is done about it?
//!
//! A model that watches its errors raises an alarm within some tens of samples. What then happens is a type. Beside
//! every prediction stands a probability, so that the application can leave the doubtful ones to somebody else.
//!
//! `cargo run --example drift` on the host, `cargo xtask qemu drift` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
mod platform;
mod sensor;

use core::fmt::{self, Write};

use pocketron::{
    persist::Ready,
    prelude::*,
    stream::ExampleSource,
    wrap::{
        confidence::Calibrated,
        drift::{DriftMonitor, Freeze, Reaction, Report, Reset, RollBack},
    },
};
use sensor::{FEATURES, Readings, SAMPLES, Sensor, TURNED, features, side};

type Model = Calibrated<Pocketron<FEATURES, 40>>;

/// The last samples of the stream.
const LAST: u32 = 500;

/// Learns the stream whose labels are swapped on the way.
fn learn<R>(out: &mut impl Write, name: &str) -> Result<DriftMonitor<Model, R>, fmt::Error>
where
    R: Reaction<Model> + Ready,
{
    let mut model = DriftMonitor::<Model, R>::new();
    let (mut sensor, mut seen, mut noticed, mut right) = (Sensor::turning(), 0, None, 0);
    while let Ok(Some(sample)) = sensor.next_example() {
        let outcome = model.learn(sample.x, sample.label);
        seen += 1;
        if model.alarmed() {
            noticed = noticed.or(Some(seen));
        }
        if seen > SAMPLES - LAST {
            right += u32::from(outcome.is_ok_and(|outcome| !outcome.mistake));
        }
    }
    let (after, bytes) = (noticed.map_or(0, |n| n - TURNED), size_of_val(&model));
    writeln!(
        out,
        "{name:<10} alarm {after} samples after the change, then {right} of the last {LAST} right, {bytes} bytes"
    )?;
    Ok(model)
}

/// Answers new samples whose labels are swapped too, the doubtful ones left out.
fn answer(out: &mut impl Write, model: &Model, threshold: f32) -> fmt::Result {
    let (mut readings, mut answered, mut right) = (Readings::new(99), 0, 0);
    for _ in 0..SAMPLES {
        let sample = readings.sample();
        let label = side(sample, !readings.once_in(10));
        if let Ok(Some(answer)) = model.predict_or_reject(&features(sample), threshold) {
            answered += 1;
            right += u32::from(answer == label);
        }
    }
    let percent = |part: u32, whole: u32| (200 * part + whole) / (2 * whole).max(1);
    let (share, of_them) = (percent(answered, SAMPLES), percent(right, answered));
    writeln!(
        out,
        "sure to {threshold}: {share} % answered, {of_them} % of them right"
    )
}

fn demo(out: &mut impl Write) -> fmt::Result {
    learn::<Report>(out, "tell")?;
    learn::<Freeze>(out, "freeze")?;
    learn::<RollBack<Model>>(out, "roll back")?;
    let model = learn::<Reset>(out, "empty")?;
    for threshold in [0.5, 0.7, 0.8, 0.9] {
        answer(out, model.learner(), threshold)?;
    }
    Ok(())
}

run_demo!(demo);
