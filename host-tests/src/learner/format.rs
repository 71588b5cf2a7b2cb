//! Learners over features of other formats.

use std::borrow::Cow;

use clap::ValueEnum;
use pocketron::{
    budget::{Counts, Policy},
    error::InputError,
    kernel::KernelIn,
    label::Sign,
    perceptron::{KernelPerceptron, OnlineClassifier, Outcome, Scorer},
    point::Feature,
    rule::Rule,
    scale::UNCUT,
};

use super::{Learner, Shown};
use crate::{heap::Heap, scaled::Scaled};

/// How features are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// As they come.
    #[default]
    F32,
    /// 16 bits, standardised in the stream.
    I16,
    /// 8 bits, standardised in the stream.
    I8,
}

impl Format {
    /// The type of a feature.
    pub fn name(self) -> &'static str {
        match self {
            Format::F32 => "f32",
            Format::I16 => "i16",
            Format::I8 => "i8",
        }
    }
}

/// A format that a learner of raw rows can be made for.
pub trait HostFormat: Feature + 'static {
    /// The learner of rows of `dim` features, its type forgotten.
    fn boxed<K, P, R>(learner: Heaped<K, P, Self, R>, dim: usize) -> Box<dyn Learner>
    where
        K: KernelIn<Self> + 'static,
        P: Policy<K, Heap<Self>> + Shown + 'static,
        R: Rule + 'static;
}

/// A learner on the heap.
type Heaped<K, P, F, R> = KernelPerceptron<K, P, Heap<F>, R>;

impl HostFormat for f32 {
    fn boxed<K, P, R>(learner: Heaped<K, P, f32, R>, _: usize) -> Box<dyn Learner>
    where
        K: KernelIn<f32> + 'static,
        P: Policy<K, Heap> + Shown + 'static,
        R: Rule + 'static,
    {
        Box::new(learner)
    }
}

/// Whole features come out of a scale.
macro_rules! scaled {
    ($($format:ty)*) => { $(
        impl HostFormat for $format {
            fn boxed<K, P, R>(learner: Heaped<K, P, Self, R>, dim: usize) -> Box<dyn Learner>
            where
                K: KernelIn<Self> + 'static,
                P: Policy<K, Heap<Self>> + Shown + 'static,
                R: Rule + 'static,
            {
                Box::new(Scaled::new(Box::new(learner), dim, UNCUT))
            }
        }
    )* };
}
scaled!(i8 i16);

impl<K, P, F, R> Learner for Scaled<Heaped<K, P, F, R>>
where
    F: Feature,
    K: KernelIn<F>,
    P: Policy<K, Heap<F>> + Shown,
    R: Rule,
{
    fn learn(&mut self, x: &[f32], label: Sign) -> Result<Outcome<Sign>, InputError> {
        OnlineClassifier::learn(self, x, label)
    }

    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        Scorer::score(self, x)
    }

    fn alphas(&self) -> Cow<'_, [f32]> {
        self.learner().support().coefficients().collect()
    }

    fn counts(&self) -> Option<&[Counts]> {
        let learner = self.learner();
        let counts = learner.hypothesis().policy().counts()?;
        counts.get(..learner.support().len())
    }
}
