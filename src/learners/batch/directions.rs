//! Search directions.

use super::{Plane, Samples, samples::is_wrong};
use crate::{
    hypothesis::Weights,
    num::{
        math::{Math, Precise},
        rng::XorShift32,
    },
    persist::Blank,
    storage::put,
};

/// Search directions of an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Directions {
    /// RCD-plain: a random direction every time.
    Plain,
    /// RCD-bias: once in `D + 1` epochs the bias alone, which comes first, and
    /// otherwise a random direction. [`Draw`] says whether that one moves the bias;
    /// where none does, as in Li and Lin's program, a descent may get stuck.
    Bias,
    /// RCD-grad: along a misclassified example, as the perceptron rule moves. All
    /// misclassified examples have the same chance; one pass over the set finds
    /// them, in `N D` multiplications. Without one there is nothing to do.
    Gradient,
    /// Along any example, misclassified or not.
    AnyExample,
    /// Cyclic coordinate descent: one weight after the other, the bias first. May
    /// get stuck.
    Cyclic,
}

/// Distribution of the components of random directions.
///
/// `x_0` is the feature that is always one, and whose weight is the bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Draw {
    /// Li and Lin's uniform directions: weights and bias uniform in `[-1, 1)`, the
    /// range of normalised features. [`Directions::Bias`] leaves the bias alone.
    Uniform,
    /// Li and Lin's Gaussian directions: each weight (nearly) normal with mean and
    /// deviation of its feature over the examples; the bias is one, the mean of
    /// `x_0`. [`Directions::Bias`] leaves it alone. Takes `8 D` bytes of stack, and
    /// `3 N D` multiplications more in an epoch.
    FeatureNormal,
    /// Weights uniform in `[-1, 1)`, bias one, with every kind of [`Directions`].
    UnitBias,
    /// Weights and bias (nearly) standard normal, with every kind of
    /// [`Directions`]: no direction is preferred.
    StandardNormal,
}

impl Directions {
    /// The direction of an epoch, counted from zero, that starts at `plane`.
    pub(super) fn of_epoch<const D: usize>(
        self,
        epoch: u32,
        draw: Draw,
        rng: &mut XorShift32,
        (plane, samples): (&Plane<D>, &Samples<'_, D>),
    ) -> Plane<D> {
        let mut direction = Plane::BLANK;
        let axis = epoch as usize % (D + 1);
        match self {
            Directions::Bias | Directions::Cyclic if axis == 0 => direction.bias = 1.0,
            Directions::Cyclic => put(&mut direction.weights, axis - 1, 1.0),
            Directions::Plain => direction = draw.plane(rng, samples),
            Directions::Bias => {
                direction = draw.plane(rng, samples);
                if matches!(draw, Draw::Uniform | Draw::FeatureNormal) {
                    direction.bias = 0.0;
                }
            }
            Directions::Gradient | Directions::AnyExample => {
                let example = match self {
                    Directions::Gradient => misclassified(plane, samples, rng),
                    _ => samples.pick(rng).map(|(x, _)| x),
                };
                if let Some(x) = example {
                    direction.weights = *x;
                    direction.bias = 1.0;
                }
            }
        }
        direction
    }
}

/// One of the examples that the plane gets wrong, each with the same chance: the
/// `k`-th replaces the one before with a chance of `1 / k`.
#[inline(never)]
fn misclassified<'a, const D: usize>(
    plane: &Plane<D>,
    samples: &Samples<'a, D>,
    rng: &mut XorShift32,
) -> Option<&'a [f32; D]> {
    let (mut found, mut drawn) = (0, None);
    for (x, weight) in samples.x.iter().zip(samples.weights.iter()) {
        if is_wrong(*weight, plane.side(x)) {
            found += 1;
            if rng.below(found) == 0 {
                drawn = Some(x);
            }
        }
    }
    drawn
}

impl Draw {
    fn plane<const D: usize>(self, rng: &mut XorShift32, samples: &Samples<'_, D>) -> Plane<D> {
        if self == Draw::FeatureNormal {
            return feature_normal(rng, samples);
        }
        let component = match self {
            Draw::StandardNormal => normal,
            _ => even,
        };
        let mut plane = Plane::BLANK;
        for weight in &mut plane.weights {
            *weight = component(rng);
        }
        plane.bias = match self {
            Draw::UnitBias => 1.0,
            _ => component(rng),
        };
        plane
    }
}

/// Weights with mean and deviation of their features, each example counted once.
#[inline(never)]
fn feature_normal<const D: usize>(rng: &mut XorShift32, samples: &Samples<'_, D>) -> Plane<D> {
    let share = 1.0 / samples.len().max(1) as f32;
    let (mut mean, mut variance) = ([0.0; D], [0.0; D]);
    for x in samples.x {
        mean.add_weights(x, share);
    }
    for x in samples.x {
        for ((variance, x), mean) in variance.iter_mut().zip(x).zip(&mean) {
            let centred: f32 = x - mean;
            *variance += share * (centred * centred);
        }
    }
    for (mean, variance) in mean.iter_mut().zip(variance) {
        *mean += normal(rng) * Precise::sqrt(variance);
    }
    Plane {
        weights: mean,
        bias: 1.0,
    }
}

/// Uniform in `[-1, 1)`, on a grid of `2^-23`: no rounding.
fn even(rng: &mut XorShift32) -> f32 {
    (rng.next_u32() >> 8) as f32 / 8_388_608.0 - 1.0
}

/// The sum of twelve uniform numbers, which has variance 1: integers of 16 bits
/// until the end, so again no rounding on the way.
fn normal(rng: &mut XorShift32) -> f32 {
    let halves = |bits: u32| (bits >> 16) + (bits & 0xFFFF);
    let sum: u32 = (0..6).map(|_| halves(rng.next_u32())).sum();
    sum as f32 / 65_536.0 - 6.0
}

// Saved trainings hold these words, so that a word keeps its meaning: a new kind gets a new one.
crate::persist::persist_choice!(Directions { Plain = 0, Bias = 1, AnyExample = 2, Cyclic = 3, Gradient = 4 });
crate::persist::persist_choice!(Draw { UnitBias = 0, StandardNormal = 1, Uniform = 2, FeatureNormal = 3 });
