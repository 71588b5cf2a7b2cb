//! Evict the vector that is needed least.

use core::borrow::Borrow;

use super::{Admission, EvaluatedIn, Policy, first_least, scores::Scores};
use crate::{
    kernel::{KernelIn, Uniform},
    label::Sign,
    num::Number,
    persist::{Blank, Ready},
    storage::{Column, FeatureIn, Memory, NumberIn, SupportSet},
};

/// Fixed Budget Perceptron: evicts the vector, the new one included, that the
/// others classify with the largest margin `y_j (f(x_j) - alpha_j k(x_j, x_j))`.
///
/// Keeps `f(x_j)` of every slot, so that a choice costs one pass and a removal
/// one row of similarities (`B` rows with a kernel of the inner product). Good on clean data; on noisy data it keeps the noise.
#[derive(Clone, Debug)]
pub struct LargestMargin<M: Memory> {
    scores: Scores<M>,
}

impl<M: Memory> LargestMargin<M> {
    /// Nothing stored yet.
    pub const fn new() -> Self {
        Self::BLANK
    }
}

impl<M: Memory> Default for LargestMargin<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Memory> Ready for LargestMargin<M> {}

impl<K: KernelIn<FeatureIn<M>> + Uniform, M: Memory> Policy<K, M> for LargestMargin<M> {
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        if set.push(candidate.x, coefficient) {
            self.scores.insert(candidate, candidate.row, coefficient);
            return Admission::Inserted;
        }
        let stored = self
            .scores
            .with(candidate.row, coefficient)
            .zip(set.coefficients());
        let negated = stored.enumerate().map(|(slot, (score, alpha))| {
            let own = set.own(kernel, set.point(slot).borrow());
            -Sign::of(alpha).value() * (score.value() - alpha * own)
        });
        let newest = -candidate.label.value() * candidate.score;
        let victim = first_least(negated.chain([newest]));
        if victim == set.len() {
            return Admission::Refused;
        }
        let mut lost = <M::Column<NumberIn<M>>>::BLANK;
        lost.ensure(set.len());
        set.row_of(kernel, victim, lost.as_mut_slice());
        let lost = (victim, set.alpha(victim), lost.as_slice());
        self.scores
            .exchange(lost, candidate, candidate.row, coefficient);
        set.remove(victim);
        set.push(candidate.x, coefficient);
        self.scores.refresh(kernel, set);
        Admission::Shifted(victim)
    }

    fn shrunk(&mut self, factor: f32) {
        self.scores.shrink(factor);
    }
}

crate::persist::persist!([; M: Memory] LargestMargin<M> as "largest-margin" { scores });
