//! Leave-one-out recall of a class on its stored vectors.

use super::{CoefficientRow, ContinualLearner, Update};
use crate::{
    classifier::Recall,
    label::{Class, Label as _},
    storage::{Memory, PerFeature, point::Points},
};

impl<S, M, U, const C: usize, const N: usize, T> ContinualLearner<S, M, U, C, N, T>
where
    S: PerFeature,
    M: Memory<Points: Points<Feature = i8>>,
    U: Update<C, N>,
{
    /// Stored vectors that belong to a class.
    pub fn vectors_of(&self, class: Class) -> u16 {
        let own = |row: &&CoefficientRow<N>| U::owner(row.values()) == class.index();
        let count = self.vectors.rows().iter().filter(own).count();
        u16::try_from(count).unwrap_or(u16::MAX)
    }

    /// Leave-one-out recall: classifies each stored vector of the class with its own coefficients left out. Costs `B` kernel
    /// evaluations for each of these vectors.
    ///
    /// It needs no data beside the model. It is not held-out recall, which [`ExemplarReplay`](crate::wrap::ExemplarReplay) measures: merged vectors
    /// are averages, and vectors are stored where the model was wrong or unsure, so it is lower where classes overlap.
    ///
    /// ```
    /// use pocketron::{label::Class, learners::continual::Recall, prelude::*};
    ///
    /// let mut model = PocketronMulti::<1, 8, 3>::new();
    /// for x in [0.0, 5.0, 0.2, 5.2, 0.1, 5.1] {
    ///     model.learn(&[x], Class(u8::from(x > 2.0)))?;
    /// }
    /// let Recall { asked, right, .. } = model.recall(Class(0));
    /// assert!(asked > 1 && right == asked);
    /// assert_eq!(model.recall(Class(2)), Recall::default()); // nothing learned of it
    /// # Ok::<(), pocketron::error::InputError>(())
    /// ```
    pub fn recall(&self, class: Class) -> Recall {
        let mut recall = Recall::default();
        for slot in 0..self.vectors.len() {
            if U::owner(self.vectors.row(slot).values()) != class.index() {
                continue;
            }
            let right = self.evidence_without(slot);
            let right = right.is_some_and(|(owner, evidence)| evidence.class == owner);
            recall.asked = recall.asked.saturating_add(1);
            recall.right = recall.right.saturating_add(right.into());
        }
        recall
    }
}
