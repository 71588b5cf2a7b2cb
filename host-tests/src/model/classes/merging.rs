//! Classes over shared vectors of bytes that merge.

use pocketron::{
    error::{ConfigError, InputError},
    image::{ImageError, Persist, Reader, Shape as ShapeWriter, Writer},
    kernel::Relevance,
    label::Class,
    memory::{Blank, Column},
    multiclass::{Each, SharedMerging, Steps, Top, Update},
    perceptron::{OnlineClassifier, Outcome},
    point::Feature,
    scale::{Moments, Scale, UNCUT},
};

use super::won;
use crate::{
    device::Prediction,
    heap::{Grown, Heap},
    model::{
        Facts, Model, Shape, UnknownShape,
        binary::{dim, number, points},
        parameters,
        parts::PlainRule,
    },
};

/// Either update.
enum AnyUpdate<const C: usize> {
    Top(Top<PlainRule>),
    Each(Each<PlainRule, C>),
}

impl<const C: usize> AnyUpdate<C> {
    fn of(shape: &Shape) -> Result<Self, UnknownShape> {
        match shape.pattern() {
            ("top", [rule]) => Ok(AnyUpdate::Top(Top::new(PlainRule::of(rule)?))),
            ("each", [rule]) => Ok(AnyUpdate::Each(Each::new(PlainRule::of(rule)?))),
            _ => Err(shape.unknown("update")),
        }
    }

    fn inside(&self) -> &dyn Persist {
        match self {
            AnyUpdate::Top(update) => update,
            AnyUpdate::Each(update) => update,
        }
    }
}

impl<const C: usize> Update<C> for AnyUpdate<C> {
    fn steps(&mut self, scores: &[Option<f32>; C], label: Class) -> Steps<C> {
        match self {
            AnyUpdate::Top(update) => update.steps(scores, label),
            AnyUpdate::Each(update) => update.steps(scores, label),
        }
    }

    fn check(&self) -> Result<(), ConfigError> {
        match self {
            AnyUpdate::Top(update) => Update::<C>::check(update),
            AnyUpdate::Each(update) => update.check(),
        }
    }

    fn restart(&mut self) {
        match self {
            AnyUpdate::Top(update) => Update::<C>::restart(update),
            AnyUpdate::Each(update) => update.restart(),
        }
    }
}

impl<const C: usize> Persist for AnyUpdate<C> {
    fn shape(&self, shape: &mut ShapeWriter<'_>) {
        self.inside().shape(shape);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.inside().save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        match self {
            AnyUpdate::Top(update) => update.load(reader),
            AnyUpdate::Each(update) => update.load(reader),
        }
    }
}

type Learner<const C: usize> = SharedMerging<Relevance<Heap<i8>>, Heap<i8>, C, AnyUpdate<C>>;

/// A learner, and what makes whole features for it: a scale, or rows in standard deviations that are taken to the
/// nearest levels.
struct Merging<const C: usize> {
    learner: Learner<C>,
    dim: usize,
    scale: Option<Front>,
}

/// A scale in front of the learner.
struct Front {
    /// Examples that only count for the scale.
    skipped: u32,
    /// Tenths of a standard deviation at which features are cut.
    cut: u32,
    scale: Scale<Grown<Moments>>,
}

/// The learner that is alone in its image.
pub fn alone<const C: usize>(shape: &Shape) -> Result<Box<dyn Model>, UnknownShape> {
    let (learner, dim) = learner::<C>(shape)?;
    Ok(Box::new(Merging {
        learner,
        dim,
        scale: None,
    }))
}

/// The learner behind a scale.
pub fn standardized<const C: usize>(shape: &Shape) -> Result<Box<dyn Model>, UnknownShape> {
    let (skipped, cut, scale, inside) = match shape.parts.as_slice() {
        [skipped, scale, inside] => (number(skipped)?, UNCUT, scale, inside),
        [skipped, cut, scale, inside] => (number(skipped)?, number(cut)?, scale, inside),
        _ => return Err(shape.unknown("model")),
    };
    let ("scale", [_]) = scale.pattern() else {
        return Err(scale.unknown("scale"));
    };
    let (learner, dim) = learner::<C>(inside)?;
    let mut moments = Grown::BLANK;
    moments.ensure(dim);
    Ok(Box::new(Merging {
        learner,
        dim,
        scale: Some(Front {
            skipped,
            cut,
            scale: Scale::with_moments(moments),
        }),
    }))
}

