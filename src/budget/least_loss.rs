//! Evict the vector whose loss costs the least expected accuracy.

use core::borrow::Borrow;

use super::{Admission, EvaluatedIn, Gram, Policy, Recomputed, first_least, scores::Scores};
use crate::{
    kernel::{KernelIn, Uniform},
    label::Sign,
    num::{Base, Number, math::probability_above_half, saturated},
    persist::{Blank, Ready},
    storage::{Column, FeatureIn, Memory, NumberIn, SupportSet, close_gap, put},
};

/// Examples of each class seen near a support vector.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Positive examples, each weighted by its similarity.
    pub plus: f32,
    /// Negative examples, each weighted by its similarity.
    pub minus: f32,
}

impl Counts {
    /// One example of its own class.
    const fn own(label: Sign) -> Self {
        match label {
            Sign::Pos => Counts {
                plus: 1.0,
                minus: 0.0,
            },
            Sign::Neg => Counts {
                plus: 0.0,
                minus: 1.0,
            },
        }
    }

    /// Adds `other`, times `similarity`.
    #[inline]
    fn add(&mut self, other: Counts, similarity: f32) {
        self.plus = saturated(self.plus + other.plus * similarity);
        self.minus = saturated(self.minus + other.minus * similarity);
    }

    /// `P(p > 1/2)` for `p ~ Beta(plus + 1, minus + 1)`: how surely the
    /// neighbourhood is positive.
    fn weight(self) -> f32 {
        probability_above_half(self.plus, self.minus)
    }
}

/// Tightest: evicts the vector, the new one included, without which the
/// expected hinge loss over all `B + 1` vectors is least.
///
/// Every vector counts the examples of both classes in its neighbourhood: an
/// example that passes adds `k(x, x_n)` to the count of its label at its nearest
/// vector `n`, an evicted vector hands its counts on, times its
/// similarity, to its nearest. Vector `i` is then positive with probability
/// `w_i = P(p > 1/2)`, `p ~ Beta(c+ + 1, c- + 1)`, and removing `r` costs
///
/// ```text
/// sum over i of  w_i max(0, 1 - f_r(x_i)) + (1 - w_i) max(0, 1 + f_r(x_i)),   f_r = f - alpha_r k(x_r, .)
/// ```
///
/// Keeps `f(x_i)`, and `w_i` until its counts change. The choice needs all
/// similarities among the stored vectors: `G` says whether they are
/// [recomputed](Recomputed), `B` rows for each removal, or [cached](super::Cached)
/// in `4 B^2` or `2 B^2` bytes.
///
/// Made for the Gaussian kernel: counts are weighted by similarities as they
/// are, and with a kernel that has no bound one far example outweighs the rest.
#[derive(Clone, Debug)]
pub struct LeastLoss<M: Memory, G = Recomputed> {
    scores: Scores<M>,
    counts: M::Column<Counts>,
    weights: M::Column<NumberIn<M>>,
    gram: G,
}

impl<M: Memory, G: Blank> LeastLoss<M, G> {
    /// Nothing counted yet.
    pub const fn new() -> Self {
        Self::BLANK
    }
}

impl<M: Memory, G> LeastLoss<M, G> {
    /// Stands for a weight whose counts have changed since it was computed.
    fn stale() -> NumberIn<M> {
        <NumberIn<M>>::ZERO - <NumberIn<M>>::ONE
    }

    /// Counts of every slot, in slot order; as many as there are support
    /// vectors are meaningful.
    pub fn counts(&self) -> &[Counts] {
        self.counts.as_slice()
    }

    /// `f(x_i)` of the vector in `slot`, as it is kept.
    pub fn score(&self, slot: usize) -> Option<f32> {
        self.scores.get(slot)
    }

    /// Adds `counts`, times `similarity`, to those of `slot`.
    #[inline]
    fn add_weighted(&mut self, slot: usize, counts: Counts, similarity: f32) {
        if let Some(own) = self.counts.as_mut_slice().get_mut(slot) {
            own.add(counts, similarity);
            put(self.weights.as_mut_slice(), slot, Self::stale());
        }
    }

    /// Computes the weights that are stale.
    fn refresh(&mut self) {
        let counts = self.counts.as_slice().iter();
        for (weight, counts) in self.weights.as_mut_slice().iter_mut().zip(counts) {
            if *weight == Self::stale() {
                *weight = <NumberIn<M>>::of(counts.weight());
            }
        }
    }

    /// The example is not stored: its nearest vector counts it.
    #[inline]
    fn pass_on(&mut self, candidate: &EvaluatedIn<'_, M>) {
        if let Some(slot) = candidate.nearest {
            let similarity = candidate.near(slot);
            self.add_weighted(slot, Counts::own(candidate.label), similarity);
        }
    }

    /// Writes the counts of a new vector into `slot`.
    fn start_slot(&mut self, slot: usize, counts: Counts) {
        self.counts.ensure(slot + 1);
        self.weights.ensure(slot + 1);
        put(self.counts.as_mut_slice(), slot, counts);
        put(self.weights.as_mut_slice(), slot, Self::stale());
    }
}

impl<M: Memory, G: Blank> Default for LeastLoss<M, G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M: Memory, G: Blank> Ready for LeastLoss<M, G> {}

/// The criterion of a removal at one vector.
#[derive(Clone, Copy, Debug)]
struct Member<N> {
    score: N,
    weight: N,
}

impl<N: Number> Member<N> {
    /// Expected hinge loss here without `alpha * near` of the score: the label
    /// is positive with probability `weight`.
    #[inline(always)]
    fn loss_without(self, alpha: N, near: N) -> N {
        let score = self.score - alpha.times(near);
        let if_positive = (N::ONE - score).positive_part();
        let if_negative = (N::ONE + score).positive_part();
        if_positive.times(self.weight) + if_negative.times(N::ONE - self.weight)
    }
}

