//! Reactions to drift.

use std::fmt;

use pocketron::{
    classifier::{OnlineClassifier, Outcome},
    error::InputError,
    label::ClassLabel,
    persist::{Blank as _, ImageError, Persist, Reader, Shape as ShapeWriter, Writer},
    wrap::drift::{ErrorRateDetector, Freeze, Reaction, Report, Reset, RollBack, Snapshot},
};

use crate::model::{BoxedLearner, Build, Shape, UnknownShape, copies};

/// Any reaction.
#[derive(Clone)]
#[allow(missing_docs, reason = "each is called as in the core")]
pub enum AnyReaction<L: ClassLabel, F> {
    Report(Report),
    Reset(Reset),
    Freeze(Freeze),
    RollBack(Copying<RollBack<BoxedLearner<L, F>>>),
    Snapshot(Copying<Snapshot<BoxedLearner<L, F>, AnyReaction<L, F>>>),
}

/// A reaction that keeps a copy of the model.
#[derive(Clone)]
pub struct Copying<R> {
    reaction: Box<R>,
    /// The model that is copied.
    learner: Shape,
}

impl<R> Copying<R> {
    fn new(reaction: R, learner: &Shape) -> Self {
        Copying {
            reaction: Box::new(reaction),
            learner: learner.clone(),
        }
    }
}

impl<L: Build<F>, F> AnyReaction<L, F> {
    /// The reaction of that shape beside a learner.
    pub fn of(shape: &Shape, learner: &Shape) -> Result<Self, UnknownShape> {
        Ok(match shape.pattern() {
            ("tell", []) => AnyReaction::Report(Report),
            ("empty", []) => AnyReaction::Reset(Reset),
            ("freeze", []) => AnyReaction::Freeze(Freeze::BLANK),
            ("roll-back", [_]) => AnyReaction::RollBack(Copying::new(RollBack::BLANK, learner)),
            ("snapshot", [_, reaction]) => {
                let reaction = AnyReaction::of(reaction, learner)?;
                AnyReaction::Snapshot(Copying::new(Snapshot::of(reaction), learner))
            }
            _ => return Err(shape.unknown("reaction")),
        })
    }
}

/// Does something with whichever reaction is inside.
macro_rules! inside {
    ($any:expr, $reaction:ident => $body:expr) => {
        match $any {
            AnyReaction::Report($reaction) => $body,
            AnyReaction::Reset($reaction) => $body,
            AnyReaction::Freeze($reaction) => $body,
            AnyReaction::RollBack($reaction) => $body,
            AnyReaction::Snapshot($reaction) => $body,
        }
    };
}

impl<L: Build<F>, F> Reaction<BoxedLearner<L, F>> for AnyReaction<L, F> {
    fn learn(
        &mut self,
        learner: &mut BoxedLearner<L, F>,
        x: &[F],
        label: L,
        id: Option<u32>,
    ) -> Result<Outcome<L>, InputError> {
        inside!(self, reaction => reaction.learn(learner, x, label, id))
    }

    fn after_example(&mut self, learner: &mut BoxedLearner<L, F>, detector: &ErrorRateDetector) {
        inside!(self, reaction => reaction.after_example(learner, detector));
    }
}

impl<C: OnlineClassifier, R: Reaction<C>> Reaction<C> for Copying<R> {
    fn learn(
        &mut self,
        learner: &mut C,
        x: &C::Input,
        label: C::Label,
        id: Option<u32>,
    ) -> Result<Outcome<C::Label>, InputError> {
        self.reaction.learn(learner, x, label, id)
    }

    fn after_example(&mut self, learner: &mut C, detector: &ErrorRateDetector) {
        self.reaction.after_example(learner, detector);
    }
}

impl<L: Build<F>, F> Persist for AnyReaction<L, F> {
    fn shape(&self, shape: &mut ShapeWriter<'_>) {
        inside!(self, reaction => reaction.shape(shape));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        inside!(self, reaction => reaction.save(writer));
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        inside!(self, reaction => reaction.load(reader))
    }
}

impl<R: Persist> Persist for Copying<R> {
    fn shape(&self, shape: &mut ShapeWriter<'_>) {
        copies::of(&self.learner, || self.reaction.shape(shape));
    }

    fn save(&self, writer: &mut Writer<'_>) {
        self.reaction.save(writer);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        copies::of(&self.learner, || self.reaction.load(reader))
    }
}

/// The reaction on alarm, in words.
impl<L: ClassLabel, F> fmt::Display for AnyReaction<L, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AnyReaction::Report(_) => f.write_str("tell the application"),
            AnyReaction::Reset(_) => f.write_str("forget and learn anew"),
            AnyReaction::Freeze(freeze) if freeze.is_frozen() => {
                f.write_str("stop learning (stopped)")
            }
            AnyReaction::Freeze(_) => f.write_str("stop learning"),
            AnyReaction::RollBack(Copying { reaction, .. }) => {
                let copy = reaction.kept().map_or("none yet", |_| "held");
                write!(f, "go back to an earlier copy ({copy})")
            }
            AnyReaction::Snapshot(Copying { reaction, .. }) => {
                let copy = reaction.kept().map_or("none kept", |_| "kept");
                let then = reaction.reaction();
                write!(f, "keep an earlier copy ({copy}), then {then}")
            }
        }
    }
}
