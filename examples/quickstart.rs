//! Teach three classes with five examples each, one class after the other, and ask.
//!
//! `cargo run --example quickstart` on the host, `cargo xtask qemu quickstart` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
mod platform;
mod sensor;

use core::fmt::{self, Write};

use pocketron::prelude::*;
use sensor::{FEATURES, Posture};

const CLASSES: usize = 3;
const NAMES: [&str; CLASSES] = ["lying", "upright", "shaken"];
const TAUGHT: u32 = 5;
const ASKED: u32 = 100;

fn demo(out: &mut impl Write) -> fmt::Result {
    // Nothing to tune: raw features in, the model scales them itself.
    let mut model = PocketronMulti::<FEATURES, 40, CLASSES>::new();

    let mut device = Posture::new(7);
    for class in (0..).map(Class).take(CLASSES) {
        for _ in 0..TAUGHT {
            let _ = model.learn(&device.sample(class), class); // the samples are finite
        }
    }

    writeln!(out, "bytes of the model: {}", size_of_val(&model))?;
    writeln!(out, "examples of each class: {TAUGHT}")?;
    for (class, name) in (0..).map(Class).zip(NAMES) {
        let answers = (0..ASKED).map(|_| model.predict(&device.sample(class)));
        let right = answers.filter(|answer| *answer == Ok(class)).count();
        writeln!(out, "{name:<8} {right} of {ASKED} recognised")?;
    }
    if let Err(reason) = model.learn(&[f32::NAN; FEATURES], Class(0)) {
        writeln!(out, "a broken sensor: {reason}")?;
    }
    Ok(())
}

run_demo!(demo);
