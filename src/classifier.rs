//! The traits of all learners: predict, learn, score.

mod remote_model;

pub(crate) use remote_model::forward_scores;
pub use remote_model::{Confidence, Edit, Recall, RecallEstimate, RemoteModel};

use core::fmt;

use crate::{
    budget::Admission,
    error::{EditError, InputError},
    label::{Class, Label, Sign},
    persist::{BoundedImage, Persist},
};

/// Result of learning one example.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome<L> {
    /// Prediction made before learning from the example.
    pub predicted: L,
    /// Score behind that prediction.
    pub score: f32,
    /// Whether the prediction was wrong; a score of zero always is.
    pub mistake: bool,
    /// Result of adding the example, or `None` when the rule let it pass.
    pub admission: Option<Admission>,
    /// Something that the caller should know about the example.
    pub warning: Option<Warning>,
}

/// Something is wrong with an example, or with what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Warning {
    /// The example only counted for the [scale](crate::wrap::Standardized), which has not seen enough yet.
    WarmUp,
    /// The same reading, bit for bit, came eight times in a row or more: nothing is learned from a stuck sensor.
    StuckSensor,
    /// A coefficient was cut off at the largest there is.
    Saturated,
    /// The step was so small beside the coefficients of others that it was rounded to zero: the example takes a slot and
    /// has no say.
    Underflow,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Warning::WarmUp => "the scale warms up: nothing else was learned",
            Warning::StuckSensor => "the reading repeats itself: nothing was learned",
            Warning::Saturated => "a coefficient reached the largest there is",
            Warning::Underflow => "the step was rounded to zero beside larger coefficients",
        })
    }
}

impl<L> Outcome<L> {
    /// The same with another kind of label.
    pub fn map<M>(self, label: impl FnOnce(L) -> M) -> Outcome<M> {
        Outcome {
            predicted: label(self.predicted),
            score: self.score,
            mistake: self.mistake,
            admission: self.admission,
            warning: self.warning,
        }
    }

    /// Whether the example moved the hypothesis.
    pub fn changed(&self) -> bool {
        self.admission.is_some_and(Admission::changed)
    }
}

/// Anything that predicts, then learns, one example at a time.
pub trait OnlineClassifier {
    /// Type of a sample.
    type Input: ?Sized;
    /// Class label.
    type Label: Label;

    /// Label of `x` and the score behind it, as [`Outcome`] has them: signed with two classes, the
    /// winner's with more.
    fn predict_scored(&self, x: &Self::Input) -> Result<(Self::Label, f32), InputError>;

    /// Label of `x`. A model without examples returns class 0, not an error.
    #[inline]
    fn predict(&self, x: &Self::Input) -> Result<Self::Label, InputError> {
        Ok(self.predict_scored(x)?.0)
    }

    /// Whether there is a class of that label.
    fn has_class(&self, label: Self::Label) -> bool;

    /// Whether [`learn_with_id`](Self::learn_with_id) would take the example; an error
    /// says why not. While a [scale](crate::storage::scale) warms up more is taken than that.
    fn validate(
        &self,
        x: &Self::Input,
        label: Self::Label,
        id: Option<u32>,
    ) -> Result<(), InputError>;

    /// Predicts `x`, then learns its true label. `id` is the example's number in
    /// a finite set, for learners that want to know it again.
    ///
    /// An error means that the example was refused and nothing changed.
    fn learn_with_id(
        &mut self,
        x: &Self::Input,
        label: Self::Label,
        id: Option<u32>,
    ) -> Result<Outcome<Self::Label>, InputError>;

    /// Predicts `x`, then learns its true label.
    ///
    /// An error means that the example was refused and nothing changed.
    fn learn(
        &mut self,
        x: &Self::Input,
        label: Self::Label,
    ) -> Result<Outcome<Self::Label>, InputError> {
        self.learn_with_id(x, label, None)
    }
}

/// A binary classifier: its score can be compared with others. Every learner of two classes is one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no single score of two classes",
    note = "for probabilities of several classes take `confidence::Confident<L, C>` instead of `Calibrated<L>`"
)]
pub trait Scorer: OnlineClassifier<Label = Sign> {
    /// Signed confidence; positive means [`Sign::Pos`].
    fn score(&self, x: &Self::Input) -> Result<f32, InputError>;
}

impl<L: OnlineClassifier<Label = Sign> + ?Sized> Scorer for L {
    #[inline]
    fn score(&self, x: &Self::Input) -> Result<f32, InputError> {
        Ok(self.predict_scored(x)?.1)
    }
}

/// A learner around another one, which does what the outer one does not change.
///
/// It is a [`RemoteModel`] if the learner inside is.
pub trait Wrapper: OnlineClassifier + Sized {
    /// The learner inside.
    type Learner: OnlineClassifier<Label = Self::Label>;

    /// Bytes at most that it adds to the image of the learner inside: its numbers in whole words, and its name.
    const MAX_OWN_BYTES: usize = 2 * (size_of::<Self>() - size_of::<Self::Learner>()) + 64;

    /// The learner inside.
    fn learner(&self) -> &Self::Learner;

    /// The learner inside, to be changed.
    fn learner_mut(&mut self) -> &mut Self::Learner;

