//! Who learns.

use anyhow::{Context, Result, bail};
use pocketron::{error::InputError, kernel::Gaussian, label::Sign};

use super::{default_learner, stream::Example, task::Task};
use crate::{
    kernel::AnyKernel,
    learner::{self, Algorithm, Learner, Settings},
};

/// A learner of any number of classes whose type is forgotten.
pub trait Model {
    /// Learns an example.
    ///
    /// # Errors
    ///
    /// It is refused, and nothing has changed.
    fn learn(&mut self, x: &[f32], class: u8) -> Result<(), InputError>;

    /// The class of a point.
    ///
    /// # Errors
    ///
    /// The point or the score of the model is not finite.
    fn predict(&self, x: &[f32]) -> Result<u8, InputError>;
}

impl dyn Model + '_ {
    /// Learns an example of a stream.
    pub(super) fn learn_example(&mut self, example: &Example) -> Result<(), InputError> {
        self.learn(example.features(), example.class)
    }
}

/// A learner that takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedLearner {
    /// The default learner for two classes.
    Pocketron,
    /// The default learner for any number of classes.
    PocketronMulti,
    /// Tightest.
    Tightest,
    /// Self-tuned Forgetron.
    Forgetron,
    /// Budget perceptron that merges, with unit margin.
    Merging,
    /// Projectron that stops storing when it is full.
    Projectron,
    /// Stops learning when it is full.
    Stoptron,
}

impl ComparedLearner {
    /// All of them, in the order of the tables.
    pub const ALL: [Self; 7] = [
        ComparedLearner::Pocketron,
        ComparedLearner::PocketronMulti,
        ComparedLearner::Tightest,
        ComparedLearner::Forgetron,
        ComparedLearner::Merging,
        ComparedLearner::Projectron,
        ComparedLearner::Stoptron,
    ];

    /// Those that go on learning all their life: they are drawn, and meet disturbances.
    pub const LASTING: [Self; 5] = [
        ComparedLearner::Pocketron,
        ComparedLearner::PocketronMulti,
        ComparedLearner::Tightest,
        ComparedLearner::Forgetron,
        ComparedLearner::Merging,
    ];

    /// Its name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            ComparedLearner::Pocketron => "Pocketron",
            ComparedLearner::PocketronMulti => "PocketronMulti",
            ComparedLearner::Tightest => "Tightest",
            ComparedLearner::Forgetron => "Forgetron",
            ComparedLearner::Merging => "merging",
            ComparedLearner::Projectron => "Projectron",
            ComparedLearner::Stoptron => "Stoptron",
        }
    }

    /// The algorithm of a paper, and the margin within which it learns; nothing for our own learners.
    const fn paper(self) -> Option<(Algorithm, f32)> {
        Some(match self {
            ComparedLearner::Pocketron | ComparedLearner::PocketronMulti => return None,
            ComparedLearner::Tightest => (Algorithm::Tightest, 0.0),
            ComparedLearner::Forgetron => (Algorithm::Forgetron, 0.0),
            ComparedLearner::Merging => (Algorithm::Merge, 1.0),
            ComparedLearner::Projectron => (Algorithm::Projectron, 0.0),
            ComparedLearner::Stoptron => (Algorithm::Stoptron, 0.0),
        })
    }

    /// Whether it is ours.
    pub const fn is_own(self) -> bool {
        self.paper().is_none()
    }

    /// Whether it can learn as many classes as a task has.
    pub fn fits(self, task: &Task) -> bool {
        task.classes == 2 || self == ComparedLearner::PocketronMulti
    }

    /// The learner, before its first example.
    ///
    /// # Errors
    ///
    /// It cannot learn that many classes, or is not made for the shape of the task.
    pub fn build(self, task: &Task) -> Result<Box<dyn Model>> {
        if !self.fits(task) {
            bail!("{} cannot learn {} classes", self.name(), task.classes);
        }
        let Some((algorithm, margin)) = self.paper() else {
            return default_learner::build(self, task);
        };
        let gamma = task.gamma.context("no width for the kernel")?;
        let settings = Settings {
            kernel: Some(AnyKernel::Gaussian(Gaussian::new(gamma)?)),
            budget: Some(task.budget),
            margin,
            seed: 1,
            tolerance: 0.0,
            aggressiveness: 1.0,
            lambda: None,
        };
        // None of these asks how many examples there will be.
        let learner = learner::build(algorithm, &settings, task.dim, 1)?;
        Ok(Box::new(Paper(learner)))
    }
}

/// A learner of a paper: class 1 is positive.
struct Paper(Box<dyn Learner>);

impl Model for Paper {
    fn learn(&mut self, x: &[f32], class: u8) -> Result<(), InputError> {
        self.0.learn(x, sign(class)).map(|_| ())
    }

    fn predict(&self, x: &[f32]) -> Result<u8, InputError> {
        Ok(number(Sign::of(self.0.score(x)?)))
    }
}

/// The sign that stands for a class of two.
pub(super) fn sign(class: u8) -> Sign {
    if class == 1 { Sign::Pos } else { Sign::Neg }
}

/// The class of two that a sign stands for.
pub(super) fn number(sign: Sign) -> u8 {
    u8::from(sign == Sign::Pos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::pocketron::long_life::TASKS;

    #[test]
    fn there_is_a_learner_for_every_task_that_fits() {
        for task in &TASKS {
            for learner in ComparedLearner::ALL {
                let built = learner.build(task);
                assert_eq!(built.is_ok(), learner.fits(task));
                let Ok(mut model) = built else {
                    continue;
                };
                let x = vec![0.5; task.dim];
                model.learn(&x, task.classes - 1).expect("a good example");
                assert!(model.predict(&x).is_ok_and(|class| class < task.classes));
                let one_more = vec![0.5; task.dim + 1];
                assert!(model.learn(&one_more, 0).is_err(), "{}", learner.name());
            }
        }
    }
}
