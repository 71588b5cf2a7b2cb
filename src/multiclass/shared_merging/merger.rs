//! Two vectors with the coefficients of all classes become one.

use core::f32::consts::LOG2_E;

use super::row::Row;
use crate::{
    budget::root_of_loss,
    kernel::{Mergeable, Slope},
    math::power::{self, half_to_the},
    number::Fixed,
};

/// A vector's coefficients as they are stored: a size that all of them have in common, and a row.
#[derive(Clone, Copy)]
pub(super) struct Weights<const C: usize> {
    pub size: i16,
    pub row: Row<C>,
    /// `row . row`
    square: u32,
}

impl<const C: usize> Weights<C> {
    pub fn new(size: i16, row: Row<C>) -> Self {
        Weights {
            size,
            row,
            square: row.dot(&row) as u32,
        }
    }

    /// `|A|^2`, up to what all vectors have in common.
    pub fn norm_squared(&self) -> u64 {
        let size = u64::from(self.size.unsigned_abs());
        size * size * u64::from(self.square)
    }
}

/// Binary digits of a similarity that a loss is computed with, and those it has less than others.
const NEAR: u32 = 15;
const CUT: u32 = power::RESULT - NEAR;
/// Binary digits of a ratio.
const RATIO: u32 = 8;

/// What merging the weakest vector `i` with a partner `j` at this distance loses, divided by
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
pub(super) fn loss<const C: usize>(
    slope: Slope,
    weakest: &Weights<C>,
    partner: &Weights<C>,
    distance: Fixed,
) -> u32 {
    let near = slope.similarity(distance).raw() as u32 >> CUT;
    let apart = (1 << (2 * NEAR)) - near * near;
    let product = weakest.row.dot(&partner.row);
    if product <= 0 {
        return apart;
    }
    // Products have 22 digits with 256 classes, and c^2 <= 1 makes one of the quotients small.
    let product = (product as u32) << RATIO;
    let of = |square: u32| product.checked_div(square).unwrap_or(0);
    let (of_weakest, of_partner) = (of(weakest.square), of(partner.square));
    let cosine_squared = (of_weakest * of_partner).min(1 << (2 * RATIO));
    let size = |weights: &Weights<C>| u32::from(weights.size.unsigned_abs());
    let ratio = (of_partner * size(weakest)).checked_div(size(partner));
    let root = root_of_loss(ratio.unwrap_or(0).min(1 << RATIO), near);
    let along = (((1 << NEAR) - near) * root) >> 12;
    let gained = apart.saturating_sub(along * along) >> NEAR;
    apart - ((cosine_squared * gained) >> 1)
}

/// Steps of the search for the best place: it is found at once where one vector is much heavier, and matters little
/// where equals are far apart.
const STEPS: usize = 8;

/// One vector in place of two.
#[derive(Clone, Copy)]
pub(super) struct Merger {
    /// Share of the way from the partner to the weakest.
    pub share: f32,
    /// What is left of the weakest, and of the partner.
    pub kept: (f32, f32),
}

