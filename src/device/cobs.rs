//! Consistent overhead byte stuffing: no zero inside of a frame, so that a zero can end it.
//!
//! A frame is a chain of blocks. The first byte of a block is its length, this
//! byte included; the others are not zero. Between two blocks there was a zero,
//! unless the first of them has the full length of 255.
//!
//! Written here because the decoder of the `cobs` crate and the encoder of `postcard`
//! index their buffers, and the panics behind that survive in a firmware image:
//! with either of them `cargo xtask panic-free` fails.

/// Length of a block that no zero follows.
const FULL: u8 = u8::MAX;

/// Stuffs bytes, one after the other, into a buffer.
pub(super) struct CobsEncoder<'b> {
    buffer: &'b mut [u8],
    /// Position of the length of the present block.
    block: usize,
    /// Position of the next byte.
    end: usize,
}

impl<'b> CobsEncoder<'b> {
    pub(super) fn new(buffer: &'b mut [u8]) -> Self {
        let (block, end) = (0, 1);
        CobsEncoder { buffer, block, end }
    }

    /// `None` when the buffer is full.
    pub(super) fn push(&mut self, byte: u8) -> Option<()> {
        if byte != 0 {
            *self.buffer.get_mut(self.end)? = byte;
            self.end += 1;
        }
        if byte == 0 || self.end - self.block == usize::from(FULL) {
            self.close_block()?;
            self.block = self.end;
            self.end += 1;
        }
        Some(())
    }

    /// Ends the frame with a zero, and returns all of it.
    pub(super) fn finish(mut self) -> Option<&'b mut [u8]> {
        self.close_block()?;
        *self.buffer.get_mut(self.end)? = 0;
        self.buffer.get_mut(..=self.end)
    }

    fn close_block(&mut self) -> Option<()> {
        *self.buffer.get_mut(self.block)? = (self.end - self.block) as u8;
        Some(())
    }
}

/// Takes the stuffing out of a frame without its final zero, in place.
///
/// `None` when the blocks do not fit together. A zero among the bytes of a block is
/// nothing that a receiver could let through, and is not looked for.
pub(super) fn cobs_decode(frame: &mut [u8]) -> Option<&[u8]> {
    let (mut read, mut written) = (0, 0);
    while let Some(&length) = frame.get(read) {
        let end = read + usize::from(length);
        if length == 0 || end > frame.len() {
            return None;
        }
        for from in read + 1..end {
            put(frame, written, *frame.get(from)?);
            written += 1;
        }
        if length != FULL && end < frame.len() {
            put(frame, written, 0);
            written += 1;
        }
        read = end;
    }
    frame.get(..written)
}

fn put(bytes: &mut [u8], place: usize, byte: u8) {
    if let Some(at) = bytes.get_mut(place) {
        *at = byte;
    }
}
