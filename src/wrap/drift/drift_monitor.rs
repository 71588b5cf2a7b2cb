//! A learner whose errors are watched.

use super::{ErrorRateDetector, Freeze, Reaction, Report};
use crate::{
    classifier::{OnlineClassifier, Outcome},
    error::InputError,
    persist::{Blank, Ready, Restart},
};

/// A learner, a [detector](ErrorRateDetector) of its errors, and a reaction: `L`, 16 bytes, and those of `R`.
///
/// Until the first alarm it predicts and learns as `L` does, bit for bit. How many
/// mistakes there are is judged by the labels in the stream, so it works for any number of classes.
#[derive(Clone, Debug)]
pub struct DriftMonitor<L, R = Report> {
    learner: L,
    detector: ErrorRateDetector,
    reaction: R,
}

impl<L: Ready, R: Ready> DriftMonitor<L, R> {
    /// Nothing seen yet, around a learner that has no parameter to set.
    pub const fn new() -> Self {
        Self::of(L::BLANK, R::BLANK)
    }
}

impl<L: Ready, R: Ready> Default for DriftMonitor<L, R> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L, R> DriftMonitor<L, R> {
    /// Nothing seen yet, around a learner.
    pub const fn of(learner: L, reaction: R) -> Self {
        DriftMonitor {
            learner,
            detector: ErrorRateDetector::BLANK,
            reaction,
        }
    }

    /// The learner.
    pub const fn learner(&self) -> &L {
        &self.learner
    }

    /// The learner, to be configured or restored. To teach it directly would leave out the detector.
    pub const fn learner_mut(&mut self) -> &mut L {
        &mut self.learner
    }

    /// The detector.
    pub const fn detector(&self) -> &ErrorRateDetector {
        &self.detector
    }

    /// The reaction, and what it keeps.
    pub const fn reaction(&self) -> &R {
        &self.reaction
    }

    /// The reaction, to take away what it keeps.
    pub const fn reaction_mut(&mut self) -> &mut R {
        &mut self.reaction
    }

    /// Whether the last example raised the alarm.
    pub const fn alarmed(&self) -> bool {
        self.detector.alarmed()
    }

    /// Whether all is well: enough examples, no recent alarm, and no more mistakes than usual.
    pub fn is_stable(&self) -> bool {
        self.detector.is_stable()
    }
}

impl<L> DriftMonitor<L, Freeze> {
    /// Whether it has stopped to learn.
    pub const fn is_frozen(&self) -> bool {
        self.reaction.is_frozen()
    }

    /// Learns again.
    pub const fn resume(&mut self) {
        self.reaction.frozen = false;
    }
}

impl<L: Ready, R: Ready> Ready for DriftMonitor<L, R> {}

crate::classifier::wrapper!([L: OnlineClassifier, R: Reaction<L>] DriftMonitor<L, R> {
    #[inline]
    learn(self, x, label, id) {
        let outcome = self.reaction.learn(&mut self.learner, x, label, id)?;
        self.detector.watch(outcome.mistake);
        self.reaction
            .after_example(&mut self.learner, &self.detector);
        Ok(outcome)
    }
} {});

/// The detector begins anew too; what the reaction keeps stays.
impl<L: Restart, R> Restart for DriftMonitor<L, R> {
    fn restart(&mut self) {
        self.learner.restart();
        self.detector = ErrorRateDetector::BLANK;
    }
}

crate::persist::persist!([L, R] DriftMonitor<L, R> as "watched" { learner, detector, reaction });
