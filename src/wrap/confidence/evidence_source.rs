//! Learners that show the evidence of their answers.

use crate::{
    classifier::{OnlineClassifier, Wrapper},
    error::InputError,
    label::{Class, ClassLabel},
    learners::continual::{ContinualLearner, Evidence, Tuning, Update},
    storage::{Memory, PerFeature, point::Points, scale::Moments},
};

/// A learner that shows the evidence of its answers.
pub trait EvidenceSource: OnlineClassifier<Label: ClassLabel> {
    /// The evidence of the stored vectors about `x`.
    fn evidence(&self, x: &Self::Input) -> Result<Evidence, InputError>;

    /// The class of a stored vector, and what the others say about it; `None` for a slot that is not occupied.
    fn evidence_without(&self, slot: usize) -> Option<(Class, Evidence)>;

    /// Stored vectors of a class.
    fn vectors_of(&self, class: Class) -> u16;

    /// Vectors stored, and how many there can be.
    fn occupancy(&self) -> (usize, usize);

    /// Whether a class has an example.
    fn has_seen(&self, class: Class) -> bool;

    /// Whether vectors have been merged, so that they are no examples any more.
    fn has_merged(&self) -> bool;

    /// Mean and variance of each feature so far.
    fn moments(&self) -> &[Moments];

    /// Whether `x` is like what was learned, if the learner can tell by itself.
    fn is_known(&self, _x: &Self::Input) -> Result<Option<bool>, InputError> {
        Ok(None)
    }
}

impl<S, M, U, const C: usize, const N: usize, T> EvidenceSource
    for ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
    T: Tuning,
{
    fn evidence(&self, x: &S::Raw) -> Result<Evidence, InputError> {
        self.evidence(x)
    }

    fn evidence_without(&self, slot: usize) -> Option<(Class, Evidence)> {
        self.evidence_without(slot)
    }

    fn vectors_of(&self, class: Class) -> u16 {
        self.vectors_of(class)
    }

    fn occupancy(&self) -> (usize, usize) {
        (self.vectors().len(), self.vectors().capacity())
    }

    fn has_seen(&self, class: Class) -> bool {
        self.seen(class) > 0
    }

    fn has_merged(&self) -> bool {
        self.has_merged()
    }

    fn moments(&self) -> &[Moments] {
        self.moments()
    }
}

impl<W: Wrapper<Learner: EvidenceSource, Label: ClassLabel>> EvidenceSource for W {
    fn evidence(&self, x: &Self::Input) -> Result<Evidence, InputError> {
        self.ask(x, |learner, x| learner.evidence(x))
    }

    fn evidence_without(&self, slot: usize) -> Option<(Class, Evidence)> {
        self.learner().evidence_without(slot)
    }

    fn vectors_of(&self, class: Class) -> u16 {
        self.learner().vectors_of(class)
    }

    fn occupancy(&self) -> (usize, usize) {
        self.learner().occupancy()
    }

    fn has_seen(&self, class: Class) -> bool {
        self.learner().has_seen(class)
    }

    fn has_merged(&self) -> bool {
        self.learner().has_merged()
    }

    fn moments(&self) -> &[Moments] {
        self.learner().moments()
    }

    fn is_known(&self, x: &Self::Input) -> Result<Option<bool>, InputError> {
        match self.wrapped_known(x)? {
            None => self.ask(x, |learner, x| learner.is_known(x)),
            known => Ok(known),
        }
    }
}
