//! `f(x_j)` of every stored vector, kept up to date.

use core::borrow::Borrow;

use super::EvaluatedIn;
use crate::{
    kernel::KernelIn,
    num::{Base, Number},
    storage::{Column, FeatureIn, Memory, NumberIn, SupportSet, close_gap, put},
};

/// A column of scores that follows insertions and removals, so that the stored vectors need not be
/// evaluated again.
#[derive(Clone, Debug)]
pub(super) struct Scores<M: Memory>(M::Column<NumberIn<M>>);

impl<M: Memory> Scores<M> {
    /// Scores as they will be once a vector with these similarities is added, in slot order.
    #[inline]
    pub fn with(&self, row: &[NumberIn<M>], coefficient: f32) -> impl Iterator<Item = NumberIn<M>> {
        let coefficient = <NumberIn<M>>::of(coefficient);
        let stored = self.0.as_slice().iter().zip(row);
        stored.map(move |(score, near)| *score + coefficient.times(*near))
    }

    /// Score of the vector in `slot`.
    pub fn get(&self, slot: usize) -> Option<f32> {
        Some(self.0.as_slice().get(slot)?.value())
    }

    /// The candidate was appended to `row.len()` vectors. `row` holds the similarities as the cache will return them at
    /// removal.
    pub fn insert(
        &mut self,
        candidate: &EvaluatedIn<'_, M>,
        row: &[NumberIn<M>],
        coefficient: f32,
    ) {
        let newest = <NumberIn<M>>::of(candidate.score_with(coefficient));
        let coefficient = <NumberIn<M>>::of(coefficient);
        for (score, near) in self.0.as_mut_slice().iter_mut().zip(row) {
            *score = (*score + coefficient.times(*near)).saturated();
        }
        let slot = row.len();
        self.0.ensure(slot + 1);
        put(self.0.as_mut_slice(), slot, newest.saturated());
    }

    /// The vector in `slot`, with coefficient `weight` and similarities `lost`
    /// to every stored vector, made way for the candidate, appended at the end; `row` as in [`insert`](Self::insert).
    pub fn exchange(
        &mut self,
        (slot, weight, lost): (usize, f32, &[NumberIn<M>]),
        candidate: &EvaluatedIn<'_, M>,
        row: &[NumberIn<M>],
        coefficient: f32,
    ) {
        let newest = candidate.score_with(coefficient) - weight * candidate.near(slot);
        let (weight, coefficient) = (<NumberIn<M>>::of(weight), <NumberIn<M>>::of(coefficient));
        let scores = self.0.as_mut_slice();
        for ((score, near), lost) in scores.iter_mut().zip(row).zip(lost) {
            let change = coefficient.times(*near) - weight.times(*lost);
            *score = (*score + change).saturated();
        }
        let len = row.len();
        close_gap(scores, slot, len);
        let newest = <NumberIn<M>>::of(newest).saturated();
        put(scores, len.saturating_sub(1), newest);
    }

    /// Recomputes the scores where keeping them does not work.
    ///
    /// Similarities of a product kernel have no bound: adding a huge one and
    /// taking it away again would leave nothing of the rest.
    pub fn refresh<K: KernelIn<FeatureIn<M>>>(&mut self, kernel: &K, set: &SupportSet<M>) {
        if kernel.base() == Base::Product {
            for (slot, score) in self.0.as_mut_slice().iter_mut().enumerate() {
                if slot < set.len() {
                    let fresh = set.score(kernel, set.point(slot).borrow());
                    *score = <NumberIn<M>>::of(fresh).saturated();
                }
            }
        }
    }

    /// Every coefficient was multiplied by `factor`.
    pub fn shrink(&mut self, factor: f32) {
        for score in self.0.as_mut_slice() {
            *score = <NumberIn<M>>::of(score.value() * factor);
        }
    }
}

crate::persist::persist!([; M: Memory] Scores<M> as "scores" { 0 });
