//! Two vectors become one between them.

use core::borrow::Borrow;

use super::{Admission, Candidate, Policy, first_least, is_less};
use crate::{
    kernel::Mergeable,
    memory::{Blank, Column, Memory, Point, Ready},
    support::SupportSet,
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

impl Blank for Merging {
    const BLANK: Self = Merging;
}

impl Ready for Merging {}

/// One vector in place of two.
#[derive(Clone, Copy)]
struct Merger {
    share: f32,
    alpha: f32,
    loss: f32,
}

/// Halvings of the golden-section search: the bracket shrinks to `0.618^20`,
/// far below what `f32` can tell apart near a maximum.
const STEPS: usize = 20;
const GOLDEN: f32 = 0.618_034;

/// The best vector between `r` and its partner; `exponent` is `ln k(x_r, x_j)`.
fn merge<K: Mergeable>(kernel: &K, exponent: f32, alpha_r: f32, alpha_j: f32) -> Merger {
    let kept = |share: f32| {
        let rest = 1.0 - share;
        alpha_r * kernel.exp(exponent * rest * rest)
            + alpha_j * kernel.exp(exponent * share * share)
    };
    // Both coefficients have one sign, so the largest weight is the best.
    let size = |share: f32| kept(share).abs();
    let (mut low, mut high) = (0.0_f32, 1.0_f32);
    let (mut left, mut right) = (1.0 - GOLDEN, GOLDEN);
    let (mut at_left, mut at_right) = (size(left), size(right));
    for _ in 0..STEPS {
        if at_left >= at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = high - GOLDEN * (high - low);
            at_left = size(left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = low + GOLDEN * (high - low);
            at_right = size(right);
        }
    }
    let mut share = 0.5 * (low + high);
    let mut alpha = kept(share);
    // The search never arrives at the end, where the maximum of a far pair lies:
    // there even a small share would cost the partner's whole weight.
    let at_partner = alpha_j + alpha_r * kernel.exp(exponent);
    if at_partner.abs() > alpha.abs() {
        (share, alpha) = (0.0, at_partner);
    }
    let both = alpha_r * alpha_r + alpha_j * alpha_j;
    let overlap = 2.0 * alpha_r * alpha_j * kernel.exp(exponent);
    Merger {
        share,
        alpha,
        loss: both + overlap - alpha * alpha,
    }
}

impl<K: Mergeable, M: Memory> Policy<K, M> for Merging {
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &Candidate<'_, Point<M>>,
        coefficient: f32,
    ) -> Admission {
        if set.push(candidate.x, coefficient) {
            return Admission::Inserted;
        }
        // Position `newest` stands for the candidate.
        let newest = set.len();
        let alphas = || set.alphas().iter().copied().chain([coefficient]);
        let weakest = first_least(alphas().map(f32::abs));
        let stored = set.point(weakest);
        let (point, alpha) = if weakest == newest {
            (candidate.x, coefficient)
        } else {
            (stored.borrow(), set.alpha(weakest))
        };

        let mut bases = <M::Column<f32>>::BLANK;
        bases.ensure(newest);
        set.bases(kernel, point, bases.as_mut_slice());
        let bases = bases.as_slice().get(..newest).unwrap_or_default();
        let to_newest = kernel.base().of_pair(point.as_ref(), candidate.x.as_ref());
        let bases = bases.iter().copied().chain([to_newest]);
        let mut best: Option<(usize, Merger)> = None;
        for (position, (other, base)) in alphas().zip(bases).enumerate() {
            if position != weakest && other * alpha > 0.0 {
                let merger = merge(kernel, kernel.exponent(base), alpha, other);
                if best.is_none_or(|(_, best)| is_less(merger.loss, best.loss)) {
                    best = Some((position, merger));
                }
            }
        }

        let freed = (weakest != newest).then_some(weakest);
        if let Some(slot) = freed {
            set.remove(slot);
            set.push(candidate.x, coefficient);
        }
        match (best, freed) {
            (Some((into, merger)), _) => {
                let moved = usize::from(freed.is_some_and(|freed| into > freed));
                set.blend(into - moved, point, merger.share, merger.alpha);
                Admission::Merged { into, freed }
            }
            (None, Some(slot)) => Admission::Shifted(slot),
            (None, None) => Admission::Refused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Gaussian;

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
        for (exponent, r, j) in [(-0.1, 0.3, 2.0), (-1.0, -0.9, -1.0), (-3.0, 0.5, 0.7)] {
            let found = merge(&kernel, exponent, r, j).alpha.abs();
            for step in 0..=1000 {
                let h = step as f32 / 1000.0;
                let at = r * kernel.exp(exponent * (1.0 - h) * (1.0 - h))
                    + j * kernel.exp(exponent * h * h);
                // Far apart there are two maxima; the search promises one of them.
                assert!(
                    exponent < -2.0 || at.abs() <= found + 1e-5,
                    "{h}: {at} > {found}"
                );
            }
        }
    }
}

crate::image::persist!([] Merging as "merging");
