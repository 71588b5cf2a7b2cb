//! CMSDK UART 0.

use cortex_m::peripheral::NVIC;
use pocketron::device::RxQueue;

use crate::firmware::{board::Interrupt, register::Register};

/// Number of the receive interrupt.
pub const RECEIVED: i16 = 0;

// SAFETY (all): UART 0 is ours alone, and its registers do not touch memory.
const DATA: Register = unsafe { Register::at(0x4000_4000) };
const STATE: Register = unsafe { Register::at(0x4000_4004) };
const CONTROL: Register = unsafe { Register::at(0x4000_4008) };
const INTERRUPTS: Register = unsafe { Register::at(0x4000_400c) };
const DIVIDER: Register = unsafe { Register::at(0x4000_4010) };

const STATE_TRANSMITTER_FULL: u32 = 1 << 0;
const STATE_RECEIVER_FULL: u32 = 1 << 1;
const STATE_RECEIVER_OVERRUN: u32 = 1 << 3;
const CONTROL_TRANSMIT: u32 = 1 << 0;
const CONTROL_RECEIVE: u32 = 1 << 1;
const CONTROL_RECEIVE_INTERRUPT: u32 = 1 << 3;
const INTERRUPT_RECEIVED: u32 = 1 << 1;

const BAUD: u32 = 115_200;

pub fn start() {
    DIVIDER.write(super::HERTZ / BAUD);
    CONTROL.write(CONTROL_TRANSMIT | CONTROL_RECEIVE | CONTROL_RECEIVE_INTERRUPT);
    // SAFETY: the handler exists, and nothing relies on this interrupt being masked.
    unsafe { NVIC::unmask(Interrupt(RECEIVED as u16)) };
}

pub fn received<const N: usize>(queue: &RxQueue<N>) {
    // Acknowledged first, so that a byte that comes meanwhile raises it again.
    INTERRUPTS.write(INTERRUPT_RECEIVED);
    while STATE.read() & STATE_RECEIVER_FULL != 0 {
        queue.put(DATA.read() as u8);
    }
    if STATE.read() & STATE_RECEIVER_OVERRUN != 0 {
        STATE.write(STATE_RECEIVER_OVERRUN); // a one clears it
        queue.count_lost();
    }
}

pub fn try_send(byte: u8) -> bool {
    let ready = STATE.read() & STATE_TRANSMITTER_FULL == 0;
    if ready {
        DATA.write(u32::from(byte));
    }
    ready
}
