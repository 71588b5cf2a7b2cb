//! Two vectors become one between them.

mod table;

pub(crate) use table::root_of_loss;

use core::borrow::Borrow;

use super::{Admission, EvaluatedIn, Policy, first_least};
use crate::{
    kernel::{KernelIn, Mergeable, Uniform},
    num::{Coefficient, Number, Rank},
    persist::{Blank, Ready},
    storage::{
        Column, FeatureIn, Memory, NumberIn, SupportSet,
        point::{Feature, Rounding},
    },
};

/// Merging: the vector `r` of least `|alpha|`, the new one included, and a
/// partner `j` of the same sign become one vector between them.
///
/// With `k = k(x_r, x_j)` and `u = alpha_r / (alpha_r + alpha_j)`, the share `h`
/// in `[0, 1]` maximises `u k^((1-h)^2) + (1-u) k^(h^2)`, and
///
/// ```text
/// z = h x_r + (1-h) x_j,   alpha_z = alpha_r k^((1-h)^2) + alpha_j k^(h^2)
/// loss = alpha_r^2 + alpha_j^2 + 2 alpha_r alpha_j k - alpha_z^2
/// ```
///
/// The partner of least loss takes `z`; without a partner `r` is dropped.
/// Needs a Gaussian kernel and goes with
/// [`MarginRule`](crate::rule::MarginRule) or [`Shrinking`](crate::rule::Shrinking).
#[derive(Clone, Copy, Debug, Default)]
pub struct Merging;

impl Ready for Merging {}

/// One vector in place of two.
#[derive(Clone, Copy)]
struct Merger {
    share: f32,
    alpha: f32,
    loss: f32,
}

/// Newton steps. Convergence is quadratic except near `k = exp(-2)` with equal weights, where the objective is flat.
const STEPS: usize = 6;

/// The share in `[0, 1/2]` at which most is kept, of a partner that is not the lighter one; `exponent` is `ln k`, and
/// `pull` the ratio of what is left of the weakest and of its partner,
/// `q(h) = |alpha_r| / |alpha_j| k^(1-2h)`.
///
/// At the best place the two pull alike, `h = q / (1 + q)`. The right side is convex in `h` up to one half, so that
/// Newton's steps from the partner on come nearer without passing the first such place. However heavy the partner is,
/// its small move comes out with all its digits; a search that compares sums of weights could not tell it from none.
fn best_share(exponent: f32, pull: impl Fn(f32) -> f32) -> f32 {
    // There the denominator vanishes. The slope of a far pair may be no number: then this is taken.
    const LEAST: f32 = 1.0 / 256.0;
    let mut share = 0.0;
    for _ in 0..STEPS {
        let pull = pull(share);
        let goal = pull / (1.0 + pull);
        let slope = -2.0 * exponent * (goal * (1.0 - goal));
        share += (goal - share) / (1.0 - slope).max(LEAST);
    }
    share
}

/// The merger of two vectors with these coefficients at a share of the way between
/// them; `exponent` is `ln k(x_r, x_j)`.
fn merger<K: Mergeable>(
    kernel: &K,
    exponent: f32,
    (alpha_r, alpha_j): (f32, f32),
    share: f32,
) -> Merger {
    let rest = 1.0 - share;
    let alpha = alpha_r * kernel.exp(exponent * rest * rest)
        + alpha_j * kernel.exp(exponent * share * share);
    let both = alpha_r * alpha_r + alpha_j * alpha_j;
    let overlap = 2.0 * alpha_r * alpha_j * kernel.exp(exponent);
    Merger {
        share,
        alpha,
        loss: both + overlap - alpha * alpha,
    }
}

/// A kernel whose mergers of vectors of the format `F` can be found.
pub trait Ranking<F: Feature>: Mergeable + KernelIn<F> {
    /// The criterion by which partners are ranked.
    type Loss: Rank;

    /// For a vector with the coefficient `weakest`: how much merging it with a
    /// partner loses, given the partner's coefficient and their squared distance.
    fn ranking(
        &self,
        step: f32,
        weakest: StoredOf<F>,
    ) -> impl Fn(StoredOf<F>, F::Number) -> Self::Loss;

    /// The ratio of what is left of the weakest and of its partner, at a share of the way from the partner to the
    /// weakest; `exponent` is the logarithm of their similarity.
    fn pull(
        &self,
        exponent: f32,
        weakest: StoredOf<F>,
        partner: StoredOf<F>,
    ) -> impl Fn(f32) -> f32;
}

/// A coefficient beside features of the format `F`.
type StoredOf<F> = <<F as Feature>::Number as Number>::Stored;

/// Logarithm of a similarity; minus infinity becomes the least finite number.
fn finite(exponent: f32) -> f32 {
    exponent.max(f32::MIN)
}

/// By the loss of the best merger.
impl<K: Mergeable + Uniform> Ranking<f32> for K {
    type Loss = f32;

    #[inline]
    fn ranking(&self, _: f32, weakest: f32) -> impl Fn(f32, f32) -> f32 {
        move |partner, base| {
            let exponent = finite(self.exponent(base));
            let share = best_share(exponent, self.pull(exponent, weakest, partner));
            merger(self, exponent, (weakest, partner), share).loss
        }
    }

    #[inline]
    fn pull(&self, exponent: f32, weakest: f32, partner: f32) -> impl Fn(f32) -> f32 {
        let ratio = weakest / partner;
        move |share| ratio * self.exp(exponent * (1.0 - 2.0 * share))
    }
}

