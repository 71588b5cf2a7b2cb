//! CMSDK timer 0 for the time, SysTick as the alarm clock.

use cortex_m::peripheral::{SYST, syst::SystClkSource};
use pocketron::device::Clock;

use crate::firmware::register::Register;

/// Number of the interrupt that ends a sleep.
pub const WAKE_UP: i16 = -1;

const TICKS_PER_MS: u32 = super::HERTZ / 1000;
const WAKE_UP_EVERY_MS: u32 = 100;

// SAFETY (all): timer 0 is ours alone, and its registers do not touch memory.
const CONTROL: Register = unsafe { Register::at(0x4000_0000) };
const VALUE: Register = unsafe { Register::at(0x4000_0004) };
const RELOAD: Register = unsafe { Register::at(0x4000_0008) };

const CONTROL_ENABLE: u32 = 1;

/// Wraps every 171 seconds, and is read at least ten times a second.
pub struct Timer(Clock<TICKS_PER_MS>);

impl Timer {
    pub fn start() -> Self {
        RELOAD.write(u32::MAX);
        VALUE.write(u32::MAX);
        CONTROL.write(CONTROL_ENABLE);
        // SAFETY: nobody else has taken the core's peripherals, and none but SysTick is used.
        let mut systick = unsafe { cortex_m::Peripherals::steal() }.SYST;
        wake_up(&mut systick);
        Timer(Clock::starting_at(counter()))
    }

    pub fn now_ms(&mut self) -> u64 {
        self.0.ms(counter())
    }
}

/// The timer counts down, a clock wants one that counts up.
pub fn counter() -> u32 {
    !VALUE.read()
}

fn wake_up(systick: &mut SYST) {
    systick.set_clock_source(SystClkSource::Core);
    systick.set_reload(WAKE_UP_EVERY_MS * TICKS_PER_MS - 1);
    systick.clear_current();
    systick.enable_interrupt();
    systick.enable_counter();
}
