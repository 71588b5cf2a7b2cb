//! A learner as seen from outside: classes have numbers, whatever their type.

use crate::{
    budget::{Indifferent, Policy},
    confidence::{Calibrated, Familiar},
    continual::{ContinualLearner, Tuning, Undo, Update},
    drift::{Reaction, Watched},
    error::InputError,
    history::History,
    hypothesis::Hypothesis,
    image::Persist,
    kernel::KernelIn,
    label::{Class, Numbered, Sign},
    memory::{FeatureIn, Memory, PerFeature},
    multiclass::{OneVsRest, SharedSupport},
    perceptron::{OnlineClassifier, Outcome, Perceptron, Scorer},
    point::{Feature, QuantisedPoints},
    rule::{Memoryless, Rule},
    scale::Standardized,
};

/// A learner that a [`Device`](super::Device) can teach, if its input is an array of `f32`.
pub trait Pupil: OnlineClassifier<Label: Numbered> + Persist {
    /// Classes at most.
    const CLASSES: usize;

    /// The winning class and its score; `each` gets the scores of all classes in order,
    /// of a binary learner the one score there is.
    fn score_classes(
        &self,
        x: &Self::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError>;

    /// Predicts `x`, then learns its true class; an error means that nothing changed.
    fn learn_class(&mut self, x: &Self::Input, class: Class) -> Result<Outcome<Class>, InputError> {
        let label = Self::Label::of_class(class).ok_or(InputError::UnknownClass)?;
        Ok(self.learn(x, label)?.map(Numbered::class))
    }
}

/// Two classes: 0 is negative, 1 positive.
impl<H, R, Y> Pupil for Perceptron<H, R, Y>
where
    H: Hypothesis + Persist,
    R: Rule + Persist,
    Y: History<H> + Persist,
{
    const CLASSES: usize = 2;

    fn score_classes(
        &self,
        x: &H::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let score = self.score(x)?;
        each(score);
        Ok((Sign::of(score).class(), score))
    }
}

impl<L, const C: usize> Pupil for OneVsRest<L, C>
where
    L: Scorer + Persist,
{
    const CLASSES: usize = C;

    fn score_classes(
        &self,
        x: &L::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let scores = self.scores(x)?;
        scores.into_iter().for_each(each);
        Ok(self.winner(&scores))
    }
}

impl<K, P, M, R, const C: usize> Pupil for SharedSupport<K, P, M, C, R>
where
    K: KernelIn<FeatureIn<M>> + Persist,
    P: Policy<K, M> + Indifferent + Persist,
    M: Memory,
    R: Memoryless + Persist,
{
    const CLASSES: usize = C;

    fn score_classes(
        &self,
        x: &Self::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let scores = self.scores(x)?;
        scores.into_iter().for_each(each);
        Ok(self.winner(&scores))
    }
}

impl<S, M, U, const C: usize, const N: usize, T> Pupil for ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: QuantisedPoints>,
    U: Update<C, N>,
    T: Tuning,
{
    const CLASSES: usize = C;

    fn score_classes(
        &self,
        x: &Self::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let scores = self.scores(x)?;
        scores.into_iter().for_each(each);
        Ok(self.winner(&scores))
    }
}

/// Behind a scale.
impl<L, F, const D: usize, const SKIPPED: u32, const CUT: u32> Pupil
    for Standardized<L, D, SKIPPED, CUT>
where
    L: Pupil<Input = [F; D]>,
    F: Feature,
{
    const CLASSES: usize = L::CLASSES;

    fn score_classes(
        &self,
        x: &[f32; D],
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(&self.standardise(x)?, each)
    }
}

impl<L: Pupil + Clone> Pupil for Undo<L> {
    const CLASSES: usize = L::CLASSES;

    fn score_classes(
        &self,
        x: &L::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(x, each)
    }
}

impl<L: Pupil + Scorer> Pupil for Calibrated<L> {
    const CLASSES: usize = L::CLASSES;

    fn score_classes(
        &self,
        x: &L::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(x, each)
    }
}

impl<L: Pupil, const PERCENT: u32> Pupil for Familiar<L, PERCENT> {
    const CLASSES: usize = L::CLASSES;

    fn score_classes(
        &self,
        x: &L::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(x, each)
    }
}

impl<L: Pupil, R: Reaction<L> + Persist> Pupil for Watched<L, R> {
    const CLASSES: usize = L::CLASSES;

    fn score_classes(
        &self,
        x: &L::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(x, each)
    }
}
