//! The kernel without the number of features in its type: what a learning step does with it is compiled once.

use core::f32::consts::LOG2_E;

use super::{
    super::Slope,
    exponent::{DIGITS, Exponent, OCTAVE},
};
use crate::{
    num::{
        Fixed,
        math::{Fast, Math as _, power, rate::Rate},
        rolled,
    },
    storage::point::{Feature as _, MOST_FEATURES, WeightedDistance as _, pair, weighted_pair},
};

/// A unit can also be larger than one.
const BIAS: i32 = 16;
/// The largest weight has 15 bits.
const LARGEST: i32 = 15;

/// The finest unit: a weight of one has 14 digits.
const FINEST: i32 = BIAS + LARGEST - 1;
/// The weights must sum to less than this; with one more digit, to less than half of it.
const TOO_MUCH: u32 = MOST_FEATURES as u32 + 1;
const HALF_TOO_MUCH: u32 = MOST_FEATURES as u32 / 2 + 1;

/// Share of the way to go.
const RATE: f32 = 0.2;
/// The same in steps of exponents, with more digits than they have, since a product of whole
/// numbers is as fine as it is large.
const SPEED: f32 = RATE * LOG2_E * (OCTAVE << FINE) as f32;
const FINE: u32 = 16;
/// A weight changes by at most a tenth at a time.
const MOST: u32 = (0.1 * LOG2_E * OCTAVE as f32) as u32;
/// A vector is far if its similarity is below this one.
const ALONE: Fixed = Fixed::from_raw(1 << (power::RESULT - 3));
/// Bits of all masses that an example is compared with, added up; rounding may make them
/// one more.
const MASS: u32 = 12;
/// Bits of the contribution of an example to a feature.
const DIFFERENCE: u32 = 31;

/// The kernel as it is now.
#[derive(Clone, Copy)]
pub(crate) struct ArdView<'a> {
    /// Zero for `3 / D`.
    pub(super) gamma: f32,
    /// Zero while all features count alike.
    pub(super) unit: u32,
    /// In multiples of `2^-(unit - BIAS)`.
    pub(super) weights: &'a [u16],
}

impl ArdView<'_> {
    #[inline]
    pub(super) fn is_uniform(&self) -> bool {
        self.unit == 0
    }

    /// The fixed-point value of a weight of one.
    #[inline]
    pub(super) fn unit_value(&self) -> f32 {
        if self.is_uniform() {
            1.0
        } else {
            // 2^(BIAS - unit)
            f32::from_bits(((127 + BIAS - self.unit as i32) as u32) << 23)
        }
    }

    /// Decay rate of the similarity.
    #[inline]
    pub(crate) fn rate(&self) -> f32 {
        let gamma = if self.gamma == 0.0 {
            3.0 / self.weights.len().max(1) as f32
        } else {
            self.gamma
        };
        gamma * self.unit_value()
    }

    /// The logarithm of the similarity of two points with this squared distance; never positive.
    pub(crate) fn exponent(&self, distance: Fixed) -> f32 {
        use crate::num::Number as _;
        -self.rate() * distance.base(i8::step(1))
    }

    /// The weight of every feature, unless all of them count alike.
    #[inline]
    pub(crate) fn distinct_weights(&self) -> Option<&[u16]> {
        (!self.is_uniform()).then_some(self.weights)
    }

    /// Squared distance of two points.
    pub(crate) fn distance(&self, a: &[i8], b: &[i8]) -> Fixed {
        if self.is_uniform() {
            pair(a, b)
        } else {
            weighted_pair(self.weights, a, b)
        }
    }

    /// From squared distances to similarities.
    #[inline(never)]
    pub(crate) fn slope(&self) -> Slope {
        Slope::new(self.rate(), i8::step(1))
    }
}

/// The kernel, to be changed.
pub(crate) struct ArdViewMut<'a> {
    pub(super) gamma: f32,
    pub(super) unit: &'a mut u32,
    pub(super) weights: &'a mut [u16],
    pub(super) exponents: &'a mut [Exponent],
}

/// An example that moves a full model, as far as the kernel sees it.
pub(crate) struct Lesson<'a> {
    /// What each stored vector says about the example, times its similarity: positive if it speaks for what is to be added.
    pub votes: &'a [Fixed],
    /// Whether the answer was wrong and all vectors are [far](is_far): that says nothing about single features, but that the
    /// kernel is too narrow.
    pub too_narrow: bool,
    /// Size of the example's step.
    pub size: f32,
}

