//! Learners of several classes.
//!
//! In the core the number of classes is part of the type. So is it here: one copy
//! for each number up to 32, around learners whose type is forgotten. Copies for
//! shared support vectors are larger, and end at 16 (those that merge are also there for 26 and 32), so that they
//! compile in time.

mod continual;

use std::array;

use pocketron::{
    error::InputError,
    image::{ImageError, Persist, Reader, Shape as ShapeWriter, Writer},
    label::{Class, Numbered as _, Sign},
    multiclass::{OneVsRest, SharedSupport},
    perceptron::{OnlineClassifier, Outcome, Scorer},
};

use super::{
    Facts, Model, Shape, UnknownShape,
    binary::{AnyBinary, points},
    parameters,
    parts::{PlainRule, SlotPolicy, StoredKernel},
};
use crate::{device::Prediction, heap::Heap};
use continual::{several_classes, two_classes};

/// The model of that shape, to be restored from an image.
pub fn model(shape: &Shape) -> Result<Box<dyn Model>, UnknownShape> {
    /// Builds for the number of classes that `$classes` says.
    macro_rules! for_classes {
        ($classes:expr, $build:ident, $($C:literal)*) => {
            match $classes.number() {
                $( Some($C) => $build::<$C>(shape), )*
                _ => Err($classes.unknown("number of classes")),
            }
        };
    }
    match shape.pattern() {
        ("one-vs-rest", [classes, _]) => for_classes!(classes, one_vs_rest,
            2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32),
        ("shared-support", [classes, ..]) => for_classes!(classes, shared_support,
            2 3 4 5 6 7 8 9 10 11 12 13 14 15 16),
        ("continual", [_, _, columns, ..]) if columns.number() == Some(1) => two_classes(shape),
        ("continual", [classes, ..]) => for_classes!(classes, several_classes,
            2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 26 32),
        _ => Ok(Box::new(TwoClasses(AnyBinary::of(shape)?))),
    }
}

/// A binary learner: class 0 is negative, class 1 positive.
struct TwoClasses(AnyBinary);

impl Model for TwoClasses {
    fn learn(&mut self, x: &[f32], class: Class) -> Result<Outcome<Class>, InputError> {
        let label = Sign::of_class(class).ok_or(InputError::UnknownClass)?;
        Ok(self.0.learn(x, label)?.map(Sign::class))
    }

    fn predict(&self, x: &[f32]) -> Result<Prediction, InputError> {
        let score = self.0.score(x)?;
        Ok(Prediction {
            class: Sign::of(score).class().0,
            score,
            scores: vec![score],
            probability: None,
            known: None,
        })
    }

    fn facts(&self) -> Vec<(Option<u32>, Facts)> {
        vec![(None, self.0.facts())]
    }
}

impl Persist for TwoClasses {
    fn shape(&self, shape: &mut ShapeWriter<'_>) {
        self.0.shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.0.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.0.load(reader)
    }
}

fn one_vs_rest<const C: usize>(shape: &Shape) -> Result<Box<dyn Model>, UnknownShape> {
    let [_, learner] = shape.parts.as_slice() else {
        return Err(shape.unknown("model"));
    };
    // Once to see whether it can be done.
    AnyBinary::of(learner)?;
    let learners: [AnyBinary; C] =
        array::from_fn(|_| AnyBinary::of(learner).expect("it was done before"));
    Ok(Box::new(OneVsRest::new(learners)))
}

impl<const C: usize> Model for OneVsRest<AnyBinary, C> {
    fn learn(&mut self, x: &[f32], class: Class) -> Result<Outcome<Class>, InputError> {
        OnlineClassifier::learn(self, x, class)
    }

    fn predict(&self, x: &[f32]) -> Result<Prediction, InputError> {
        let scores = self.scores(x)?;
        Ok(won(self.winner(&scores), &scores))
    }

    fn facts(&self) -> Vec<(Option<u32>, Facts)> {
        let classes = (0..=u8::MAX).map(Class).take(C);
        let learner = |class| {
            self.learner(class)
                .map(AnyBinary::facts)
                .unwrap_or_default()
        };
        classes
            .map(|class| (Some(self.seen(class)), learner(class)))
            .collect()
    }
}

type Shared<const C: usize> = SharedSupport<StoredKernel, SlotPolicy, Heap, C, PlainRule>;

fn shared_support<const C: usize>(shape: &Shape) -> Result<Box<dyn Model>, UnknownShape> {
    let [_, set, kernel, policy, rule] = shape.parts.as_slice() else {
        return Err(shape.unknown("model"));
    };
    let (kernel, policy) = (StoredKernel::of(kernel)?, SlotPolicy::of(policy)?);
    let (rule, points) = (PlainRule::of(rule)?, points(set)?);
    Ok(Box::new(Shared::<C>::with_points(
        kernel, policy, rule, points,
    )))
}

impl<const C: usize> Model for Shared<C> {
    fn learn(&mut self, x: &[f32], class: Class) -> Result<Outcome<Class>, InputError> {
        OnlineClassifier::learn(self, x, class)
    }

    fn predict(&self, x: &[f32]) -> Result<Prediction, InputError> {
        let scores = self.scores(x)?;
        Ok(won(self.winner(&scores), &scores))
    }

    fn facts(&self) -> Vec<(Option<u32>, Facts)> {
        let set = self.support();
        let classes = (0..=u8::MAX).map(Class).take(C);
        let used = |class| {
            let coefficients = self.coefficients(class).iter();
            coefficients
                .filter(|coefficient| **coefficient != 0.0)
                .count()
        };
        classes
            .map(|class| {
                let vectors = Some((used(class), set.capacity()));
                let mut parts = vec![parameters(self.kernel()), parameters(self.policy())];
                parts.extend(self.rule(class).map(|rule| parameters(rule)));
                let facts = Facts { vectors, parts };
                (Some(self.seen(class)), facts)
            })
            .collect()
    }
}

fn won((class, score): (Class, f32), scores: &[f32]) -> Prediction {
    Prediction {
        class: class.0,
        score,
        scores: scores.to_vec(),
        probability: None,
        known: None,
    }
}
