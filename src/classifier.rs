//! What every learner can do: predict, learn, say the score behind an answer.

mod remote_model;

pub use remote_model::{Confidence, Edit, Recall, RemoteModel};

use core::fmt;

use crate::{
    budget::Admission,
    error::{EditError, InputError},
    label::{Label, Sign},
};

/// What happened to one example.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Outcome<L> {
    /// Prediction made before learning from the example.
    pub predicted: L,
    /// Score behind that prediction.
    pub score: f32,
    /// Whether the prediction was wrong; a score of zero always is.
    pub mistake: bool,
    /// What became of the example, or `None` when the rule let it pass.
    pub admission: Option<Admission>,
    /// What the caller should know about the example.
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
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Warning::WarmUp => "the scale warms up: nothing else was learned",
            Warning::StuckSensor => "the reading repeats itself: nothing was learned",
            Warning::Saturated => "a coefficient reached the largest there is",
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
    /// What is classified.
    type Input: ?Sized;
    /// Class label.
    type Label: Label;

    /// Label of `x`.
    fn predict(&self, x: &Self::Input) -> Result<Self::Label, InputError>;

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

/// A binary classifier whose confidence can be compared with others.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no single score of two classes",
    note = "for probabilities of several classes take `confidence::Confident<L, C>` instead of `Calibrated<L>`"
)]
pub trait Scorer: OnlineClassifier<Label = Sign> {
    /// Signed confidence; positive means [`Sign::Pos`].
    fn score(&self, x: &Self::Input) -> Result<f32, InputError>;
}

/// A classifier of any number of classes that says what is behind its answer.
pub trait ScoredClassifier: OnlineClassifier {
    /// Label of `x` and the score behind it, as [`Outcome`] has them: signed with two classes, the
    /// winner's with more.
    fn predict_scored(&self, x: &Self::Input) -> Result<(Self::Label, f32), InputError>;
}

/// A learner around another one, which does what the outer one does not change.
///
/// It is a [`ScoredClassifier`] and a [`RemoteModel`] if the learner inside is.
pub trait Wrapper: OnlineClassifier {
    /// The learner inside.
    type Learner: OnlineClassifier<Label = Self::Label>;

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

    /// How sure the prediction for `x` is.
    fn wrapped_confidence(&self, x: &Self::Input) -> Result<Confidence, InputError>
    where
        Self::Learner: RemoteModel,
    {
        self.ask(x, |learner, x| learner.confidence(x))
    }

    /// Changes the learner inside. An error means that nothing changed.
    fn wrapped_edit(&mut self, edit: Edit) -> Result<(), EditError>
    where
        Self::Learner: RemoteModel,
    {
        self.learner_mut().edit(edit)
    }

    /// The learner inside has rehearsed as many vectors.
    fn after_rehearsal(&mut self, _steps: u16) {}
}

/// What the learner inside a wrapper classifies.
pub type InnerInput<W> = <<W as Wrapper>::Learner as OnlineClassifier>::Input;

impl<W: Wrapper<Learner: ScoredClassifier>> ScoredClassifier for W {
    #[inline]
    fn predict_scored(&self, x: &Self::Input) -> Result<(Self::Label, f32), InputError> {
        self.ask(x, |learner, x| learner.predict_scored(x))
    }
}

/// Implements [`OnlineClassifier`], [`Wrapper`] and [`Scorer`] for a struct whose field `learner` of the type `L` sees inputs
/// as they are. The first braces have its `learn_with_id`, the second ones what else differs.
macro_rules! wrapper {
    ([$($generics:tt)*] $wrapper:ty { $($learn:tt)* } { $($own:tt)* }) => {
        $crate::classifier::wrapper!(@classifier [$($generics)*] $wrapper, L { $($learn)* });
        $crate::classifier::wrapper!(@wrapper [$($generics)*] $wrapper, L { $($own)* });
        $crate::classifier::wrapper!(@scorer [$($generics)*] $wrapper);
    };
    (@classifier [$($generics:tt)*] $wrapper:ty, $learner:ty { $($learn:tt)* }) => {
        impl<$($generics)*> OnlineClassifier for $wrapper {
            type Input = <$learner as OnlineClassifier>::Input;
            type Label = <$learner as OnlineClassifier>::Label;

            #[inline]
            fn predict(&self, x: &Self::Input) -> Result<Self::Label, InputError> {
                self.learner.predict(x)
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

            $($learn)*
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
    (@scorer [$($generics:tt)*] $wrapper:ty) => {
        impl<$($generics)*> $crate::classifier::Scorer for $wrapper
        where
            L: $crate::classifier::Scorer,
            Self: OnlineClassifier<Input = L::Input, Label = $crate::label::Sign>,
        {
            #[inline]
            fn score(&self, x: &L::Input) -> Result<f32, InputError> {
                self.learner.score(x)
            }
        }
    };
}
pub(crate) use wrapper;
