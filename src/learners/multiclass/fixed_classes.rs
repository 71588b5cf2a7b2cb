//! All classes are known in advance.

use super::{AllClasses, ClasswiseLearner, OneVsRest};
use crate::{
    classifier::{OnlineClassifier, Outcome, RemoteModel},
    error::{ConfigError, InputError},
    kernel::Kernel,
    label::Class,
    learners::perceptron::KernelPerceptron,
    persist::{Persist, Ready, Restart},
    rule::Rule,
    storage::Memory,
};

/// [`OneVsRest`] or [`SharedSupport`](super::SharedSupport) as the papers train them: each of the `C` classes learns from
/// every example from the first one on, also while it has none of its own, and can be predicted at any time.
///
/// Without it a class waits for its first example: classes can be added later, and a class that
/// never comes is never predicted. With it `C` is the number of classes, not a capacity.
/// Costs no memory.
///
/// ```
/// use pocketron::{label::Class, learners::multiclass::{FixedClasses, OneVsRest}, prelude::*};
/// let binary = Stoptron::<1, 8>::new(Gaussian::constant(1.0));
/// let mut waiting = OneVsRest::<_, 2>::of(&binary);
/// let mut model = FixedClasses::new(waiting.clone());
/// waiting.learn(&[0.5], Class(0))?;
/// model.learn(&[0.5], Class(0))?;
/// assert_eq!(waiting.scores(&[0.5])?, [1.0, 0.0]);
/// assert_eq!(model.scores(&[0.5])?, [1.0, -1.0]);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FixedClasses<M> {
    inner: M,
}

impl<M> FixedClasses<M> {
    /// Has all classes of a model take part from its next example on.
    pub const fn new(inner: M) -> Self {
        FixedClasses { inner }
    }

    /// The model.
    pub const fn inner(&self) -> &M {
        &self.inner
    }
}

impl<M: ClasswiseLearner> FixedClasses<M> {
    /// Score of every class.
    pub fn scores(&self, x: &M::Input) -> Result<M::Scores, InputError> {
        self.inner.scores_among::<AllClasses>(x)
    }

    /// The class that wins with these [`scores`](Self::scores), and its score.
    pub fn winner(&self, scores: &M::Scores) -> (Class, f32) {
        self.inner.winner_among::<AllClasses>(scores)
    }
}

impl<K, P, S, R, Y, const C: usize> FixedClasses<OneVsRest<KernelPerceptron<K, P, S, R, Y>, C>>
where
    K: Kernel + Clone,
    P: Ready,
    S: Memory,
    R: Rule + Clone,
{
    /// As [`OneVsRest::configure`].
    pub fn configure(&mut self, kernel: K, rule: R) -> Result<(), ConfigError> {
        self.inner.configure(kernel, rule)
    }
}

impl<M: ClasswiseLearner> OnlineClassifier for FixedClasses<M> {
    type Input = M::Input;
    type Label = Class;

    fn predict_scored(&self, x: &M::Input) -> Result<(Class, f32), InputError> {
        Ok(self.winner(&self.scores(x)?))
    }

    fn has_class(&self, label: Class) -> bool {
        self.inner.has_class(label)
    }

    fn validate(&self, x: &M::Input, label: Class, id: Option<u32>) -> Result<(), InputError> {
        self.inner.validate(x, label, id)
    }

    fn learn_with_id(
        &mut self,
        x: &M::Input,
        label: Class,
        id: Option<u32>,
    ) -> Result<Outcome<Class>, InputError> {
        self.validate(x, label, id)?;
        self.inner.learn_among::<AllClasses>(x, label, id)
    }
}

impl<M: ClasswiseLearner + Persist> RemoteModel for FixedClasses<M> {
    const CLASSES: usize = M::CLASSES;

    fn score_classes(
        &self,
        x: &M::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        let scores = self.scores(x)?;
        scores.as_ref().iter().copied().for_each(each);
        Ok(self.winner(&scores))
    }
}

impl<M: Restart> Restart for FixedClasses<M> {
    fn restart(&mut self) {
        self.inner.restart();
    }
}

crate::persist::persist!([M] FixedClasses<M> as "fixed-classes" { inner });
