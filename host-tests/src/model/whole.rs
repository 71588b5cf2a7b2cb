//! Learners of whole features, asked with rows of floating ones.

use pocketron::{
    error::InputError,
    image::{ImageError, Persist, Reader, Shape, Writer},
    label::Sign,
    memory::{Blank, Column},
    perceptron::{OnlineClassifier, Outcome, Scorer},
    point::Feature,
    scale::{Moments, Scale, UNCUT},
};

use super::{Facts, binary::Binary};
use crate::heap::Grown;

/// A learner that is alone in its image: rows are in standard deviations, and taken to the nearest levels.
pub struct Rounded<F> {
    learner: Box<dyn Binary<F>>,
    dim: usize,
}

impl<F: Feature> Rounded<F> {
    /// In front of a learner of `dim` features.
    pub fn new(learner: Box<dyn Binary<F>>, dim: usize) -> Self {
        Rounded { learner, dim }
    }

    fn round(&self, x: &[f32]) -> Result<Vec<F>, InputError> {
        if x.len() != self.dim {
            return Err(InputError::WrongDimension);
        }
        f32::check(x)?;
        Ok(x.iter().map(|x| F::nearest(*x, self.dim)).collect())
    }
}

/// The scale in an image and the learner behind it: [`Standardized`](pocketron::scale::Standardized) for any
/// number of features.
pub struct Standardized<F> {
    learner: Box<dyn Binary<F>>,
    scale: Scale<Grown<Moments>>,
    skipped: u32,
    cut: u32,
}

impl<F: Feature> Standardized<F> {
    /// In front of a learner of `dim` features.
    pub fn new(learner: Box<dyn Binary<F>>, dim: usize, (skipped, cut): (u32, u32)) -> Self {
        let mut moments = Grown::BLANK;
        moments.ensure(dim);
        Standardized {
            learner,
            scale: Scale::with_moments(moments),
            skipped,
            cut,
        }
    }

    fn standardise(&self, x: &[f32]) -> Result<Vec<F>, InputError> {
        self.scale.check(x)?;
        let mut standardised = vec![F::BLANK; x.len()];
        let edge = self.cut as f32 / 10.0;
        self.scale.apply_within(edge, x, &mut standardised);
        Ok(standardised)
    }
}

impl<F: Feature> OnlineClassifier for Rounded<F> {
    type Input = [f32];
    type Label = Sign;

    fn predict(&self, x: &[f32]) -> Result<Sign, InputError> {
        self.learner.predict(&self.round(x)?)
    }

    fn accepts(&self, x: &[f32], id: Option<u32>) -> Result<(), InputError> {
        self.learner.accepts(&self.round(x)?, id)
    }

    fn learn_known(
        &mut self,
        x: &[f32],
        label: Sign,
        id: Option<u32>,
    ) -> Result<Outcome<Sign>, InputError> {
        let x = self.round(x)?;
        self.learner.learn_known(&x, label, id)
    }
}

impl<F: Feature> OnlineClassifier for Standardized<F> {
    type Input = [f32];
    type Label = Sign;

    fn predict(&self, x: &[f32]) -> Result<Sign, InputError> {
        self.learner.predict(&self.standardise(x)?)
    }

    fn accepts(&self, x: &[f32], id: Option<u32>) -> Result<(), InputError> {
        self.learner.accepts(&self.standardise(x)?, id)
    }

    fn learn_known(
        &mut self,
        x: &[f32],
        label: Sign,
        id: Option<u32>,
    ) -> Result<Outcome<Sign>, InputError> {
        let standardised = self.standardise(x)?;
        let outcome = if self.scale.seen() < self.skipped {
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

impl<F: Feature> Scorer for Rounded<F> {
    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        self.learner.score(&self.round(x)?)
    }
}

impl<F: Feature> Scorer for Standardized<F> {
    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        self.learner.score(&self.standardise(x)?)
    }
}

impl<F: Feature> Binary for Rounded<F> {
    fn facts(&self) -> Facts {
        self.learner.facts()
    }
}

impl<F: Feature> Binary for Standardized<F> {
    fn facts(&self) -> Facts {
        let mut facts = self.learner.facts();
        facts
            .parts
            .push(format!("scale: seen {}", self.scale.seen()));
        facts
    }
}

impl<F> Persist for Rounded<F> {
    fn shape(&self, shape: &mut Shape<'_>) {
        self.learner.shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.learner.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.learner.load(reader)
    }
}

impl<F> Persist for Standardized<F> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("standardized", |inside| {
            inside.number(self.skipped as usize);
            if self.cut != UNCUT {
                inside.number(self.cut as usize);
            }
            self.scale.shape(inside);
            self.learner.shape(inside);
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.scale.save(writer);
        self.learner.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.scale.load(reader)?;
        self.learner.load(reader)
    }
}
