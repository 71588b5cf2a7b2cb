//! Four classes from one support set, one of which appears only later.
//!
//! `cargo run --example multiclass` on the host, `cargo xtask qemu multiclass` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
mod platform;
mod sensor;

use core::fmt::{self, Write};

use pocketron::{prelude::*, stream::Confusion};
use sensor::{FEATURES, Readings, SAMPLES, features, field};

const CLASSES: usize = 4;
type Model = PocketronMulti<FEATURES, 60, CLASSES>;

/// Recall of every class on samples that the model has not seen.
fn examine(out: &mut impl Write, model: &Model, when: &str) -> fmt::Result {
    let mut readings = Readings::new(99);
    let mut confusion = Confusion::<CLASSES>::new();
    for _ in 0..SAMPLES {
        let sample = readings.sample();
        if let Ok(answer) = model.predict(&features(sample)) {
            confusion.count(field(sample), answer);
        }
    }
    write!(out, "{when:<28}")?;
    for class in (0..).take(CLASSES).map(Class) {
        let recall = confusion.recall(class).unwrap_or(0.0);
        write!(out, "  class {}: {:>3} %", class.0, (100.0 * recall) as u32)?;
    }
    writeln!(out)
}

fn demo(out: &mut impl Write) -> fmt::Result {
    let mut model = Model::new();
    writeln!(out, "{} bytes for {CLASSES} classes", size_of::<Model>())?;
    let late = Class(3);
    let mut readings = Readings::new(7);
    for step in 0..SAMPLES {
        let sample = readings.sample();
        let class = field(sample);
        if step >= SAMPLES / 2 || class != late {
            let _ = model.learn(&features(sample), class); // the readings are finite
        }
        if step + 1 == SAMPLES / 2 {
            examine(out, &model, "before class 3 was ever seen")?;
        }
    }
    examine(out, &model, "at the end")?;
    let unknown = model.learn(&[0.0; FEATURES], Class(9));
    if let Err(reason) = unknown {
        writeln!(out, "class 9: {reason}")?;
    }
    Ok(())
}

run_demo!(demo);
