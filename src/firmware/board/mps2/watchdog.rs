//! CMSDK watchdog: first a non-maskable interrupt, then a reset.

use crate::firmware::register::Register;

// SAFETY (all): the watchdog is ours alone, and its registers do not touch memory.
const LOAD: Register = unsafe { Register::at(0x4000_8000) };
const CONTROL: Register = unsafe { Register::at(0x4000_8008) };
const CLEAR: Register = unsafe { Register::at(0x4000_800c) };
const LOCK: Register = unsafe { Register::at(0x4000_8c00) };

const CONTROL_INTERRUPT: u32 = 1 << 0;
const CONTROL_RESET: u32 = 1 << 1;
const UNLOCK: u32 = 0x1acc_e551;

/// Far above what one frame takes, with a reply that nobody fetches and a save.
const SECONDS: u32 = 5;

pub fn start() {
    LOCK.write(UNLOCK);
    LOAD.write(SECONDS * super::HERTZ);
    CONTROL.write(CONTROL_INTERRUPT | CONTROL_RESET);
}

/// Starts the countdown anew.
pub fn feed() {
    CLEAR.write(1);
}
