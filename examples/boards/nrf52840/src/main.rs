//! Pocketron on the nRF52840-DK (PCA10056).
//!
//! | | |
//! |---|---|
//! | UART | UARTE0: P0.06 sends, P0.08 receives; 115,200 baud, on the USB port of the debugger |
//! | flash | the last 16 KB, see `memory.x` |
//! | clock | TIMER0 at 1 MHz; TIMER1 wakes the loop every minute |
//! | watchdog | 8 seconds; it stands still while the core sleeps |
//! | LED | LED1, P0.13; it changes with each answer |
//!
//! Build-only: the code has not run on the board yet.
#![no_std]
#![no_main]

#[path = "../../app.rs"]
mod app;
#[path = "../../microbit/src/panic.rs"]
mod panic;
mod watchdog;

use core::{cell::RefCell, slice};

use app::{Learner, RX_QUEUE};
use cortex_m::peripheral::NVIC;
use cortex_m_rt::entry;
use critical_section::Mutex;
use embedded_io::{Read, ReadReady, Write};
use nrf52840_hal::{
    Clocks, Timer,
    gpio::{Level, p0},
    nvmc::Nvmc,
    pac::{Interrupt, NVMC, Peripherals, TIMER1, UARTE0, interrupt},
    uarte::{Baudrate, Parity, Pins, Uarte, UarteRx},
};
use pocketron::{device::Clock, persist::Blank};

static RECEIVER: Mutex<RefCell<Option<UarteRx<UARTE0>>>> = Mutex::new(RefCell::new(None));
static HEARTBEAT: Mutex<RefCell<Option<Timer<TIMER1, nrf52840_hal::timer::Periodic>>>> =
    Mutex::new(RefCell::new(None));

#[entry]
fn main() -> ! {
    static mut MODEL: Learner = Learner::BLANK;
    // The UART reads and writes RAM by itself. One byte to send at a time: with a longer
    // buffer `write` of nrf-hal 0.19 panics unless each message fills it.
    static mut SENDING: [u8; 1] = [0];
    static mut RECEIVING: [u8; 1] = [0];

    let Some(board) = Peripherals::take() else {
        unreachable!("nobody has taken them before");
    };
    // The crystal: a UART on the internal oscillator may be off by 1.5 %.
    Clocks::new(board.CLOCK).enable_ext_hfosc();
    let pins = p0::Parts::new(board.P0);

    board.UARTE0.intenset.write(|w| w.endrx().set());
    let uart_pins = Pins {
        rxd: pins.p0_08.into_floating_input().degrade(),
        txd: pins.p0_06.into_push_pull_output(Level::High).degrade(),
        cts: None,
        rts: None,
    };
    let uart = Uarte::new(
        board.UARTE0,
        uart_pins,
        Parity::EXCLUDED,
        Baudrate::BAUD115200,
    );
    let Ok((mut sender, mut receiver)) = uart.split(SENDING, RECEIVING) else {
        unreachable!("the buffers are neither empty nor long");
    };
    // Waits for the first byte; from then on the interrupt does.
    let _ = receiver.read_ready();
    critical_section::with(|section| RECEIVER.replace(section, Some(receiver)));

    let mut counter = Timer::periodic(board.TIMER0);
    counter.start(u32::MAX);
    let mut clock = Clock::<1000>::starting_at(0);
    // A turn of the counter takes 71 minutes, and none may go unnoticed while nothing else
    // happens. Not SysTick: on this chip it stands still while the core sleeps.
    let mut heartbeat = Timer::periodic(board.TIMER1);
    heartbeat.enable_interrupt();
    heartbeat.start(60 * Timer::<TIMER1>::TICKS_PER_SECOND);
    critical_section::with(|section| HEARTBEAT.replace(section, Some(heartbeat)));

    // SAFETY: the handlers exist, and nothing relies on these interrupts being masked.
    unsafe {
        NVIC::unmask(Interrupt::UARTE0_UART0);
        NVIC::unmask(Interrupt::TIMER1);
    }
    let mut watchdog = watchdog::start(board.WDT);
    app::run(
        MODEL,
        flash(board.NVMC),
        || {
            watchdog.pet();
            clock.ms(counter.read())
        },
        |answer| {
            // Nothing can go wrong here; a host that misses an answer asks again.
            let _ = sender.write_all(answer);
        },
        pins.p0_13.into_push_pull_output(Level::High),
    )
}

/// The driver counts from the beginning of the store. Erasing a page stops the core for
/// 85 ms; what arrives in the meantime is lost, but a host waits for its answer.
fn flash(controller: NVMC) -> (Nvmc<NVMC>, core::ops::Range<u32>) {
    let store = app::store();
    let len = store.end - store.start;
    // SAFETY: flash that memory.x keeps free, and this is called once.
    let cells = unsafe { slice::from_raw_parts_mut(store.start as *mut u8, len as usize) };
    (Nvmc::new(controller, cells), 0..len)
}

#[interrupt]
fn UARTE0_UART0() {
    critical_section::with(|section| {
        let mut receiver = RECEIVER.borrow_ref_mut(section);
        let Some(receiver) = receiver.as_mut() else {
            return;
        };
        // The last question begins to wait for the next byte.
        while receiver.read_ready().is_ok_and(|ready| ready) {
            let mut byte = [0];
            match receiver.read(&mut byte) {
                Ok(_) => RX_QUEUE.put(byte[0]),
                Err(_) => RX_QUEUE.count_lost(),
            }
        }
    });
}

#[interrupt]
fn TIMER1() {
    critical_section::with(|section| {
        if let Some(heartbeat) = HEARTBEAT.borrow_ref(section).as_ref() {
            heartbeat.reset_event();
        }
    });
}
