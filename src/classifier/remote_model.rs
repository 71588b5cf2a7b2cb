//! The interface of learners for hosts and devices: classes have numbers, whatever their type.

use super::{OnlineClassifier, Outcome, Wrapper};
use crate::{
    error::{EditError, InputError},
    label::{Class, ClassLabel},
    persist::Persist,
};

/// Confidence of a prediction, besides its score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Confidence {
    /// The prediction itself, if it had to be made for the rest: then it need not be made twice.
    pub class: Option<Class>,
    /// Probability that the prediction is right, if the model is calibrated.
    pub probability: Option<f32>,
    /// Whether the input is like those learned so far, if the model can tell.
    pub known: Option<bool>,
}

/// Recall of a class: the share of its examples that are classified right, by [`kind`](Self::kind) leave-one-out or held-out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Recall {
    /// Examples of the class that were classified: stored vectors or held-out windows.
    pub asked: u16,
    /// Number of them that were classified right.
    pub right: u16,
    /// Kind of these examples.
    pub kind: RecallEstimate,
}

/// On which examples a [`Recall`] was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RecallEstimate {
    /// Stored vectors, each classified by the others: the default learners. It may be higher or lower than test accuracy.
    #[default]
    LeaveOneOut,
    /// Examples that were taught but not learned: [`Teachable`](crate::signal::Teachable) and
    /// [`ExemplarReplay`](crate::wrap::ExemplarReplay). Some points higher than later accuracy if they come from the same minutes
    /// as those learned.
    HeldOut,
}

/// A change of a model other than by an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Forget one class; the others stay.
    Forget(Class),
    /// Take back the last example, block of examples, or forgotten class; rehearsals since then go with it.
    Undo,
    /// From here on, changes are one block.
    BeginBlock,
    /// The block is complete.
    EndBlock,
}

/// A learner that a device can teach over a wire, if its input is an array of `f32`.
///
/// Some things only the [default learner](crate::learners::continual::ContinualLearner) and
/// [`Undo`](crate::wrap::Undo) can do. Other learners refuse them with [`EditError::Unsupported`]. Every
/// [`Wrapper`] of a remote model is one, and hands on what it does not do itself.
pub trait RemoteModel: OnlineClassifier<Label: ClassLabel> + Persist {
    /// Classes at most.
    const CLASSES: usize;

    /// The winning class and its score; `each` gets the scores of all classes in order,
    /// of a binary learner the one score there is.
    fn score_classes(
        &self,
        x: &Self::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let (label, score) = self.predict_scored(x)?;
        each(score);
        Ok((label.class(), score))
    }

    /// Predicts `x`, then learns its true class; an error means that nothing changed.
    fn learn_class(&mut self, x: &Self::Input, class: Class) -> Result<Outcome<Class>, InputError> {
        let label = Self::Label::of_class(class).ok_or(InputError::UnknownClass)?;
        Ok(self.learn(x, label)?.map(ClassLabel::class))
    }

    /// Confidence of the prediction for `x`, as far as the model can tell.
    fn confidence(&self, _x: &Self::Input) -> Result<Confidence, InputError> {
        Ok(Confidence::default())
    }

    /// Whether it could [forget](Edit::Forget) this class, and if not, why.
    fn can_forget(&self, _class: Class) -> Result<(), EditError> {
        Err(EditError::Unsupported)
    }

    /// Changes the model. An error means that nothing changed.
    fn edit(&mut self, _edit: Edit) -> Result<(), EditError> {
        Err(EditError::Unsupported)
    }

    /// Rehearses the next stored vectors, each once at most; how many took a step.
    fn rehearse_steps(&mut self, _steps: u16) -> Result<u16, EditError> {
        Err(EditError::Unsupported)
    }

    /// Examples learned of a class, if the model counts them.
    fn examples_of(&self, _class: Class) -> Option<u32> {
        None
    }

    /// Recall of a class, leave-one-out or held-out ([`Recall::kind`]), if the model can tell.
    fn recall_of(&self, _class: Class) -> Option<Recall> {
        None
    }

    /// Steps of rehearsal that are still to be done after what was taught last, if the model counts them.
    fn rehearsals_owed(&self) -> Option<u16> {
        None
    }

    /// Sets how many consecutive examples share data, and so are not independent: 1 if none do, 2 if each shares half of its
    /// data with the next. [`Teacher`](crate::signal::Teacher) sets it before it teaches.
    fn set_overlap(&mut self, _examples: u16) {}

    /// Whether there is a choice: two classes or more have an example.
    ///
    /// Ask before trusting a prediction: an empty model predicts class 0 with a score of 0.
    fn is_ready(&self) -> bool {
        true
    }

    /// Whether a coefficient has reached the largest value there is.
    fn is_saturated(&self) -> bool {
        false
    }
}

/// [`RemoteModel::score_classes`] of a learner with `scores` for all classes and a `winner` among them.
macro_rules! forward_scores {
    () => {
        fn score_classes(
            &self,
            x: &Self::Input,
            each: &mut dyn FnMut(f32),
        ) -> Result<(Class, f32), InputError> {
            let scores = self.scores(x)?;
            scores.into_iter().for_each(each);
            Ok(self.winner(&scores))
        }
    };
}
pub(crate) use forward_scores;

impl<W: Wrapper<Learner: RemoteModel, Label: ClassLabel> + Persist> RemoteModel for W {
    const CLASSES: usize = W::Learner::CLASSES;

    fn score_classes(
        &self,
        x: &Self::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.ask(x, |learner, x| learner.score_classes(x, each))
    }

    fn confidence(&self, x: &Self::Input) -> Result<Confidence, InputError> {
        self.wrapped_confidence(x)
    }

    fn can_forget(&self, class: Class) -> Result<(), EditError> {
        self.learner().can_forget(class)
    }

    fn edit(&mut self, edit: Edit) -> Result<(), EditError> {
        self.wrapped_edit(edit)
    }

    fn rehearse_steps(&mut self, steps: u16) -> Result<u16, EditError> {
        self.wrapped_rehearse(steps)
    }

    fn examples_of(&self, class: Class) -> Option<u32> {
        self.wrapped_examples(class)
    }

    fn recall_of(&self, class: Class) -> Option<Recall> {
        self.wrapped_recall(class)
    }

    fn rehearsals_owed(&self) -> Option<u16> {
        self.wrapped_rehearsals_owed()
    }

    fn set_overlap(&mut self, examples: u16) {
        self.wrapped_set_overlap(examples);
    }

    fn is_ready(&self) -> bool {
        self.learner().is_ready()
    }

    fn is_saturated(&self) -> bool {
        self.learner().is_saturated()
    }
}
