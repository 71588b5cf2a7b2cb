//! A model in a `static`, where an interrupt handler and the main loop can both reach it.
//!
//! A new model is all zeros, so it takes RAM in `.bss` and no byte of flash.
//!
//! `cargo run --example shared_model` on the host, `cargo xtask qemu shared_model` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
mod platform;
mod sensor;

use core::{
    cell::RefCell,
    fmt::{self, Write},
};

use critical_section::Mutex;
use pocketron::{prelude::*, stream::ExampleSource};
use sensor::{FEATURES, Sensor};

type Model = Pocketron<FEATURES, 20>;

static MODEL: Mutex<RefCell<Model>> = Mutex::new(RefCell::new(Model::new()));

/// What the handler of the sensor's interrupt would do.
fn on_sample(x: &[f32; FEATURES], label: Sign) -> bool {
    let outcome = critical_section::with(|token| MODEL.borrow_ref_mut(token).learn(x, label));
    outcome.is_ok_and(|outcome| outcome.mistake)
}

fn demo(out: &mut impl Write) -> fmt::Result {
    let (mut sensor, mut mistakes) = (Sensor::new(), 0);
    while let Ok(Some(sample)) = sensor.next_example() {
        mistakes += u32::from(on_sample(sample.x, sample.label));
    }
    let vectors = critical_section::with(|token| MODEL.borrow_ref(token).vectors().len());
    writeln!(out, "{mistakes} mistakes, {vectors} support vectors")?;
    writeln!(out, "{} bytes in .bss, none in flash", size_of::<Model>())
}

run_demo!(demo);
