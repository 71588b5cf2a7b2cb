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
    num::rolled,
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

/// What the steps of an example have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Mobility of vectors, from 0 to 1.
    pub mobility: f32,
    /// Whether the answer was wrong, not only too close.
    pub mistake: bool,
}

impl Steps {
    const NONE: Self = Steps {
        mobility: 0.0,
        mistake: false,
    };
}

/// The size of the largest step.
#[inline(never)]
pub(super) fn largest(steps: &[f32]) -> f32 {
    let mut largest = 0.0;
    for step in steps {
        rolled();
        if step.abs() > largest {
            largest = step.abs();
        }
    }
    largest
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

/// An update for `C` classes with `N` columns of scores. Every class has a column of its own, unless two share one.
pub trait Update<const C: usize, const N: usize>: UpdateRule {}

/// Decides which classes an example moves, and how far, whatever the number of classes.
///
/// Classes are numbered from zero; `present` says which of them have an example. Steps are coefficients to add the example
/// with, one for each column: zero for a class that does not move.
pub trait UpdateRule: Ready + Persist + crate::sealed::Sealed {
    /// Class label.
    type Label: ClassLabel;

    /// Increase of an example's margin by a step of one.
    const GAIN: f32 = 1.0;

    /// The steps for an example of a class.
    fn steps(
        &mut self,
        scores: &[f32],
        present: &[bool],
        class: usize,
        context: &StepContext,
        steps: &mut [f32],
    ) -> Steps;

    /// The steps for a stored vector of a class whose margin is to be more than `wanted`; false if it is.
    fn rehearse(&self, vector: &Rehearsed<'_>, steps: &mut [f32]) -> bool;

    /// Trust in the labels, from 0 to 1.
    fn trust(&self, present: &[bool]) -> f32;

    /// Forgets a class.
    fn forget(&mut self, _: usize) {}

    /// Reads the words of an update of so many classes.
    #[doc(hidden)]
    fn convert(&mut self, _classes: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.load(reader)
    }

    /// Weight of an example of a class, relative to the class that weighs most.
    fn weight(&self, _: usize) -> f32 {
        1.0
    }
}

/// A stored vector that is asked for its own class.
#[derive(Clone, Copy, Debug)]
pub struct Rehearsed<'a> {
    /// Its scores.
    pub scores: &'a [f32],
    /// Classes with an example.
    pub present: &'a [bool],
    /// Its class.
    pub class: usize,
    /// Margin that it should have.
    pub wanted: f32,
    /// The budget.
    pub slots: usize,
}

impl Rehearsed<'_> {
    /// Whether the margin is large enough.
    fn is_satisfied(&self) -> bool {
        margin(self.scores, self.present, self.class) > self.wanted
    }
}

/// Class of a vector with these coefficients. A single one is that of two classes: positive for the second.
#[inline(never)]
pub(super) fn owner(values: &[i8]) -> usize {
    match values {
        [value] => usize::from(*value > 0),
        values => most(values.iter().copied().enumerate()).map_or(0, |(class, _)| class),
    }
}

/// The column that is empty once a class is forgotten: none where two classes share it.
pub(super) fn column(class: usize, columns: usize) -> Option<usize> {
    (columns > 1).then_some(class)
}

/// No class.
pub(super) const NO_CLASS: usize = usize::MAX;

/// The class with the highest score among those present, except for one that is still unknown; and the score behind that.
#[inline(never)]
pub(super) fn winner(scores: &[f32], present: &[bool], unknown: usize) -> (usize, f32) {
    match (scores, present) {
        ([score], [first, second]) => {
            let class = match (*first && unknown != 0, *second && unknown != 1) {
                (false, true) => 1,
                (true, false) => 0,
                _ => usize::from(*score > 0.0),
            };
            (class, *score)
        }
        _ => rival(scores, present, unknown).unwrap_or((0, 0.0)),
    }
}

/// Margin of a class over the best other one.
#[inline(never)]
pub(super) fn margin(scores: &[f32], present: &[bool], class: usize) -> f32 {
    match scores {
        [score] => binary::side(class).value() * score,
        scores => {
            let own = scores.get(class).copied().unwrap_or(0.0);
            own - rival(scores, present, class).map_or(0.0, |(_, score)| score)
        }
    }
}

/// The class with the most, the lowest of equals.
fn most<T: PartialOrd + Copy>(values: impl Iterator<Item = (usize, T)>) -> Option<(usize, T)> {
    values
        .inspect(|_| rolled())
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// The best class present other than this one, and its score.
#[inline(never)]
fn rival(scores: &[f32], present: &[bool], class: usize) -> Option<(usize, f32)> {
    let scores = scores.iter().copied().zip(present).enumerate();
    let others = scores.filter(|(index, (_, present))| **present && *index != class);
    most(others.map(|(index, (score, _))| (index, score)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_and_unknown_classes_do_not_win() {
        let scores = [0.5, 0.2, 9.0, 0.4, -3.0];
        let present = [true, true, false, true, true];
        assert_eq!(winner(&scores, &present, NO_CLASS), (0, 0.5));
        assert_eq!(winner(&scores, &present, 0), (3, 0.4));
        assert!((margin(&scores, &present, 3) + 0.1).abs() < 1e-6);
        // The one score of two classes.
        assert_eq!(winner(&[-2.0], &[true, true], NO_CLASS), (0, -2.0));
        assert_eq!(winner(&[-2.0], &[true, true], 0), (1, -2.0));
        assert_eq!(margin(&[-2.0], &[true, true], 0), 2.0);
    }

    #[test]
    fn a_vector_belongs_to_its_largest_coefficient_or_its_side() {
        assert_eq!(owner(&[-3, 5, 5, 1]), 1);
        assert_eq!([owner(&[4]), owner(&[-4]), owner(&[0])], [1, 0, 0]);
    }
}
