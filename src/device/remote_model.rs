//! A learner as seen from outside: classes have numbers, whatever their type.

use super::message::{ClassStatus, ErrorReply};
use crate::{
    budget::{Indifferent, Policy},
    classifier::{OnlineClassifier, Outcome, ScoredClassifier, Scorer, Wrapper},
    error::InputError,
    history::History,
    hypothesis::Hypothesis,
    kernel::KernelIn,
    label::{Class, ClassLabel, Sign},
    learners::{
        continual::{ContinualLearner, Tuning, Undo, Update},
        multiclass::{OneVsRest, SharedSupport},
        perceptron::Perceptron,
    },
    persist::Persist,
    rule::{Memoryless, Rule},
    storage::{
        FeatureIn, Memory, PerFeature,
        point::{Feature, QuantisedPoints},
    },
    wrap::{
        Standardized,
        confidence::{Calibrated, Confident, EvidenceSource, NoveltyDetector},
        drift::{DriftMonitor, Reaction},
    },
};

/// What a model says of a prediction besides the score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Confidence {
    /// Probability that the prediction is right, if the model is calibrated.
    pub probability: Option<f32>,
    /// Whether the input is like those learned so far, if the model can tell.
    pub known: Option<bool>,
}

/// A learner that a [`Device`](super::Device) can teach, if its input is an array of `f32`.
///
/// Some things only the [default learner](ContinualLearner) and [`Undo`] can do. Other learners inherit methods that refuse them
/// with [`ErrorReply::Unsupported`]; wrappers hand them on to the learner inside.
pub trait RemoteModel: OnlineClassifier<Label: ClassLabel> + Persist {
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
        Ok(self.learn(x, label)?.map(ClassLabel::class))
    }

    /// How sure the prediction for `x` is, as far as the model can tell.
    fn confidence(&self, _x: &Self::Input) -> Result<Confidence, InputError> {
        Ok(Confidence::default())
    }

    /// Whether it could [forget](Self::forget_class) this class, and if not, why.
    fn can_forget(&self, _class: Class) -> Result<(), ErrorReply> {
        Err(ErrorReply::Unsupported)
    }

    /// Forgets one class; the others stay. An error means that nothing changed.
    fn forget_class(&mut self, _class: Class) -> Result<(), ErrorReply> {
        Err(ErrorReply::Unsupported)
    }

    /// Takes back the last example, block of examples, or forgotten class; rehearsals since then go with it.
    ///
    /// A wrapper around [`Undo`] keeps what it learned itself: [`Undo`] belongs outermost.
    fn undo(&mut self) -> Result<(), ErrorReply> {
        Err(ErrorReply::Unsupported)
    }

    /// From here on, changes are one block.
    fn begin_block(&mut self) -> Result<(), ErrorReply> {
        Err(ErrorReply::Unsupported)
    }

    /// The block is complete.
    fn end_block(&mut self) -> Result<(), ErrorReply> {
        Err(ErrorReply::Unsupported)
    }

    /// Rehearses the next stored vectors, each once at most; how many took a step.
    fn rehearse_steps(&mut self, _steps: u16) -> Result<u16, ErrorReply> {
        Err(ErrorReply::Unsupported)
    }

    /// Examples learned of a class, if the model counts them.
    fn examples_of(&self, _class: Class) -> Option<u32> {
        None
    }

    /// What the model knows of a class, if it can tell.
    fn class_status(&self, _class: Class) -> Option<ClassStatus> {
        None
    }

    /// Whether there is a choice: two classes or more have an example.
    fn is_ready(&self) -> bool {
        true
    }

    /// Whether a coefficient has reached the largest value there is.
    fn is_saturated(&self) -> bool {
        false
    }
}

/// What a wrapper leaves to its learner: all but scores and confidence.
macro_rules! forwarded {
    () => {
        forwarded!(undo);
        forwarded!(besides undo);
    };
    (besides undo) => {
        fn rehearse_steps(&mut self, steps: u16) -> Result<u16, ErrorReply> {
            self.learner_mut().rehearse_steps(steps)
        }

        forwarded!(besides undo and rehearsal);
    };
    (undo) => {
        fn forget_class(&mut self, class: Class) -> Result<(), ErrorReply> {
            self.learner_mut().forget_class(class)
        }

        forwarded!(undo besides forgetting);
    };
    (undo besides forgetting) => {
        fn undo(&mut self) -> Result<(), ErrorReply> {
            self.learner_mut().undo()
        }

        fn begin_block(&mut self) -> Result<(), ErrorReply> {
            self.learner_mut().begin_block()
        }

        fn end_block(&mut self) -> Result<(), ErrorReply> {
            self.learner_mut().end_block()
        }
    };
    (besides undo and rehearsal) => {
        fn can_forget(&self, class: Class) -> Result<(), ErrorReply> {
            self.learner().can_forget(class)
        }

        fn examples_of(&self, class: Class) -> Option<u32> {
            self.learner().examples_of(class)
        }

        fn class_status(&self, class: Class) -> Option<ClassStatus> {
            self.learner().class_status(class)
        }

        fn is_ready(&self) -> bool {
            self.learner().is_ready()
        }

        fn is_saturated(&self) -> bool {
            self.learner().is_saturated()
        }
    };
}

/// Two classes: 0 is negative, 1 positive.
impl<H, R, Y> RemoteModel for Perceptron<H, R, Y>
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

impl<L, const C: usize> RemoteModel for OneVsRest<L, C>
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

impl<K, P, M, R, const C: usize> RemoteModel for SharedSupport<K, P, M, C, R>
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

