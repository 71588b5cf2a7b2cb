//! The micro:bit, that is the nRF51822, as QEMU models it and as it is.
//!
//! The chip has a watchdog, but QEMU does not model it and nothing could be tried out, so
//! there is no driver: a loop that is stuck stays stuck.

mod flash;
mod timer;
mod uart;

use pocketron::{device::RxQueue, persist::store::WearLimit};

use self::{flash::Flash, timer::Timer, uart::Uart};
use super::Board;

/// Bytes of RAM.
pub const RAM: usize = 16 << 10;

/// Bytes of one of the two slots that the memory map keeps for models.
pub const SLOT: usize = 16 << 10;

pub struct Microbit {
    timer: Timer,
    uart: Uart,
}

impl Board for Microbit {
    type Flash = Flash;

    /// The data sheet promises 20,000 erase cycles of each slot: four weeks of a save a minute
    /// without a pause, and years of sensible use. Only a host teaches this board, so there is nothing to reserve.
    const WEAR: WearLimit = WearLimit::new(60_000, 20_000);

    fn start() -> (Self, Flash) {
        let timer = Timer::start();
        let uart = Uart::start();
        (Microbit { timer, uart }, Flash)
    }

    fn try_send(&mut self, byte: u8) -> bool {
        self.uart.try_send(byte)
    }

    fn now_ms(&mut self) -> u64 {
        self.timer.now_ms()
    }

    fn ticks(&mut self) -> u32 {
        timer::counter()
    }

    fn interrupt<const N: usize>(number: i16, received: &RxQueue<N>) -> bool {
        match number {
            uart::INTERRUPT => uart::received(received),
            timer::WAKE_UP => timer::woken_up(),
            _ => return false,
        }
        true
    }
}
