//! Learners over features of other formats.

use std::borrow::Cow;

use clap::ValueEnum;
use pocketron::{
    budget::{Counts, Policy},
    error::InputError,
    kernel::KernelIn,
    label::Sign,
    perceptron::{KernelPerceptron, Outcome, Perceptron},
    point::Feature,
    rule::Rule,
    scale::{Moments, Scale, WARM_UP},
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
                Box::new(Scaled::new(learner, dim))
            }
        }
    )* };
}
scaled!(i8 i16);

/// A learner behind a running scale: [`Standardized`](pocketron::scale::Standardized) for any
/// number of features, with the same bits.
pub struct Scaled<L> {
    learner: L,
    scale: Scale<Vec<Moments>>,
}

impl<L> Scaled<L> {
    /// Nothing seen yet.
    pub fn new(learner: L, dim: usize) -> Self {
        let moments = vec![Moments::default(); dim];
        Scaled {
            learner,
            scale: Scale::with_moments(moments),
        }
    }

    fn standardise<F: Feature>(&self, x: &[f32]) -> Result<Vec<F>, InputError> {
        self.scale.check(x)?;
        let mut standardised = vec![F::BLANK; x.len()];
        self.scale.apply(x, &mut standardised);
        Ok(standardised)
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
        let standardised = self.standardise::<F>(x)?;
        let outcome = if self.scale.seen() < WARM_UP {
            Outcome {
                predicted: self.learner.predict(&standardised)?,
                score: 0.0,
                mistake: true,
                admission: None,
            }
        } else {
            Perceptron::learn(&mut self.learner, &standardised, label)?
        };
        self.scale.update(x)?;
        Ok(outcome)
    }

    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        self.learner.score(&self.standardise::<F>(x)?)
    }

    fn alphas(&self) -> Cow<'_, [f32]> {
        self.learner.support().coefficients().collect()
    }

    fn counts(&self) -> Option<&[Counts]> {
        let counts = self.learner.hypothesis().policy().counts()?;
        counts.get(..self.learner.support().len())
    }
}
