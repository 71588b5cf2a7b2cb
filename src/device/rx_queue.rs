//! Bytes on their way from an interrupt to the loop.

use core::sync::atomic::{AtomicU8, AtomicU32, AtomicUsize, Ordering};

/// A queue of at most `N` received bytes that counts those it has no room for.
///
/// It lives in a `static`: the interrupt handler of a UART puts bytes in, the loop takes
/// them out, and neither waits for the other. `N` is a power of two, and large enough
/// for what a host may send while the device is busy: a frame, or as many as the
/// device's [window](super::Device::with_window) says.
///
/// ```
/// use pocketron::device::RxQueue;
/// static RX_QUEUE: RxQueue<4> = RxQueue::new();
///
/// // In the interrupt handler:
/// for byte in [1, 2, 3, 4, 5] {
///     RX_QUEUE.put(byte);
/// }
///
/// // In the loop:
/// assert_eq!(RX_QUEUE.take(), Some(1));
/// assert_eq!(RX_QUEUE.dropped(), 1); // the fifth
/// ```
///
/// One context puts and one takes. Where two put, or two take, bytes may get lost or
/// come twice, which the protocol bears, and nothing worse happens.
///
/// Loads and stores are all that it needs, so that a Cortex-M0 will do. Unlike the ends of a
/// queue of `heapless::spsc`, which divide by a length that they read, it knows `N` wherever
/// it is used: there is no division, and none that could panic.
#[derive(Debug)]
pub struct RxQueue<const N: usize> {
    bytes: [AtomicU8; N],
    /// Bytes put so far, without end; it wraps.
    put: AtomicUsize,
    /// Bytes taken so far; equal to `put` when none waits.
    taken: AtomicUsize,
    dropped: AtomicU32,
}

impl<const N: usize> RxQueue<N> {
    /// Nothing on the line yet. All zeros: in a `static` it takes no flash.
    pub const fn new() -> Self {
        const { assert!(N.is_power_of_two(), "a line holds a power of two of bytes") };
        RxQueue {
            bytes: [const { AtomicU8::new(0) }; N],
            put: AtomicUsize::new(0),
            taken: AtomicUsize::new(0),
            dropped: AtomicU32::new(0),
        }
    }

    /// Keeps a byte, or counts it when there is no room.
    pub fn put(&self, byte: u8) {
        let put = self.put.load(Ordering::Relaxed);
        let waiting = put.wrapping_sub(self.taken.load(Ordering::Acquire));
        match self.bytes.get(put % N) {
            Some(place) if waiting < N => {
                place.store(byte, Ordering::Relaxed);
                self.put.store(put.wrapping_add(1), Ordering::Release);
            }
            _ => self.count_lost(),
        }
    }

    /// Counts a byte that the UART itself has lost: its overrun flag.
    pub fn count_lost(&self) {
        // Only the side that puts writes it.
        let dropped = self.dropped.load(Ordering::Relaxed);
        self.dropped
            .store(dropped.saturating_add(1), Ordering::Relaxed);
    }

    /// The oldest byte that waits.
    pub fn take(&self) -> Option<u8> {
        let taken = self.taken.load(Ordering::Relaxed);
        if taken == self.put.load(Ordering::Acquire) {
            return None;
        }
        let byte = self.bytes.get(taken % N)?.load(Ordering::Relaxed);
        self.taken.store(taken.wrapping_add(1), Ordering::Release);
        Some(byte)
    }

    /// Whether no byte waits. To sleep without missing one, ask with interrupts masked,
    /// and wait for an interrupt before they are unmasked: a pending one ends the sleep.
    pub fn is_empty(&self) -> bool {
        self.taken.load(Ordering::Relaxed) == self.put.load(Ordering::Acquire)
    }

    /// Bytes lost so far, for [`BoardStatus`](super::BoardStatus).
    pub fn dropped(&self) -> u32 {
        self.dropped.load(Ordering::Relaxed)
    }
}

impl<const N: usize> Default for RxQueue<N> {
    fn default() -> Self {
        Self::new()
    }
}
