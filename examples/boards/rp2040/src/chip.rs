//! The chip of the Pico after reset: clocks, pins, timer. Each program uses a part of it.
#![allow(dead_code)]

use rp2040_hal::{
    Sio, Timer, Watchdog,
    clocks::{ClocksManager, init_clocks_and_plls},
    gpio::Pins,
    pac::{I2C0, Peripherals, RESETS, UART0},
};

/// Sets up the flash chip of the Pico before the program starts.
#[unsafe(link_section = ".boot2")]
#[used]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

const CRYSTAL_HZ: u32 = 12_000_000;

/// What runs already, and what a program may set up.
pub struct Chip {
    pub clocks: ClocksManager,
    pub pins: Pins,
    pub timer: Timer,
    pub resets: RESETS,
    pub uart: UART0,
    pub bus: I2C0,
    pub watchdog: Watchdog,
}

impl Chip {
    /// Starts the clocks; once in a program.
    pub fn start() -> Self {
        let Some(mut board) = Peripherals::take() else {
            unreachable!("nobody has taken them before");
        };
        let mut watchdog = Watchdog::new(board.WATCHDOG);
        let Ok(clocks) = init_clocks_and_plls(
            CRYSTAL_HZ,
            board.XOSC,
            board.CLOCKS,
            board.PLL_SYS,
            board.PLL_USB,
            &mut board.RESETS,
            &mut watchdog,
        ) else {
            unreachable!("it divides the crystal of the Pico as the Pico's makers do");
        };
        let pins = Pins::new(
            board.IO_BANK0,
            board.PADS_BANK0,
            Sio::new(board.SIO).gpio_bank0,
            &mut board.RESETS,
        );
        Chip {
            timer: Timer::new(board.TIMER, &mut board.RESETS, &clocks),
            clocks,
            pins,
            resets: board.RESETS,
            uart: board.UART0,
            bus: board.I2C0,
            watchdog,
        }
    }
}
