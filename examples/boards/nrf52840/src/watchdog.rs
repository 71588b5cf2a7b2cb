//! The watchdog restarts the board if the loop stands still for 8 seconds while the core is awake.

use nrf52840_hal::{
    pac::WDT,
    wdt::{Parts, Watchdog, WatchdogHandle, count::One, handles::Hdl0},
};

/// Starts it; after a panic it is still running.
pub fn start(wdt: WDT) -> WatchdogHandle<Hdl0> {
    let parts = match Watchdog::try_new(wdt) {
        Ok(mut watchdog) => {
            watchdog.set_lfosc_ticks(8 * 32_768);
            watchdog.run_during_sleep(false);
            watchdog.run_during_debug_halt(false);
            watchdog.activate::<One>()
        }
        Err(wdt) => match Watchdog::try_recover::<One>(wdt) {
            Ok(parts) => parts,
            // That of another program goes on. It restarts the board, and is gone then.
            Err(_) => loop {
                cortex_m::asm::nop();
            },
        },
    };
    let Parts { handles, .. } = parts;
    handles.0
}
