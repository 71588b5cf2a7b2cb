//! Observers of a run.

use crate::{classifier::Outcome, error::InputError};

/// Watches a run: counters, a confusion matrix, a LED, a log line.
pub trait Observer<L> {
    /// Called after each example that the learner took.
    fn learned(&mut self, truth: L, outcome: &Outcome<L>);

    /// Called after each example that the learner refused.
    fn refused(&mut self, _truth: L, _reason: InputError) {}
}

/// Nobody watches.
impl<L> Observer<L> for () {
    fn learned(&mut self, _: L, _: &Outcome<L>) {}
}

/// Two observers watch together.
impl<L: Copy, A: Observer<L>, B: Observer<L>> Observer<L> for (A, B) {
    fn learned(&mut self, truth: L, outcome: &Outcome<L>) {
        self.0.learned(truth, outcome);
        self.1.learned(truth, outcome);
    }

    fn refused(&mut self, truth: L, reason: InputError) {
        self.0.refused(truth, reason);
        self.1.refused(truth, reason);
    }
}

impl<L, O: Observer<L> + ?Sized> Observer<L> for &mut O {
    fn learned(&mut self, truth: L, outcome: &Outcome<L>) {
        (**self).learned(truth, outcome);
    }

    fn refused(&mut self, truth: L, reason: InputError) {
        (**self).refused(truth, reason);
    }
}
