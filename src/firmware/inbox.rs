//! Received bytes on their way from the interrupt to the loop.

use core::{
    cell::Cell,
    sync::atomic::{AtomicU32, Ordering},
};

use critical_section::Mutex;
use heapless::spsc::{self, Consumer, Producer};

use super::board::RAM;

/// Bytes that can wait while the loop is busy: a sixteenth of a small memory, and no more than
/// the window of a host can use.
pub const CAPACITY: usize = if RAM / 16 < 4096 { RAM / 16 } else { 4096 };

/// Where they wait; it keeps one place free.
pub type Queue = spsc::Queue<u8, { CAPACITY + 1 }>;

static PRODUCER: Mutex<Cell<Option<Producer<'static, u8>>>> = Mutex::new(Cell::new(None));
static DROPPED: AtomicU32 = AtomicU32::new(0);

/// For the receive interrupt: keeps a byte, or counts it when there is no room.
pub fn receive(byte: u8) {
    critical_section::with(|section| {
        let place = PRODUCER.borrow(section);
        let mut producer = place.take();
        let kept = producer.as_mut().map(|producer| producer.enqueue(byte));
        if kept != Some(Ok(())) {
            // Load and store suffice, and are all that a Cortex-M0 has: only this line writes.
            let dropped = DROPPED.load(Ordering::Relaxed);
            DROPPED.store(dropped.wrapping_add(1), Ordering::Relaxed);
        }
        place.set(producer);
    });
}

/// Bytes lost so far because nobody took them out in time.
pub fn dropped() -> u32 {
    DROPPED.load(Ordering::Relaxed)
}

/// The loop's end of the queue.
pub struct Inbox(Consumer<'static, u8>);

impl Inbox {
    /// Lets the interrupt fill `queue`.
    pub fn open(queue: &'static mut Queue) -> Self {
        let (producer, consumer) = queue.split();
        critical_section::with(|section| PRODUCER.borrow(section).set(Some(producer)));
        Inbox(consumer)
    }

    /// The oldest byte that waits.
    pub fn next(&mut self) -> Option<u8> {
        self.0.dequeue()
    }

    /// Sleeps until an interrupt comes, unless bytes wait already.
    ///
    /// With interrupts masked between the question and the sleep: a byte that comes in
    /// between leaves its interrupt pending, and a pending interrupt ends the sleep even
    /// while it is masked. Its handler runs afterwards.
    pub fn sleep(&self) {
        critical_section::with(|_| {
            if !self.0.ready() {
                cortex_m::asm::wfi();
            }
        });
    }
}
