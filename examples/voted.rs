//! Noisy labels: which past hypotheses should predict?
//!
//! Three labels in ten are wrong. The last hypothesis is as good as its last
//! correction; letting the past have a say costs a few bytes.
//!
//! `cargo run --example voted` on the host, `cargo xtask qemu voted` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
mod platform;
mod sensor;

use core::fmt::{self, Write};

use pocketron::{
    history::{Averaged, History, Last, LongestSurvivor, RandomHypothesis, Voted, Voters},
    hypothesis::Linear,
    prelude::*,
};
use sensor::{FEATURES, Readings, SAMPLES, features};

type Weights = [f32; FEATURES];

/// The side of a plane through the origin.
fn sample(readings: &mut Readings) -> ([f32; FEATURES], Sign) {
    let sample = readings.sample();
    let [first, second, third, fourth] = sample;
    let side = 3 * first - 2 * second + third - fourth;
    (features(sample), Sign::of(side as f32))
}

/// Learns from noisy labels, then answers clean ones.
fn try_out<Y: History<Linear<Weights>>>(
    out: &mut impl Write,
    name: &str,
    history: Y,
) -> fmt::Result {
    let mut model = Perceptron::with_history(Linear::<Weights>::BLANK, UnitSteps, history);
    let mut readings = Readings::new(3);
    for _ in 0..SAMPLES {
        let (x, label) = sample(&mut readings);
        let noisy = if readings.once_in(10) || readings.once_in(10) || readings.once_in(10) {
            Sign::of(-label.value())
        } else {
            label
        };
        let _ = model.learn(&x, noisy); // the readings are finite
    }
    let mut right = 0;
    for _ in 0..SAMPLES {
        let (x, label) = sample(&mut readings);
        right += u32::from(model.predict(&x) == Ok(label));
    }
    let bytes = size_of_val(&model);
    writeln!(
        out,
        "{name:<17} {right:>5} of {SAMPLES} right, {bytes:>4} bytes"
    )
}

fn demo(out: &mut impl Write) -> fmt::Result {
    try_out(out, "last", Last::<pocketron::history::Raw>::default())?;
    try_out(out, "longest survivor", LongestSurvivor::<Weights>::new())?;
    try_out(out, "drawn", RandomHypothesis::<Weights>::new(1))?;
    try_out(out, "voted, 4 voters", Voted::<Voters<Weights, 4>>::BLANK)?;
    try_out(out, "voted, 64 voters", Voted::<Voters<Weights, 64>>::BLANK)?;
    try_out(out, "averaged", Averaged::<Option<Weights>>::new())
}

run_demo!(demo);
