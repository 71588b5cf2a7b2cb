//! UART of the nRF51, on the pins that lead to the USB chip.

use cortex_m::peripheral::NVIC;
use pocketron::device::RxQueue;

use crate::firmware::{board::Interrupt, register::Register};

/// Its one interrupt; only that of a received byte is enabled.
pub const INTERRUPT: i16 = 2;

// SAFETY (all): the UART is ours alone, and its registers do not touch memory.
const START_RECEIVER: Register = unsafe { Register::at(0x4000_2000) };
const START_TRANSMITTER: Register = unsafe { Register::at(0x4000_2008) };
const RECEIVED: Register = unsafe { Register::at(0x4000_2108) };
const SENT: Register = unsafe { Register::at(0x4000_211c) };
const ENABLE_INTERRUPTS: Register = unsafe { Register::at(0x4000_2304) };
const ERRORS: Register = unsafe { Register::at(0x4000_2480) };
const ENABLE: Register = unsafe { Register::at(0x4000_2500) };
const TRANSMIT_PIN: Register = unsafe { Register::at(0x4000_250c) };
const RECEIVE_PIN: Register = unsafe { Register::at(0x4000_2514) };
const RECEIVER: Register = unsafe { Register::at(0x4000_2518) };
const TRANSMITTER: Register = unsafe { Register::at(0x4000_251c) };
const BAUD: Register = unsafe { Register::at(0x4000_2524) };

const INTERRUPT_RECEIVED: u32 = 1 << 2;
const ERROR_OVERRUN: u32 = 1 << 0;
const ENABLED: u32 = 4;
const BAUD_115_200: u32 = 0x01d7_e000;
const PIN_TRANSMIT: u32 = 24;
const PIN_RECEIVE: u32 = 25;

pub struct Uart {
    /// Whether a byte is on its way, of which the chip will say that it was sent.
    busy: bool,
}

impl Uart {
    pub fn start() -> Self {
        TRANSMIT_PIN.write(PIN_TRANSMIT);
        RECEIVE_PIN.write(PIN_RECEIVE);
        BAUD.write(BAUD_115_200);
        ENABLE.write(ENABLED);
        RECEIVED.write(0);
        ENABLE_INTERRUPTS.write(INTERRUPT_RECEIVED);
        START_RECEIVER.write(1);
        START_TRANSMITTER.write(1);
        // SAFETY: the handler exists, and nothing relies on this interrupt being masked.
        unsafe { NVIC::unmask(Interrupt(INTERRUPT as u16)) };
        Uart { busy: false }
    }

    pub fn try_send(&mut self, byte: u8) -> bool {
        let ready = !self.busy || SENT.read() != 0;
        if ready {
            SENT.write(0);
            TRANSMITTER.write(u32::from(byte));
            self.busy = true;
        }
        ready
    }
}

/// The chip keeps up to six bytes, and says so once for each.
pub fn received<const N: usize>(queue: &RxQueue<N>) {
    while RECEIVED.read() != 0 {
        // Acknowledged first, so that the next byte can announce itself.
        RECEIVED.write(0);
        queue.put(RECEIVER.read() as u8);
    }
    if ERRORS.read() & ERROR_OVERRUN != 0 {
        ERRORS.write(ERROR_OVERRUN); // a one clears it
        queue.count_lost();
    }
}
