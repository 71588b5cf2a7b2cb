//! The default learners, for the shapes of the tasks: the only place that names their types.

use anyhow::{Result, bail};
use pocketron::{
    classifier::OnlineClassifier,
    error::InputError,
    label::{Class, Sign},
    learners::{Pocketron, PocketronMulti},
};

use super::{
    compared_learner::{ComparedLearner, Model, number, sign},
    task::Task,
};

/// One of our learners for a task.
///
/// # Errors
///
/// It is not ours, or has no such shape.
pub fn build(learner: ComparedLearner, task: &Task) -> Result<Box<dyn Model>> {
    macro_rules! shapes {
        ($($dim:literal, $budget:literal, $classes:literal;)*) => {
            match (learner, task.dim, task.budget, task.classes) {
                $(
                    (ComparedLearner::Pocketron, $dim, $budget, $classes) => {
                        Box::new(TwoClasses(Pocketron::<$dim, $budget>::new()))
                    }
                    (ComparedLearner::PocketronMulti, $dim, $budget, $classes) => {
                        Box::new(Classes(PocketronMulti::<$dim, $budget, $classes>::new()))
                    }
                )*
                _ => bail!("no {learner:?} for {}", task.name),
            }
        };
    }
    Ok(shapes! {
        4, 32, 2;
        3, 32, 2;
        2, 64, 2;
        2, 64, 4;
    })
}

/// A learner of signs: class 1 is positive.
struct TwoClasses<L>(L);

/// A learner of classes.
struct Classes<L>(L);

impl<L, const D: usize> Model for TwoClasses<L>
where
    L: OnlineClassifier<Input = [f32; D], Label = Sign>,
{
    fn learn(&mut self, x: &[f32], class: u8) -> Result<(), InputError> {
        self.0.learn(point(x)?, sign(class)).map(|_| ())
    }

    fn predict(&self, x: &[f32]) -> Result<u8, InputError> {
        self.0.predict(point(x)?).map(number)
    }
}

impl<L, const D: usize> Model for Classes<L>
where
    L: OnlineClassifier<Input = [f32; D], Label = Class>,
{
    fn learn(&mut self, x: &[f32], class: u8) -> Result<(), InputError> {
        self.0.learn(point(x)?, Class(class)).map(|_| ())
    }

    fn predict(&self, x: &[f32]) -> Result<u8, InputError> {
        self.0.predict(point(x)?).map(|Class(class)| class)
    }
}

fn point<const D: usize>(x: &[f32]) -> Result<&[f32; D], InputError> {
    x.try_into().map_err(|_| InputError::WrongDimension)
}
