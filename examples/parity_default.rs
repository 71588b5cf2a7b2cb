//! The same as `parity` for rare classes, for which `parity_formats` has no room on the smallest board.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod hash;
#[macro_use]
mod platform;
mod sensor;
#[path = "hash/streaming.rs"]
mod streaming;
mod zoo;

use core::fmt::{self, Write};

use streaming::Hashes;
use zoo::Failed;

fn demo(out: &mut impl Write) -> fmt::Result {
    zoo::visit_rare(&mut Hashes(out)).map_err(|Failed| fmt::Error)
}

run_demo!(demo);
