//! One binary learner per class.

use super::{ClassStats, ClasswiseLearner, Participants, SeenClasses, side};
use crate::{
    budget::Admission,
    classifier::{OnlineClassifier, Outcome, RemoteModel, Scorer},
    error::{ConfigError, InputError},
    kernel::Kernel,
    label::Class,
    learners::perceptron::KernelPerceptron,
    persist::{Blank, ImageError, Persist, Reader, Ready, Restart, Shape, Writer},
    rule::Rule,
    storage::Memory,
};

/// `C` binary learners, each trained on its class against the rest; the highest
/// score wins, a tie goes to the lowest class.
///
/// ```
/// use pocketron::{label::Class, learners::multiclass::OneVsRest, prelude::*};
/// let binary = Stoptron::<2, 8>::new(Gaussian::constant(1.0));
/// let mut model = OneVsRest::<_, 3>::of(&binary);
/// for (x, class) in [([0.0, 2.0], 0), ([2.0, 0.0], 1), ([0.0, -2.0], 2)] {
///     model.learn(&x, Class(class))?;
/// }
/// assert_eq!(model.predict(&[1.8, 0.2])?, Class(1));
/// assert!(model.learn(&[0.0, 0.0], Class(3)).is_err());
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OneVsRest<L, const C: usize> {
    learners: [L; C],
    class_stats: ClassStats<C>,
}

impl<L, const C: usize> OneVsRest<L, C> {
    /// Combines one learner per class.
    pub const fn new(learners: [L; C]) -> Self {
        OneVsRest {
            learners,
            class_stats: ClassStats::BLANK,
        }
    }

    /// Examples of `class` learned so far.
    pub fn seen(&self, class: Class) -> u32 {
        self.class_stats.seen(class)
    }

    /// The learner of `class`.
    pub fn learner(&self, class: Class) -> Option<&L> {
        self.learners.get(usize::from(class.0))
    }
}

impl<L: Clone, const C: usize> OneVsRest<L, C> {
    /// The same fresh learner for every class.
    pub fn of(learner: &L) -> Self {
        Self::new(core::array::from_fn(|_| learner.clone()))
    }
}

impl<K, P, M, R, Y, const C: usize> OneVsRest<KernelPerceptron<K, P, M, R, Y>, C>
where
    K: Kernel + Clone,
    P: Ready,
    M: Memory,
    R: Rule + Clone,
{
    /// Gives every class of a blank model the same kernel and rule. An error means that
    /// they are outside their domains, or that the model has learned already.
    ///
    /// ```
    /// use pocketron::{error::ConfigError, label::Class, learners::multiclass::OneVsRest, prelude::*};
    /// let mut model = OneVsRest::<Stoptron<1, 4>, 2>::BLANK; // in a `static`, say
    /// assert!(model.learn(&[0.5], Class(1)).is_err());
    /// model.configure(Gaussian::constant(1.0), UnitSteps)?;
    /// assert!(model.learn(&[0.5], Class(1)).is_ok());
    /// let again = model.configure(Gaussian::constant(1.0), UnitSteps);
    /// assert_eq!(again, Err(ConfigError::InUse));
    /// # Ok::<(), ConfigError>(())
    /// ```
    pub fn configure(&mut self, kernel: K, rule: R) -> Result<(), ConfigError> {
        // A class without examples would not refuse, and one that refuses must not come last.
        if self.class_stats.seen.iter().any(|seen| *seen > 0) {
            return Err(ConfigError::InUse);
        }
        let mut learners = self.learners.iter_mut();
        learners.try_for_each(|learner| learner.configure(kernel.clone(), rule.clone()))
    }
}

impl<L: Blank, const C: usize> Blank for OneVsRest<L, C> {
    const BLANK: Self = Self::new([const { L::BLANK }; C]);
}

impl<L: Scorer, const C: usize> OneVsRest<L, C> {
    /// The class that wins with these [`scores`](Self::scores), and its score.
    pub fn winner(&self, scores: &[f32; C]) -> (Class, f32) {
        self.winner_among::<SeenClasses>(scores)
    }

    /// Score of every class that takes part, zero for the others.
    pub fn scores(&self, x: &L::Input) -> Result<[f32; C], InputError> {
        self.scores_among::<SeenClasses>(x)
    }
}