fn learner<const C: usize>(shape: &Shape) -> Result<(Learner<C>, usize), UnknownShape> {
    let [_, set, kernel, update] = shape.parts.as_slice() else {
        return Err(shape.unknown("model"));
    };
    if kernel.to_string() != "relevance" {
        return Err(kernel.unknown("kernel of several classes that merge"));
    }
    let dim = dim(set);
    let kernel = Relevance::new().with_features(dim);
    let learner = Learner::with_points(kernel, AnyUpdate::of(update)?, points(set)?);
    Ok((learner, dim))
}

impl<const C: usize> Merging<C> {
    fn whole(&self, x: &[f32]) -> Result<Vec<i8>, InputError> {
        if x.len() != self.dim {
            return Err(InputError::WrongDimension);
        }
        let Some(Front { cut, scale, .. }) = &self.scale else {
            f32::check(x)?;
            return Ok(x.iter().map(|x| i8::nearest(*x, self.dim)).collect());
        };
        scale.check(x)?;
        let mut standardised = vec![0; x.len()];
        scale.apply_within(*cut as f32 / 10.0, x, &mut standardised);
        Ok(standardised)
    }
}

impl<const C: usize> Model for Merging<C> {
    fn learn(&mut self, x: &[f32], class: Class) -> Result<Outcome<Class>, InputError> {
        let whole = self.whole(x)?;
        let rough = |front: &Front| front.scale.seen() < front.skipped;
        let outcome = if self.scale.as_ref().is_some_and(rough) {
            Outcome {
                predicted: self.learner.predict(&whole)?,
                score: 0.0,
                mistake: true,
                admission: None,
            }
        } else {
            self.learner.learn(&whole, class)?
        };
        if let Some(Front { scale, .. }) = &mut self.scale {
            scale.update(x)?;
        }
        Ok(outcome)
    }

    fn predict(&self, x: &[f32]) -> Result<Prediction, InputError> {
        let scores = self.learner.scores(&self.whole(x)?)?;
        Ok(won(self.learner.winner(&scores), &scores))
    }

    fn facts(&self) -> Vec<(Option<u32>, Facts)> {
        let set = self.learner.support();
        let facts = |class: Class| {
            let coefficients = self.learner.coefficients(class);
            let used = coefficients.filter(|coefficient| *coefficient != 0.0);
            let mut parts = vec![
                parameters(self.learner.kernel()),
                parameters(self.learner.update()),
            ];
            if let Some(Front { scale, .. }) = &self.scale {
                parts.push(format!("scale: seen {}", scale.seen()));
            }
            Facts {
                vectors: Some((used.count(), set.capacity())),
                parts,
            }
        };
        let classes = (0..=u8::MAX).map(Class).take(C);
        classes
            .map(|class| (Some(self.learner.seen(class)), facts(class)))
            .collect()
    }
}

/// The scale, if there is one, then the learner.
impl<const C: usize> Persist for Merging<C> {
    fn shape(&self, shape: &mut ShapeWriter<'_>) {
        match &self.scale {
            None => self.learner.shape(shape),
            Some(front) => shape.part("standardized", |inside| {
                inside.number(front.skipped as usize);
                if front.cut != UNCUT {
                    inside.number(front.cut as usize);
                }
                front.scale.shape(inside);
                self.learner.shape(inside);
            }),
        }
    }

    fn save(&self, writer: &mut Writer<'_>) {
        if let Some(Front { scale, .. }) = &self.scale {
            scale.save(writer);
        }
        self.learner.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        if let Some(Front { scale, .. }) = &mut self.scale {
            scale.load(reader)?;
        }
        self.learner.load(reader)
    }
}
