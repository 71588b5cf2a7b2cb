//! Updates: the classes that an example moves, and step sizes.

mod all_violating;
mod annealed_steps;
mod best_wrong_class;
mod binary;
mod uneven;

pub use all_violating::AllViolating;
pub use annealed_steps::AnnealedSteps;
pub use best_wrong_class::BestWrongClass;
pub use binary::Binary;
pub use uneven::Uneven;

use crate::{
    label::{ClassLabel, Sign},
    persist::{ImageError, Persist, Reader, Ready},
};

/// State of the learner that a step depends on.
#[derive(Clone, Copy, Debug)]
pub struct StepContext {
    /// The budget.
    pub slots: usize,
    /// Increase of the example's margin by a step of one.
    pub gain: f32,
    /// Whether all slots are occupied.
    pub full: bool,
    /// Whether vectors have been merged.
    pub merged: bool,
    /// Whether most vectors belong to classes that are absent.
    pub mostly_absent: bool,
    /// Whether an old learner knows only few examples of the class.
    pub new_class: bool,
    /// [Local error rate](super::CoefficientRow::error_rate) of the vector nearest to the example.
    pub error_rate: f32,
    /// Immaturity of the learner: 1 when it is new, 1/2 after 256 examples per slot, towards 0 later.
    pub immaturity: f32,
    /// Whether steps become smaller with time.
    pub annealing: bool,
    /// Whether likely wrong labels (`m < -1`) get smaller steps.
    pub robust_to_noise: bool,
}

/// The steps of an example.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps<const N: usize> {
    /// Coefficients to add the example with; zero for a class that does not move.
    pub of: [f32; N],
    /// Mobility of vectors, from 0 to 1.
    pub mobility: f32,
    /// Whether the answer was wrong, not only too close.
    pub mistake: bool,
}

impl<const N: usize> Steps<N> {
    const NONE: Self = Steps {
        of: [0.0; N],
        mobility: 0.0,
        mistake: false,
    };

    /// The size of the largest step.
    pub fn largest(&self) -> f32 {
        self.of.iter().map(|step| step.abs()).fold(0.0, f32::max)
    }
}

/// A step by a [`StepRule`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSize {
    /// The step.
    pub size: f32,
    /// Mobility of vectors, from 0 to 1.
    pub mobility: f32,
}

/// Decides how far an example with this margin moves the model.
pub trait StepRule: Ready + Persist + crate::sealed::Sealed {
    /// The step for an example on that side with this margin, or `None` for one that is large enough.
    fn step(&mut self, side: Sign, margin: f32, context: &StepContext) -> Option<StepSize>;

    /// The size of a step for a stored vector that is rehearsed.
    fn rehearsal(&self, slots: usize) -> f32;

    /// Trust in the labels, from 0 to 1.
    fn trust(&self) -> f32;

    /// Weight of an example on that side, relative to the side that weighs most.
    fn weight(&self, _: Sign) -> f32 {
        1.0
    }

    /// Forgets examples on that side.
    fn forget(&mut self, _: Sign) {}
}

/// An update: it reads `N` columns of scores as `C` classes, and decides which of them an example moves.
///
/// Classes are numbered from zero; `present` says which of them have an example. Unless an update says otherwise, every
/// class has a column of its own.
pub trait Update<const C: usize, const N: usize>: Ready + Persist + crate::sealed::Sealed {
    /// Class label.
    type Label: ClassLabel;

    /// Increase of an example's margin by a step of one.
    const GAIN: f32 = 1.0;

    /// Class of a vector with these coefficients.
    #[inline]
    fn owner(values: &[i8; N]) -> usize {
        most(values.iter().copied().enumerate()).map_or(0, |(class, _)| class)
    }

    /// The column that is empty once a class is forgotten.
    fn column(class: usize) -> Option<usize> {
        Some(class)
    }

    /// Reads the words of an update of so many classes.
    #[doc(hidden)]
    fn convert(&mut self, _classes: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.load(reader)
    }

    /// The class with the highest score among those present, and the score behind that.
    #[inline]
    fn winner(scores: &[f32; N], present: &[bool; C]) -> (usize, f32) {
        rival(scores, present, usize::MAX).unwrap_or((0, 0.0))
    }

    /// Margin of a class over the best other one.
    fn margin(scores: &[f32; N], present: &[bool; C], class: usize) -> f32 {
        let own = scores.get(class).copied().unwrap_or(0.0);
        own - rival(scores, present, class).map_or(0.0, |(_, score)| score)
    }

    /// The steps for an example of a class.
    fn steps(
        &mut self,
        scores: &[f32; N],
        present: &[bool; C],
        class: usize,
        context: &StepContext,
    ) -> Steps<N>;

    /// The steps for a stored vector of a class whose margin is to be more than `wanted`.
    fn rehearse(
        &self,
        scores: &[f32; N],
        present: &[bool; C],
        class: usize,
        wanted: f32,
        slots: usize,
    ) -> Option<[f32; N]>;

    /// Trust in the labels, from 0 to 1.
    fn trust(&self, present: &[bool; C]) -> f32;

    /// Forgets a class.
    fn forget(&mut self, _: usize) {}

    /// Weight of an example of a class, relative to the class that weighs most.
    fn weight(&self, _: usize) -> f32 {
        1.0
    }
}

/// The class with the most, the lowest of equals.
fn most<T: PartialOrd + Copy>(values: impl Iterator<Item = (usize, T)>) -> Option<(usize, T)> {
    let mut best: Option<(usize, T)> = None;
    for (class, value) in values {
        if best.is_none_or(|(_, highest)| value > highest) {
            best = Some((class, value));
        }
    }
    best
}

/// The best class present other than this one, and its score.
fn rival<const C: usize, const N: usize>(
    scores: &[f32; N],
    present: &[bool; C],
    class: usize,
) -> Option<(usize, f32)> {
    let scores = scores.iter().copied().zip(present).enumerate();
    let others = scores.filter(|(index, (_, present))| **present && *index != class);
    most(others.map(|(index, (score, _))| (index, score)))
}
