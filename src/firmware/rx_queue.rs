//! Received bytes on their way from the interrupt to the loop.

use pocketron::device::RxQueue;

use super::board::RAM;

/// Bytes that can wait while the loop is busy: a sixteenth of a small memory, and no more than
/// the window of a host can use.
pub const CAPACITY: usize = if RAM / 16 < 4096 { RAM / 16 } else { 4096 };

/// The queue: the board's receive interrupt puts bytes in, the loop takes them out.
pub static RX_QUEUE: RxQueue<CAPACITY> = RxQueue::new();

/// Sleeps until an interrupt comes, unless bytes wait already.
///
/// With interrupts masked between the question and the sleep: a byte that comes in
/// between leaves its interrupt pending, and a pending interrupt ends the sleep even
/// while it is masked. Its handler runs afterwards.
pub fn sleep() {
    critical_section::with(|_| {
        if RX_QUEUE.is_empty() {
            cortex_m::asm::wfi();
        }
    });
}
