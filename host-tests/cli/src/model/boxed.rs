//! Learners whose type is forgotten.

use pocketron::{
    budget::Counts,
    classifier::{OnlineClassifier, Outcome},
    device::Confidence,
    error::InputError,
    label::{Class, ClassLabel},
    learners::continual::Evidence,
    persist::{
        Blank, Convert, ImageError, Persist, Reader, Restart, Shape as ShapeWriter, StoredSizes,
        Writer,
    },
    storage::scale::Moments,
    wrap::confidence::EvidenceSource,
};

use super::{Build, Model, ModelInfo, copies, predictor::Predictor};
use crate::device::Prediction;

/// A learner over the heap with labels `L` and features of the format `F`: all that its wrappers and the commands ask of
/// it.
pub trait DynLearner<L: ClassLabel, F = f32>:
    OnlineClassifier<Input = [F], Label = L> + Restart + Persist
{
    /// Label and score of `x`, and the scores of all classes.
    fn scores(&self, x: &[F]) -> Result<((L, f32), Vec<f32>), InputError> {
        let judged = self.predict_scored(x)?;
        Ok((judged, vec![judged.1]))
    }

    /// Signed coefficients of the support vectors, in slot order; none of a learner without, or of several classes.
    fn alphas(&self) -> Vec<f32> {
        Vec::new()
    }

    /// Tightest's counts, in slot order.
    fn counts(&self) -> Option<&[Counts]> {
        None
    }

    /// Of each class that has a learner of its own: its examples, if they are counted, and what it is.
    fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)>;

    /// Name and state of each wrapper, the outermost first.
    fn wrappers(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Confidence for `x` by its wrappers.
    fn confidence(&self, _x: &[F]) -> Result<Confidence, InputError> {
        Ok(Confidence::default())
    }

    /// The same, if it can say what its answers come from.
    fn evidence_source(&self) -> Option<&dyn EvidenceSource<Input = [F], Label = L>> {
        None
    }

    /// Weight of each feature in the kernel, if it learns any.
    fn feature_weights(&self) -> Option<Vec<f32>> {
        None
    }

    /// The same, if it can be loaded from a model of other sizes.
    fn convertible(&mut self) -> Option<&mut dyn Convert> {
        None
    }

    /// The numbers of a prediction, if it is the default learner.
    fn predictor(&self) -> Option<Predictor> {
        None
    }

    /// A copy.
    fn duplicate(&self) -> BoxedLearner<L, F>;
}

/// A learner whose type is forgotten, so that the wrappers of the core go around it.
pub struct BoxedLearner<L, F = f32>(Option<Box<dyn DynLearner<L, F>>>);

/// Why there is a learner in every box: a blank one is only loaded into.
const BUILT: &str = "a learner is built before it is used";

impl<L: ClassLabel, F> BoxedLearner<L, F> {
    /// Forgets the type.
    pub fn new(learner: impl DynLearner<L, F> + 'static) -> Self {
        BoxedLearner(Some(Box::new(learner)))
    }

    fn own(&self) -> &dyn DynLearner<L, F> {
        self.0.as_deref().expect(BUILT)
    }

    fn own_mut(&mut self) -> &mut dyn DynLearner<L, F> {
        self.0.as_deref_mut().expect(BUILT)
    }

    /// Signed coefficients of the support vectors, in slot order; none of a learner without, or of several classes.
    pub fn alphas(&self) -> Vec<f32> {
        self.own().alphas()
    }

    /// Tightest's counts, in slot order.
    pub fn counts(&self) -> Option<&[Counts]> {
        self.own().counts()
    }

    /// Of each class that has a learner of its own: its examples, if they are counted, and what it is.
    pub fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)> {
        self.own().model_info()
    }

    /// Name and state of each wrapper, the outermost first.
    pub fn wrappers(&self) -> Vec<(&'static str, String)> {
        self.own().wrappers()
    }

    /// Weight of each feature in the kernel, if it learns any.
    pub fn feature_weights(&self) -> Option<Vec<f32>> {
        self.own().feature_weights()
    }

    /// Label and score of `x`, and the scores of all classes.
    pub fn scores(&self, x: &[F]) -> Result<((L, f32), Vec<f32>), InputError> {
        self.own().scores(x)
    }

    /// Confidence for `x` by its wrappers.
    pub fn confidence(&self, x: &[F]) -> Result<Confidence, InputError> {
        self.own().confidence(x)
    }
}

