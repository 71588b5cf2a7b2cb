//! The Gaussian in whole numbers.

use core::f32::consts::LOG2_E;

use super::{Gaussian, KernelIn};
use crate::{
    math::{
        Math,
        power::{FRACTION, half_to_the},
    },
    number::Fixed,
};

/// From whole squared distances to exponents: `exp(-gamma step^2 d) = 2^-t` with
/// `t = d * rate`, a product of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slope {
    /// What a distance adds to the exponent, after the shift.
    rate: u32,
    /// Digits that a distance has too many.
    shift: u32,
    /// The largest shifted distance whose exponent has room.
    farthest: u32,
}

/// Binary digits of a rate: it is off by at most 2^-16 of itself.
const DIGITS: i32 = 16;

impl Slope {
    /// One product in floating point, the rest on its bits: this is done for every prediction.
    #[inline]
    pub(crate) fn new(gamma: f32, step: f32) -> Self {
        let rate = gamma * (step * step * (LOG2_E * (1_u32 << FRACTION) as f32));
        // `rate = mantissa * 2^(exponent - 23)`, and the mantissa has 24 digits.
        let exponent = (rate.to_bits() >> 23) as i32 - 127;
        let mantissa = (rate.to_bits() & 0x7f_ffff) | 0x80_0000;
        let (rate, shift) = match exponent {
            ..DIGITS => {
                let digits = (mantissa + 0x80) >> 8;
                (digits, (DIGITS - 1 - exponent).min(31) as u32)
            }
            DIGITS..31 => (mantissa >> 8 << (exponent - DIGITS + 1), 0),
            _ => (u32::MAX, 0),
        };
        Slope {
            rate,
            shift,
            farthest: u32::MAX / rate.max(1),
        }
    }

    /// The similarity of a pair at this whole squared distance.
    #[inline(always)]
    pub(crate) fn similarity(self, distance: Fixed) -> Fixed {
        // Half of what is cut off, so that the error goes both ways.
        let half = (1_u32 << self.shift) >> 1;
        let shifted = (distance.raw() as u32 + half) >> self.shift;
        // The farthest has no similarity left, and so have those beyond.
        let exponent = shifted.min(self.farthest) * self.rate;
        Fixed::from_raw(half_to_the(exponent) as i32)
    }
}

/// The exponential is [ours](half_to_the) whatever `M` is: off by at most 2.7e-4 of itself and 2^-23.
impl<M: Math> KernelIn<Fixed> for Gaussian<M> {
    #[inline]
    fn map_in(&self, step: f32, bases: &mut [Fixed]) {
        let slope = Slope::new(self.gamma(), step);
        for base in bases {
            *base = slope.similarity(*base);
        }
    }
}
