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
    image::{self, Persist},
    label::Label,
    prelude::*,
    stream::{Observer, run_stream},
};
use sensor::{FEATURES, Readings, Sensor, features};
use zoo::{Binary, Failed, Multiclass, Visitor};

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

/// All that the model knows goes into the hash: every target must write the same image.
fn feed_image(hash: &mut Hash, model: &dyn Persist) {
    let mut piece = [0; 256];
    for offset in (0..image::len(model)).step_by(piece.len()) {
        piece.fill(0);
        image::fill(model, offset, &mut piece);
        for word in piece.as_chunks().0 {
            hash.feed(u32::from_le_bytes(*word));
        }
    }
}

impl<L: Label> Observer<L> for Hash {
    fn learned(&mut self, _: L, outcome: &Outcome<L>) {
        self.feed(outcome.score.to_bits());
        self.feed(outcome.predicted.index() as u32);
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

impl<W: Write> Hashes<'_, W> {
    /// Learns the stream; what comes of every example goes into the hash.
    fn learn<C>(learner: &mut C, mut stream: Sensor<C::Label>) -> Hash
    where
        C: OnlineClassifier<Input = [f32; FEATURES]>,
    {
        let mut hash = Hash::START;
        let Ok(()) = run_stream(learner, &mut stream, &mut hash);
        hash
    }

    fn print(&mut self, name: &str, hash: &Hash) -> Result<(), Failed> {
        Ok(writeln!(self.0, "{name} {:016x}", hash.0)?)
    }
}

/// Samples that the learners have not seen, on which their histories speak.
fn unseen() -> impl Iterator<Item = [f32; FEATURES]> {
    let mut readings = Readings::new(99);
    core::iter::repeat_with(move || features(readings.sample())).take(200)
}

impl<W: Write> Visitor for Hashes<'_, W> {
    fn visit<C>(&mut self, name: &str, mut learner: C, stream: Sensor<Sign>) -> Result<(), Failed>
    where
        C: Binary,
    {
        let mut hash = Self::learn(&mut learner, stream);
        for x in unseen() {
            hash.feed(learner.score(&x).map_or(0, f32::to_bits));
        }
        feed_image(&mut hash, &learner);
        self.print(name, &hash)
    }

    fn visit_classes<C>(&mut self, name: &str, mut learner: C) -> Result<(), Failed>
    where
        C: Multiclass,
    {
        let mut hash = Self::learn(&mut learner, Sensor::fields());
        for x in unseen() {
            hash.feed(learner.predict(&x).map_or(99, |class| u32::from(class.0)));
        }
        feed_image(&mut hash, &learner);
        self.print(name, &hash)
    }
}

fn demo(out: &mut impl Write) -> fmt::Result {
    zoo::visit_all(&mut Hashes(out)).map_err(|Failed| fmt::Error)
}

run_demo!(demo);
