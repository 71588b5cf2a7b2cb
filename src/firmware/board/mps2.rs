//! The MPS2 board with the images AN385 and AN386, as QEMU models them.
//!
//! Its peripherals are those of Arm's Cortex-M System Design Kit (CMSDK), at 25 MHz.

mod file;
mod flash;
mod semihosting;
mod timer;
mod uart;
mod watchdog;

use pocketron::{device::RxQueue, persist::store::WearLimit};

use self::{flash::Flash, timer::Timer};
use super::Board;

/// Bytes of RAM.
pub const RAM: usize = 4 << 20;

/// Bytes of one of the two slots that the memory map keeps for models.
pub const SLOT: usize = 64 << 10;

/// Ticks of every clock on the board.
const HERTZ: u32 = 25_000_000;

pub struct Mps2 {
    timer: Timer,
}

impl Board for Mps2 {
    type Flash = Flash;

    /// Neither a file nor PSRAM wears out.
    const WEAR: WearLimit = WearLimit::new(0, u32::MAX);

    fn start() -> (Self, Flash) {
        let flash = Flash::open();
        let timer = Timer::start();
        uart::start();
        watchdog::start();
        (Mps2 { timer }, flash)
    }

    fn try_send(&mut self, byte: u8) -> bool {
        uart::try_send(byte)
    }

    fn now_ms(&mut self) -> u64 {
        self.timer.now_ms()
    }

    fn ticks(&mut self) -> u32 {
        timer::counter()
    }

    fn feed_watchdog(&mut self) {
        watchdog::feed();
    }

    fn interrupt<const N: usize>(number: i16, received: &RxQueue<N>) -> bool {
        match number {
            uart::RECEIVED => uart::received(received),
            timer::WAKE_UP => (), // that it came is all we want
            _ => return false,
        }
        true
    }
}