impl ArdViewMut<'_> {
    #[inline]
    pub(crate) fn as_ref(&self) -> ArdView<'_> {
        ArdView {
            gamma: self.gamma,
            unit: *self.unit,
            weights: self.weights,
        }
    }

    /// Whole weights of the exponents in a unit of `2^-(unit - BIAS)`, and whether there is room for
    /// them: one that is larger than 16 bits has none.
    #[inline(never)]
    fn derive(&mut self, unit: i32) -> Room {
        let (mut sum, mut fits) = (0_u32, true);
        for (weight, exponent) in self.weights.iter_mut().zip(&*self.exponents) {
            rolled();
            let below = (LARGEST + BIAS - unit) * OCTAVE - exponent.steps();
            fits &= below >= 0;
            let below = below.clamp(0, 32 * OCTAVE - 1) as u32;
            let power = power::once(below << (power::FRACTION - DIGITS));
            *weight = (power >> (power::RESULT - LARGEST as u32)) as u16;
            sum = sum.saturating_add((*weight).into());
        }
        *self.unit = unit as u32;
        match sum {
            _ if !fits => Room::None,
            TOO_MUCH.. => Room::None,
            HALF_TOO_MUCH.. => Room::Enough,
            _ => Room::ForTwice,
        }
    }

    /// All features count less: vectors get more alike.
    fn widen(&mut self, share: f32) {
        let step = (share * MOST as f32) as i32;
        for exponent in self.exponents.iter_mut() {
            rolled();
            *exponent = exponent.plus(-step);
        }
        self.refresh();
    }

    /// Brings the whole weights up to date, as fine as there is room for. Where it begins does not
    /// matter: twice as fine is at least twice as much.
    #[inline(never)]
    pub(super) fn refresh(&mut self) {
        let mut unit = if self.as_ref().is_uniform() {
            FINEST
        } else {
            *self.unit as i32
        };
        let mut room = self.derive(unit);
        while room == Room::ForTwice && unit < FINEST {
            unit += 1;
            room = self.derive(unit);
        }
        while room == Room::None && unit > 1 {
            unit -= 1;
            room = self.derive(unit);
        }
    }

    /// Learns from an example that is about to be added to a full model. `add` adds the [distances](add_distances) of the
    /// vector in a slot, times a mass, to sums of which `same` and `other` have a zero for each feature.
    #[inline(never)]
    pub(crate) fn adapt(
        &mut self,
        lesson: &Lesson<'_>,
        add: impl Fn(usize, u16, &mut [Fixed]),
        (same, other): (&mut [Fixed], &mut [Fixed]),
    ) {
        if self.as_ref().is_uniform() {
            self.refresh();
        }
        // A step of more than one, as a rare class may have, says no more about features than one.
        let size = lesson.size.min(1.0);
        if lesson.too_narrow {
            self.widen(size);
            return;
        }
        let votes = || {
            let votes = lesson.votes.iter().inspect(|_| rolled());
            votes.map(|vote| vote.raw())
        };
        let all: u64 = votes().map(|vote| u64::from(vote.unsigned_abs())).sum();
        // 31 is enough for more vectors than any memory has.
        let shift = digits(all).saturating_sub(MASS).min(31);
        let half = (1_u32 << shift) >> 1;

        // Distances to vectors that speak for the example, and to those against it, by feature.
        for (slot, vote) in votes().enumerate() {
            let mass = (vote.unsigned_abs() + half) >> shift;
            if mass > 0 {
                let sums = if vote > 0 { &mut *same } else { &mut *other };
                add(slot, mass as u16, sums);
            }
        }
        self.follow(same, other, size);
    }

    /// Changes every weight by what the sums of its feature say.
    fn follow(&mut self, same: &[Fixed], other: &[Fixed], size: f32) {
        let sums = || same.iter().zip(other).inspect(|_| rolled());
        let features = self.weights.len();
        let all: u64 = sums()
            .zip(&*self.weights)
            .map(|((same, other), weight)| {
                let sum = same.raw() as u32 + other.raw() as u32;
                u64::from(*weight) * u64::from(sum)
            })
            .sum();
        // No more digits than a fixed-point number has: a feature uses at most all of them.
        let cut = digits(all).saturating_sub(DIFFERENCE);
        let rate = SPEED * size * features as f32;
        let rate = Rate::new(rate / ((all >> cut) as u32).max(1) as f32);
        let features = self.weights.iter().zip(&mut *self.exponents);
        for ((same, other), (weight, exponent)) in sums().zip(features) {
            // A weight that has rounded to nothing counts as the least one, or it would never come back.
            let excess = same.raw() - other.raw();
            let excess_weighted = u64::from((*weight).max(1)) * u64::from(excess.unsigned_abs());
            // The size is shifted: below zero a shift rounds down, and weights would creep up.
            let step = rate.times((excess_weighted >> cut) as u32) >> FINE;
            let step = step.min(MOST) as i32;
            *exponent = exponent.plus(-step * excess.signum());
        }
        self.refresh();
    }
}

/// Adds the squared differences of two vectors, times a mass, to the sums of the features.
#[inline]
pub(crate) fn add_distances(mass: u16, x: &[i8], own: &[i8], sums: &mut [Fixed]) {
    for (sum, (x, own)) in sums.iter_mut().zip(x.iter().zip(own)) {
        rolled();
        i8::accumulate_weighted(mass, sum, *x, *own);
    }
}

/// Whether a vector of that similarity is far.
pub(crate) fn is_far(similarity: Fixed) -> bool {
    similarity < ALONE
}

/// Binary digits of a number.
fn digits(number: u64) -> u32 {
    u64::BITS - number.leading_zeros()
}

/// `exp(exponent)`.
#[inline(never)]
pub(crate) fn exp(exponent: f32) -> f32 {
    Fast::exp(exponent)
}

/// Whether a sum with these integer weights fits into 32 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Room {
    None,
    Enough,
    ForTwice,
}
