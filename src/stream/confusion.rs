//! Confusion matrix.

use super::ratio;
use crate::{classifier::Outcome, label::Label, stream::Observer};

/// Counts by true and predicted class, `C` classes.
///
/// ```
/// use pocketron::{prelude::*, stream::Confusion};
/// let mut confusion = Confusion::<2>::new();
/// confusion.count(Sign::Pos, Sign::Pos);
/// confusion.count(Sign::Pos, Sign::Neg);
/// confusion.count(Sign::Neg, Sign::Neg);
/// assert_eq!(confusion.recall(Sign::Pos), Some(0.5));
/// assert_eq!(confusion.precision(Sign::Pos), Some(1.0));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion<const C: usize> {
    counts: [[u32; C]; C],
}

impl<const C: usize> Confusion<C> {
    /// Nothing counted; usable in a `static`.
    pub const fn new() -> Self {
        const { assert!(C > 1, "there is nothing to confuse with one class") };
        Confusion {
            counts: [[0; C]; C],
        }
    }

    /// Counts one prediction; classes beyond `C` are left out.
    pub fn count<L: Label>(&mut self, truth: L, predicted: L) {
        let row = self.counts.get_mut(truth.index());
        if let Some(cell) = row.and_then(|row| row.get_mut(predicted.index())) {
            *cell = cell.saturating_add(1);
        }
    }

    /// Examples of `truth` that were predicted as `predicted`.
    pub fn of<L: Label>(&self, truth: L, predicted: L) -> u32 {
        let row = self.counts.get(truth.index());
        row.and_then(|row| row.get(predicted.index()))
            .copied()
            .unwrap_or(0)
    }

    /// Share of the examples of `class` that were recognised; `None` without any.
    pub fn recall<L: Label>(&self, class: L) -> Option<f32> {
        let row = self.counts.get(class.index())?;
        ratio(self.of(class, class), total(row.iter()))
    }

    /// Share of right ones among the predictions of `class`; `None` without any.
    pub fn precision<L: Label>(&self, class: L) -> Option<f32> {
        let column = self.counts.iter().filter_map(|row| row.get(class.index()));
        ratio(self.of(class, class), total(column))
    }

    /// Share of right predictions; `None` without any.
    pub fn accuracy(&self) -> Option<f32> {
        let right = self.counts.iter().enumerate();
        let right = total(right.filter_map(|(class, row)| row.get(class)));
        ratio(right, total(self.counts.as_flattened().iter()))
    }
}

/// Sum that stays at the largest number rather than overflow.
fn total<'a>(counts: impl Iterator<Item = &'a u32>) -> u32 {
    counts.fold(0, |sum: u32, count| sum.saturating_add(*count))
}

impl<const C: usize> Default for Confusion<C> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const C: usize, L: Label> Observer<L> for Confusion<C> {
    fn learned(&mut self, truth: L, outcome: &Outcome<L>) {
        self.count(truth, outcome.predicted);
    }
}
