//! The two inner loops of a prediction and the square root, in assembly where that pays.
//!
//! On an Arm core with a floating-point unit the compiler loads one number at a time, where the core can load
//! eight; there `assembly.rs` takes over, which with that of [`dsp`](crate::num::dsp) is all of the library's `unsafe` code. A prediction then
//! takes 20 to 30 % fewer instructions, see `docs/performance.md`. Everywhere else, and for what the assembly leaves
//! undone, the portable loops run: in [`crate::storage::point`] over the stored vectors, here over the exponentials.
//! Both give the same bits, which `cargo xtask parity` checks.

/// Whether there is a floating-point unit that the assembly knows.
pub const PRESENT: bool = cfg!(all(target_arch = "arm", target_abi = "eabihf"));

#[cfg(all(target_arch = "arm", target_abi = "eabihf"))]
mod assembly;
#[cfg(all(target_arch = "arm", target_abi = "eabihf"))]
pub use assembly::{bases, exp_all, sqrt};

#[cfg(not(all(target_arch = "arm", target_abi = "eabihf")))]
pub use portable::{bases, exp_all, sqrt};

#[cfg(not(all(target_arch = "arm", target_abi = "eabihf")))]
mod portable {
    use crate::num::{Base, exp::exp};

    /// Leaves everything undone.
    #[inline(always)]
    pub fn bases(_: Base, _: &[f32], _: usize, _: usize, _: &[f32], _: &mut [f32]) -> usize {
        0
    }

    /// Square root, rounded to the nearest.
    #[inline(always)]
    pub fn sqrt(x: f32) -> f32 {
        libm::sqrtf(x)
    }

    /// Replaces every `v` by `exp(scale * v)`.
    #[inline(always)]
    pub fn exp_all(values: &mut [f32], scale: f32) {
        for value in values {
            *value = exp(scale * *value);
        }
    }
}
