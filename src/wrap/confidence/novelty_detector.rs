//! A learner that says when it has never seen the like.

use super::Quantile;
use crate::{
    classifier::{Confidence, OnlineClassifier, Outcome, RemoteModel},
    error::InputError,
    label::Label as _,
    persist::{Blank, Ready, Restart},
};

/// A learner that knows how strong its answers usually are: `L` and 8 bytes.
///
/// The score behind an answer is small where no stored vector is near, or where several classes are. Among examples of
/// the stream, `PERCENT` have a [smaller](Quantile) score than the level; inputs below the level are called unknown.
/// So `PERCENT` of the known inputs are called unknown as well.
///
/// ```
/// use pocketron::{label::Class, learners::multiclass::OneVsRest, prelude::*, wrap::confidence::NoveltyDetector};
///
/// let binary = Stoptron::<1, 20>::new(Gaussian::constant(1.0));
/// let mut model = NoveltyDetector::<_>::of(OneVsRest::<_, 2>::of(&binary));
/// for n in 0..2000_u32 {
///     let noise = (n * 37 % 100) as f32 / 100.0;
///     let class = (n % 2) as u8;
///     model.learn(&[noise + 4.0 * f32::from(class)], Class(class))?; // around 0 and around 4
/// }
/// assert_eq!(model.predict_known(&[4.5])?, Some(Class(1)));
/// assert_eq!(model.predict_known(&[90.0])?, None);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// It predicts and learns as `L` does, bit for bit. Everything learned counts as known. An input between two classes
/// is as unknown as one far from both.
#[derive(Clone, Debug)]
pub struct NoveltyDetector<L, const PERCENT: u32 = 5> {
    learner: L,
    usual: Quantile<PERCENT>,
}

impl<L: Ready, const PERCENT: u32> NoveltyDetector<L, PERCENT> {
    /// Nothing seen yet, around a learner that has no parameter to set.
    pub const fn new() -> Self {
        Self::of(L::BLANK)
    }
}

impl<L: Ready, const PERCENT: u32> Default for NoveltyDetector<L, PERCENT> {
    fn default() -> Self {
        Self::new()
    }
}

impl<L, const PERCENT: u32> NoveltyDetector<L, PERCENT> {
    /// Nothing seen yet, around a learner.
    pub const fn of(learner: L) -> Self {
        NoveltyDetector {
            learner,
            usual: Quantile::BLANK,
        }
    }

    /// The learner.
    pub const fn learner(&self) -> &L {
        &self.learner
    }

    /// The learner, to be configured. To teach it directly would leave out the level.
    pub const fn learner_mut(&mut self) -> &mut L {
        &mut self.learner
    }

    /// The strength that usual answers have at least.
    pub const fn level(&self) -> f32 {
        self.usual.level()
    }
}

impl<L: OnlineClassifier, const PERCENT: u32> NoveltyDetector<L, PERCENT> {
    /// Label of `x`, or `None` if `x` is unlike everything learned.
    pub fn predict_known(&self, x: &L::Input) -> Result<Option<L::Label>, InputError> {
        let (label, score) = self.learner.predict_scored(x)?;
        let strength = label.strength(score);
        // What is far from all that is stored has a score of zero; where classes overlap, the level may be below.
        let known = strength > 0.0 && strength >= self.level();
        Ok(known.then_some(label))
    }

    /// Whether `x` is like nothing that has been learned.
    pub fn is_unknown(&self, x: &L::Input) -> Result<bool, InputError> {
        Ok(self.predict_known(x)?.is_none())
    }
}

impl<L: Ready, const PERCENT: u32> Ready for NoveltyDetector<L, PERCENT> {}

crate::classifier::wrapper!([L: OnlineClassifier, const PERCENT: u32] NoveltyDetector<L, PERCENT> {
    #[inline]
    learn(self, x, label, id) {
        let outcome = self.learner.learn_with_id(x, label, id)?;
        self.usual.learn(outcome.predicted.strength(outcome.score));
        Ok(outcome)
    }
} {
    fn wrapped_confidence(&self, x: &L::Input) -> Result<Confidence, InputError>
    where
        L: RemoteModel,
    {
        Ok(Confidence {
            known: Some(!self.is_unknown(x)?),
            ..self.learner.confidence(x)?
        })
    }
});

impl<L: Restart, const PERCENT: u32> Restart for NoveltyDetector<L, PERCENT> {
    fn restart(&mut self) {
        self.learner.restart();
        self.usual = Quantile::BLANK;
    }
}

crate::persist::persist!([L; const PERCENT: u32] NoveltyDetector<L, PERCENT> as "familiar" { learner, usual });
