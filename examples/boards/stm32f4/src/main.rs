//! Pocketron on the Nucleo-F411RE.
//!
//! | | |
//! |---|---|
//! | UART | USART2: PA2 sends, PA3 receives; 115,200 baud, on the USB port of the ST-LINK |
//! | flash | the last two sectors of 128 KB, see `memory.x` and `flash.rs` |
//! | clock | TIM2 at 10 kHz; SysTick wakes the loop every 1.6 s |
//! | watchdog | 20 seconds; a save takes up to 4 |
//! | LED | LD2, PA5; it changes with each answer |
//!
//! Build-only: the code has not run on the board yet.
#![no_std]
#![no_main]

#[path = "../../app.rs"]
mod app;
mod flash;
#[path = "../../microbit/src/panic.rs"]
mod panic;

use core::cell::RefCell;

use app::{Learner, RX_QUEUE};
use cortex_m::peripheral::{NVIC, Peripherals as Core, syst::SystClkSource};
use cortex_m_rt::{entry, exception};
use critical_section::Mutex;
use flash::Flash;
use fugit::TimerDurationU32;
use pocketron::{device::Clock, persist::Blank};
use stm32f4xx_hal::{
    block, nb,
    pac::{Interrupt, Peripherals, USART2, interrupt},
    prelude::*,
    rcc,
    serial::{Config, Rx},
    timer::{Counter, FTimer},
    watchdog::IndependentWatchdog,
};

/// Ticks of the clock per second: the slowest to which a prescaler of 16 bits can divide 84 MHz,
/// in round numbers. A turn of its 32 bits takes five days.
const TICKS: u32 = 10_000;

static RECEIVER: Mutex<RefCell<Option<Rx<USART2>>>> = Mutex::new(RefCell::new(None));

#[entry]
fn main() -> ! {
    static mut MODEL: Learner = Learner::BLANK;

    let (Some(core), Some(board)) = (Core::take(), Peripherals::take()) else {
        unreachable!("nobody has taken them before");
    };
    // The crystal beside the ST-LINK, connected as the board is delivered; without it the start
    // would wait for ever, and `rcc::Config::hsi()` would do, too.
    let clock = rcc::Config::hse(8.MHz()).bypass_hse_oscillator();
    let mut rcc = board.RCC.freeze(clock.sysclk(84.MHz()));
    let pins = board.GPIOA.split(&mut rcc);

    let format = Config::default().baudrate(115_200.bps());
    let Ok(uart) = board
        .USART2
        .serial::<u8>((pins.pa2, pins.pa3), format, &mut rcc)
    else {
        unreachable!("42 MHz can be divided to 115,200 baud");
    };
    let (mut sender, mut receiver) = uart.split();
    receiver.listen();
    critical_section::with(|section| RECEIVER.replace(section, Some(receiver)));

    let mut counter: Counter<_, TICKS> = FTimer::new(board.TIM2, &mut rcc).counter();
    // It fails only for counters of 16 bits.
    let _ = counter.start(TimerDurationU32::from_ticks(u32::MAX));
    let mut clock = Clock::<{ TICKS / 1000 }>::starting_at(0);
    // No turn of the counter may go unnoticed, even if nothing else happens for days.
    let mut heartbeat = core.SYST;
    heartbeat.set_clock_source(SystClkSource::External); // an eighth of the core's
    heartbeat.set_reload(0x00FF_FFFF);
    heartbeat.clear_current();
    heartbeat.enable_interrupt();
    heartbeat.enable_counter();

    // A save erases 128 KB, which takes up to 4 seconds.
    let mut watchdog = IndependentWatchdog::new(board.IWDG);
    watchdog.stop_on_debug(&board.DBGMCU, true);
    watchdog.start(20.secs());

    // SAFETY: the handler exists, and nothing relies on this interrupt being masked.
    unsafe { NVIC::unmask(Interrupt::USART2) };
    app::run(
        MODEL,
        (Flash::new(board.FLASH), Flash::store()),
        || {
            watchdog.feed();
            clock.ms(counter.now().ticks())
        },
        // Not `embedded_io`'s `write_all`: in stm32f4xx-hal 0.23 it panics when the UART is busy.
        |answer| {
            for byte in answer {
                // Nothing can go wrong here; a host that misses an answer asks again.
                let _ = block!(sender.write(*byte));
            }
        },
        pins.pa5.into_push_pull_output(),
    )
}

#[interrupt]
fn USART2() {
    critical_section::with(|section| {
        let mut receiver = RECEIVER.borrow_ref_mut(section);
        let Some(receiver) = receiver.as_mut() else {
            return;
        };
        loop {
            match receiver.read() {
                Ok(byte) => RX_QUEUE.put(byte),
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
