//! The same as `parity` for learners with confidence, and for those that notice a drift.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod hash;
#[path = "../../../examples/platform/mod.rs"]
#[macro_use]
mod platform;
#[path = "../../../examples/sensor/mod.rs"]
mod sensor;
#[path = "hash/streaming.rs"]
mod streaming;
mod zoo;

use core::fmt::{self, Write};

use streaming::Hashes;
use zoo::Failed;

fn demo(out: &mut impl Write) -> fmt::Result {
    zoo::visit_wrapped(&mut Hashes(out)).map_err(|Failed| fmt::Error)
}

run_demo!(demo);
