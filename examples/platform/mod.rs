//! Runs `demo(&mut impl Write) -> fmt::Result` on the host or, through semihosting, on a Cortex-M or RISC-V core, or as WebAssembly.
//!
//! An example needs three things: `#![cfg_attr(target_os = "none", no_std, no_main)]`,
//! `#[macro_use] mod platform;` and `run_demo!(demo);`. It prints the same text everywhere.

#[cfg(target_arch = "wasm32")]
mod javascript;
#[cfg(all(target_os = "none", not(target_arch = "wasm32")))]
mod semihosting;

#[cfg(target_arch = "wasm32")]
use javascript as calls;
#[cfg(all(target_os = "none", not(target_arch = "wasm32")))]
use semihosting as calls;

#[cfg(all(target_os = "none", not(target_arch = "wasm32")))]
pub use calls::exit;
#[cfg(not(target_os = "none"))]
pub use host::Console;
#[cfg(target_os = "none")]
pub use target::Console;

#[cfg(not(target_os = "none"))]
mod host {
    /// Standard output.
    pub struct Console;

    impl Console {
        pub fn open() -> Self {
            Console
        }
    }

    impl core::fmt::Write for Console {
        fn write_str(&mut self, s: &str) -> core::fmt::Result {
            print!("{s}");
            Ok(())
        }
    }
}

#[cfg(target_os = "none")]
mod target {
    use super::calls::{self, exit};
    use core::fmt::{self, Write};

    /// Standard output of the debugger, of QEMU or of the host of WebAssembly.
    pub struct Console {
        handle: u32,
    }

    impl Console {
        pub fn open() -> Self {
            Console {
                handle: calls::open_console(),
            }
        }
    }

    impl Write for Console {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            if calls::write(self.handle, s.as_bytes()) {
                Ok(())
            } else {
                Err(fmt::Error)
            }
        }
    }

    #[panic_handler]
    fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
        let _ = writeln!(Console::open(), "{info}");
        exit(false)
    }

    /// Without this a fault would spin in silence until the time limit.
    // SAFETY: the attribute makes it the handler; it reads nothing but its own arguments.
    #[cfg(target_arch = "arm")]
    #[cortex_m_rt::exception]
    unsafe fn HardFault(frame: &cortex_m_rt::ExceptionFrame) -> ! {
        let _ = writeln!(Console::open(), "hard fault at {:#010x}", frame.pc());
        exit(false)
    }

    /// The same on RISC-V.
    // SAFETY: riscv-rt calls the function of this name for every exception, and none of ours is meant.
    #[cfg(target_arch = "riscv32")]
    #[unsafe(export_name = "ExceptionHandler")]
    fn exception(_: &riscv_rt::TrapFrame) -> ! {
        let _ = writeln!(Console::open(), "exception");
        exit(false)
    }
}

/// Declares the entry point for the platform at hand.
macro_rules! run_demo {
    ($demo:path) => {
        #[cfg(not(target_os = "none"))]
        fn main() {
            $demo(&mut platform::Console::open()).expect("the console takes the output");
        }

        // In a scope of its own, since a program may have a function of this name.
        #[cfg(target_arch = "wasm32")]
        const _: () = {
            #[unsafe(no_mangle)]
            extern "C" fn run() -> bool {
                $demo(&mut platform::Console::open()).is_ok()
            }
        };

        #[cfg(all(target_os = "none", not(target_arch = "wasm32")))]
        #[cfg_attr(target_arch = "arm", cortex_m_rt::entry)]
        #[cfg_attr(target_arch = "riscv32", riscv_rt::entry)]
        fn main() -> ! {
            let result = $demo(&mut platform::Console::open());
            platform::exit(result.is_ok())
        }
    };
}
