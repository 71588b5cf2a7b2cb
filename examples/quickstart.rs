//! Ten lines of use: declare a model, feed it samples, ask it.
//!
//! `cargo run --example quickstart` on the host, `cargo xtask qemu quickstart` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
mod platform;
mod sensor;

use core::fmt::{self, Write};

use pocketron::{metrics::Counters, prelude::*, stream::run_stream};
use sensor::{FEATURES, Sensor};

fn demo(out: &mut impl Write) -> fmt::Result {
    let mut model = Pocketron::<FEATURES, 40>::new();
    let mut counters = Counters::default();
    let Ok(()) = run_stream(&mut model, &mut Sensor::new(), &mut counters);

    let right = counters.seen - counters.mistakes;
    writeln!(out, "right before learning: {right} of {}", counters.seen)?;
    writeln!(out, "bytes of the model: {}", size_of_val(&model))?;
    if let Ok(label) = model.predict(&[0.5, -0.5, 0.0, 0.0]) {
        writeln!(out, "one more sample: {label:?}")?;
    }
    if let Err(reason) = model.learn(&[f32::NAN, 0.0, 0.0, 0.0], Sign::Pos) {
        writeln!(out, "a broken sensor: {reason}")?;
    }
    Ok(())
}

run_demo!(demo);
