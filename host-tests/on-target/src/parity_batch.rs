//! One hash per learner over a finite set: every error on the way, the scores and the image at the end.
//!
//! `cargo xtask parity` compares the hashes of all targets. Apart from `parity`, because both together are
//! too much for the flash of the smallest board.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod all_learners;
mod hash;
#[path = "../../../examples/platform/mod.rs"]
#[macro_use]
mod platform;
#[path = "../../../examples/sensor/mod.rs"]
mod sensor;

use core::fmt::{self, Write};

use all_learners::{
    Failed,
    batch::{self, Batch, BatchVisitor, Buffer, HELD},
};
use hash::{Hash, feed_image, unseen};
use pocketron::learners::batch::Scratch;

struct Hashes<'a, W>(&'a mut W);

/// Epochs over the buffer: enough for all rounds of boosting.
const EPOCHS: u32 = 75;

impl<W: Write> BatchVisitor for Hashes<'_, W> {
    fn visit(
        &mut self,
        name: &str,
        mut learner: impl Batch,
        buffer: &mut Buffer,
        scratch: &mut Scratch<HELD>,
    ) -> Result<(), Failed> {
        let mut hash = Hash::START;
        for _ in 0..EPOCHS {
            let (epochs, error) = learner.step(&mut buffer.samples(scratch));
            hash.feed(epochs);
            hash.feed(error.to_bits());
        }
        for x in unseen() {
            hash.feed(learner.score(&x).to_bits());
        }
        feed_image(&mut hash, learner.state());
        feed_image(&mut hash, buffer);
        Ok(writeln!(self.0, "{name} {:016x}", hash.0)?)
    }
}

fn demo(out: &mut impl Write) -> fmt::Result {
    batch::visit(&mut Hashes(out)).map_err(|Failed| fmt::Error)
}

run_demo!(demo);
