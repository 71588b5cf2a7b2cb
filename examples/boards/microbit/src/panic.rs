//! A panic restarts the board, as the watchdog does: it goes on with the model in flash.

use core::panic::PanicInfo;

#[panic_handler]
fn restart(_: &PanicInfo<'_>) -> ! {
    cortex_m::peripheral::SCB::sys_reset()
}
