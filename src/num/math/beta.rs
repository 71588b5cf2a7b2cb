//! Confidence in a majority: the tail of a Beta distribution at one half.
//!
//! The Tightest perceptron counts the positive and negative examples that fall to each support vector and asks
//! how probable it is that the positives are in the majority there. With a uniform prior the share `p` of
//! positives is distributed as Beta(plus + 1, minus + 1), and the answer is the regularised incomplete beta
//! function `P(p > 1/2) = I_{1/2}(minus + 1, plus + 1)`.
//!
//! # Method
//!
//! The textbook route (a continued fraction and three `lgamma`) needs thousands of steps at large counts, and
//! loses all digits of `f32` in the difference of the `lgamma`. At one half there is a shorter one, Temme's
//! uniform expansion (SIAM J. Math. Anal. 18, 1987), which takes the same few steps at every count. With
//!
//! ```text
//! N   = plus + minus + 2 + 0.44              d = |plus - minus| / N              u = d^2
//! z^2 = N ((1 + d) ln(1 + d) + (1 - d) ln(1 - d)) = N u E(u),  E = 1 + u/6 + u^2/15 + ...
//! ```
//!
//! the smaller of `P(p > 1/2)` and `P(p < 1/2)` is
//!
//! ```text
//! tail = exp(-z^2 / 2) * (Q(1 / (1 + 0.2316 z)) - z / N * K(u, 1/N))
//! ```
//!
//! where `exp(-z^2 / 2) Q` is the normal tail (Abramowitz and Stegun 7.1.26, error 8e-8) and `K` what skewness
//! and finite counts add to it. Temme expands `K` for large N. Here `K` is a small polynomial, fitted for the
//! least largest error over all real counts from 0 on; with the two parameters of the distribution each raised
//! by 0.22 (hence the 0.44) the fit is best, so good that small counts need no method of their own.
//! `E` is a polynomial too: no logarithm is taken. It is accurate where the tail is above 1e-7, and where the
//! tail is smaller it is large enough to keep it so.
//!
//! Cancellation happens once, in `plus - minus`, on the numbers as given, where it is harmless.

use super::exp;

/// The two parameters exceed the counts by 1 each, and by the fitted 0.22.
const PRIOR: f32 = 2.44;
/// Counts are clamped here, so that their sums stay finite.
const MANY: f32 = 1e30;

/// The scale of the argument of the normal tail: 0.3275911 / sqrt(2).
const TAIL_SCALE: f32 = 0.231_641_89;
/// Abramowitz and Stegun's five coefficients, halved. In `f32` they add up to exactly 1/2.
const TAIL: [f32; 5] = [
    0.127_414_8,
    -0.142_248_36,
    0.710_706_9,
    -0.726_576_03,
    0.530_702_7,
];

/// `E(u)`, from the constant term up.
const DIVERGENCE: [f32; 5] = [
    1.0,
    0.165_950_37,
    0.076_972_95,
    -0.008_296_626,
    0.086_993_195,
];

/// `K(u, 1/N)`: one row per power of `1/N`, in each the powers of `u`.
const SKEW_0: [f32; 4] = [0.254_004_15, 0.010_142_282, -0.001_713_199_4, 0.016_982_045];
const SKEW_1: [f32; 3] = [0.192_027_38, 0.055_394_772, 0.070_690_76];
const SKEW_2: f32 = 0.087_720_29;

/// `P(p > 1/2)` for `p` distributed as Beta(`plus` + 1, `minus` + 1).
///
/// The absolute error is below 2e-6 for all real counts from 0 to a million each. Straight-line code without a
/// loop: one exponential, one square root, two divisions and some 50 additions and multiplications, whatever
/// the counts.
///
/// - Equal counts give exactly 0.5, and `(a, b)` and `(b, a)` add up to 1, apart from the rounding of `1 - tail`.
/// - The result lies in `[0, 1]`.
/// - A negative count is taken for 0, an infinite one for 1e30.
/// - NaN stays NaN.
///
/// ```
/// use pocketron::num::math::probability_above_half;
///
/// assert_eq!(probability_above_half(0.0, 0.0), 0.5); // nothing seen, nothing known
/// assert!((probability_above_half(1.0, 0.0) - 0.75).abs() < 1e-5); // 1 - 2^-2
/// assert!((probability_above_half(0.0, 7.0) - 0.003_906_25).abs() < 1e-5); // 2^-8
///
/// // Counts may be fractions: here examples weighted by their kernel value.
/// let sure = probability_above_half(12.25, 3.5);
/// let unsure = probability_above_half(12.25, 11.75);
/// assert!(sure > 0.98 && unsure < 0.55);
/// ```
#[must_use]
pub fn probability_above_half(plus: f32, minus: f32) -> f32 {
    // `clamp` hands NaN through.
    let plus = plus.clamp(0.0, MANY);
    let minus = minus.clamp(0.0, MANY);

    let lead = plus - minus;
    let per_count = 1.0 / (plus + minus + PRIOR);
    let d = lead * per_count;
    let u = d * d;

    let z_squared = lead * d * horner(&DIVERGENCE, u);
    let z = libm::sqrtf(z_squared);

    let t = 1.0 / (1.0 + TAIL_SCALE * z);
    let normal = horner(&TAIL, t) * t;
    let skew = horner(&SKEW_0, u) + per_count * (horner(&SKEW_1, u) + per_count * SKEW_2);
    let tail = exp(-0.5 * z_squared) * (normal - z * per_count * skew);

    // At a million counts rounding may carry the difference a bit beyond what a tail can be.
    let tail = tail.clamp(0.0, 0.5);
    if lead > 0.0 { 1.0 - tail } else { tail }
}

/// `c[0] + c[1] x + c[2] x^2 + ...`; the compiler unrolls it, since every length is known where it is called.
#[inline]
fn horner(c: &[f32], x: f32) -> f32 {
    let highest_first = c.iter().rev().copied();
    highest_first.reduce(|sum, c| sum * x + c).unwrap_or(0.0)
}
