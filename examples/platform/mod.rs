//! Runs `demo(&mut impl Write) -> fmt::Result` on the host or, through semihosting, on a core.
//!
//! An example needs three things: `#![cfg_attr(target_os = "none", no_std, no_main)]`,
//! `#[macro_use] mod platform;` and `run_demo!(demo);`. It prints the same text everywhere.

#[cfg(target_os = "none")]
mod semihosting;

#[cfg(not(target_os = "none"))]
pub use host::Console;
#[cfg(target_os = "none")]
pub use {semihosting::exit, target::Console};

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
    use super::semihosting::{self, exit};
    use core::fmt::{self, Write};

    /// Standard output of the debugger or of QEMU.
    pub struct Console {
        handle: u32,
    }

    impl Console {
        pub fn open() -> Self {
            Console {
                handle: semihosting::open_console(),
            }
        }
    }

    impl Write for Console {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            if semihosting::write(self.handle, s.as_bytes()) {
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
    #[cortex_m_rt::exception]
    unsafe fn HardFault(frame: &cortex_m_rt::ExceptionFrame) -> ! {
        let _ = writeln!(Console::open(), "hard fault at {:#010x}", frame.pc());
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

        #[cfg(target_os = "none")]
        #[cortex_m_rt::entry]
        fn main() -> ! {
            let result = $demo(&mut platform::Console::open());
            platform::exit(result.is_ok())
        }
    };
}
