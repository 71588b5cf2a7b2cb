//! A scale in front of a learner, for any number of features.

use pocketron::{
    classifier::{OnlineClassifier, Outcome, Warning},
    error::InputError,
    persist::{Blank, ImageError, Persist, Reader, Restart, Shape, Writer},
    storage::{
        Column,
        point::Feature,
        scale::{Moments, RunningScale},
    },
    wrap::{NO_CLAMP, WARM_UP},
};

use crate::heap::Grown;

/// A learner of rows as they come, whatever its own features are: [`Standardized`](pocketron::wrap::Standardized)
/// with values instead of types, with the same bits; or, without a scale, the nearest levels of rows that are in
/// standard deviations already.
#[derive(Clone, Debug)]
pub struct Scaled<L: ?Sized> {
    scaling: Option<Scaling>,
    dim: usize,
    learner: Box<L>,
}

/// How rows are standardised.
#[derive(Clone, Debug)]
struct Scaling {
    scale: RunningScale<Grown<Moments>>,
    /// Examples that only count for the scale.
    skipped: u32,
    /// Tenths of a standard deviation at which features are cut.
    clamp: u32,
}

impl<L: ?Sized> Scaled<L> {
    /// In front of a learner of `dim` features, which are clamped at this many tenths of a standard deviation; nothing
    /// seen yet.
    pub fn new(learner: Box<L>, dim: usize, clamp: u32) -> Self {
        Self::skipping(WARM_UP, learner, dim, clamp)
    }

    /// The same with another number of first examples that only count for the scale.
    pub fn skipping(skipped: u32, learner: Box<L>, dim: usize, clamp: u32) -> Self {
        let mut moments = Grown::BLANK;
        moments.ensure(dim);
        Scaled {
            scaling: Some(Scaling {
                scale: RunningScale::with_moments(moments),
                skipped,
                clamp,
            }),
            dim,
            learner,
        }
    }

    /// Without a scale.
    pub fn rounding(learner: Box<L>, dim: usize) -> Self {
        Scaled {
            scaling: None,
            dim,
            learner,
        }
    }

    /// The learner.
    pub fn learner(&self) -> &L {
        &self.learner
    }

    /// How many examples the scale has seen, if there is one.
    pub fn seen(&self) -> Option<u32> {
        self.scaling.as_ref().map(|scaling| scaling.scale.seen())
    }

    /// What the learner gets to see.
    pub fn standardise<F: Feature>(&self, x: &[f32]) -> Result<Vec<F>, InputError> {
        match &self.scaling {
            None if x.len() != self.dim => Err(InputError::WrongDimension),
            None => {
                f32::check(x)?;
                Ok(x.iter().map(|x| F::nearest(*x, self.dim)).collect())
            }
            Some(Scaling { scale, clamp, .. }) => {
                scale.check(x)?;
                let mut standardised = vec![F::BLANK; x.len()];
                scale.apply_within(*clamp as f32 / 10.0, x, &mut standardised);
                Ok(standardised)
            }
        }
    }
}

impl<L, F> OnlineClassifier for Scaled<L>
where
    L: OnlineClassifier<Input = [F]> + ?Sized,
    F: Feature,
{
    type Input = [f32];
    type Label = L::Label;

    fn predict_scored(&self, x: &[f32]) -> Result<(L::Label, f32), InputError> {
        self.learner.predict_scored(&self.standardise(x)?)
    }

    fn has_class(&self, label: L::Label) -> bool {
        self.learner.has_class(label)
    }

    fn validate(&self, x: &[f32], label: L::Label, id: Option<u32>) -> Result<(), InputError> {
        self.learner.validate(&self.standardise(x)?, label, id)
    }

    fn learn_with_id(
        &mut self,
        x: &[f32],
        label: L::Label,
        id: Option<u32>,
    ) -> Result<Outcome<L::Label>, InputError> {
        let standardised = self.standardise(x)?;
        let rough = |scaling: &Scaling| scaling.scale.seen() < scaling.skipped;
        let outcome = if self.scaling.as_ref().is_some_and(rough) {
            if !self.learner.has_class(label) {
                return Err(InputError::UnknownClass);
            }
            Outcome {
                predicted: self.learner.predict(&standardised)?,
                score: 0.0,
                mistake: true,
                admission: None,
                warning: Some(Warning::WarmUp),
            }
        } else {
            self.learner.learn_with_id(&standardised, label, id)?
        };
        if let Some(scaling) = &mut self.scaling {
            scaling.scale.update(x)?;
        }
        Ok(outcome)
    }
}

impl<L: Restart + ?Sized> Restart for Scaled<L> {
    fn restart(&mut self) {
        self.learner.restart();
        if let Some(scaling) = &mut self.scaling {
            scaling.scale.restart();
        }
    }
}

/// The scale, if there is one, then the learner.
impl<L: Persist + ?Sized> Persist for Scaled<L> {
    fn shape(&self, shape: &mut Shape<'_>) {
        match &self.scaling {
            None => self.learner.shape(shape),
            Some(scaling) => shape.part("standardized", |inside| {
                inside.number(scaling.skipped as usize);
                if scaling.clamp != NO_CLAMP {
                    inside.number(scaling.clamp as usize);
                }
                scaling.scale.shape(inside);
                self.learner.shape(inside);
            }),
        }
    }

    fn save(&self, writer: &mut Writer<'_>) {
        if let Some(Scaling { scale, .. }) = &self.scaling {
            scale.save(writer);
        }
        self.learner.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        if let Some(Scaling { scale, .. }) = &mut self.scaling {
            scale.load(reader)?;
        }
        self.learner.load(reader)
    }
}
