//! The exponential of the Gaussian kernel: one kernel value, one call, so it is worth owning.
//!
//! Method: with `n = round(x / ln 2)` and `r = x - n ln 2`, `exp(x) = 2^n * p(r)`, where
//!
//! ```text
//! p(r) = 1 + (r + r^2 * (C2 + C3 r + C4 r^2 + C5 r^3)),   |r| <= ln(2) / 2
//! ```
//!
//! and `C2..C5` minimise the largest relative error (6e-8 before rounding) under two conditions: `p(0) = 1`
//! with slope 1, and no step down where one `n` ends and the next begins.
//!
//! Only additions, multiplications, comparisons and bit operations occur, in a fixed order and without fused
//! multiply-add: the bits are the same on every target. Nothing branches, so a loop over a slice vectorises.

use core::f32::consts::LOG2_E;

/// Below, the scale `2^n` becomes zero; the exact edge lies at `-126.5 ln 2 = -87.68`.
const LOWEST: f32 = -88.0;
/// Above, the scale `2^n` becomes infinite; the exact edge lies at `127.5 ln 2 = 88.38`.
const HIGHEST: f32 = 89.0;

/// Adding `1.5 * 2^23` leaves no fraction bits, which rounds to the nearest integer; the exponent's bias on
/// top puts `n + 127` into the lowest byte, ready to be shifted into place.
const ROUND_AND_BIAS: f32 = 12_582_912.0 + 127.0;

/// The leading 16 bits of ln 2: `n * LN_2_HIGH` is exact for every `n` of at most eight bits.
const LN_2_HIGH: f32 = 0.693_145_75;
/// ln 2 - `LN_2_HIGH`.
const LN_2_LOW: f32 = 1.428_606_8e-6;

const C2: f32 = 0.499_990_73;
const C3: f32 = 0.166_670_28;
const C4: f32 = 0.041_906_86;
const C5: f32 = 0.008_323_22;

/// Constants that [`crate::num::vfp`] keeps in registers, in its order.
#[cfg(all(target_arch = "arm", target_abi = "eabihf"))]
pub(crate) static CONSTANTS: [f32; 10] = [
    LOWEST,
    LOG2_E,
    ROUND_AND_BIAS,
    LN_2_HIGH,
    LN_2_LOW,
    C5,
    C4,
    C3,
    C2,
    1.0,
];

/// `e^x` with a relative error of at most 2e-7, never decreasing, in some 30 instructions of a Cortex-M4F.
///
/// Holds for **every** `f32` (each one was tried):
///
/// | Input | Result |
/// |---|---|
/// | `-87.3 <= x <= 88.3` | within 2e-7 of `e^x`, relatively |
/// | `x <= y` | `exp(x) <= exp(y)` |
/// | `0.0`, `-0.0` | exactly 1 |
/// | `x <= 0` | never above 1 |
/// | `x < -87.7`, `-inf` | 0 |
/// | `x > 88.4`, `inf` | infinity (somewhat early: `e^88.7` would still fit) |
/// | NaN | NaN |
///
/// ```
/// use pocketron::num::math::exp;
///
/// assert!((exp(-1.0) - 0.367_879_44).abs() < 1e-7);
/// assert_eq!(exp(0.0), 1.0);
/// assert_eq!(exp(-1e9), 0.0);
/// assert!(exp(f32::NAN).is_nan());
/// ```
#[inline]
#[must_use]
pub fn exp(x: f32) -> f32 {
    // Under- and overflow without a branch: beyond these limits the scale below is 0 or infinity anyway.
    // `clamp` hands NaN through.
    let x = x.clamp(LOWEST, HIGHEST);

    let biased = x * LOG2_E + ROUND_AND_BIAS;
    let n = biased - ROUND_AND_BIAS;
    // The first difference is exact, so the only rounding is that of `r` itself.
    let r = (x - n * LN_2_HIGH) - n * LN_2_LOW;

    let s = ((C5 * r + C4) * r + C3) * r + C2;
    // The small part first: what is added to 1 is then already right to the last bit of the sum, and it grows
    // with `r` even after rounding, which is what makes the whole monotone.
    let p = 1.0 + (r + (r * r) * s);

    // A product rather than an addition to the exponent's bits: NaN survives it, 0 and infinity come for free.
    p * f32::from_bits(biased.to_bits() << 23)
}
