//! Learners over features of other formats.

use std::borrow::Cow;

use clap::ValueEnum;
use pocketron::{
    budget::{Counts, Policy},
    classifier::{OnlineClassifier, Outcome, Scorer},
    error::InputError,
    kernel::KernelIn,
    label::Sign,
    learners::perceptron::KernelPerceptron,
    rule::Rule,
    storage::point::Feature,
    wrap::NO_CLAMP,
};

use super::{Learner, Shown};
use crate::{heap::Heap, scaled::Scaled};

/// Storage format of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// As they come.
    #[default]
    F32,
    /// 32 bits, standardised in the stream.
    F32Scaled,
    /// 16 bits, standardised in the stream.
    I16,
    /// 8 bits, standardised in the stream.
    I8,
}

impl Format {
    /// Its name in tables and commands.
    pub fn name(self) -> &'static str {
        match self {
            Format::F32 => "f32",
            Format::F32Scaled => "f32-scaled",
            Format::I16 => "i16",
            Format::I8 => "i8",
        }
    }

    /// Whether features are in fixed point.
    pub fn is_whole(self) -> bool {
        matches!(self, Format::I16 | Format::I8)
    }
}

/// A type of features that a learner of rows as they come can be made for.
pub trait HostFormat: Feature + 'static {
    /// The learner of rows of `dim` features in that format, its type forgotten: a scale in front of it makes its
    /// features.
    fn boxed<K, P, R>(learner: Heaped<K, P, Self, R>, dim: usize, _: Format) -> Box<dyn Learner>
    where
        K: KernelIn<Self> + 'static,
        P: Policy<K, Heap<Self>> + Shown + 'static,
        R: Rule + 'static,
    {
        Box::new(Scaled::new(Box::new(learner), dim, NO_CLAMP))
    }
}

/// A learner on the heap.
type Heaped<K, P, F, R> = KernelPerceptron<K, P, Heap<F>, R>;

impl HostFormat for i8 {}
impl HostFormat for i16 {}

/// Features as they come need no scale.
impl HostFormat for f32 {
    fn boxed<K, P, R>(learner: Heaped<K, P, f32, R>, dim: usize, format: Format) -> Box<dyn Learner>
    where
        K: KernelIn<f32> + 'static,
        P: Policy<K, Heap> + Shown + 'static,
        R: Rule + 'static,
    {
        match format {
            Format::F32 => Box::new(learner),
            _ => Box::new(Scaled::new(Box::new(learner), dim, NO_CLAMP)),
        }
    }
}

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
