//! There is no panic: an image in which one survives does not link.
//!
//! See `host-tests/on-target/src/platform/refuse_to_panic.rs`. Images that are meant to fail, and those
//! that log, may panic: they say so after the reset.

use core::panic::PanicInfo;

#[cfg(not(any(feature = "_provoke-faults", feature = "_defmt-log")))]
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        fn pocketron_a_panic_path_survives() -> !;
    }
    // SAFETY: never runs, because an image that contains this call does not link.
    unsafe { pocketron_a_panic_path_survives() }
}

#[cfg(any(feature = "_provoke-faults", feature = "_defmt-log"))]
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    use super::fault::{Reason, reset};
    reset(Reason::Panic, 0)
}

/// A panic that no optimiser can remove: `cargo xtask firmware --check` wants it refused.
#[cfg(must_not_link)]
pub fn sabotage() {
    let index = core::hint::black_box(7);
    core::hint::black_box([0_u8; 4][index]);
}