impl<K: Ranking<FeatureIn<M>>, M: Memory> Policy<K, M> for Merging {
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission {
        admit(kernel, set, candidate, coefficient)
    }
}

/// Adds the example; when full, the weakest vector and its best partner become one.
fn admit<K: Ranking<FeatureIn<M>>, M: Memory>(
    kernel: &K,
    set: &mut SupportSet<M>,
    candidate: &EvaluatedIn<'_, M>,
    coefficient: f32,
) -> Admission {
    if set.push(candidate.x, coefficient) {
        return Admission::Inserted;
    }
    // Position `newest` stands for the candidate.
    let newest = set.len();
    let newcomer = set.store_with(coefficient);
    let stored = || set.stored().iter().copied().chain([newcomer]);
    let weakest = first_least(stored().map(Coefficient::size));
    let own = set.point(weakest);
    let point = if weakest == newest {
        candidate.x
    } else {
        own.borrow()
    };
    let own_stored = set.stored().get(weakest).copied().unwrap_or(newcomer);

    let mut bases = <M::Column<NumberIn<M>>>::BLANK;
    bases.ensure(newest);
    set.bases(kernel, point, bases.as_mut_slice());
    let bases = bases.as_slice().get(..newest).unwrap_or_default();
    let to_newest = kernel.base_of(point.as_ref(), candidate.x.as_ref());
    let bases = bases.iter().copied().chain([to_newest]);
    let loss_with = kernel.ranking(set.step(), own_stored);
    let mut best = None;
    for (position, (other, base)) in stored().zip(bases).enumerate() {
        if position != weakest && other.agrees(own_stored) {
            let loss = loss_with(other, base);
            if best.is_none_or(|(_, _, least)| loss.is_less(least)) {
                best = Some((position, base, loss));
            }
        }
    }
    let best = best.map(|(position, base, _)| {
        let other = set.stored().get(position).copied().unwrap_or(newcomer);
        let exponent = finite(kernel.exponent(base.base(set.step())));
        let share = best_share(exponent, kernel.pull(exponent, own_stored, other));
        let alphas = (set.value_of(own_stored), set.value_of(other));
        (position, merger(kernel, exponent, alphas, share))
    });

    let freed = (weakest != newest).then_some(weakest);
    if let Some(slot) = freed {
        set.remove(slot);
        set.push(candidate.x, coefficient);
    }
    match (best, freed) {
        (Some((into, merger)), _) => {
            let moved = usize::from(freed.is_some_and(|freed| into > freed));
            // The weight changes with nearly every merger: not where the weakest is less than half a unit of it.
            let rounding = Rounding::Chance(merger.alpha.to_bits());
            set.blend(into - moved, point, merger.share, rounding);
            set.set_alpha(into - moved, merger.alpha);
            Admission::Merged { into, freed }
        }
        (None, Some(slot)) => Admission::Shifted(slot),
        (None, None) => Admission::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Gaussian;

    fn merge(kernel: &Gaussian, exponent: f32, alpha_r: f32, alpha_j: f32) -> Merger {
        let exponent = finite(exponent);
        let pull = Ranking::<f32>::pull(kernel, exponent, alpha_r, alpha_j);
        let share = best_share(exponent, pull);
        merger(kernel, exponent, (alpha_r, alpha_j), share)
    }

    #[test]
    fn equal_weights_meet_half_way_and_a_heavy_one_hardly_moves() {
        let kernel = Gaussian::constant(1.0);
        let half = merge(&kernel, -0.5, 1.0, 1.0);
        assert!((half.share - 0.5).abs() < 1e-3, "{}", half.share);
        // Each keeps exp(-0.5 / 4) of its weight.
        assert!((half.alpha - 2.0 * libm::expf(-0.125)).abs() < 1e-5);
        let heavy = merge(&kernel, -0.5, 1.0, 50.0);
        assert!(heavy.share < 0.02, "{}", heavy.share);
        assert!(heavy.alpha > 50.5, "{}", heavy.alpha);
        // However small the share is, it has its digits: 1e-6 exp(-0.5) at first order.
        let share = merge(&kernel, -0.5, 1e-6, 1.0).share;
        assert!(
            (share / (1e-6 * libm::expf(-0.5)) - 1.0).abs() < 1e-3,
            "{share}"
        );
    }

    #[test]
    fn a_far_partner_keeps_its_weight() {
        let kernel = Gaussian::constant(1.0);
        for distance in [1e2_f32, 1e5, 1e20] {
            let merger = merge(&kernel, -distance * distance, 0.5, 2.0);
            assert_eq!((merger.share, merger.alpha), (0.0, 2.0), "{distance}");
        }
    }

    #[test]
    fn the_share_found_is_the_best_of_a_grid() {
        let kernel = Gaussian::constant(1.0);
        for (exponent, r, j) in [
            (-0.1, 0.3, 2.0),
            (-1.0, -0.9, -1.0),
            (-2.05, 0.99, 1.0),
            (-3.0, 0.5, 0.7),
            (-10.0, 0.9, 1.0),
        ] {
            let found = merge(&kernel, exponent, r, j).alpha.abs();
            for step in 0..=1000 {
                let h = step as f32 / 1000.0;
                let at = r * kernel.exp(exponent * (1.0 - h) * (1.0 - h))
                    + j * kernel.exp(exponent * h * h);
                assert!(at.abs() <= found + 1e-5, "{h}: {at} > {found}");
            }
        }
    }
}

crate::persist::persist!([] Merging as "merging");