impl<S, M, U, const C: usize, const N: usize, T> RemoteModel for ContinualLearner<S, M, U, C, N, T>
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

    fn can_forget(&self, class: Class) -> Result<(), ErrorReply> {
        let label = U::Label::of_class(class).filter(|label| self.has_class(*label));
        label.map(|_| ()).ok_or(ErrorReply::UnknownClass)
    }

    fn forget_class(&mut self, class: Class) -> Result<(), ErrorReply> {
        self.can_forget(class)?;
        let label = U::Label::of_class(class).ok_or(ErrorReply::UnknownClass)?;
        self.forget(label);
        Ok(())
    }

    fn rehearse_steps(&mut self, steps: u16) -> Result<u16, ErrorReply> {
        Ok(self.rehearse(steps))
    }

    fn examples_of(&self, class: Class) -> Option<u32> {
        Some(self.seen(class))
    }

    fn class_status(&self, class: Class) -> Option<ClassStatus> {
        let recall = self.recall(class);
        Some(ClassStatus {
            seen: self.seen(class),
            vectors: recall.vectors,
            recalled: recall.right,
        })
    }

    fn is_ready(&self) -> bool {
        ContinualLearner::is_ready(self)
    }

    fn is_saturated(&self) -> bool {
        ContinualLearner::is_saturated(self)
    }
}

/// As the learner inside.
impl<W: Wrapper<Learner: RemoteModel, Label: ClassLabel> + Persist> RemoteModel for W {
    const CLASSES: usize = W::Learner::CLASSES;

    fn score_classes(
        &self,
        x: &Self::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(x, each)
    }

    fn confidence(&self, x: &Self::Input) -> Result<Confidence, InputError> {
        self.learner().confidence(x)
    }

    forwarded!();
}

/// Behind a scale.
impl<L, F, const D: usize, const SKIPPED: u32, const CUT: u32> RemoteModel
    for Standardized<L, D, SKIPPED, CUT>
where
    L: RemoteModel<Input = [F; D]>,
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

    fn confidence(&self, x: &[f32; D]) -> Result<Confidence, InputError> {
        self.learner().confidence(&self.standardise(x)?)
    }

    forwarded!();
}

impl<L: RemoteModel + Clone> RemoteModel for Undo<L> {
    const CLASSES: usize = L::CLASSES;

    fn score_classes(
        &self,
        x: &L::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(x, each)
    }

    fn confidence(&self, x: &L::Input) -> Result<Confidence, InputError> {
        self.learner().confidence(x)
    }

    fn forget_class(&mut self, class: Class) -> Result<(), ErrorReply> {
        // What is refused leaves the copy as it was.
        self.learner().can_forget(class)?;
        self.before_change();
        self.learner_mut().forget_class(class)
    }

    fn undo(&mut self) -> Result<(), ErrorReply> {
        if Undo::undo(self) {
            Ok(())
        } else {
            Err(ErrorReply::NothingToUndo)
        }
    }

    fn begin_block(&mut self) -> Result<(), ErrorReply> {
        Undo::begin_block(self);
        Ok(())
    }

    fn end_block(&mut self) -> Result<(), ErrorReply> {
        Undo::end_block(self);
        Ok(())
    }

    forwarded!(besides undo);
}

impl<L: RemoteModel + Scorer> RemoteModel for Calibrated<L> {
    const CLASSES: usize = L::CLASSES;

    fn score_classes(
        &self,
        x: &L::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(x, each)
    }

    fn confidence(&self, x: &L::Input) -> Result<Confidence, InputError> {
        Ok(Confidence {
            probability: Some(Calibrated::confidence(self, x)?),
            ..self.learner().confidence(x)?
        })
    }

    forwarded!();
}

impl<L: RemoteModel + EvidenceSource, const C: usize> RemoteModel for Confident<L, C> {
    const CLASSES: usize = L::CLASSES;

    fn score_classes(
        &self,
        x: &L::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(x, each)
    }

    fn confidence(&self, x: &L::Input) -> Result<Confidence, InputError> {
        let answer = self.answer(x)?;
        Ok(Confidence {
            probability: Some(answer.probability),
            known: Some(answer.known),
        })
    }

    /// And calibrates on as many.
    fn rehearse_steps(&mut self, steps: u16) -> Result<u16, ErrorReply> {
        let moved = self.learner_mut().rehearse_steps(steps)?;
        self.calibrate(steps);
        Ok(moved)
    }

    fn forget_class(&mut self, class: Class) -> Result<(), ErrorReply> {
        self.learner_mut().forget_class(class)?;
        self.forget_spacing(class);
        Ok(())
    }

    forwarded!(undo besides forgetting);
    forwarded!(besides undo and rehearsal);
}

impl<L: RemoteModel + ScoredClassifier, const PERCENT: u32> RemoteModel
    for NoveltyDetector<L, PERCENT>
{
    const CLASSES: usize = L::CLASSES;

    fn score_classes(
        &self,
        x: &L::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(x, each)
    }

    fn confidence(&self, x: &L::Input) -> Result<Confidence, InputError> {
        Ok(Confidence {
            known: Some(!self.is_unknown(x)?),
            ..self.learner().confidence(x)?
        })
    }

    forwarded!();
}

impl<L: RemoteModel, R: Reaction<L> + Persist> RemoteModel for DriftMonitor<L, R> {
    const CLASSES: usize = L::CLASSES;

    fn score_classes(
        &self,
        x: &L::Input,
        each: &mut dyn FnMut(f32),
    ) -> Result<(Class, f32), InputError> {
        self.learner().score_classes(x, each)
    }

    fn confidence(&self, x: &L::Input) -> Result<Confidence, InputError> {
        self.learner().confidence(x)
    }

    forwarded!();
}
