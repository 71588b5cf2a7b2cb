//! Drivers of a board: a UART, flash and a clock; a watchdog if it has one.
//!
//! To add a board: its memory map in `boards/`, its target in `build.rs` and in `xtask`,
//! and a module here. Everything else stays as it is.

mod store;

use cortex_m::interrupt::InterruptNumber;
use embedded_storage::nor_flash::NorFlash;
use pocketron::{device::RxQueue, persist::store::WearLimit};

cfg_select! {
    board = "microbit" => {
        mod microbit;
        pub use microbit::{Microbit as ThisBoard, RAM, SLOT};
    }
    any(board = "mps2-an385", board = "mps2-an386") => {
        mod mps2;
        pub use mps2::{Mps2 as ThisBoard, RAM, SLOT};
    }
    _ => {
        compile_error!("the firmware has no drivers for this board");
    }
}

/// Timeout of a reply: far longer than the line needs, and less than that of the watchdog.
const REPLY_TIMEOUT_MS: u64 = 1000;

/// A board that runs.
pub trait Board: Sized {
    /// The flash for models, all of it. A handle: copies stand for the same cells.
    type Flash: NorFlash + Copy;

    /// Wear limit of that flash: milliseconds between saves, erase cycles in all.
    #[cfg_attr(
        feature = "_provoke-faults",
        expect(
            dead_code,
            reason = "the device of the fault injection saves as often as it is told"
        )
    )]
    const WEAR: WearLimit;

    /// Starts the peripherals and lets their interrupts in.
    ///
    /// At least every 100 ms an interrupt wakes the core, so that the loop can feed the watchdog.
    fn start() -> (Self, Self::Flash);

    /// Sends a byte; whether the UART has taken it.
    fn try_send(&mut self, byte: u8) -> bool;

    /// Sends bytes; whether all of them went out before the timeout.
    fn transmit(&mut self, bytes: &[u8]) -> bool {
        let end = self.now_ms() + REPLY_TIMEOUT_MS;
        bytes.iter().all(|byte| {
            loop {
                if self.try_send(*byte) {
                    break true;
                }
                if self.now_ms() > end {
                    break false;
                }
            }
        })
    }

    /// Milliseconds since the start.
    fn now_ms(&mut self) -> u64;

    /// The fastest counter that there is, for measuring short times. It wraps.
    fn ticks(&mut self) -> u32;

    /// Promises that the loop is alive. A board without a watchdog does nothing.
    fn feed_watchdog(&mut self) {}

    /// Handles interrupt `number` (-1: SysTick), puts received bytes into `received`; whether a driver has asked for it.
    fn interrupt<const N: usize>(number: i16, received: &RxQueue<N>) -> bool;
}

/// An interrupt of the core's controller.
#[derive(Clone, Copy)]
struct Interrupt(u16);

// SAFETY: the drivers take the numbers from their boards' manuals.
unsafe impl InterruptNumber for Interrupt {
    fn number(self) -> u16 {
        self.0
    }
}
