//! Distances between fixed-point features, several features at a time where the core can.
//!
//! Cortex-M4 and M7 subtract two pairs of 16 bits in one instruction, and add two products in another (`smlad`), which the compiler
//! does not form from a loop. There `assembly.rs` takes over; with [`vfp`](crate::num::vfp) it is all of the library's `unsafe` code.
//! A prediction over 64 features of `i8` then takes less than half of the instructions, see `docs/performance.md`. Everywhere else, and for what
//! the assembly leaves undone, the portable loops in [`crate::storage::point`] run. Integers add up to the same in any
//! order, so both give the same bits, which `cargo xtask parity` checks.
//!
//! `build.rs` knows the targets that have these instructions. The Cortex-M33 may have them or not.

#[cfg(dsp)]
mod assembly;
#[cfg(dsp)]
pub use assembly::{of_bytes, of_halfwords};

#[cfg(not(dsp))]
pub use portable::{nothing as of_bytes, nothing as of_halfwords};

#[cfg(not(dsp))]
mod portable {
    use crate::num::Fixed;

    /// Leaves everything undone.
    #[inline(always)]
    pub fn nothing<F, const D: usize>(_: &[F; D], _: &[[F; D]], _: &mut [Fixed]) -> usize {
        0
    }
}
