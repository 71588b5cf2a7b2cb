//! What is the same on every board: what is learned, and the loop.
//!
//! A board hands over its flash, a clock and a way to send bytes, and puts the bytes that
//! it receives into [`RX_QUEUE`]. That is all that it has to provide.

use core::ops::Range;

use embedded_hal::digital::OutputPin;
use pocketron::{
    device::{BoardStatus, Device, RxQueue},
    learners::PocketronMulti,
    persist::{
        Blank,
        store::{SlotRing, WearLimit, nor_flash::NorFlash},
    },
    wrap::confidence::Confident,
};

// The sizes of the emulated firmware: images of the one are images of the other.

/// Numbers per sample.
const FEATURES: usize = 2;
/// Support vectors, shared by all classes.
const BUDGET: usize = 64;
const CLASSES: usize = 4;

/// 640 bytes of RAM. Blank it is all zeros: it lies in `.bss` and costs no flash.
pub type Learner = Confident<PocketronMulti<FEATURES, BUDGET, CLASSES>, CLASSES>;

/// Bytes of the longest frame. Longer ones transfer images faster.
const FRAME: usize = 256;

/// A save a minute, and no more of them than these chips promise to endure.
const LIMIT: WearLimit = WearLimit::new(60_000, 10_000);

/// From the UART's interrupt to the loop. A host sends a frame and waits for the answer, but
/// not for ever: there is room for some more while the flash is erased.
pub static RX_QUEUE: RxQueue<{ 4 * FRAME }> = RxQueue::new();

/// Makes the model fresh, at the start and when a host asks for it.
fn fresh(model: &mut Learner) {
    *model = Learner::BLANK;
}

/// Serves the host for ever.
///
/// `store` is the part of `flash` that holds models. `now_ms` is called at each turn of
/// the loop, that is after each interrupt at the latest.
pub fn run<F: NorFlash>(
    model: &'static mut Learner,
    (flash, store): (F, Range<u32>),
    mut now_ms: impl FnMut() -> u64,
    mut transmit: impl FnMut(&[u8]),
    mut led: impl OutputPin,
) -> ! {
    fresh(model);
    let store = SlotRing::mount(flash, store).map_err(Into::into);
    let mut device = Device::<_, _, FEATURES, FRAME>::new(model, fresh, store, LIMIT)
        .with_firmware(concat!(
            env!("CARGO_PKG_NAME"),
            " ",
            env!("CARGO_PKG_VERSION")
        ));
    let mut lit = false;
    loop {
        let now_ms = now_ms();
        let Some(byte) = RX_QUEUE.take() else {
            sleep();
            continue;
        };
        let board_status = BoardStatus {
            now_ms,
            dropped_bytes: RX_QUEUE.dropped(),
            // Here you would add how deep the stack has been, why the last run ended, and how
            // long an answer takes: `stack.rs`, `fault.rs` and the loop in `src/firmware` show
            // how. Zeros mean "not known".
            ..BoardStatus::default()
        };
        if let Some(answer) = device.receive(byte, &board_status) {
            transmit(answer);
            lit = !lit;
            show(&mut led, lit);
        }
    }
}

/// Sleeps until an interrupt comes, unless a byte waits already.
///
/// With interrupts masked between the question and the sleep: a byte that comes in between
/// leaves its interrupt pending, and a pending interrupt ends the sleep even while it is
/// masked. Its handler runs afterwards.
fn sleep() {
    cortex_m::interrupt::free(|_| {
        if RX_QUEUE.is_empty() {
            cortex_m::asm::wfi();
        }
    });
}

/// Any pin of any HAL will do.
fn show(led: &mut impl OutputPin, lit: bool) {
    // A pin that cannot be set is no reason to stop learning.
    let _ = led.set_state(lit.into());
}

/// Addresses of the flash that `memory.x` keeps for models.
pub fn store() -> Range<u32> {
    unsafe extern "C" {
        static _store_start: u8;
        static _store_end: u8;
    }
    &raw const _store_start as u32..&raw const _store_end as u32
}
