//! Pocketron on the Raspberry Pi Pico.
//!
//! | | |
//! |---|---|
//! | UART | UART0: GP0 sends, GP1 receives; 115,200 baud, by a Debug Probe or any 3.3 V adapter |
//! | flash | the last 16 KB, see `memory.x` and `flash.rs` |
//! | clock | the chip's 64-bit microsecond timer |
//! | watchdog | 8 seconds |
//! | LED | on the board, GP25; it changes with each answer (on a Pico W it hangs on the radio) |
//!
//! Build-only: the code has not run on the board yet.
#![no_std]
#![no_main]

#[path = "../../app.rs"]
mod app;
mod chip;
mod flash;
#[path = "../../microbit/src/panic.rs"]
mod panic;

use core::cell::RefCell;

use app::{Learner, RX_QUEUE};
use chip::Chip;
use cortex_m::peripheral::{NVIC, syst::SystClkSource};
use cortex_m_rt::exception;
use critical_section::Mutex;
use flash::Flash;
use pocketron::persist::Blank;
use rp2040_hal::{
    clocks::Clock,
    fugit::{ExtU32, RateExtU32},
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

    // The watchdog goes on while the core sleeps: SysTick wakes the loop every 0.13 s.
    let Some(core) = cortex_m::Peripherals::take() else {
        unreachable!("nobody has taken them before");
    };
    let mut heartbeat = core.SYST;
    heartbeat.set_clock_source(SystClkSource::Core);
    heartbeat.set_reload(0x00FF_FFFF);
    heartbeat.clear_current();
    heartbeat.enable_interrupt();
    heartbeat.enable_counter();
    let mut watchdog = chip.watchdog;
    watchdog.pause_on_debug(true);
    watchdog.start(8.secs());

    // SAFETY: the handler exists, and nothing relies on this interrupt being masked.
    unsafe { NVIC::unmask(Interrupt::UART0_IRQ) };
    app::run(
        MODEL,
        (Flash, Flash::store()),
        || {
            watchdog.feed();
            timer.get_counter().ticks() / 1000
        },
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

/// Nothing to do: that the core wakes up is enough.
#[exception]
fn SysTick() {}
