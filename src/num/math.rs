//! The few functions that `core` lacks, chosen by type, never by exclusive features.
//!
//! A kernel names the arithmetic it wants, as in `Gaussian<Precise>`. All choices may be compiled in at once, and
//! no crate in the graph can change another's numbers by switching on a feature.
//!
//! | Type | `exp`: relative error | `sqrt` | Choose it |
//! |---|---|---|---|
//! | [`Fast`] | 2e-7, some 30 instructions, vectorises | correctly rounded | by default |
//! | [`Precise`] | 8e-8 (`libm`) | correctly rounded | to compare with published numbers |
//! | `Micro` | 0.25 % (`micromath`) | 0.2 % | where `micromath` is in the image anyway |
//!
//! `Micro` exists with the feature `micromath`. Each gives the same bits on every target. Code that is generic
//! over [`Math`] calls `M::exp(x)`, never `x.exp()`: on a host with `std` the latter compiles, and computes
//! something else than the device.
//!
//! [`probability_above_half`] and [`log2`] need no choice: a budget policy (Tightest) asks for the one, frequency bands for the other.

mod beta;
pub mod power;
pub(crate) mod rate;

pub use super::exp::exp;
pub use beta::probability_above_half;

/// The logarithm to the base of two, by `libm`: within a unit in the last place; infinite at 0, NaN below.
///
/// ```
/// use pocketron::num::math::log2;
///
/// assert_eq!(log2(8.0), 3.0);
/// assert_eq!(log2(0.0), f32::NEG_INFINITY);
/// ```
#[must_use]
pub fn log2(x: f32) -> f32 {
    libm::log2f(x)
}

/// Elementary functions that stable `core` lacks.
///
/// ```
/// use pocketron::num::math::{Fast, Math, Precise};
///
/// /// The Gaussian of a squared distance, in any arithmetic.
/// fn similarity<M: Math>(squared_distance: f32) -> f32 {
///     M::exp(-0.5 * squared_distance)
/// }
///
/// let (fast, precise) = (similarity::<Fast>(3.0), similarity::<Precise>(3.0));
/// assert!((fast - precise).abs() <= 3e-7 * precise);
/// ```
pub trait Math: crate::sealed::Sealed {
    /// Its name in the [shape](crate::persist) of a model: other functions, other bits.
    const NAME: &str;

    /// `e^x`: non-decreasing, 1 at 0, towards 0 and infinity at the ends; NaN stays NaN.
    fn exp(x: f32) -> f32;

    /// Replaces every value `v` by `exp(scale * v)`; no argument may be positive.
    #[inline(always)]
    fn exp_all(values: &mut [f32], scale: f32) {
        for value in values {
            *value = Self::exp(scale * *value);
        }
    }

    /// Square root; NaN for a negative argument.
    fn sqrt(x: f32) -> f32;
}

/// Our own exponential ([`exp`](exp())) and the square root of `libm`: the default.
///
/// ```
/// use pocketron::num::math::{Fast, Math};
///
/// assert_eq!(Fast::exp(0.0), 1.0);
/// assert_eq!(Fast::sqrt(9.0), 3.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Fast;

impl Math for Fast {
    const NAME: &str = "fast";

    #[inline]
    fn exp(x: f32) -> f32 {
        exp(x)
    }

    #[inline(always)]
    fn exp_all(values: &mut [f32], scale: f32) {
        crate::num::vfp::exp_all(values, scale);
    }

    #[inline]
    fn sqrt(x: f32) -> f32 {
        crate::num::vfp::sqrt(x)
    }
}

/// Everything from `libm`: the last bit is nearly always right.
///
/// ```
/// use pocketron::num::math::{Math, Precise};
///
/// assert_eq!(Precise::exp(1.0), core::f32::consts::E);
/// assert!(Precise::sqrt(-1.0).is_nan());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Precise;

impl Math for Precise {
    const NAME: &str = "precise";

    #[inline]
    fn exp(x: f32) -> f32 {
        libm::expf(x)
    }

    #[inline]
    fn sqrt(x: f32) -> f32 {
        crate::num::vfp::sqrt(x)
    }
}

/// The approximations of `micromath`, repaired where they leave the contract of [`Math`].
///
/// Of `micromath` itself, `exp(NaN)` is infinity, arguments just above 88.72 give NaN, those just below -87.33
/// garbage instead of something tiny, and `sqrt` is off by 6 % and not 0 at 0. Here NaN stays NaN, the ends are 0
/// and infinity, and one step of Heron's method brings `sqrt` to 0.2 %, except for subnormal numbers, whose
/// root comes out too large.
///
/// ```
/// use pocketron::num::math::{Math, Micro};
///
/// assert!((Micro::exp(-1.0) - 0.3679).abs() < 0.001);
/// assert!((Micro::sqrt(2.0) - 1.4142).abs() < 0.003);
/// assert!(Micro::exp(f32::NAN).is_nan());
/// ```
#[cfg(feature = "micromath")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Micro;

#[cfg(feature = "micromath")]
impl Math for Micro {
    const NAME: &str = "micro";

    fn exp(x: f32) -> f32 {
        if x.is_nan() {
            x
        } else if x < -87.33 {
            0.0
        } else if x > 88.72 {
            f32::INFINITY
        } else {
            micromath::F32(x).exp().0
        }
    }

    fn sqrt(x: f32) -> f32 {
        if x == 0.0 {
            return x;
        }
        let guess = micromath::F32(x).sqrt().0;
        0.5 * (guess + x / guess)
    }
}

impl crate::sealed::Sealed for Fast {}
impl crate::sealed::Sealed for Precise {}
#[cfg(feature = "micromath")]
impl crate::sealed::Sealed for Micro {}