impl<L: ClassLabel, F> Clone for BoxedLearner<L, F> {
    fn clone(&self) -> Self {
        self.0
            .as_ref()
            .map_or(BoxedLearner(None), |own| own.duplicate())
    }
}

/// Empty, to read a copy of a model into: see `copies`.
impl<L: ClassLabel, F> Blank for BoxedLearner<L, F> {
    const BLANK: Self = BoxedLearner(None);
}

impl<L: ClassLabel, F> OnlineClassifier for BoxedLearner<L, F> {
    type Input = [F];
    type Label = L;

    fn predict_scored(&self, x: &[F]) -> Result<(L, f32), InputError> {
        self.own().predict_scored(x)
    }

    fn has_class(&self, label: L) -> bool {
        self.own().has_class(label)
    }

    fn validate(&self, x: &[F], label: L, id: Option<u32>) -> Result<(), InputError> {
        self.own().validate(x, label, id)
    }

    fn learn_with_id(
        &mut self,
        x: &[F],
        label: L,
        id: Option<u32>,
    ) -> Result<Outcome<L>, InputError> {
        self.own_mut().learn_with_id(x, label, id)
    }
}

/// Why there is evidence: `Confident` goes around no other learner.
const TELLS: &str = "only the default learner is asked for evidence";

impl<L: ClassLabel, F> BoxedLearner<L, F> {
    fn source(&self) -> &dyn EvidenceSource<Input = [F], Label = L> {
        self.own().evidence_source().expect(TELLS)
    }
}

impl<L: ClassLabel, F> EvidenceSource for BoxedLearner<L, F> {
    fn evidence(&self, x: &[F]) -> Result<Evidence, InputError> {
        self.source().evidence(x)
    }

    fn evidence_without(&self, slot: usize) -> Option<(Class, Evidence)> {
        self.source().evidence_without(slot)
    }

    fn vectors_of(&self, class: Class) -> u16 {
        self.source().vectors_of(class)
    }

    fn occupancy(&self) -> (usize, usize) {
        self.source().occupancy()
    }

    fn has_seen(&self, class: Class) -> bool {
        self.source().has_seen(class)
    }

    fn has_merged(&self) -> bool {
        self.source().has_merged()
    }

    fn moments(&self) -> &[Moments] {
        self.source().moments()
    }
}

impl<L: ClassLabel, F> Restart for BoxedLearner<L, F> {
    fn restart(&mut self) {
        self.own_mut().restart();
    }
}

impl<L: Build<F>, F> Persist for BoxedLearner<L, F> {
    fn shape(&self, shape: &mut ShapeWriter<'_>) {
        match &self.0 {
            Some(own) => own.shape(shape),
            None => copies::current().write(shape),
        }
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.own().save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        if self.0.is_none() {
            *self = L::build(&copies::current()).map_err(|_| ImageError::Malformed)?;
        }
        self.own_mut().load(reader)
    }
}

/// As what is inside; most learners load images of their own sizes only.
impl<L: Build<F>, F> Convert for BoxedLearner<L, F> {
    fn convert(
        &mut self,
        stored: &mut StoredSizes,
        reader: &mut Reader<'_>,
    ) -> Result<(), ImageError> {
        match self.own_mut().convertible() {
            Some(learner) => learner.convert(stored, reader),
            None => Err(stored.other()),
        }
    }
}

/// Labels as numbers of classes: of two classes, 0 is negative and 1 positive.
impl<L: Build<f32>> Model for BoxedLearner<L> {
    fn learn(&mut self, x: &[f32], class: Class) -> Result<Outcome<Class>, InputError> {
        let label = L::of_class(class).ok_or(InputError::UnknownClass)?;
        Ok(OnlineClassifier::learn(self, x, label)?.map(L::class))
    }

    fn predict(&self, x: &[f32]) -> Result<Prediction, InputError> {
        let ((label, score), scores) = self.scores(x)?;
        Ok(Prediction {
            class: label.class().0,
            score,
            scores,
            confidence: self.confidence(x)?,
        })
    }

    fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)> {
        self.model_info()
    }

    fn wrappers(&self) -> Vec<(&'static str, String)> {
        self.wrappers()
    }

    fn feature_weights(&self) -> Option<Vec<f32>> {
        self.feature_weights()
    }

    fn convertible(&mut self) -> &mut dyn Convert {
        self
    }

    fn predictor(&self) -> Option<Predictor> {
        self.own().predictor()
    }
}