impl<M: Memory, G> LeastLoss<M, G> {
    /// The vector to evict; `set.len()` stands for the candidate, whose similarities are `rounded`.
    fn victim<K: KernelIn<FeatureIn<M>>>(
        &mut self,
        kernel: &K,
        set: &SupportSet<M>,
        (candidate, rounded): (&EvaluatedIn<'_, M>, &[NumberIn<M>]),
        coefficient: f32,
        scratch: &mut [NumberIn<M>],
    ) -> usize
    where
        G: Gram<K, M>,
    {
        self.refresh();
        let mut members = <M::Column<Member<NumberIn<M>>>>::BLANK;
        members.ensure(set.len());
        let scores = self.scores.with(rounded, coefficient);
        let now = scores.zip(self.weights.as_slice());
        for (member, (score, weight)) in members.as_mut_slice().iter_mut().zip(now) {
            *member = Member {
                score,
                weight: *weight,
            };
        }
        let members = members.as_slice().get(..set.len()).unwrap_or_default();
        let newest = Member {
            score: <NumberIn<M>>::of(candidate.score_with(coefficient)),
            weight: <NumberIn<M>>::of(Counts::own(candidate.label).weight()),
        };
        let loss = |alpha: f32, row: &[NumberIn<M>], near_newest: NumberIn<M>| {
            let alpha = <NumberIn<M>>::of(alpha);
            <NumberIn<M>>::zip_sum(row, members, |near, member| {
                member.loss_without(alpha, near)
            }) + newest.loss_without(alpha, near_newest).value()
        };
        let stored = set.coefficients().zip(candidate.row).enumerate();
        let stored = stored.map(|(slot, (alpha, near))| {
            loss(alpha, self.gram.row(kernel, set, slot, scratch), *near)
        });
        let own = <NumberIn<M>>::of(candidate.self_similarity);
        let refused = loss(coefficient, rounded, own);
        first_least(stored.chain([refused]))
    }

    /// Hands the counts of `victim` to its nearest vector; what the candidate
    /// inherits is returned.
    fn transfer_counts<K: KernelIn<FeatureIn<M>>>(
        &mut self,
        kernel: &K,
        set: &SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        victim: usize,
        scratch: &mut [NumberIn<M>],
    ) -> Counts {
        let mut own = Counts::own(candidate.label);
        let Some(counts) = self.counts.as_slice().get(victim).copied() else {
            return own;
        };
        let point = set.point(victim);
        let (point, x) = (point.borrow(), candidate.x);
        let to_candidate = Base::Distance.of_pair(point.as_ref(), x.as_ref());
        match set.nearest(point, Some(victim), scratch) {
            Some((slot, distance)) if distance <= to_candidate => {
                let heir = set.point(slot);
                let similarity = set.pair(kernel, point, heir.borrow());
                self.add_weighted(slot, counts, similarity);
            }
            _ => own.add(counts, set.pair(kernel, point, x)),
        }
        own
    }
}

impl<K, M, G> Policy<K, M> for LeastLoss<M, G>
where
    K: KernelIn<FeatureIn<M>> + Uniform,
    M: Memory,
    G: Gram<K, M>,
{
    const WANTS_NEAREST: bool = true;

    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        let len = set.len();
        let mut rounded = <M::Column<NumberIn<M>>>::BLANK;
        let rounded = G::rounded(candidate.row, &mut rounded);
        if set.push(candidate.x, coefficient) {
            self.scores.insert(candidate, rounded, coefficient);
            self.gram.insert(candidate.row, candidate.self_similarity);
            self.start_slot(len, Counts::own(candidate.label));
            return Admission::Inserted;
        }
        let mut scratch = <M::Column<NumberIn<M>>>::BLANK;
        scratch.ensure(len);
        let scratch = scratch.as_mut_slice();
        let victim = self.victim(kernel, set, (candidate, rounded), coefficient, scratch);
        if victim == len {
            self.pass_on(candidate);
            return Admission::Refused;
        }
        let counts = self.transfer_counts(kernel, set, candidate, victim, scratch);
        let lost = self.gram.row(kernel, set, victim, scratch);
        let lost = (victim, set.alpha(victim), lost);
        self.scores.exchange(lost, candidate, rounded, coefficient);
        self.gram
            .exchange(victim, candidate.row, candidate.self_similarity);
        close_gap(self.counts.as_mut_slice(), victim, len);
        close_gap(self.weights.as_mut_slice(), victim, len);
        self.start_slot(len - 1, counts);
        set.remove(victim);
        set.push(candidate.x, coefficient);
        self.scores.refresh(kernel, set);
        Admission::Shifted(victim)
    }

    #[inline]
    fn passed(&mut self, _: &K, _: &SupportSet<M>, candidate: &EvaluatedIn<'_, M>) {
        self.pass_on(candidate);
    }

    fn shrunk(&mut self, factor: f32) {
        self.scores.shrink(factor);
    }
}

crate::persist::persist!([G; M: Memory] LeastLoss<M, G> as "least-loss" { scores, counts, weights, gram });

crate::persist::persist!([] Counts as "counts" { plus, minus });

// Never saved: scratch, which lives in a column like everything else.
crate::persist::persist!([; N: Number] Member<N> as "member" { score, weight });

impl crate::persist::Element for Counts {}
impl crate::sealed::Sealed for Counts {}
impl<N: Number> crate::persist::Element for Member<N> {}
impl<N> crate::sealed::Sealed for Member<N> {}
