//! Learners of one problem per class, for either choice of the classes that take part.

use crate::{
    classifier::{OnlineClassifier, Outcome},
    error::InputError,
    label::Class,
    sealed::Sealed,
};

/// Choice of the classes that learn from an example and may be predicted.
pub trait Participants: Sealed {
    /// Whether a class takes part after `seen` examples of its own.
    fn includes(seen: u32) -> bool;
}

/// Those with an example so far.
#[derive(Debug)]
pub enum SeenClasses {}

impl Sealed for SeenClasses {}

impl Participants for SeenClasses {
    #[inline]
    fn includes(seen: u32) -> bool {
        seen > 0
    }
}

/// All of them.
#[derive(Debug)]
pub enum AllClasses {}

impl Sealed for AllClasses {}

impl Participants for AllClasses {
    #[inline]
    fn includes(_: u32) -> bool {
        true
    }
}

/// A learner of one problem per class, whichever classes take part.
pub trait ClasswiseLearner: OnlineClassifier<Label = Class> + Sealed {
    /// A number for each class.
    type Scores: AsRef<[f32]>;

    /// Classes at most.
    const CLASSES: usize;

    /// Score of every class that takes part, zero for the others.
    fn scores_among<P: Participants>(&self, x: &Self::Input) -> Result<Self::Scores, InputError>;

    /// The class among them with the highest score, and that score.
    fn winner_among<P: Participants>(&self, scores: &Self::Scores) -> (Class, f32);

    /// Learns with the classes that take part. The arguments have not been checked.
    fn learn_among<P: Participants>(
        &mut self,
        x: &Self::Input,
        label: Class,
        id: Option<u32>,
    ) -> Result<Outcome<Class>, InputError>;
}
