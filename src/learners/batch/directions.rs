//! Which way to search.

use super::{Plane, Samples};
use crate::{num::rng::XorShift32, persist::Blank, storage::put};

/// Which way to search in an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Directions {
    /// RCD-plain: a random direction every time.
    Plain,
    /// RCD-bias: the same, but the bias alone once in `D + 1` epochs.
    Bias,
    /// RCD-grad: along an example drawn at random, as the perceptron rule moves.
    Gradient,
    /// Cyclic coordinate descent: one weight after the other, the bias first. May
    /// get stuck.
    Cyclic,
}

/// What random directions are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Draw {
    /// Weights even in `[-1, 1)`, bias 1: the range of normalised features, and
    /// of the feature that is always one.
    Uniform,
    /// Weights and bias (nearly) standard normal: no direction is preferred.
    Gaussian,
}

impl Directions {
    /// The direction of an epoch, counted from zero.
    pub(super) fn of_epoch<const D: usize>(
        self,
        epoch: u32,
        draw: Draw,
        rng: &mut XorShift32,
        samples: &Samples<'_, D>,
    ) -> Plane<D> {
        let mut direction = Plane::BLANK;
        let axis = epoch as usize % (D + 1);
        match self {
            Directions::Bias | Directions::Cyclic if axis == 0 => direction.bias = 1.0,
            Directions::Cyclic => put(&mut direction.weights, axis - 1, 1.0),
            Directions::Plain | Directions::Bias => direction = draw.plane(rng),
            Directions::Gradient => {
                if let Some(x) = samples.pick(rng) {
                    direction.weights = *x;
                    direction.bias = 1.0;
                }
            }
        }
        direction
    }
}

impl Draw {
    fn plane<const D: usize>(self, rng: &mut XorShift32) -> Plane<D> {
        let mut plane = Plane::BLANK;
        for weight in &mut plane.weights {
            *weight = match self {
                Draw::Uniform => even(rng),
                Draw::Gaussian => normal(rng),
            };
        }
        plane.bias = match self {
            Draw::Uniform => 1.0,
            Draw::Gaussian => normal(rng),
        };
        plane
    }
}

/// Even in `[-1, 1)`, on a grid of `2^-23`: no rounding.
fn even(rng: &mut XorShift32) -> f32 {
    (rng.next_u32() >> 8) as f32 / 8_388_608.0 - 1.0
}

/// The sum of twelve even numbers, which has variance 1: whole numbers of 16 bits
/// until the end, so again no rounding on the way.
fn normal(rng: &mut XorShift32) -> f32 {
    let halves = |bits: u32| (bits >> 16) + (bits & 0xFFFF);
    let sum: u32 = (0..6).map(|_| halves(rng.next_u32())).sum();
    sum as f32 / 65_536.0 - 6.0
}

crate::persist::persist_choice!(Directions { Plain = 0, Bias = 1, Gradient = 2, Cyclic = 3 });
crate::persist::persist_choice!(Draw { Uniform = 0, Gaussian = 1 });