    /// Asks the learner inside about `x` as that learner sees it.
    fn ask<R>(
        &self,
        x: &Self::Input,
        question: impl FnOnce(&Self::Learner, &InnerInput<Self>) -> Result<R, InputError>,
    ) -> Result<R, InputError>;

    /// Whether `x` is like what was learned, if this wrapper can tell.
    fn wrapped_known(&self, _x: &Self::Input) -> Result<Option<bool>, InputError> {
        Ok(None)
    }

    /// Confidence of the prediction for `x`.
    fn wrapped_confidence(&self, x: &Self::Input) -> Result<Confidence, InputError>
    where
        Self::Learner: RemoteModel,
    {
        let confidence = self.ask(x, |learner, x| learner.confidence(x))?;
        Ok(Confidence {
            known: self.wrapped_known(x)?.or(confidence.known),
            ..confidence
        })
    }

    /// Changes the learner inside. An error means that nothing changed.
    fn wrapped_edit(&mut self, edit: Edit) -> Result<(), EditError>
    where
        Self::Learner: RemoteModel,
    {
        self.learner_mut().edit(edit)
    }

    /// Rehearses what is stored; how many took a step.
    fn wrapped_rehearse(&mut self, steps: u16) -> Result<u16, EditError>
    where
        Self::Learner: RemoteModel,
    {
        self.learner_mut().rehearse_steps(steps)
    }

    /// Recall of a class.
    fn wrapped_recall(&self, class: Class) -> Option<Recall>
    where
        Self::Learner: RemoteModel,
    {
        self.learner().recall_of(class)
    }

    /// Examples of a class, if the learner counts them.
    fn wrapped_examples(&self, class: Class) -> Option<u32>
    where
        Self::Learner: RemoteModel,
    {
        self.learner().examples_of(class)
    }

    /// Steps of rehearsal that are still to be done, if the learner counts them.
    fn wrapped_rehearsals_owed(&self) -> Option<u16>
    where
        Self::Learner: RemoteModel,
    {
        self.learner().rehearsals_owed()
    }

    /// Sets how many consecutive examples share data.
    fn wrapped_set_overlap(&mut self, examples: u16)
    where
        Self::Learner: RemoteModel,
    {
        self.learner_mut().set_overlap(examples);
    }
}

impl<W: Wrapper<Learner: BoundedImage> + Persist> BoundedImage for W {
    const MAX_BYTES: usize = W::Learner::MAX_BYTES + W::MAX_OWN_BYTES;

    fn sealed(&self, _: crate::sealed::Token) {}
}

/// Input of the learner inside a wrapper.
pub type InnerInput<W> = <<W as Wrapper>::Learner as OnlineClassifier>::Input;

/// Implements [`OnlineClassifier`] and [`Wrapper`] for a struct whose field `learner` of the type `L` sees inputs
/// as they are. The first braces have the body of `learn_with_id`, the second ones what else differs.
macro_rules! wrapper {
    ([$($generics:tt)*] $wrapper:ty { $($learn:tt)* } { $($own:tt)* }) => {
        $crate::classifier::wrapper!(@classifier [$($generics)*] $wrapper, L { $($learn)* });
        $crate::classifier::wrapper!(@wrapper [$($generics)*] $wrapper, L { $($own)* });
    };
    (@classifier [$($generics:tt)*] $wrapper:ty, $learner:ty {
        $(#[$attribute:meta])*
        learn($self:ident, $x:ident, $label:ident, $id:ident) $body:block
    }) => {
        impl<$($generics)*> OnlineClassifier for $wrapper {
            type Input = <$learner as OnlineClassifier>::Input;
            type Label = <$learner as OnlineClassifier>::Label;

            #[inline]
            fn predict_scored(&self, x: &Self::Input) -> Result<(Self::Label, f32), InputError> {
                self.learner.predict_scored(x)
            }

            fn has_class(&self, label: Self::Label) -> bool {
                self.learner.has_class(label)
            }

            fn validate(
                &self,
                x: &Self::Input,
                label: Self::Label,
                id: Option<u32>,
            ) -> Result<(), InputError> {
                self.learner.validate(x, label, id)
            }

            $(#[$attribute])*
            fn learn_with_id(
                &mut $self,
                $x: &Self::Input,
                $label: Self::Label,
                $id: Option<u32>,
            ) -> Result<Outcome<Self::Label>, InputError> $body
        }
    };
    (@wrapper [$($generics:tt)*] $wrapper:ty, $learner:ty { $($own:tt)* }) => {
        impl<$($generics)*> $crate::classifier::Wrapper for $wrapper {
            type Learner = $learner;

            #[inline]
            fn learner(&self) -> &Self::Learner {
                &self.learner
            }

            #[inline]
            fn learner_mut(&mut self) -> &mut Self::Learner {
                &mut self.learner
            }

            #[inline]
            fn ask<Answer>(
                &self,
                x: &Self::Input,
                question: impl FnOnce(&Self::Learner, &Self::Input) -> Result<Answer, InputError>,
            ) -> Result<Answer, InputError> {
                question(&self.learner, x)
            }

            $($own)*
        }
    };
}
pub(crate) use wrapper;