/// The best place between the weakest vector and its partner; `exponent` is the logarithm of their
/// similarity. It maximises
///
/// ```text
/// |A_i|^2 k1^2 + 2 A_i . A_j k1 k2 + |A_j|^2 k2^2,   k1 = k^((1-h)^2), k2 = k^(h^2)
/// ```
pub(super) fn merger<K: Mergeable, const C: usize>(
    kernel: &K,
    exponent: f32,
    weakest: &Weights<C>,
    partner: &Weights<C>,
) -> Merger {
    // In units of the partner: 14 digits and 30 of two similarities.
    let of_partner = partner.norm_squared().max(1) as f32;
    let whole = |number: f32| ((1 << 14) as f32 * number / of_partner) as i64;
    let sizes = i64::from(weakest.size) * i64::from(partner.size);
    let product = sizes * i64::from(weakest.row.dot(&partner.row));
    let own = whole(weakest.norm_squared() as f32);
    let both = 2 * whole(product as f32);
    let exponent_of_two = -exponent * (LOG2_E * (1_u32 << power::FRACTION) as f32);
    let similarity = |way: f32| i64::from(half_to_the((exponent_of_two * way * way) as u32) >> CUT);
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

/// `alpha k`, in multiples of 2^-9 of a coefficient's unit: below 2^24.
#[inline(always)]
pub(super) fn weight(size: i16, near: Fixed) -> i32 {
    // In two halves, since the smallest cores multiply no more than 32 bits.
    const HALF: u32 = power::RESULT / 2;
    let size = i32::from(size);
    let high = size * (near.raw() >> HALF);
    let low = size * (near.raw() & ((1 << HALF) - 1));
    (high + (low >> HALF) + 4) >> 3
}

/// Binary digits of a [`weight`] behind the point.
pub(super) const FRACTION: u32 = power::RESULT / 2 - 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::XorShift32;

    /// What merging loses at the best of many places between the two, divided by `|A_i|^2`, and what the part of `A_i`
    /// across `A_j` loses more if it stays behind.
    fn by_search<const C: usize>(
        weakest: &Weights<C>,
        partner: &Weights<C>,
        near: f64,
    ) -> [f64; 2] {
        let values = |weights: &Weights<C>| {
            let size = f64::from(weights.size);
            weights.row.0.map(|value| size * f64::from(value))
        };
        let (a, b) = (values(weakest), values(partner));
        let dot = |a: &[f64; C], b: &[f64; C]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (own, product, others) = (dot(&a, &a), dot(&a, &b), dot(&b, &b));
        let both = own + 2.0 * product * near + others;
        let least = (0..=2000).map(|place| {
            let share = f64::from(place) / 2000.0;
            let kept = |way: f64| libm::pow(near, way * way);
            let (i, j) = (kept(1.0 - share), kept(share));
            both - (own * i * i + 2.0 * product * i * j + others * j * j)
        });
        let least = least.fold(f64::INFINITY, f64::min);
        let across = own - product * product / others;
        [least / own, across / own * (1.0 - near * near)]
    }

    #[test]
    fn a_loss_is_that_of_the_best_place_or_of_what_stays_behind() {
        let mut dice = XorShift32::new(3);
        let mut parallel = 0;
        for _ in 0..2000 {
            let mut row = |spread: u32| -> [i8; 4] {
                core::array::from_fn(|_| dice.below(2 * spread + 1) as i8 - spread as i8)
            };
            let (mut a, b) = (row(60), row(60));
            if row(9)[0] > 0 {
                // Rows that go nearly the same way, as those of one class do.
                let noise = row(6);
                a = core::array::from_fn(|class| b[class] + noise[class]);
            }
            let weigh = |row, size: u32| Weights::new(size as i16 + 300, Row(row));
            let (a, b) = (weigh(a, dice.below(9000)), weigh(b, dice.below(9000)));
            let (weakest, partner) = if a.norm_squared() <= b.norm_squared() {
                (a, b)
            } else {
                (b, a)
            };
            // A distance of `d` is worth `exp(-d / 1000)`.
            let distance = dice.below(3000);
            let near = libm::exp(-f64::from(distance) / 1000.0);
            let [least, behind] = by_search(&weakest, &partner, near);
            let found = loss(
                Slope::new(0.001, 1.0),
                &weakest,
                &partner,
                Fixed::from_raw(distance as i32),
            );
            let found = f64::from(found) / f64::from(1_u32 << (2 * NEAR));
            // The table has roots of losses to 3 %, similarities have 15 digits and the cosine has 8.
            let off = 0.06 * least + 0.01;
            assert!(found >= least - off, "{found} {least}");
            assert!(found <= least + behind + off, "{found} {least} {behind}");
            parallel += usize::from(behind < 0.02);
        }
        assert!(
            parallel > 300,
            "{parallel}: the upper bound says little otherwise"
        );
    }
}
