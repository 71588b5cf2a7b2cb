//! One hash per learner over every score, decision and eviction of a run.
//!
//! `cargo xtask parity` compares the hashes of all targets.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[macro_use]
mod platform;
mod sensor;
mod zoo;

use core::fmt::{self, Write};

use pocketron::{
    budget::Admission,
    prelude::*,
    stream::{Observer, run_stream},
};
use sensor::{FEATURES, Sensor};
use zoo::{Failed, Visitor};

/// FNV-1a with 64 bits: tiny, and every bit of the input counts.
struct Hash(u64);

impl Hash {
    const START: Self = Hash(0xCBF2_9CE4_8422_2325);

    fn feed(&mut self, word: u32) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

impl Observer<Sign> for Hash {
    fn learned(&mut self, _: Sign, outcome: &Outcome<Sign>) {
        self.feed(outcome.score.to_bits());
        self.feed(outcome.predicted as u32);
        let (kind, slots) = match outcome.admission {
            None => (0, [0, 0]),
            Some(Admission::Inserted) => (1, [0, 0]),
            Some(Admission::Replaced(slot)) => (2, [slot, 0]),
            Some(Admission::Shifted(slot)) => (3, [slot, 0]),
            Some(Admission::Merged { into, freed }) => (4, [into, freed.unwrap_or(999)]),
            Some(Admission::Absorbed) => (5, [0, 0]),
            Some(Admission::Refused) => (6, [0, 0]),
            Some(Admission::Exhausted) => (7, [0, 0]),
            Some(Admission::Joined(slot)) => (8, [slot, 0]),
        };
        self.feed(kind);
        for slot in slots {
            self.feed(slot as u32);
        }
    }
}

struct Hashes<'a, W>(&'a mut W);

impl<W: Write> Visitor for Hashes<'_, W> {
    fn visit<C>(&mut self, name: &str, mut learner: C) -> Result<(), Failed>
    where
        C: OnlineClassifier<Input = [f32; FEATURES], Label = Sign>,
    {
        let mut hash = Hash::START;
        let Ok(()) = run_stream(&mut learner, &mut Sensor::new(), &mut hash);
        Ok(writeln!(self.0, "{name} {:016x}", hash.0)?)
    }
}

fn demo(out: &mut impl Write) -> fmt::Result {
    zoo::visit_all(&mut Hashes(out)).map_err(|Failed| fmt::Error)
}

run_demo!(demo);
