//! Reactions to concept drift.

use super::ErrorRateDetector;
use crate::{
    classifier::{OnlineClassifier, Outcome},
    error::InputError,
    persist::{Blank, ImageError, Persist, Reader, Ready, Restart, Shape, Writer},
};

/// Reaction of a [`DriftMonitor`](super::DriftMonitor) learner when its errors become too many.
pub trait Reaction<L: OnlineClassifier> {
    /// Predicts, then learns, if it is still to learn.
    #[inline]
    fn learn(
        &mut self,
        learner: &mut L,
        x: &L::Input,
        label: L::Label,
        id: Option<u32>,
    ) -> Result<Outcome<L::Label>, InputError> {
        learner.learn_with_id(x, label, id)
    }

    /// Called after each example, when the detector has judged it.
    fn after_example(&mut self, learner: &mut L, detector: &ErrorRateDetector);
}

/// Does nothing: the application sees the alarm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report;

impl<L: OnlineClassifier> Reaction<L> for Report {
    fn after_example(&mut self, _: &mut L, _: &ErrorRateDetector) {}
}

impl Ready for Report {}

crate::persist::persist!([] Report as "tell");

/// Forgets what was learned, and learns anew.
///
/// Vectors and scale are forgotten, weights of features stay, see [`Restart`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reset;

impl<L: OnlineClassifier + Restart> Reaction<L> for Reset {
    fn after_example(&mut self, learner: &mut L, detector: &ErrorRateDetector) {
        if detector.alarmed() {
            learner.restart();
        }
    }
}

impl Ready for Reset {}

crate::persist::persist!([] Reset as "empty");

/// Stops learning: what was learned stays as it is, whatever the labels say now.
///
/// The detector goes on, so that the application can tell when the errors are gone, and then
/// [resume](super::DriftMonitor::resume).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Freeze {
    pub(super) frozen: bool,
}

impl Freeze {
    /// Whether it has stopped to learn.
    pub const fn is_frozen(&self) -> bool {
        self.frozen
    }
}

impl<L: OnlineClassifier> Reaction<L> for Freeze {
    fn learn(
        &mut self,
        learner: &mut L,
        x: &L::Input,
        label: L::Label,
        id: Option<u32>,
    ) -> Result<Outcome<L::Label>, InputError> {
        if !self.frozen {
            return learner.learn_with_id(x, label, id);
        }
        learner.validate(x, label, id)?;
        let (predicted, score) = learner.predict_scored(x)?;
        Ok(Outcome {
            predicted,
            score,
            // A score of zero is for neither class.
            mistake: predicted != label || score == 0.0,
            admission: None,
            warning: None,
        })
    }

    fn after_example(&mut self, _: &mut L, detector: &ErrorRateDetector) {
        self.frozen |= detector.alarmed();
    }
}

crate::persist::blank!([] Freeze { frozen });

impl Ready for Freeze {}

impl Persist for Freeze {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("freeze", |_| {});
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.word(self.frozen.into());
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        let frozen = match reader.word()? {
            0 => false,
            1 => true,
            _ => return Err(ImageError::Malformed),
        };
        reader.put(&mut self.frozen, frozen);
        Ok(())
    }
}

/// A copy taken every 256 examples while the error rate is normal.
#[derive(Clone, Debug)]
struct Copied<L> {
    model: Option<L>,
    /// Examples since the copy.
    age: u32,
}

const EVERY: u32 = 256;

impl<L: Clone> Copied<L> {
    fn refresh(&mut self, learner: &L, detector: &ErrorRateDetector) {
        self.age = self.age.saturating_add(1);
        if (self.age >= EVERY || self.model.is_none()) && detector.is_stable() {
            self.model = Some(learner.clone());
            self.age = 0;
        }
    }
}

crate::persist::blank!([; L] Copied<L> { model, age });

crate::persist::persist!(only [L: Persist + Blank] Copied<L> as "copied" { model, age });

/// Goes back to the copy taken before the drift, and learns from there.
///
/// Costs a second model, and up to as much stack while it copies. It undoes the updates between the change and the alarm. Examples after the alarm are still
/// learned, so it gains little unless teaching stops. If the concept has changed for good, use [`Reset`].
#[derive(Clone, Debug)]
pub struct RollBack<L> {
    copied: Copied<L>,
}

impl<L> RollBack<L> {
    /// No good time so far.
    pub const fn new() -> Self {
        Self::BLANK
    }

    /// The model to go back to; `None` while there has been no good time.
    pub const fn kept(&self) -> Option<&L> {
        self.copied.model.as_ref()
    }
}

impl<L> Default for RollBack<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L: OnlineClassifier + Clone> Reaction<L> for RollBack<L> {
    fn after_example(&mut self, learner: &mut L, detector: &ErrorRateDetector) {
        if !detector.alarmed() {
            self.copied.refresh(learner, detector);
        } else if let Some(model) = &self.copied.model {
            learner.clone_from(model);
        }
    }
}

crate::persist::blank!([; L] RollBack<L> { copied });

impl<L> Ready for RollBack<L> {}

crate::persist::persist!(only [L: Persist + Blank] RollBack<L> as "roll-back" { copied });

/// Keeps the copy taken before the drift for inspection, and does what `R` does.
///
/// Costs a second model, and up to as much stack while it copies. From the alarm on the copy stays what it is, until it is [taken](Self::take).
#[derive(Clone, Debug)]
pub struct Snapshot<L, R = Report> {
    copied: Copied<L>,
    /// One from the alarm on.
    kept: u32,
    reaction: R,
}

impl<L, R> Snapshot<L, R> {
    /// No good time so far, in front of another reaction.
    pub const fn of(reaction: R) -> Self {
        Snapshot {
            copied: Copied::BLANK,
            kept: 0,
            reaction,
        }
    }

    /// The model of before the alarm; `None` as long as there was none.
    pub const fn kept(&self) -> Option<&L> {
        match self.kept {
            0 => None,
            _ => self.copied.model.as_ref(),
        }
    }

    /// The reaction after the copy.
    pub const fn reaction(&self) -> &R {
        &self.reaction
    }

    /// The model of before the alarm, to be taken away: from now on copies are made again.
    pub const fn take(&mut self) -> Option<L> {
        match core::mem::replace(&mut self.kept, 0) {
            0 => None,
            _ => self.copied.model.take(),
        }
    }
}

impl<L: OnlineClassifier + Clone, R: Reaction<L>> Reaction<L> for Snapshot<L, R> {
    #[inline]
    fn learn(
        &mut self,
        learner: &mut L,
        x: &L::Input,
        label: L::Label,
        id: Option<u32>,
    ) -> Result<Outcome<L::Label>, InputError> {
        self.reaction.learn(learner, x, label, id)
    }

    fn after_example(&mut self, learner: &mut L, detector: &ErrorRateDetector) {
        if detector.alarmed() {
            self.kept = 1;
        } else if self.kept == 0 {
            self.copied.refresh(learner, detector);
        }
        self.reaction.after_example(learner, detector);
    }
}

impl<L, R: Blank> Blank for Snapshot<L, R> {
    const BLANK: Self = Self::of(R::BLANK);
}

impl<L, R: Ready> Ready for Snapshot<L, R> {}

crate::persist::persist!(only [L: Persist + Blank, R: Persist] Snapshot<L, R> as "snapshot" { copied, kept if |kept| kept <= 1, reaction });
