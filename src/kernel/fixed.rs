//! The Gaussian in fixed point.

use core::f32::consts::LOG2_E;

use super::{Gaussian, KernelIn};
use crate::num::{
    Fixed,
    math::{
        Math,
        power::{FRACTION, half_to_the},
        rate::Rate,
    },
};

/// From whole squared distances to similarities: `exp(-gamma step^2 d) = 2^-t` with
/// `t = d * rate`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope(Rate);

impl Slope {
    #[inline]
    pub(crate) fn new(gamma: f32, step: f32) -> Self {
        Slope(Rate::new(
            gamma * (step * step * (LOG2_E * (1_u32 << FRACTION) as f32)),
        ))
    }

    pub(crate) fn rate(self) -> Rate {
        self.0
    }

    /// The similarity of a pair at this fixed-point squared distance; saturated exponents give zero.
    #[inline(always)]
    pub(crate) fn similarity(self, distance: Fixed) -> Fixed {
        Fixed::from_raw(half_to_the(self.0.times(distance.raw() as u32)) as i32)
    }

    /// Replaces distances by similarities. A function of its own: what the loop needs fills the
    /// registers.
    #[inline(never)]
    pub(crate) fn map(self, distances: &mut [Fixed]) {
        if !self.0.is_gentle() {
            return self.map_steep(distances);
        }
        for distance in distances {
            // Whatever has no room is far above 31, and leaves nothing wherever it ends.
            let exponent = self.0.times_or_far(distance.raw() as u32);
            *distance = Fixed::from_raw(half_to_the(exponent) as i32);
        }
    }

    /// The same for kernels so narrow that neighbouring levels have little in common.
    #[inline(never)]
    fn map_steep(self, distances: &mut [Fixed]) {
        for distance in distances {
            *distance = self.similarity(*distance);
        }
    }
}

// The exponential is ours whatever `M` is: off by at most 2.7e-4 of itself and 2^-23.
macro_rules! fixed_point_gaussian {
    ($($format:ty)*) => { $(
        impl<M: Math> KernelIn<$format> for Gaussian<M> {
            fn sealed(&self, _: crate::sealed::Token) {}

            #[inline]
            fn map_in(&self, step: f32, bases: &mut [Fixed]) {
                Slope::new(self.gamma(), step).map(bases);
            }
        }
    )* };
}
fixed_point_gaussian!(i8 i16);
