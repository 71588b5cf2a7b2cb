//! Two vectors become one, for all classes at once.

use core::{borrow::Borrow as _, f32::consts::LOG2_E};

use super::{row::CoefficientRow, vectors::Vectors};
use crate::{
    budget::{Admission, root_of_loss},
    kernel::{KernelIn, Mergeable, Slope},
    num::{
        Fixed, Number as _,
        math::power::{self, half_to_the},
        rng::XorShift32,
    },
    persist::Blank as _,
    storage::{Memory, Point, point::Points},
};

/// The coefficients of a vector with their squared norm, computed once for all comparisons.
#[derive(Clone, Copy)]
struct RowWithNorm<'a, const N: usize> {
    row: &'a CoefficientRow<N>,
    /// `row . row`, in units of the row.
    square: u32,
}

impl<'a, const N: usize> RowWithNorm<'a, N> {
    fn new(row: &'a CoefficientRow<N>) -> Self {
        RowWithNorm {
            row,
            square: row.dot(row) as u32,
        }
    }

    /// `|A|^2`, up to what all vectors have in common.
    fn norm_squared(&self) -> u64 {
        u64::from(self.square) << (2 * self.row.exponent())
    }
}

/// Fraction bits of a similarity in a loss.
const NEAR: u32 = 15;
/// Bits dropped to get there.
const CUT: u32 = power::RESULT - NEAR;
/// Bits of a ratio.
const RATIO: u32 = 8;

/// Loss of merging the weakest vector `i` with a partner `j` at this distance, divided by
/// `|A_i|^2`, in multiples of 2^-30.
///
/// The part of `A_i` along `A_j` merges like a binary vector, and the rest of it stays behind like
/// one whose partner does not move. With `c` the cosine of the two rows,
///
/// ```text
/// loss = c^2 ((1 - k) s(rho c, k))^2 + (1 - c^2) (1 - k^2),   rho = |A_i| / |A_j|
/// ```
///
/// and `1 - k^2` if they are at odds. It only ranks partners: see the table in
/// [merging](crate::budget::Merging).
fn loss<const N: usize>(
    slope: Slope,
    weakest: &RowWithNorm<'_, N>,
    partner: &RowWithNorm<'_, N>,
    distance: Fixed,
) -> u32 {
    let near = slope.similarity(distance).raw() as u32 >> CUT;
    let apart = (1 << (2 * NEAR)) - near * near;
    let product = weakest.row.dot(partner.row);
    if product <= 0 {
        return apart;
    }
    // Products have 22 digits with 256 classes, and c^2 <= 1 makes one of the quotients small.
    let product = (product as u32) << RATIO;
    let of = |square: u32| product.checked_div(square).unwrap_or(0);
    let (of_weakest, of_partner) = (of(weakest.square), of(partner.square));
    let cosine_squared = (of_weakest * of_partner).min(1 << (2 * RATIO));
    // The partner's unit may be smaller, if its row is fuller; by no more than a few digits.
    let (own, other) = (weakest.row.exponent(), partner.row.exponent());
    let ratio = if own > other {
        of_partner.saturating_mul(1 << (own - other))
    } else {
        of_partner >> (other - own)
    };
    let root = root_of_loss(ratio.min(1 << RATIO), near);
    let along = (((1 << NEAR) - near) * root) >> 12;
    let gained = apart.saturating_sub(along * along) >> NEAR;
    apart - ((cosine_squared * gained) >> 1)
}

/// Steps of the search for the best place: it is found at once where one vector is much heavier, and matters little
/// where equals are far apart.
const STEPS: usize = 8;

/// One vector in place of two.
#[derive(Clone, Copy)]
struct Merger {
    /// Share of the way from the partner to the weakest.
    share: f32,
    /// Remaining factors of the weakest and of the partner.
    kept: (f32, f32),
}

