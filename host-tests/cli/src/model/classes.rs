//! Learners of several classes.
//!
//! In the core the number of classes is part of the type. So is it here: one copy
//! for each number up to 32, around learners whose type is forgotten. Copies for
//! shared support vectors are larger, and end at 16 (those that merge are also there for 26 and 32), so that they
//! compile in time.

pub mod continual;

use pocketron::{
    error::InputError,
    label::{Class, Sign},
    learners::multiclass::{OneVsRest, SharedSupport},
};

use super::{
    BoxedLearner, Build as _, DynLearner, ModelInfo, Shape, UnknownShape,
    binary::points,
    parameters,
    parts::{self, PlainRule, SlotPolicy},
};
use crate::{heap::Heap, kernel::AnyKernel};
use continual::several_classes;
pub use continual::{BinaryUpdate, two_classes};

/// The learner of that shape, to be restored from an image.
pub fn leaf(shape: &Shape) -> Result<BoxedLearner<Class>, UnknownShape> {
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
        ("continual", [classes, ..]) => for_classes!(classes, several_classes,
            2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 26 32),
        _ => Err(shape.unknown("learner of several classes")),
    }
}

fn one_vs_rest<const C: usize>(shape: &Shape) -> Result<BoxedLearner<Class>, UnknownShape> {
    let [_, learner] = shape.parts.as_slice() else {
        return Err(shape.unknown("model"));
    };
    let learner: BoxedLearner<Sign> = Sign::build(learner)?;
    Ok(BoxedLearner::new(OneVsRest::<_, C>::of(&learner)))
}

impl<const C: usize> DynLearner<Class> for OneVsRest<BoxedLearner<Sign>, C> {
    fn scores(&self, x: &[f32]) -> Result<((Class, f32), Vec<f32>), InputError> {
        let scores = self.scores(x)?;
        Ok((self.winner(&scores), scores.to_vec()))
    }

    fn duplicate(&self) -> BoxedLearner<Class> {
        BoxedLearner::new(self.clone())
    }

    fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)> {
        let classes = (0..=u8::MAX).map(Class).take(C);
        let learner = |class| {
            let model_info = self.learner(class).map(BoxedLearner::model_info);
            ModelInfo::of_all(model_info.unwrap_or_default())
        };
        classes
            .map(|class| (Some(self.seen(class)), learner(class)))
            .collect()
    }
}

type Shared<const C: usize> = SharedSupport<AnyKernel, SlotPolicy, Heap, C, PlainRule>;

fn shared_support<const C: usize>(shape: &Shape) -> Result<BoxedLearner<Class>, UnknownShape> {
    let [_, set, kernel, policy, rule] = shape.parts.as_slice() else {
        return Err(shape.unknown("model"));
    };
    let (kernel, policy) = (parts::kernel(kernel)?, SlotPolicy::of(policy)?);
    let (rule, points) = (PlainRule::of(rule)?, points(set)?);
    let learner = Shared::<C>::with_points(kernel, policy, rule, points);
    Ok(BoxedLearner::new(learner))
}

impl<const C: usize> DynLearner<Class> for Shared<C> {
    fn scores(&self, x: &[f32]) -> Result<((Class, f32), Vec<f32>), InputError> {
        let scores = self.scores(x)?;
        Ok((self.winner(&scores), scores.to_vec()))
    }

    fn duplicate(&self) -> BoxedLearner<Class> {
        BoxedLearner::new(self.clone())
    }

    fn model_info(&self) -> Vec<(Option<u32>, ModelInfo)> {
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
                let model_info = ModelInfo {
                    vectors,
                    recall: None,
                    parts,
                };
                (Some(self.seen(class)), model_info)
            })
            .collect()
    }
}
