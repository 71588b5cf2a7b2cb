//! Classes over shared vectors of bytes that merge.

use pocketron::{
    error::{ConfigError, InputError},
    image::{ImageError, Persist, Reader, Shape as ShapeWriter, Writer},
    kernel::Relevance,
    label::Class,
    multiclass::{Each, SharedMerging, Steps, Top, Update},
    perceptron::{OnlineClassifier, Outcome},
};

use super::won;
use crate::{
    device::Prediction,
    heap::Heap,
    model::{
        Facts, Model, Shape, UnknownShape,
        binary::{Front, dim, points, seen_by_scale},
        parameters,
        parts::PlainRule,
    },
    scaled::Scaled,
};

/// Either update.
enum AnyUpdate<const C: usize> {
    Top(Top<PlainRule>),
    Each(Each<PlainRule, C>),
}

impl<const C: usize> AnyUpdate<C> {
    fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        match shape.pattern() {
            ("top", [rule]) => Ok(AnyUpdate::Top(Top::new(PlainRule::of(rule)?))),
            ("each", [rule]) => Ok(AnyUpdate::Each(Each::new(PlainRule::of(rule)?))),
            _ => Err(shape.unknown("update")),
        }
    }

    fn inside(&self) -> &dyn Persist {
        match self {
            AnyUpdate::Top(update) => update,
            AnyUpdate::Each(update) => update,
        }
    }
}

impl<const C: usize> Update<C> for AnyUpdate<C> {
    fn steps(&mut self, scores: &[Option<f32>; C], label: Class) -> Steps<C> {
        match self {
            AnyUpdate::Top(update) => update.steps(scores, label),
            AnyUpdate::Each(update) => update.steps(scores, label),
        }
    }

    fn check(&self) -> Result<(), ConfigError> {
        match self {
            AnyUpdate::Top(update) => Update::<C>::check(update),
            AnyUpdate::Each(update) => update.check(),
        }
    }

    fn restart(&mut self) {
        match self {
            AnyUpdate::Top(update) => Update::<C>::restart(update),
            AnyUpdate::Each(update) => update.restart(),
        }
    }
}

impl<const C: usize> Persist for AnyUpdate<C> {
    fn shape(&self, shape: &mut ShapeWriter<'_>) {
        self.inside().shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.inside().save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        match self {
            AnyUpdate::Top(update) => update.load(reader),
            AnyUpdate::Each(update) => update.load(reader),
        }
    }
}

type Learner<const C: usize> = SharedMerging<Relevance<Heap<i8>>, Heap<i8>, C, AnyUpdate<C>>;

/// The learner that is alone in its image.
pub fn alone<const C: usize>(shape: &Shape) -> Result<Box<dyn Model>, UnknownShape> {
    let (learner, dim) = learner::<C>(shape)?;
    Ok(Box::new(Scaled::rounding(Box::new(learner), dim)))
}

/// The learner behind a scale.
pub fn standardized<const C: usize>(shape: &Shape) -> Result<Box<dyn Model>, UnknownShape> {
    let front = Front::of(shape)?;
    let (learner, dim) = learner::<C>(front.learner)?;
    Ok(Box::new(front.before(Box::new(learner), dim)))
}

fn learner<const C: usize>(shape: &Shape) -> Result<(Learner<C>, usize), UnknownShape> {
    let [_, set, kernel, update] = shape.parts.as_slice() else {
        return Err(shape.unknown("model"));
    };
    if kernel.to_string() != "relevance" {
        return Err(kernel.unknown("kernel of several classes that merge"));
    }
    let dim = dim(set);
    let kernel = Relevance::new().with_features(dim);
    let learner = Learner::with_points(kernel, AnyUpdate::of(update)?, points(set)?);
    Ok((learner, dim))
}

impl<const C: usize> Model for Scaled<Learner<C>> {
    fn learn(&mut self, x: &[f32], class: Class) -> Result<Outcome<Class>, InputError> {
        OnlineClassifier::learn(self, x, class)
    }

    fn predict(&self, x: &[f32]) -> Result<Prediction, InputError> {
        let learner = self.learner();
        let scores = learner.scores(&self.standardise::<i8>(x)?)?;
        Ok(won(learner.winner(&scores), &scores))
    }

    fn facts(&self) -> Vec<(Option<u32>, Facts)> {
        let learner = self.learner();
        let facts = |class: Class| {
            let coefficients = learner.coefficients(class);
            let used = coefficients.filter(|coefficient| *coefficient != 0.0);
            let mut parts = vec![parameters(learner.kernel()), parameters(learner.update())];
            parts.extend(seen_by_scale(self.seen()));
            Facts {
                vectors: Some((used.count(), learner.support().capacity())),
                parts,
            }
        };
        let classes = (0..=u8::MAX).map(Class).take(C);
        classes
            .map(|class| (Some(learner.seen(class)), facts(class)))
            .collect()
    }
}
