//! Hashes of learners that stream.

use core::fmt::Write;

use pocketron::{
    budget::Admission,
    label::Label,
    prelude::*,
    stream::{Observer, run_stream},
};

use crate::{
    all_learners::{Binary, Failed, Multiclass, Visitor},
    hash::{Hash, feed_image, unseen},
    sensor::{FEATURES, Sensor},
};

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

/// Prints the name and the hash of every learner it is shown.
pub struct Hashes<'a, W>(pub &'a mut W);

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

    fn visit_classes<C>(
        &mut self,
        name: &str,
        mut learner: C,
        stream: Sensor<Class>,
    ) -> Result<(), Failed>
    where
        C: Multiclass,
    {
        let mut hash = Self::learn(&mut learner, stream);
        for x in unseen() {
            hash.feed(learner.predict(&x).map_or(99, |class| u32::from(class.0)));
        }
        feed_image(&mut hash, &learner);
        self.print(name, &hash)
    }
}
