//! Learners over features of other formats.

use std::borrow::Cow;

use clap::ValueEnum;
use pocketron::{
    budget::{Counts, Policy},
    drift::Restart,
    error::InputError,
    kernel::KernelIn,
    label::Sign,
    perceptron::{Judge, KernelPerceptron, OnlineClassifier, Outcome, Scorer},
    point::Feature,
    rule::Rule,
    scale::{Moments, Scale, UNCUT, WARM_UP},
};

use super::{Learner, Shown};
use crate::heap::Heap;

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
                Box::new(Scaled::new(learner, dim, UNCUT))
            }
        }
    )* };
}
scaled!(i8 i16);

/// A learner behind a running scale: [`Standardized`](pocketron::scale::Standardized) for any
/// number of features, with the same bits.
#[derive(Clone, Debug)]
pub struct Scaled<L> {
    learner: L,
    scale: Scale<Vec<Moments>>,
    /// Standard deviations.
    edge: f32,
}

impl<L> Scaled<L> {
    /// Nothing seen yet; features are cut at so many tenths of a standard deviation.
    pub fn new(learner: L, dim: usize, cut: u32) -> Self {
        let moments = vec![Moments::default(); dim];
        Scaled {
            learner,
            scale: Scale::with_moments(moments),
            edge: cut as f32 / 10.0,
        }
    }

    fn standardise<F: Feature>(&self, x: &[f32]) -> Result<Vec<F>, InputError> {
        self.scale.check(x)?;
        let mut standardised = vec![F::BLANK; x.len()];
        self.scale.apply_within(self.edge, x, &mut standardised);
        Ok(standardised)
    }
}

impl<L, F> OnlineClassifier for Scaled<L>
where
    L: OnlineClassifier<Input = [F]>,
    F: Feature,
{
    type Input = [f32];
    type Label = L::Label;

    fn predict(&self, x: &[f32]) -> Result<L::Label, InputError> {
        self.learner.predict(&self.standardise(x)?)
    }

    fn accepts(&self, x: &[f32], id: Option<u32>) -> Result<(), InputError> {
        self.learner.accepts(&self.standardise(x)?, id)
    }

    fn learn_known(
        &mut self,
        x: &[f32],
        label: L::Label,
        id: Option<u32>,
    ) -> Result<Outcome<L::Label>, InputError> {
        let standardised = self.standardise(x)?;
        let outcome = if self.scale.seen() < WARM_UP {
            Outcome {
                predicted: self.learner.predict(&standardised)?,
                score: 0.0,
                mistake: true,
                admission: None,
            }
        } else {
            self.learner.learn_known(&standardised, label, id)?
        };
        self.scale.update(x)?;
        Ok(outcome)
    }
}

impl<L, F> Scorer for Scaled<L>
where
    L: Scorer<Input = [F]>,
    F: Feature,
{
    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        self.learner.score(&self.standardise(x)?)
    }
}

impl<L, F> Judge for Scaled<L>
where
    L: Judge<Input = [F]>,
    F: Feature,
{
    fn judge(&self, x: &[f32]) -> Result<(L::Label, f32), InputError> {
        self.learner.judge(&self.standardise(x)?)
    }
}

impl<L: Restart> Restart for Scaled<L> {
    fn restart(&mut self) {
        self.learner.restart();
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
        self.learner.support().coefficients().collect()
    }

    fn counts(&self) -> Option<&[Counts]> {
        let counts = self.learner.hypothesis().policy().counts()?;
        counts.get(..self.learner.support().len())
    }
}
