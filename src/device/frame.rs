//! Messages as bytes: postcard, then CRC-32, in a COBS frame that ends with a zero.

use postcard::ser_flavors::{Cobs, Flavor, Slice};
use serde::{Deserialize, Serialize};

use super::message::Message;
use crate::checksum::{Checksum, checksum};

/// Length of the frame around a message of `len` bytes: the checksum, one byte of
/// COBS for every 254 and one more, and the final zero.
pub const fn frame_len(len: usize) -> usize {
    let inner = len + 4;
    inner + inner / 254 + 2
}

/// Writes a message as a frame, the final zero included; `None` when it does not fit.
pub fn encode<'b, T: Serialize>(
    message: &Message<T>,
    buffer: &'b mut [u8],
) -> Option<&'b mut [u8]> {
    let summed = Summed {
        cobs: Cobs::try_new(Slice::new(buffer)).ok()?,
        checksum: Checksum::new(),
    };
    postcard::serialize_with_flavor(message, summed).ok()
}

/// Reads the message of a frame without its final zero; the frame is overwritten.
pub fn decode<'b, T: Deserialize<'b>>(frame: &'b mut [u8]) -> Result<Message<T>, Garbled> {
    let len = cobs::decode_in_place(frame).map_err(|_| Garbled::Damaged)?;
    let inner = frame.get(..len).ok_or(Garbled::Damaged)?;
    let (message, sent) = inner.split_last_chunk().ok_or(Garbled::Damaged)?;
    if checksum(message) != u32::from_le_bytes(*sent) {
        return Err(Garbled::Damaged);
    }
    match postcard::take_from_bytes(message) {
        Ok((message, [])) => Ok(message),
        _ => Err(Garbled::Nonsense),
    }
}

/// Why a frame is not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Garbled {
    /// Something got lost or changed on the way.
    Damaged,
    /// It arrived as it was sent, but means nothing here.
    Nonsense,
}

/// Appends the checksum of what goes through. (postcard's own insists on a table of 1 KB.)
struct Summed<'b> {
    cobs: Cobs<Slice<'b>>,
    checksum: Checksum,
}

impl<'b> Flavor for Summed<'b> {
    type Output = &'b mut [u8];

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.checksum.update(&[byte]);
        self.cobs.try_push(byte)
    }

    fn finalize(mut self) -> postcard::Result<&'b mut [u8]> {
        for byte in self.checksum.finish().to_le_bytes() {
            self.cobs.try_push(byte)?;
        }
        self.cobs.finalize()
    }
}
