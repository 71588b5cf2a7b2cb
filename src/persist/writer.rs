//! The side that writes.

use crate::persist::checksum::Checksum;

/// Takes the words of an image one after the other, and keeps those that are wanted.
pub struct Writer<'a> {
    wanted: Wanted<'a>,
    position: u32,
    slots: usize,
}

/// Destination of the words.
enum Wanted<'a> {
    /// Those from a position on, as many as the window has. The rest is only
    /// counted, a whole column at a time, so that a piece of an image can be had
    /// without writing what comes before it.
    Window(u32, &'a mut [u8]),
    /// Their checksum.
    Checksum(&'a mut Checksum),
}

impl<'a> Writer<'a> {
    /// Keeps the bytes from `start` on, as many as the window has.
    pub(super) fn window(start: u32, window: &'a mut [u8]) -> Self {
        Self::new(Wanted::Window(start, window))
    }

    /// Keeps only a checksum.
    pub(super) fn checksum(checksum: &'a mut Checksum) -> Self {
        Self::new(Wanted::Checksum(checksum))
    }

    fn new(wanted: Wanted<'a>) -> Self {
        Writer {
            wanted,
            position: 0,
            slots: usize::MAX,
        }
    }

    /// Bytes so far.
    pub(super) fn position(&self) -> u32 {
        self.position
    }

    /// Counts `len` bytes without writing them.
    pub(super) fn skip(&mut self, len: u32) {
        self.position = self.position.wrapping_add(len);
    }

    /// Writes bytes; the caller writes a multiple of four.
    pub fn bytes(&mut self, bytes: &[u8]) {
        match &mut self.wanted {
            Wanted::Window(start, window) => {
                let before = start.saturating_sub(self.position) as usize;
                let inside = self.position.saturating_sub(*start) as usize;
                let window = window.get_mut(inside..).unwrap_or_default();
                let bytes = bytes.get(before..).unwrap_or_default();
                for (to, from) in window.iter_mut().zip(bytes) {
                    *to = *from;
                }
            }
            Wanted::Checksum(checksum) => checksum.update(bytes),
        }
        self.skip(bytes.len() as u32);
    }

    /// Writes 32 bits, little-endian.
    pub fn word(&mut self, word: u32) {
        self.bytes(&word.to_le_bytes());
    }

    /// Entries of each column that are in use; `usize::MAX` for all of them.
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// Entries of each column that are in use from here on.
    pub fn set_slots(&mut self, slots: usize) {
        self.slots = slots;
    }

    /// Writes a part with columns of its own: what it says of their use ends with it.
    pub fn with_slots(&mut self, part: impl FnOnce(&mut Self)) {
        let outer = core::mem::replace(&mut self.slots, usize::MAX);
        part(self);
        self.slots = outer;
    }

    /// Whether the next `len` bytes lie outside of the window.
    pub(super) fn misses(&self, len: u32) -> bool {
        let Wanted::Window(start, window) = &self.wanted else {
            return false;
        };
        let (start, position) = (u64::from(*start), u64::from(self.position));
        position >= start + window.len() as u64 || position + u64::from(len) <= start
    }
}
