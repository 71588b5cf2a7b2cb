//! `f(x_j)` of every stored vector, kept up to date.

use core::borrow::Borrow;

use super::Candidate;
use crate::{
    kernel::Kernel,
    memory::{Blank, Column, Memory, close_gap, put},
    point::Base,
    support::SupportSet,
};

/// A column of scores that follows insertions and removals, so that nobody has
/// to evaluate the stored vectors afresh.
#[derive(Clone, Debug)]
pub(super) struct Scores<M: Memory>(M::Column<f32>);

impl<M: Memory> Blank for Scores<M> {
    const BLANK: Self = Scores(<M::Column<f32>>::BLANK);
}

impl<M: Memory> Scores<M> {
    /// Scores as they will be once the candidate is added, in slot order.
    #[inline]
    pub fn with<X: ?Sized>(
        &self,
        candidate: &Candidate<'_, X>,
        coefficient: f32,
    ) -> impl Iterator<Item = f32> {
        let stored = self.0.as_slice().iter().zip(candidate.row);
        stored.map(move |(score, near)| score + coefficient * near)
    }

    /// The candidate was appended to `candidate.row.len()` vectors.
    pub fn insert<X: ?Sized>(&mut self, candidate: &Candidate<'_, X>, coefficient: f32) {
        for (score, near) in self.0.as_mut_slice().iter_mut().zip(candidate.row) {
            *score += coefficient * near;
        }
        let slot = candidate.row.len();
        self.0.ensure(slot + 1);
        put(
            self.0.as_mut_slice(),
            slot,
            candidate.score_with(coefficient),
        );
    }

    /// The vector in `slot`, with coefficient `weight` and similarities `lost`
    /// to every stored vector, made way for the candidate, appended at the end.
    pub fn exchange<X: ?Sized>(
        &mut self,
        (slot, weight, lost): (usize, f32, &[f32]),
        candidate: &Candidate<'_, X>,
        coefficient: f32,
    ) {
        let scores = self.0.as_mut_slice();
        for ((score, near), lost) in scores.iter_mut().zip(candidate.row).zip(lost) {
            *score += coefficient * near - weight * lost;
        }
        let len = candidate.row.len();
        close_gap(scores, slot, len);
        let lost = candidate.row.get(slot).copied().unwrap_or(0.0);
        let newest = candidate.score_with(coefficient) - weight * lost;
        put(scores, len.saturating_sub(1), newest);
    }

    /// Computes the scores afresh where keeping them does not work.
    ///
    /// Similarities of a product kernel have no bound: adding a huge one and
    /// taking it away again would leave nothing of the rest.
    pub fn refresh<K: Kernel>(&mut self, kernel: &K, set: &SupportSet<M>) {
        if kernel.base() == Base::Product {
            for (slot, score) in self.0.as_mut_slice().iter_mut().enumerate() {
                if slot < set.len() {
                    *score = set.score(kernel, set.point(slot).borrow());
                }
            }
        }
    }

    /// Every coefficient was multiplied by `factor`.
    pub fn shrink(&mut self, factor: f32) {
        for score in self.0.as_mut_slice() {
            *score *= factor;
        }
    }
}

crate::image::persist!([M: Memory] Scores<M> as "scores" { 0 });
