//! Everything that runs on the board and is not the library.
//!
//! [`board`] says what a board has to provide, and its modules are the boards that do.
//! Bytes arrive by interrupt in the [`inbox`]; the one loop below hands them to the
//! device and sends its replies. Around it, [`fault`] tells after a reset why there was
//! one, and [`stack`] how much of the stack has been in use.

mod board;
mod clock;
mod fault;
mod inbox;
mod learner;
mod log;
mod panic;
mod register;
mod stack;
mod trial;
mod vitals;
mod wait;

use embedded_storage::nor_flash::ReadNorFlash;
use pocketron::{memory::Blank, store::SlotRing};

use self::{
    board::{Board, ThisBoard},
    fault::Reason,
    inbox::Inbox,
    learner::Learner,
    trial::Trial as Device,
    vitals::Vitals,
};

#[cortex_m_rt::entry]
fn main() -> ! {
    static mut QUEUE: inbox::Queue = inbox::Queue::new();
    // All zeros: it lies in `.bss` and costs no flash.
    static mut LEARNER: Learner = Learner::BLANK;

    let fault = fault::take();
    log::start(fault);
    let mut inbox = Inbox::open(QUEUE);
    let (mut board, flash) = ThisBoard::start();
    let Some(ring) = mount(flash) else {
        fault::reset(Reason::NoStore, 0);
    };
    learner::configure(LEARNER);
    let mut device = Device::new(LEARNER, ring);
    let mut vitals = Vitals {
        fault,
        stack_size: stack::size(),
        stack_used: stack::used(),
        ..Vitals::default()
    };
    #[cfg(must_not_link)]
    panic::sabotage();
    loop {
        board.feed_watchdog();
        let Some(byte) = inbox.next() else {
            inbox.sleep();
            continue;
        };
        vitals.now_ms = board.now_ms();
        vitals.dropped_bytes = inbox::dropped();
        if let Some(reply) = device.receive(byte, &vitals) {
            // A host that does not listen for so long has lost interest: it will ask again.
            let _ = board.transmit(reply);
            vitals.stack_used = stack::used();
        }
    }
}

type Flash = <ThisBoard as Board>::Flash;

/// Finds what was saved.
///
/// A store in a format that this firmware cannot read is of no use to it, and makes room.
fn mount(flash: Flash) -> Option<SlotRing<Flash>> {
    let region = 0..flash.capacity() as u32;
    let ring = SlotRing::mount(flash, region.clone()).or_else(|reason| {
        log::formatting(reason);
        SlotRing::format(flash, region)
    });
    log::mounted(ring.as_ref().map(SlotRing::status).map_err(|error| *error));
    ring.ok()
}