impl<L, const C: usize> crate::sealed::Sealed for OneVsRest<L, C> {}

impl<L: Scorer, const C: usize> ClasswiseLearner for OneVsRest<L, C> {
    type Scores = [f32; C];

    const CLASSES: usize = C;

    fn winner_among<P: Participants>(&self, scores: &[f32; C]) -> (Class, f32) {
        self.class_stats.winner::<P>(scores)
    }

    fn scores_among<P: Participants>(&self, x: &L::Input) -> Result<[f32; C], InputError> {
        let (mut scores, mut looked) = ([0.0; C], false);
        let classes = (0..=u8::MAX).map(Class).zip(&self.learners);
        for (score, (class, learner)) in scores.iter_mut().zip(classes) {
            if self.class_stats.takes_part::<P>(class) {
                *score = learner.score(x)?;
                looked = true;
            }
        }
        // Validate the input even if no class has been seen.
        if let (false, Some(learner)) = (looked, self.learners.first()) {
            learner.score(x)?;
        }
        Ok(scores)
    }

    fn learn_among<P: Participants>(
        &mut self,
        x: &L::Input,
        label: Class,
        id: Option<u32>,
    ) -> Result<Outcome<Class>, InputError> {
        let before = self.class_stats;
        self.class_stats.count(label);
        let (mut scores, mut admission) = ([0.0; C], None);
        let learners = (0..=u8::MAX).map(Class).zip(&mut self.learners);
        for (score, (class, learner)) in scores.iter_mut().zip(learners) {
            if self.class_stats.takes_part::<P>(class) {
                let outcome = learner.learn_with_id(x, side(class, label), id)?;
                *score = outcome.score;
                // One that moved speaks for all.
                if !admission.is_some_and(Admission::changed) {
                    admission = outcome.admission.or(admission);
                }
            }
        }
        let (predicted, score) = before.winner::<P>(&scores);
        Ok(Outcome {
            predicted,
            score,
            mistake: !before.takes_part::<P>(label) || predicted != label,
            admission,
            warning: None,
        })
    }
}

impl<L: Scorer, const C: usize> OnlineClassifier for OneVsRest<L, C> {
    type Input = L::Input;
    type Label = Class;

    fn predict_scored(&self, x: &L::Input) -> Result<(Class, f32), InputError> {
        Ok(self.winner(&self.scores(x)?))
    }

    fn has_class(&self, label: Class) -> bool {
        self.class_stats.check(label).is_ok()
    }

    fn validate(&self, x: &L::Input, label: Class, id: Option<u32>) -> Result<(), InputError> {
        self.class_stats.check(label)?;
        let learners = (0..=u8::MAX).map(Class).zip(&self.learners);
        for (class, learner) in learners {
            learner.validate(x, side(class, label), id)?;
        }
        Ok(())
    }

    /// Asks every learner before any of them learns, so that an example that one
    /// of them refuses changes none. The prediction reported is that of the
    /// current hypotheses, as with a binary learner, whatever the history.
    fn learn_with_id(
        &mut self,
        x: &L::Input,
        label: Class,
        id: Option<u32>,
    ) -> Result<Outcome<Class>, InputError> {
        self.validate(x, label, id)?;
        self.learn_among::<SeenClasses>(x, label, id)
    }
}

impl<L: Scorer + Persist, const C: usize> RemoteModel for OneVsRest<L, C> {
    const CLASSES: usize = C;

    crate::classifier::forward_scores!();
}

impl<L: Restart, const C: usize> Restart for OneVsRest<L, C> {
    fn restart(&mut self) {
        self.learners.iter_mut().for_each(L::restart);
        self.class_stats = ClassStats::BLANK;
    }
}

/// The census, then each learner.
impl<L: Persist, const C: usize> Persist for OneVsRest<L, C> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("one-vs-rest", |inside| {
            self.class_stats.shape(inside);
            if let Some(learner) = self.learners.first() {
                learner.shape(inside);
            }
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.class_stats.save(writer);
        for learner in &self.learners {
            learner.save(writer);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.class_stats.load(reader)?;
        self.learners
            .iter_mut()
            .try_for_each(|learner| learner.load(reader))
    }
}