/// The best place between the weakest vector and its partner; `exponent` is the logarithm of their
/// similarity. It maximises
///
/// ```text
/// |A_i|^2 k1^2 + 2 A_i . A_j k1 k2 + |A_j|^2 k2^2,   k1 = k^((1-h)^2), k2 = k^(h^2)
/// ```
fn merger<K: Mergeable, const N: usize>(
    kernel: &K,
    exponent: f32,
    weakest: &RowWithNorm<'_, N>,
    partner: &RowWithNorm<'_, N>,
) -> Merger {
    // In units of the partner: 14 digits and 30 of two similarities.
    let of_partner = partner.norm_squared().max(1) as f32;
    // A partner outside of the eligible ones may be far lighter: there is room for 2^16 times as much.
    let whole = |number: f32| {
        let units = ((1 << 14) as f32 * number / of_partner) as i64;
        units.clamp(-1 << 30, 1 << 30)
    };
    let product = i64::from(weakest.row.dot(partner.row))
        << (weakest.row.exponent() + partner.row.exponent());
    let own = whole(weakest.norm_squared() as f32);
    let both = 2 * whole(product as f32);
    let exponent_of_two = -exponent * (LOG2_E * (1_u32 << power::FRACTION) as f32);
    let similarity = |difference: f32| {
        i64::from(half_to_the((exponent_of_two * difference * difference) as u32) >> CUT)
    };
    // Where the derivative vanishes, (1-h) times the pull of the weakest equals h times that of its partner; from the
    // partner on, each step goes to where they would be alike. Rows at odds push, and nothing is gained by moving.
    let mut share = 0.0;
    for _ in 0..STEPS {
        let (a, b) = (similarity(1.0 - share), similarity(share));
        let common = both * a * b;
        let pull = (2 * own * a * a + common).max(0) as f32;
        let other = (((b * b) << 15) + common).max(1) as f32;
        share = pull / (pull + other);
    }
    let rest = 1.0 - share;
    Merger {
        share,
        kept: (
            kernel.exp(exponent * rest * rest),
            kernel.exp(exponent * share * share),
        ),
    }
}

/// Result of adding a new vector.
pub(super) struct Admitted {
    pub admission: Admission,
    /// Whether a coefficient was cut off at the largest there is.
    pub saturated: bool,
}

impl<M, const N: usize> Vectors<M, N>
where
    M: Memory<Points: Points<Feature = i8>>,
{
    /// Stores a vector. When full, the weakest of those that are `eligible`, the new one included, and its best eligible
    /// partner become one; without an eligible partner, the most similar of all vectors is.
    ///
    /// A function of its own: it is large, and rarely called.
    #[inline(never)]
    pub(super) fn admit<K: Mergeable + KernelIn<i8>>(
        &mut self,
        kernel: &K,
        x: &Point<M>,
        row: &CoefficientRow<N>,
        eligible: impl Fn(&CoefficientRow<N>) -> bool,
        rng: &mut XorShift32,
    ) -> Admitted {
        if self.push(x, row) {
            return Admitted {
                admission: Admission::Inserted,
                saturated: false,
            };
        }
        // Position `newest` stands for the new vector.
        let newest = self.len();
        let weighed = |position| RowWithNorm::new(self.rows().get(position).unwrap_or(row));
        let mut weakest: Option<(usize, RowWithNorm<'_, N>)> = None;
        for position in (0..=newest).rev() {
            // A tie goes to the lowest slot.
            let other = weighed(position);
            let weaker = |(_, least): (usize, RowWithNorm<'_, N>)| {
                other.norm_squared() <= least.norm_squared()
            };
            if eligible(other.row) && weakest.is_none_or(weaker) {
                weakest = Some((position, other));
            }
        }
        let (weakest, own) = weakest.unwrap_or((newest, weighed(newest)));

        let mut column = <M::Column<Fixed>>::BLANK;
        let own_point = self.point(weakest);
        let point = if weakest == newest {
            x
        } else {
            own_point.borrow()
        };
        let to_newest = kernel.base_of(point.as_ref(), x.as_ref());
        let distances = &*self.distances(kernel, point, &mut column);
        let distances = || distances.iter().copied().chain([to_newest]).enumerate();
        let slope = Slope::new(kernel.rate(), self.points().step());
        let mut best: Option<(usize, Fixed, u32)> = None;
        let mut nearest: Option<(usize, Fixed)> = None;
        for (position, distance) in distances().filter(|(position, _)| *position != weakest) {
            let other = weighed(position);
            if eligible(other.row) {
                let loss = loss(slope, &own, &other, distance);
                if best.is_none_or(|(_, _, least)| loss < least) {
                    best = Some((position, distance, loss));
                }
            }
            if nearest.is_none_or(|(_, least)| distance < least) {
                nearest = Some((position, distance));
            }
        }
        let best = best.map(|(position, distance, _)| (position, distance));
        let Some((into, distance)) = best.or(nearest) else {
            return Admitted {
                admission: Admission::Refused,
                saturated: false,
            };
        };
        let partner = weighed(into);
        let exponent = kernel.exponent(distance.base(self.points().step()));
        let merger = merger(kernel, exponent, &own, &partner);
        let mut merged = *partner.row;
        let saturated = merged.mix(merger.kept.1, own.row, merger.kept.0, rng);

        let freed = (weakest != newest).then_some(weakest);
        if let Some(slot) = freed {
            self.remove(slot);
            self.push(x, row);
        }
        let slot = into - usize::from(freed.is_some_and(|freed| into > freed));
        self.blend(slot, point, merger.share);
        self.set_row(slot, merged);
        Admitted {
            admission: Admission::Merged { into, freed },
            saturated,
        }
    }
}
