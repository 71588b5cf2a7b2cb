//! The same as `parity` for the default learner of two classes, a rare one included.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod all_learners;
mod hash;
#[path = "../../../examples/platform/mod.rs"]
#[macro_use]
mod platform;
#[path = "../../../examples/sensor/mod.rs"]
mod sensor;
#[path = "hash/streaming.rs"]
mod streaming;

use core::fmt::{self, Write};

use all_learners::Failed;
use streaming::Hashes;

fn demo(out: &mut impl Write) -> fmt::Result {
    all_learners::visit_default(&mut Hashes(out)).map_err(|Failed| fmt::Error)
}

run_demo!(demo);
