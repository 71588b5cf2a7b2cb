//! Two vectors become one, for all classes at once.

use core::f32::consts::LOG2_E;

use super::{
    row::{RowRef, dot},
    update::owner,
    vectors::{Newcomer, VectorsMut},
};
use crate::{
    budget::{Admission, root_of_loss},
    kernel::{self, ArdView},
    num::{Fixed, math::power, rng::XorShift32, rolled, to_f32},
    storage::point::ByteSlots,
};

/// Fraction bits of a similarity in a loss.
const NEAR: u32 = 15;
/// Bits dropped to get there.
const CUT: u32 = power::RESULT - NEAR;
/// Bits of a ratio.
const RATIO: u32 = 8;

/// Loss of merging the weakest vector `i` with a partner `j` at this similarity, divided by
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
#[inline(never)]
fn loss(weakest: &RowRef<'_>, partner: &RowRef<'_>, near: Fixed) -> u32 {
    let near = near.raw() as u32 >> CUT;
    let apart = (1 << (2 * NEAR)) - near * near;
    let product = dot(weakest.values, partner.values);
    if product <= 0 {
        return apart;
    }
    // Products have 22 digits with 256 classes, and c^2 <= 1 makes one of the quotients small.
    let product = (product as u32) << RATIO;
    let of = |row: &RowRef<'_>| {
        let square = dot(row.values, row.values) as u32;
        product.checked_div(square).unwrap_or(0)
    };
    let (of_weakest, of_partner) = (of(weakest), of(partner));
    let cosine_squared = (of_weakest * of_partner).min(1 << (2 * RATIO));
    // The partner's unit may be smaller, if its row is fuller; by no more than a few digits.
    let (own, other) = (weakest.exponent, partner.exponent);
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

/// The best place between the weakest vector and its partner, as a share of the way from the partner; `exponent` is the
/// logarithm of their similarity. It maximises
///
/// ```text
/// |A_i|^2 k1^2 + 2 A_i . A_j k1 k2 + |A_j|^2 k2^2,   k1 = k^((1-h)^2), k2 = k^(h^2)
/// ```
#[inline(never)]
fn best_share(exponent: f32, weakest: &RowRef<'_>, partner: &RowRef<'_>) -> f32 {
    // In units of the partner: 14 digits and 30 of two similarities.
    let of_partner = partner.product(partner).max(1.0);
    // A partner outside of the eligible ones may be far lighter: there is room for 2^16 times as much.
    let whole = |number: f32| {
        let units = ((1 << 14) as f32 * number / of_partner) as i32;
        i64::from(units.clamp(-1 << 30, 1 << 30))
    };
    let own = 2 * whole(weakest.product(weakest));
    let both = 2 * whole(weakest.product(partner));
    let exponent_of_two = -exponent * (LOG2_E * (1_u32 << power::FRACTION) as f32);
    let similarity = |difference: f32| {
        i64::from(power::once((exponent_of_two * difference * difference) as u32) >> CUT)
    };
    // Where the derivative vanishes, (1-h) times the pull of the weakest equals h times that of its partner; from the
    // partner on, each step goes to where they would be alike. Rows at odds push, and nothing is gained by moving.
    let mut share = 0.0;
    for _ in 0..STEPS {
        rolled();
        let (a, b) = (similarity(1.0 - share), similarity(share));
        let common = both * a * b;
        let pull = to_f32((own * a * a + common).max(0));
        let other = to_f32((((b * b) << 15) + common).max(1));
        share = pull / (pull + other);
    }
    share
}

/// Result of adding a new vector.
pub(super) struct Admitted {
    pub admission: Admission,
    /// Whether a coefficient was cut off at the largest there is.
    pub saturated: bool,
}

/// Whether a vector with these coefficients may be merged: one of that class, if there is a class.
fn is_eligible(row: &RowRef<'_>, within: Option<usize>) -> bool {
    within.is_none_or(|class| owner(row.values) == class)
}

impl<P: ByteSlots + ?Sized> VectorsMut<'_, P> {
    /// Stores a vector. When full, the weakest of those of the class `within`, the new one included, and its best partner
    /// among them become one; without such a partner, the most similar of all vectors is. `row` is scratch memory for every
    /// slot.
    #[inline(never)]
    pub(super) fn admit(
        &mut self,
        kernel: &ArdView<'_>,
        mut newcomer: Newcomer<'_>,
        within: Option<usize>,
        row: &mut [Fixed],
        rng: &mut XorShift32,
    ) -> Admitted {
        if self.push(&newcomer) {
            return Admitted {
                admission: Admission::Inserted,
                saturated: false,
            };
        }
        let freed = self.weakest(&newcomer.row(), within);
        if let Some(slot) = freed {
            self.exchange(slot, &mut newcomer);
        }
        // The weakest is outside now, and all others are stored in their order.
        let Newcomer { x, head, values } = newcomer;
        let weakest = head.with(values);
        let Some((slot, distance)) = self.partner(kernel, x, &weakest, within, row) else {
            return Admitted {
                admission: Admission::Refused,
                saturated: false,
            };
        };
        let exponent = kernel.exponent(distance);
        let partner = self.as_ref();
        let share = partner
            .row(slot)
            .map_or(0.0, |partner| best_share(exponent, &weakest, &partner));
        // Remaining factors of the weakest and of the partner.
        let [own, other] = [1.0 - share, share].map(|part| kernel::exp(exponent * part * part));
        let mixed = self.row_mut(slot);
        let saturated =
            mixed.is_some_and(|(head, values)| head.mix(values, other, weakest, own, rng));
        self.blend(slot, x, share);
        // As the slots were before.
        let into = slot + usize::from(freed.is_some_and(|freed| slot >= freed));
        Admitted {
            admission: Admission::Merged { into, freed },
            saturated,
        }
    }

    /// The slot of the eligible vector with the smallest coefficients; none if it is the newcomer.
    #[inline(never)]
    fn weakest(&self, newcomer: &RowRef<'_>, within: Option<usize>) -> Option<usize> {
        let vectors = self.as_ref();
        let mut weakest = None;
        let mut least = u64::MAX;
        for (slot, row) in vectors.rows().enumerate() {
            let norm = row.norm_squared();
            if norm < least && is_eligible(&row, within) {
                (weakest, least) = (Some(slot), norm);
            }
        }
        weakest.filter(|_| newcomer.norm_squared() >= least || !is_eligible(newcomer, within))
    }

    /// The slot of the best partner for a vector, and its squared distance.
    #[inline(never)]
    fn partner(
        &self,
        kernel: &ArdView<'_>,
        x: &[i8],
        weakest: &RowRef<'_>,
        within: Option<usize>,
        row: &mut [Fixed],
    ) -> Option<(usize, Fixed)> {
        let vectors = self.as_ref();
        let row = vectors.distances(kernel, x, row);
        let slope = kernel.slope();
        let (mut best, mut least) = (None, u32::MAX);
        let (mut nearest, mut shortest) = (None, Fixed::from_raw(i32::MAX));
        for ((slot, distance), partner) in row.iter().enumerate().zip(vectors.rows()) {
            if is_eligible(&partner, within) {
                let loss = loss(weakest, &partner, slope.similarity_once(*distance));
                if loss < least {
                    (best, least) = (Some((slot, *distance)), loss);
                }
            }
            if *distance < shortest {
                (nearest, shortest) = (Some((slot, *distance)), *distance);
            }
        }
        best.or(nearest)
    }
}
