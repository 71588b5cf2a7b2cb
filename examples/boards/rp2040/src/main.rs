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
mod chip;
mod flash;

use core::cell::RefCell;

use app::{Learner, RX_QUEUE};
use chip::Chip;
use cortex_m::peripheral::NVIC;
use critical_section::Mutex;
use flash::Flash;
use panic_halt as _;
use pocketron::persist::Blank;
use rp2040_hal::{
    clocks::Clock,
    fugit::RateExtU32,
    gpio::{
        FunctionUart, Pin, PullDown,
        bank0::{Gpio0, Gpio1},
    },
    pac::{Interrupt, UART0, interrupt},
    uart::{DataBits, Reader, StopBits, UartConfig, UartPeripheral},
};

type UartPins = (
    Pin<Gpio0, FunctionUart, PullDown>,
    Pin<Gpio1, FunctionUart, PullDown>,
);

static RECEIVER: Mutex<RefCell<Option<Reader<UART0, UartPins>>>> = Mutex::new(RefCell::new(None));

#[rp2040_hal::entry]
fn main() -> ! {
    static mut MODEL: Learner = Learner::BLANK;

    let mut chip = Chip::start();
    let pins = chip.pins;
    let uart_pins = (pins.gpio0.into_function(), pins.gpio1.into_function());
    let format = UartConfig::new(115_200.Hz(), DataBits::Eight, None, StopBits::One);
    let uart = UartPeripheral::new(chip.uart, uart_pins, &mut chip.resets);
    let Ok(uart) = uart.enable(format, chip.clocks.peripheral_clock.freq()) else {
        unreachable!("125 MHz can be divided to 115,200 baud");
    };
    let (mut receiver, sender) = uart.split();
    receiver.enable_rx_interrupt();
    critical_section::with(|section| RECEIVER.replace(section, Some(receiver)));

    let timer = chip.timer;
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
