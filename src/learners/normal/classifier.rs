//! The model as a learner of two classes: 0 is normal, 1 anomalous. Only normal samples can be taught.

use super::Normal;
use crate::{
    classifier::{Confidence, Edit, OnlineClassifier, Outcome, RemoteModel},
    error::{EditError, InputError},
    label::Class,
    storage::point::is_finite,
};

const NORMAL: Class = Class(0);
const ANOMALOUS: Class = Class(1);

impl<const D: usize, const B: usize> OnlineClassifier for Normal<D, B> {
    type Input = [f32; D];
    type Label = Class;

    /// The score is that of an anomaly, whatever the label.
    fn predict_scored(&self, x: &[f32; D]) -> Result<(Class, f32), InputError> {
        let score = self.score(x)?;
        let is_anomalous = self.is_ready() && score > self.threshold();
        Ok((Class(is_anomalous.into()), score))
    }

    /// Only normal samples are learned.
    fn has_class(&self, label: Class) -> bool {
        label == NORMAL
    }

    fn validate(&self, x: &[f32; D], label: Class, _: Option<u32>) -> Result<(), InputError> {
        if !self.has_class(label) {
            Err(InputError::UnknownClass)
        } else if !is_finite(x) {
            Err(InputError::NonFinite)
        } else {
            Ok(())
        }
    }

    fn learn_with_id(
        &mut self,
        x: &[f32; D],
        label: Class,
        id: Option<u32>,
    ) -> Result<Outcome<Class>, InputError> {
        self.validate(x, label, id)?;
        self.learn(x)
    }
}

impl<const D: usize, const B: usize> RemoteModel for Normal<D, B> {
    const CLASSES: usize = 2;

    /// Normal has the threshold for a score, anomalous the score: the larger one wins.
    fn score_classes(
        &self,
        x: &[f32; D],
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let (class, score) = self.predict_scored(x)?;
        let threshold = self.threshold();
        each(threshold);
        each(score);
        let winner = if class == ANOMALOUS { score } else { threshold };
        Ok((class, winner))
    }

    fn confidence(&self, x: &[f32; D]) -> Result<Confidence, InputError> {
        let is_anomalous = self.detect(x)?;
        Ok(Confidence {
            class: Some(Class(is_anomalous.into())),
            probability: None,
            known: Some(!is_anomalous),
        })
    }

    fn can_forget(&self, class: Class) -> Result<(), EditError> {
        if self.has_class(class) {
            Ok(())
        } else {
            Err(EditError::UnknownClass)
        }
    }

    fn edit(&mut self, edit: Edit) -> Result<(), EditError> {
        let Edit::Forget(class) = edit else {
            return Err(EditError::Unsupported);
        };
        self.can_forget(class)?;
        self.reset();
        Ok(())
    }

    fn examples_of(&self, class: Class) -> Option<u32> {
        self.has_class(class).then_some(self.seen())
    }

    fn is_ready(&self) -> bool {
        self.is_ready()
    }
}
