//! A learner as seen from outside: classes have numbers, whatever their type.

use crate::{
    budget::{Indifferent, Policy},
    error::InputError,
    history::History,
    hypothesis::Hypothesis,
    image::Persist,
    kernel::{KernelIn, Mergeable},
    label::{Class, Label, Sign},
    memory::{FeatureIn, Memory},
    multiclass::{OneVsRest, SharedMerging, SharedSupport, Update},
    perceptron::{OnlineClassifier, Outcome, Perceptron, Scorer},
    point::{Feature, Points},
    rule::{Memoryless, Rule},
    scale::Standardized,
};

/// A learner of `D` features that a [`Device`](super::Device) can teach.
pub trait Pupil<const D: usize>: Persist {
    /// Classes at most.
    const CLASSES: usize;

    /// Predicts `x`, then learns its true class; an error means that nothing changed.
    fn learn_class(&mut self, x: &[f32; D], class: Class) -> Result<Outcome<Class>, InputError>;

    /// The winning class and its score; `each` gets the scores of all classes in order,
    /// of a binary learner the one score there is.
    fn score_classes(
        &self,
        x: &[f32; D],
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError>;
}

/// Two classes: 0 is negative, 1 positive.
impl<H, R, Y, const D: usize> Pupil<D> for Perceptron<H, R, Y>
where
    H: Hypothesis<Input = [f32; D]> + Persist,
    R: Rule + Persist,
    Y: History<H> + Persist,
{
    const CLASSES: usize = 2;

    fn learn_class(&mut self, x: &[f32; D], class: Class) -> Result<Outcome<Class>, InputError> {
        Ok(in_classes(self.learn(x, as_sign(class)?)?))
    }

    fn score_classes(
        &self,
        x: &[f32; D],
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let score = self.score(x)?;
        each(score);
        Ok((as_class(Sign::of(score)), score))
    }
}

/// The default learner.
impl<K, M, U, const D: usize, const C: usize, const SKIPPED: u32, const CUT: u32> Pupil<D>
    for Standardized<SharedMerging<K, M, C, U>, D, SKIPPED, CUT>
where
    K: Mergeable + KernelIn<i8> + Persist,
    M: Memory,
    M::Points: Points<Point = [i8; D], Feature = i8>,
    U: Update<C> + Persist,
{
    const CLASSES: usize = C;

    fn learn_class(&mut self, x: &[f32; D], class: Class) -> Result<Outcome<Class>, InputError> {
        self.learn(x, class)
    }

    fn score_classes(
        &self,
        x: &[f32; D],
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let scores = self.learner().scores(&self.standardise(x)?)?;
        scores.into_iter().for_each(each);
        Ok(self.learner().winner(&scores))
    }
}

/// Two classes behind a scale.
impl<H, R, Y, F, const D: usize, const SKIPPED: u32, const CUT: u32> Pupil<D>
    for Standardized<Perceptron<H, R, Y>, D, SKIPPED, CUT>
where
    H: Hypothesis<Input = [F; D]> + Persist,
    R: Rule + Persist,
    Y: History<H> + Persist,
    F: Feature,
{
    const CLASSES: usize = 2;

    fn learn_class(&mut self, x: &[f32; D], class: Class) -> Result<Outcome<Class>, InputError> {
        Ok(in_classes(self.learn(x, as_sign(class)?)?))
    }

    fn score_classes(
        &self,
        x: &[f32; D],
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let score = self.score(x)?;
        each(score);
        Ok((as_class(Sign::of(score)), score))
    }
}

fn as_sign(class: Class) -> Result<Sign, InputError> {
    match class {
        Class(0) => Ok(Sign::Neg),
        Class(1) => Ok(Sign::Pos),
        _ => Err(InputError::UnknownClass),
    }
}

fn in_classes(outcome: Outcome<Sign>) -> Outcome<Class> {
    Outcome {
        predicted: as_class(outcome.predicted),
        score: outcome.score,
        mistake: outcome.mistake,
        admission: outcome.admission,
    }
}

fn as_class(sign: Sign) -> Class {
    Class(sign.index() as u8)
}

impl<L, const D: usize, const C: usize> Pupil<D> for OneVsRest<L, C>
where
    L: Scorer<Input = [f32; D]> + Persist,
{
    const CLASSES: usize = C;

    fn learn_class(&mut self, x: &[f32; D], class: Class) -> Result<Outcome<Class>, InputError> {
        self.learn(x, class)
    }

    fn score_classes(
        &self,
        x: &[f32; D],
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let scores = self.scores(x)?;
        scores.into_iter().for_each(each);
        Ok(self.winner(&scores))
    }
}

impl<K, P, M, R, const D: usize, const C: usize> Pupil<D> for SharedSupport<K, P, M, C, R>
where
    K: KernelIn<FeatureIn<M>> + Persist,
    P: Policy<K, M> + Indifferent + Persist,
    M: Memory,
    M::Points: Points<Point = [f32; D]>,
    R: Memoryless + Persist,
{
    const CLASSES: usize = C;

    fn learn_class(&mut self, x: &[f32; D], class: Class) -> Result<Outcome<Class>, InputError> {
        self.learn(x, class)
    }

    fn score_classes(
        &self,
        x: &[f32; D],
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let scores = self.scores(x)?;
        scores.into_iter().for_each(each);
        Ok(self.winner(&scores))
    }
}
