//! A scale in front of a learner.

use super::{Moments, Scale};
use crate::{
    error::InputError,
    memory::Blank,
    perceptron::{OnlineClassifier, Outcome, Scorer},
    point::Feature,
};

/// A learner of raw features: `L` sees them standardised.
///
/// An example is standardised by what came *before* it, so that a prediction and
/// the learning step after it see the same vector; then it counts for the scale.
/// The first examples, 20 unless said otherwise, only count for the scale: what
/// would be stored with their rough statistics would stay.
///
/// Adds `8 D + 8` bytes. Its cost is of the order of the features, not of the
/// support vectors.
#[derive(Clone, Debug)]
pub struct Standardized<L, const D: usize> {
    learner: L,
    scale: Scale<[Moments; D]>,
    warm_up: u32,
}

/// Examples after which mean and variance are good enough to store vectors by.
pub const WARM_UP: u32 = 20;

impl<L, const D: usize> Standardized<L, D> {
    /// Nothing seen yet.
    pub const fn new(learner: L) -> Self {
        Standardized {
            learner,
            scale: Scale::BLANK,
            warm_up: WARM_UP,
        }
    }

    /// The first `examples` only count for the scale.
    pub fn with_warm_up(self, examples: u32) -> Self {
        Standardized {
            warm_up: examples,
            ..self
        }
    }

    /// The learner.
    pub const fn learner(&self) -> &L {
        &self.learner
    }

    /// The learner, to be configured. To teach it directly would leave out the scale.
    pub const fn learner_mut(&mut self) -> &mut L {
        &mut self.learner
    }

    /// The scale.
    pub const fn scale(&self) -> &Scale<[Moments; D]> {
        &self.scale
    }
}

/// Without a warm-up.
impl<L: Blank, const D: usize> Blank for Standardized<L, D> {
    const BLANK: Self = Standardized {
        learner: L::BLANK,
        scale: Scale::BLANK,
        warm_up: 0,
    };
}

impl<L, F, const D: usize> Standardized<L, D>
where
    L: OnlineClassifier<Input = [F; D]>,
    F: Feature,
{
    /// What the learner gets to see.
    #[inline]
    pub fn standardise(&self, x: &[f32; D]) -> Result<[F; D], InputError> {
        self.scale.check(x)?;
        let mut standardised = [F::BLANK; D];
        self.scale.apply(x, &mut standardised);
        Ok(standardised)
    }
}

impl<L, F, const D: usize> OnlineClassifier for Standardized<L, D>
where
    L: OnlineClassifier<Input = [F; D]>,
    F: Feature,
{
    type Input = [f32; D];
    type Label = L::Label;

    #[inline]
    fn predict(&self, x: &[f32; D]) -> Result<L::Label, InputError> {
        self.learner.predict(&self.standardise(x)?)
    }

    fn accepts(&self, x: &[f32; D], id: Option<u32>) -> Result<(), InputError> {
        self.learner.accepts(&self.standardise(x)?, id)
    }

    #[inline]
    fn learn_known(
        &mut self,
        x: &[f32; D],
        label: L::Label,
        id: Option<u32>,
    ) -> Result<Outcome<L::Label>, InputError> {
        let standardised = self.standardise(x)?;
        let outcome = if self.scale.seen() < self.warm_up {
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

impl<L, F, const D: usize> Scorer for Standardized<L, D>
where
    L: Scorer<Input = [F; D]>,
    F: Feature,
{
    #[inline]
    fn score(&self, x: &[f32; D]) -> Result<f32, InputError> {
        self.learner.score(&self.standardise(x)?)
    }
}

crate::image::persist!([L: crate::image::Persist, const D: usize] Standardized<L, D> as "standardized" { scale, learner, warm_up });
