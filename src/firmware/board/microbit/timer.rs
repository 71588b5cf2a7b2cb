//! Timer 0 of the nRF51 for the time, timer 1 as the alarm clock.
//!
//! A real-time counter would need less current, but QEMU does not model those, and the
//! core of this chip has no SysTick.

use cortex_m::peripheral::NVIC;
use pocketron::device::Clock;

use crate::firmware::{board::Interrupt, register::Register};

/// Number of the interrupt that ends a sleep: that of timer 1.
pub const WAKE_UP: i16 = 9;

// SAFETY (all): timers 0 and 1 are ours alone, and their registers do not touch memory.
const START: Register = unsafe { Register::at(0x4000_8000) };
const CAPTURE: Register = unsafe { Register::at(0x4000_8040) };
const BITS: Register = unsafe { Register::at(0x4000_8508) };
const PRESCALER: Register = unsafe { Register::at(0x4000_8510) };
const CAPTURED: Register = unsafe { Register::at(0x4000_8540) };

const ALARM_START: Register = unsafe { Register::at(0x4000_9000) };
const ALARM_RINGS: Register = unsafe { Register::at(0x4000_9140) };
const ALARM_SHORTCUTS: Register = unsafe { Register::at(0x4000_9200) };
const ALARM_INTERRUPTS: Register = unsafe { Register::at(0x4000_9304) };
const ALARM_BITS: Register = unsafe { Register::at(0x4000_9508) };
const ALARM_PRESCALER: Register = unsafe { Register::at(0x4000_9510) };
const ALARM_TIME: Register = unsafe { Register::at(0x4000_9540) };

const BITS_16: u32 = 0;
const BITS_32: u32 = 3;
/// 16 MHz divided by 2 to the power of this.
const MEGAHERTZ: u32 = 4;
const KILOHERTZ_31: u32 = 9;
const TICKS_PER_MS: u32 = 1000;
const ALARM_TICKS: u32 = 3125; // 100 ms
const CLEAR_WHEN_IT_RINGS: u32 = 1 << 0;
const INTERRUPT_WHEN_IT_RINGS: u32 = 1 << 16;

/// Wraps after 71 minutes.
pub struct Timer(Clock<TICKS_PER_MS>);

impl Timer {
    pub fn start() -> Self {
        BITS.write(BITS_32);
        PRESCALER.write(MEGAHERTZ);
        START.write(1);
        ALARM_BITS.write(BITS_16);
        ALARM_PRESCALER.write(KILOHERTZ_31);
        ALARM_TIME.write(ALARM_TICKS);
        ALARM_SHORTCUTS.write(CLEAR_WHEN_IT_RINGS);
        ALARM_INTERRUPTS.write(INTERRUPT_WHEN_IT_RINGS);
        ALARM_START.write(1);
        // SAFETY: the handler exists, and nothing relies on this interrupt being masked.
        unsafe { NVIC::unmask(Interrupt(WAKE_UP as u16)) };
        Timer(Clock::starting_at(counter()))
    }

    pub fn now_ms(&mut self) -> u64 {
        self.0.ms(counter())
    }
}

/// Acknowledges the alarm: that it came is all we want.
pub fn woken_up() {
    ALARM_RINGS.write(0);
}

pub fn counter() -> u32 {
    CAPTURE.write(1);
    CAPTURED.read()
}
