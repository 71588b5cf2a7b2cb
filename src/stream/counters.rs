//! Totals of a run.

use super::ratio;
use crate::{classifier::Outcome, error::InputError, stream::Observer};

/// Totals of a run; the accuracy is prequential, each example being predicted
/// before it is learned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Counters {
    /// Examples learned from.
    pub seen: u32,
    /// Wrong predictions.
    pub mistakes: u32,
    /// Times the hypothesis moved.
    pub updates: u32,
    /// Support vectors evicted for a new one; an example that was merged into a
    /// stored vector evicted nothing.
    pub evictions: u32,
    /// Examples that the learner refused.
    pub refused: u32,
}

impl Counters {
    /// Share of right predictions; `None` before the first example.
    ///
    /// ```
    /// use pocketron::stream::Counters;
    /// let counters = Counters { seen: 8, mistakes: 2, ..Counters::default() };
    /// assert_eq!(counters.accuracy(), Some(0.75));
    /// ```
    pub fn accuracy(&self) -> Option<f32> {
        ratio(self.seen.saturating_sub(self.mistakes), self.seen)
    }
}

impl<L> Observer<L> for Counters {
    fn learned(&mut self, _: L, outcome: &Outcome<L>) {
        let evicted = outcome.admission.and_then(|admission| admission.evicted());
        let add = |count: &mut u32, yes: bool| *count = count.saturating_add(u32::from(yes));
        add(&mut self.seen, true);
        add(&mut self.mistakes, outcome.mistake);
        add(&mut self.updates, outcome.changed());
        add(&mut self.evictions, evicted.is_some());
    }

    fn refused(&mut self, _: L, _: InputError) {
        self.refused = self.refused.saturating_add(1);
    }
}
