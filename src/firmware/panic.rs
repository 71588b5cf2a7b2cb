//! There is no panic: an image in which one survives does not link.
//!
//! See `examples/platform/refuse_to_panic.rs`. Images that are meant to fail, and those
//! that log, may panic: they say so after a reset.

use core::panic::PanicInfo;

#[cfg(not(feature = "provoke-faults"))]
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        fn pocketron_a_panic_path_survives() -> !;
    }
    // SAFETY: never runs, because an image that contains this call does not link.
    unsafe { pocketron_a_panic_path_survives() }
}

#[cfg(feature = "provoke-faults")]
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    super::fault::reset(super::fault::Reason::Panic, 0)
}
