//! From bytes to frames.

/// Collects the bytes of a frame up to the zero that ends it.
///
/// A frame has at most `FRAME - 1` bytes before its zero. Of a longer one the rest
/// is skipped, so that whatever comes, the next zero starts afresh.
pub(super) struct FrameBuffer<const FRAME: usize> {
    bytes: [u8; FRAME],
    /// Bytes so far; `FRAME` for more than a frame may have.
    len: usize,
}

/// The result of a complete frame.
pub(super) enum Arrival<'a> {
    /// A frame, without its zero.
    Frame(&'a mut [u8]),
    /// More bytes than a frame may have.
    Overlong,
}

impl<const FRAME: usize> FrameBuffer<FRAME> {
    pub(super) const fn new() -> Self {
        FrameBuffer {
            bytes: [0; FRAME],
            len: 0,
        }
    }

    /// Takes a byte. A zero behind a zero is nothing: hosts send them to be sure that
    /// the next byte begins a frame.
    pub(super) fn take(&mut self, byte: u8) -> Option<Arrival<'_>> {
        if byte != 0 {
            if let Some(place) = self.bytes.get_mut(self.len) {
                *place = byte;
                self.len += 1;
            }
            return None;
        }
        match core::mem::take(&mut self.len) {
            0 => None,
            len if len == FRAME => Some(Arrival::Overlong),
            len => self.bytes.get_mut(..len).map(Arrival::Frame),
        }
    }
}
