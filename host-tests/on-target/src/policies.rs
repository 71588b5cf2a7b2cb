//! Every budget policy on one stream: what each makes of twenty slots.
//!
//! `cargo run -p pocketron-on-target --bin policies` on the host, `cargo xtask qemu policies` on a Cortex-M4F.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod all_learners;
#[path = "../../../examples/platform/mod.rs"]
#[macro_use]
mod platform;
#[path = "../../../examples/sensor/mod.rs"]
mod sensor;

use core::fmt::{self, Write};

use all_learners::{BUDGET, Binary, Failed, Visitor};
use pocketron::{
    prelude::*,
    stream::{Counters, run_stream},
};
use sensor::{FEATURES, SAMPLES, Sensor};

struct Table<'a, W>(&'a mut W);

impl<W: Write> Visitor for Table<'_, W> {
    fn visit<C>(
        &mut self,
        name: &str,
        mut learner: C,
        mut stream: Sensor<Sign>,
    ) -> Result<(), Failed>
    where
        C: Binary,
    {
        let mut counters = Counters::default();
        let Ok(()) = run_stream(&mut learner, &mut stream, &mut counters);
        // Per mille in integers: no target may round differently.
        let right = (counters.seen - counters.mistakes) * 1_000 / counters.seen;
        Ok(writeln!(
            self.0,
            "{name:<17} {:>3}.{} % {:>9} {:>11} {:>8}",
            right / 10,
            right % 10,
            counters.updates,
            counters.evictions,
            size_of::<C>(),
        )?)
    }
}

fn demo(out: &mut impl Write) -> fmt::Result {
    writeln!(
        out,
        "{SAMPLES} samples, {FEATURES} features, budget {BUDGET}, one pass;"
    )?;
    writeln!(out, "one label in ten is wrong, so 90 % is perfect.")?;
    writeln!(out)?;
    writeln!(
        out,
        "policy              right   updates   evictions    bytes"
    )?;
    all_learners::visit_policies(&mut Table(out)).map_err(|Failed| fmt::Error)
}

run_demo!(demo);
