//! A learner of two classes that knows how often it is right.

use super::Platt;
use crate::{
    classifier::{Confidence, OnlineClassifier, Outcome, RemoteModel, Scorer},
    error::InputError,
    label::Sign,
    persist::{Blank, Ready, Restart},
};

/// A binary learner with [probabilities](Platt): `L` and 12 bytes.
///
/// It predicts and learns as `L` does, bit for bit. What is calibrated is the score by which `L` predicts in the stream:
/// the one of its current hypothesis. With a [history](crate::history) other than the last hypothesis, answers outside of
/// the stream have other scores.
///
/// Several classes have no single score. For them there is [`Confident`](super::Confident), and this does not compile:
///
/// ```compile_fail,E0277
/// use pocketron::{label::Class, prelude::*, wrap::confidence::Calibrated};
///
/// let mut model = Calibrated::<PocketronMulti<2, 20, 3>>::new();
/// OnlineClassifier::learn(&mut model, &[0.0, 1.0], Class(2)); // several classes: take `Confident`
/// ```
#[derive(Clone, Debug)]
pub struct Calibrated<L> {
    learner: L,
    platt: Platt,
}

impl<L: Ready> Calibrated<L> {
    /// Nothing seen yet, around a learner that has no parameter to set.
    pub const fn new() -> Self {
        Self::of(L::BLANK)
    }
}

impl<L: Ready> Default for Calibrated<L> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L> Calibrated<L> {
    /// Nothing seen yet, around a learner.
    pub const fn of(learner: L) -> Self {
        Calibrated {
            learner,
            platt: Platt::BLANK,
        }
    }

    /// The learner.
    pub const fn learner(&self) -> &L {
        &self.learner
    }

    /// The learner, to be configured. To teach it directly would leave out the probabilities.
    pub const fn learner_mut(&mut self) -> &mut L {
        &mut self.learner
    }

    /// From scores to probabilities.
    pub const fn platt(&self) -> &Platt {
        &self.platt
    }
}

impl<L: Scorer> Calibrated<L> {
    /// The probability that `x` is of [`Sign::Pos`].
    pub fn probability(&self, x: &L::Input) -> Result<f32, InputError> {
        Ok(self.platt.probability(self.learner.score(x)?))
    }

    /// The probability that the [prediction](OnlineClassifier::predict) for `x` is right.
    pub fn confidence(&self, x: &L::Input) -> Result<f32, InputError> {
        Ok(self.answer(x)?.1)
    }

    /// Label of `x`, or `None` where it is right with a probability below `threshold`.
    pub fn predict_or_reject(
        &self,
        x: &L::Input,
        threshold: f32,
    ) -> Result<Option<Sign>, InputError> {
        let (label, confidence) = self.answer(x)?;
        Ok((confidence >= threshold).then_some(label))
    }

    fn answer(&self, x: &L::Input) -> Result<(Sign, f32), InputError> {
        let score = self.learner.score(x)?;
        let (label, positive) = (Sign::of(score), self.platt.probability(score));
        let right = match label {
            Sign::Pos => positive,
            Sign::Neg => 1.0 - positive,
        };
        Ok((label, right))
    }
}

impl<L: Ready> Ready for Calibrated<L> {}

crate::classifier::wrapper!([L: Scorer] Calibrated<L> {
    #[inline]
    learn(self, x, label, id) {
        let outcome = self.learner.learn_with_id(x, label, id)?;
        self.platt.learn(outcome.score, label);
        Ok(outcome)
    }
} {
    fn wrapped_confidence(&self, x: &L::Input) -> Result<Confidence, InputError>
    where
        L: RemoteModel,
    {
        Ok(Confidence {
            probability: Some(self.confidence(x)?),
            ..self.learner.confidence(x)?
        })
    }
});

impl<L: Restart> Restart for Calibrated<L> {
    fn restart(&mut self) {
        self.learner.restart();
        self.platt = Platt::BLANK;
    }
}

crate::persist::persist!([L] Calibrated<L> as "calibrated" { learner, platt });
