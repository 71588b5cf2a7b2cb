//! Pocketron on the Raspberry Pi Pico.
//!
//! | | |
//! |---|---|
//! | UART | UART0: GP0 sends, GP1 receives; 115,200 baud, by a Debug Probe or any 3.3 V adapter |
//! | flash | the last 16 KB, see `memory.x` and `flash.rs` |
//! | clock | the chip's 64-bit microsecond timer |
//! | LED | on the board, GP25; it changes with each answer (on a Pico W it hangs on the radio) |
//!
//! Build-only: the code has not run on the board yet.
#![no_std]
#![no_main]

#[path = "../../app.rs"]
mod app;
mod flash;

use core::cell::RefCell;

use app::{Learner, RX_QUEUE};
use cortex_m::peripheral::NVIC;
use critical_section::Mutex;
use flash::Flash;
use panic_halt as _;
use pocketron::persist::Blank;
use rp2040_hal::{
    Sio, Timer, Watchdog,
    clocks::{Clock, init_clocks_and_plls},
    fugit::RateExtU32,
    gpio::{
        FunctionUart, Pin, Pins, PullDown,
        bank0::{Gpio0, Gpio1},
    },
    pac::{self, Interrupt, UART0, interrupt},
    uart::{DataBits, Reader, StopBits, UartConfig, UartPeripheral},
};

/// Sets up the flash chip of the Pico before the program starts.
#[unsafe(link_section = ".boot2")]
#[used]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

const CRYSTAL_HZ: u32 = 12_000_000;

type UartPins = (
    Pin<Gpio0, FunctionUart, PullDown>,
    Pin<Gpio1, FunctionUart, PullDown>,
);

static RECEIVER: Mutex<RefCell<Option<Reader<UART0, UartPins>>>> = Mutex::new(RefCell::new(None));

#[rp2040_hal::entry]
fn main() -> ! {
    static mut MODEL: Learner = Learner::BLANK;

    let Some(mut board) = pac::Peripherals::take() else {
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

    let uart_pins = (pins.gpio0.into_function(), pins.gpio1.into_function());
    let format = UartConfig::new(115_200.Hz(), DataBits::Eight, None, StopBits::One);
    let uart = UartPeripheral::new(board.UART0, uart_pins, &mut board.RESETS);
    let Ok(uart) = uart.enable(format, clocks.peripheral_clock.freq()) else {
        unreachable!("125 MHz can be divided to 115,200 baud");
    };
    let (mut receiver, sender) = uart.split();
    receiver.enable_rx_interrupt();
    critical_section::with(|section| RECEIVER.replace(section, Some(receiver)));

    let timer = Timer::new(board.TIMER, &mut board.RESETS, &clocks);
    let led = pins.gpio25.into_push_pull_output();

    // SAFETY: the handler exists, and nothing relies on this interrupt being masked.
    unsafe { NVIC::unmask(Interrupt::UART0_IRQ) };
    app::run(
        MODEL,
        (Flash, Flash::store()),
        || timer.get_counter().ticks() / 1000,
        |answer| sender.write_full_blocking(answer),
        led,
    )
}

#[interrupt]
fn UART0_IRQ() {
    critical_section::with(|section| {
        let receiver = RECEIVER.borrow_ref(section);
        let Some(receiver) = receiver.as_ref() else {
            return;
        };
        loop {
            let mut byte = [0];
            match receiver.read_raw(&mut byte) {
                Ok(_) => RX_QUEUE.put(byte[0]),
                Err(nb::Error::WouldBlock) => break,
                // Damaged, or the last one before others were lost.
                Err(nb::Error::Other(_)) => RX_QUEUE.count_lost(),
            }
        }
    });
}
