//! Executed instructions, from the emulator's instruction clock.
//!
//! With `-icount shift=7` an instruction takes 128 ns, and the board's timer ticks every 40 ns: 16
//! instructions are 51.2 ticks, so that a count comes out exact.

const TIMER: usize = 0x4000_0000;
const CONTROL: *mut u32 = TIMER as *mut u32;
const VALUE: *mut u32 = (TIMER + 4) as *mut u32;
const RELOAD: *mut u32 = (TIMER + 8) as *mut u32;
const RUN: u32 = 1;

/// Counts what a call costs, beyond what any call costs.
pub struct Clock {
    /// Instructions around a call that does nothing.
    floor: u32,
}

impl Clock {
    /// Starts the timer.
    pub fn start() -> Self {
        // SAFETY: the registers of a timer that nobody else uses.
        unsafe {
            RELOAD.write_volatile(u32::MAX);
            VALUE.write_volatile(u32::MAX);
            CONTROL.write_volatile(RUN);
        }
        let (floor, ()) = Clock { floor: 0 }.count(nothing);
        Clock { floor }
    }

    /// What `work` returns, and the instructions that it executed.
    #[inline(always)]
    pub fn count<R>(&self, work: impl FnOnce() -> R) -> (u32, R) {
        let before = now();
        let result = work();
        let ticks = before.wrapping_sub(now());
        let executed = (u64::from(ticks) * 5 + 8) / 16;
        ((executed as u32).saturating_sub(self.floor), result)
    }
}

/// The timer counts down.
#[inline(always)]
fn now() -> u32 {
    // SAFETY: reading the counter changes nothing.
    unsafe { VALUE.read_volatile() }
}

#[inline(never)]
fn nothing() {
    core::hint::black_box(());
}
