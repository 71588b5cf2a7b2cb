//! An nRF52840-DK (PCA10056) that is taught movements with its buttons.
//!
//! | | |
//! |---|---|
//! | sensor | an LSM303AGR: SDA at P0.26, SCL at P0.27, VDD and GND |
//! | button 1 | P0.11; hold it while you move: teaches the selected movement |
//! | button 2 | P0.12; press it: the next movement; hold it: undo |
//! | LEDs 1 to 4 | P0.13 to P0.16; a movement each, see `teach.rs` |
//! | watchdog | 8 seconds: also restarts the board as long as no sensor answers |
//! | flash | the last 16 KB, see `memory.x` |
//!
//! Build-only: the code has not run on the board yet.
#![no_std]
#![no_main]

#[path = "../../../microbit/src/panic.rs"]
mod panic;
#[path = "../../../teach.rs"]
mod teach;
#[path = "../watchdog.rs"]
mod watchdog;

use core::slice;

use cortex_m_rt::entry;
use nrf52840_hal::{
    Timer,
    gpio::{Level, p0},
    nvmc::Nvmc,
    pac::{CorePeripherals, NVMC, Peripherals, TIMER0},
    twim::{Frequency, Pins, Twim},
};
use pocketron::{persist::Blank, signal::buttons};
use teach::{Board, Device, Pace};

#[entry]
fn main() -> ! {
    static mut DEVICE: Device = Device::BLANK;

    let (Some(board), Some(core)) = (Peripherals::take(), CorePeripherals::take()) else {
        unreachable!("nobody has taken them before");
    };
    let mut watchdog = watchdog::start(board.WDT);
    let pins = p0::Parts::new(board.P0);
    let bus_pins = Pins {
        sda: pins.p0_26.into_floating_input().degrade(),
        scl: pins.p0_27.into_floating_input().degrade(),
    };
    let mut timer = Timer::periodic(board.TIMER0);
    timer.start(u32::MAX);
    let board = Board {
        bus: Twim::new(board.TWIM0, bus_pins, Frequency::K400),
        delay: nrf52840_hal::Delay::new(core.SYST),
        teach: pins.p0_11.into_pullup_input(),
        next: pins.p0_12.into_pullup_input(),
        leds: [
            pins.p0_13.into_push_pull_output(Level::High).degrade(),
            pins.p0_14.into_push_pull_output(Level::High).degrade(),
            pins.p0_15.into_push_pull_output(Level::High).degrade(),
            pins.p0_16.into_push_pull_output(Level::High).degrade(),
        ],
        lit: buttons::Level::Low,
        flash: flash(board.NVMC),
    };
    let mut pace = Pace::new(Timer::<TIMER0>::TICKS_PER_SECOND, timer.read());
    teach::run(DEVICE, board, || {
        watchdog.pet();
        pace.wait(|| timer.read())
    })
}

/// The driver counts from the beginning of the store.
fn flash(controller: NVMC) -> (Nvmc<NVMC>, core::ops::Range<u32>) {
    let store = teach::store();
    let len = store.end - store.start;
    // SAFETY: flash that memory.x keeps free, and this is called once.
    let cells = unsafe { slice::from_raw_parts_mut(store.start as *mut u8, len as usize) };
    (Nvmc::new(controller, cells), 0..len)
}
