//! Everything that runs on the board and is not the library.
//!
//! [`board`] says what a board has to provide, and its modules are the boards that do.
//! Bytes arrive by interrupt in the [`rx_queue`]; the one loop below hands them to the
//! device and sends its replies. Around it, [`fault`] tells after a reset why there was
//! one, and [`stack`] how much of the stack has been in use. With the feature
//! `_recorded-sensor` there is an accelerometer, too.

#[cfg(feature = "_recorded-sensor")]
mod accelerometer;
mod board;
#[cfg(not(feature = "_provoke-faults"))]
mod device;
mod fault;
#[cfg(feature = "_provoke-faults")]
mod fault_injection;
mod interrupt;
mod learner;
mod log;
mod panic;
mod register;
mod rx_queue;
mod stack;

#[cfg(not(feature = "_provoke-faults"))]
use device::start as start_device;
use embedded_storage::nor_flash::ReadNorFlash;
#[cfg(feature = "_provoke-faults")]
use fault_injection::start as start_device;
use pocketron::{
    device::BoardStatus,
    persist::{
        Blank,
        store::{SlotRing, StoreError},
    },
};

use self::{
    board::{Board, ThisBoard},
    learner::Learner,
};

#[cortex_m_rt::entry]
fn main() -> ! {
    // All zeros: it lies in `.bss` and costs no flash.
    static mut LEARNER: Learner = Learner::BLANK;

    let fault = fault::take();
    log::start(fault);
    let (mut board, flash) = ThisBoard::start();
    let mut device = start_device(LEARNER, mount(flash));
    let mut board_status = BoardStatus {
        fault,
        stack_size: stack::size(),
        stack_used: stack::used(),
        ..BoardStatus::default()
    };
    #[cfg(must_not_link)]
    panic::sabotage();
    #[cfg(feature = "_recorded-sensor")]
    let mut accelerometer = accelerometer::Accelerometer::start();
    let mut has_worked = false;
    loop {
        board.feed_watchdog();
        // In every turn, busy or not: the counter behind it must not go round unseen.
        board_status.now_ms = board.now_ms();
        let Some(byte) = rx_queue::RX_QUEUE.take() else {
            // A replay or a sample at a time, so that no byte waits for long.
            #[cfg(feature = "_recorded-sensor")]
            if device.step(board_status.now_ms, |number| accelerometer.read(number)) {
                has_worked = true;
                continue;
            }
            // Looking at the stack takes its time, so it is done when no byte waits.
            if core::mem::take(&mut has_worked) {
                board_status.stack_used = stack::used();
            }
            rx_queue::sleep();
            continue;
        };
        board_status.dropped_bytes = rx_queue::RX_QUEUE.dropped();
        let begin = board.ticks();
        if let Some(reply) = device.receive(byte, &board_status) {
            board_status.work = board.ticks().wrapping_sub(begin);
            log::reply(reply);
            // A host that does not listen for so long has lost interest: it will ask again.
            let _ = board.transmit(reply);
            has_worked = true;
        }
    }
}

type Flash = <ThisBoard as Board>::Flash;

/// Finds what was saved.
///
/// A store that cannot be used is left alone: it may hold a model in the format
/// of another version. The device works without one, and says why.
fn mount(flash: Flash) -> Result<SlotRing<Flash>, StoreError> {
    let ring = SlotRing::mount(flash, 0..flash.capacity() as u32);
    log::mounted(ring.as_ref().map(SlotRing::status).map_err(|error| *error));
    ring
}
