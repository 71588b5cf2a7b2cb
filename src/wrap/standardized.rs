//! A scale in front of a learner.

use crate::{
    classifier::{OnlineClassifier, Outcome, Warning, Wrapper},
    error::InputError,
    persist::{Blank, ImageError, Persist, Reader, Ready, Restart, Shape, Writer},
    storage::{
        point::Feature,
        scale::{Moments, RunningScale},
    },
};

/// A learner of raw features: `L` sees them standardised.
///
/// An example is standardised by what came *before* it, so that a prediction and
/// the learning step after it see the same vector; then it counts for the scale.
/// The first examples, [20](WARM_UP) unless said otherwise, only count for the scale: what
/// would be stored with their rough statistics would stay.
///
/// Features are cut at `CLAMP` tenths of a standard deviation. A kernel of distances takes a feature that is far out for
/// a reason to trust nothing else about the example; [40](NO_CLAMP) is where formats cut anyway.
///
/// Adds `8 D + 4` bytes. Its cost is of the order of the features, not of the
/// support vectors.
#[derive(Clone, Debug)]
pub struct Standardized<
    L,
    const D: usize,
    const SKIPPED: u32 = WARM_UP,
    const CLAMP: u32 = NO_CLAMP,
> {
    learner: L,
    scale: RunningScale<[Moments; D]>,
}

/// Examples after which mean and variance are good enough to store vectors by.
pub const WARM_UP: u32 = 20;

/// Tenths of a standard deviation at which every format cuts.
pub const NO_CLAMP: u32 = 40;

impl<L: Ready, const D: usize, const SKIPPED: u32, const CLAMP: u32>
    Standardized<L, D, SKIPPED, CLAMP>
{
    /// Nothing seen yet, in front of a learner that has no parameter to set.
    pub const fn new() -> Self {
        Self::of(L::BLANK)
    }
}

impl<L: Ready, const D: usize, const SKIPPED: u32, const CLAMP: u32> Default
    for Standardized<L, D, SKIPPED, CLAMP>
{
    fn default() -> Self {
        Self::new()
    }
}

impl<L, const D: usize, const SKIPPED: u32, const CLAMP: u32> Standardized<L, D, SKIPPED, CLAMP> {
    /// Nothing seen yet, in front of a learner.
    pub const fn of(learner: L) -> Self {
        Standardized {
            learner,
            scale: RunningScale::BLANK,
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
    pub const fn scale(&self) -> &RunningScale<[Moments; D]> {
        &self.scale
    }
}

impl<L: Blank, const D: usize, const SKIPPED: u32, const CLAMP: u32> Blank
    for Standardized<L, D, SKIPPED, CLAMP>
{
    const BLANK: Self = Self::of(L::BLANK);
}

impl<L: Ready, const D: usize, const SKIPPED: u32, const CLAMP: u32> Ready
    for Standardized<L, D, SKIPPED, CLAMP>
{
}

impl<L, F, const D: usize, const SKIPPED: u32, const CLAMP: u32> Standardized<L, D, SKIPPED, CLAMP>
where
    L: OnlineClassifier<Input = [F; D]>,
    F: Feature,
{
    /// The standardised row for the learner.
    #[inline]
    pub fn standardise(&self, x: &[f32; D]) -> Result<[F; D], InputError> {
        self.scale.check(x)?;
        let mut standardised = [F::BLANK; D];
        let edge = CLAMP as f32 / 10.0;
        self.scale.apply_within(edge, x, &mut standardised);
        Ok(standardised)
    }
}

impl<L, F, const D: usize, const SKIPPED: u32, const CLAMP: u32> OnlineClassifier
    for Standardized<L, D, SKIPPED, CLAMP>
where
    L: OnlineClassifier<Input = [F; D]>,
    F: Feature,
{
    type Input = [f32; D];
    type Label = L::Label;

    #[inline]
    fn predict_scored(&self, x: &[f32; D]) -> Result<(L::Label, f32), InputError> {
        self.learner.predict_scored(&self.standardise(x)?)
    }

    fn has_class(&self, label: L::Label) -> bool {
        self.learner.has_class(label)
    }

    fn validate(&self, x: &[f32; D], label: L::Label, id: Option<u32>) -> Result<(), InputError> {
        self.learner.validate(&self.standardise(x)?, label, id)
    }

    #[inline]
    fn learn_with_id(
        &mut self,
        x: &[f32; D],
        label: L::Label,
        id: Option<u32>,
    ) -> Result<Outcome<L::Label>, InputError> {
        let standardised = self.standardise(x)?;
        let outcome = if self.scale.seen() < SKIPPED {
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
        self.scale.update(x)?;
        Ok(outcome)
    }
}

impl<L, F, const D: usize, const SKIPPED: u32, const CLAMP: u32> Wrapper
    for Standardized<L, D, SKIPPED, CLAMP>
where
    L: OnlineClassifier<Input = [F; D]>,
    F: Feature,
{
    type Learner = L;

    fn learner(&self) -> &L {
        &self.learner
    }

    fn learner_mut(&mut self) -> &mut L {
        &mut self.learner
    }

    #[inline]
    fn ask<R>(
        &self,
        x: &[f32; D],
        question: impl FnOnce(&L, &[F; D]) -> Result<R, InputError>,
    ) -> Result<R, InputError> {
        question(&self.learner, &self.standardise(x)?)
    }
}

/// The scale begins anew as well: it may be the sensor that has changed, and no stored vector needs the old one.
impl<L: Restart, const D: usize, const SKIPPED: u32, const CLAMP: u32> Restart
    for Standardized<L, D, SKIPPED, CLAMP>
{
    fn restart(&mut self) {
        self.learner.restart();
        self.scale.restart();
    }
}

/// The scale, then the learner. How many examples are skipped and where features are cut is a matter of the type, hence of its shape.
impl<L: Persist, const D: usize, const SKIPPED: u32, const CLAMP: u32> Persist
    for Standardized<L, D, SKIPPED, CLAMP>
{
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("standardized", |inside| {
            inside.number(SKIPPED as usize);
            if CLAMP != NO_CLAMP {
                inside.number(CLAMP as usize);
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
