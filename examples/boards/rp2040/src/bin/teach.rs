//! A Raspberry Pi Pico that is taught movements with two buttons.
//!
//! | | |
//! |---|---|
//! | sensor | an LSM303AGR: SDA at GP4, SCL at GP5, 3V3 and GND |
//! | first button | GP14 to GND; hold it while you move: teaches the selected movement |
//! | second button | GP15 to GND; press it: the next movement; hold it: undo |
//! | four LEDs | GP16 to GP19, with resistors to GND; a movement each, see `teach.rs` |
//! | watchdog | 8 seconds: also restarts the board as long as no sensor answers |
//! | flash | the last 16 KB, see `memory.x` and `flash.rs` |
//!
//! Build-only: the code has not run on the board yet.
#![no_std]
#![no_main]

#[path = "../chip.rs"]
mod chip;
#[path = "../flash.rs"]
mod flash;
#[path = "../../../microbit/src/panic.rs"]
mod panic;
#[path = "../../../teach.rs"]
mod teach;

/// Where `flash.rs` asks for the store.
use teach as app;

use chip::Chip;
use flash::Flash;
use pocketron::{persist::Blank, signal::buttons::Level};
use rp2040_hal::{
    I2C,
    clocks::Clock,
    fugit::{ExtU32, RateExtU32},
    gpio::{FunctionI2C, Pin, PullUp},
};
use teach::{Board, Device, Pace};

#[rp2040_hal::entry]
fn main() -> ! {
    static mut DEVICE: Device = Device::BLANK;

    let mut chip = Chip::start();
    let pins = chip.pins;
    let sda: Pin<_, FunctionI2C, PullUp> = pins.gpio4.reconfigure();
    let scl: Pin<_, FunctionI2C, PullUp> = pins.gpio5.reconfigure();
    let timer = chip.timer;
    let bus = I2C::i2c0(
        chip.bus,
        sda,
        scl,
        400.kHz(),
        &mut chip.resets,
        chip.clocks.system_clock.freq(),
    );
    let board = Board {
        bus,
        delay: timer,
        teach: pins.gpio14.into_pull_up_input(),
        next: pins.gpio15.into_pull_up_input(),
        leds: [
            pins.gpio16.into_push_pull_output().into_dyn_pin(),
            pins.gpio17.into_push_pull_output().into_dyn_pin(),
            pins.gpio18.into_push_pull_output().into_dyn_pin(),
            pins.gpio19.into_push_pull_output().into_dyn_pin(),
        ],
        lit: Level::High,
        flash: (Flash, Flash::store()),
    };
    // Microseconds.
    let now = || timer.get_counter().ticks() as u32;
    let mut pace = Pace::new(1_000_000, now());
    chip.watchdog.pause_on_debug(true);
    chip.watchdog.start(8.secs());
    teach::run(DEVICE, board, || {
        chip.watchdog.feed();
        pace.wait(now)
    })
}
