//! The platform of an image that links only if no panic path survives.
//!
//! The panic handler calls a function that exists nowhere. If the optimiser can
//! prove that nothing panics, the handler is dropped and the image links;
//! otherwise the linker names the missing function. Use it in place of
//! `examples/platform/mod.rs`, in a release build, without `core::fmt`:
//!
//! ```ignore
//! #![cfg_attr(target_os = "none", no_std, no_main)]
//!
//! #[path = "platform/refuse_to_panic.rs"]
//! #[macro_use]
//! mod platform;
//!
//! fn demo() -> f32 { /* pass inputs through core::hint::black_box */ }
//!
//! refuse_to_panic!(demo);
//! ```

#[cfg(target_os = "none")]
#[path = "../../../../examples/platform/semihosting.rs"]
mod semihosting;

#[cfg(target_os = "none")]
pub use semihosting::exit;

#[cfg(target_os = "none")]
unsafe extern "C" {
    fn pocketron_a_panic_path_survives() -> !;
}

#[cfg(target_os = "none")]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: never runs, because an image that contains this call does not link.
    unsafe { pocketron_a_panic_path_survives() }
}

/// A panic that no optimiser can remove: `cargo xtask panic-free` wants to see it refused.
#[cfg(all(target_os = "none", must_not_link))]
pub fn sabotage() {
    let index = core::hint::black_box(7);
    core::hint::black_box([0_u8; 4][index]);
}

/// Declares the entry point; what `demo` returns counts as used.
macro_rules! refuse_to_panic {
    ($demo:path) => {
        #[cfg(not(target_os = "none"))]
        fn main() {
            core::hint::black_box($demo());
        }

        #[cfg(target_os = "none")]
        #[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
        #[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
        fn main() -> ! {
            core::hint::black_box($demo());
            #[cfg(must_not_link)]
            platform::sabotage();
            platform::exit(true)
        }
    };
}
