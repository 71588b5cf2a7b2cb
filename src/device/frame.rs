//! Messages as bytes: postcard, then CRC-32, in a COBS frame that ends with a zero.

use core::fmt;

use postcard::ser_flavors::Flavor;
use serde::{Deserialize, Serialize};

use super::{
    cobs::{CobsEncoder, cobs_decode},
    message::Message,
};
use crate::persist::checksum::{Checksum, checksum};

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
        encoder: CobsEncoder::new(buffer),
        checksum: Checksum::new(),
    };
    postcard::serialize_with_flavor(message, summed).ok()
}

/// Reads the message of a frame without its final zero; the frame is overwritten.
pub fn decode<'b, T: Deserialize<'b>>(frame: &'b mut [u8]) -> Result<Message<T>, FrameError> {
    parse(open(frame)?)
}

/// The bytes of the message in a frame without its final zero, if they arrived as
/// they were sent; the frame is overwritten.
pub fn open(frame: &mut [u8]) -> Result<&[u8], FrameError> {
    let inner = cobs_decode(frame).ok_or(FrameError::Damaged)?;
    let (message, sent) = inner.split_last_chunk().ok_or(FrameError::Damaged)?;
    if checksum(message) == u32::from_le_bytes(*sent) {
        Ok(message)
    } else {
        Err(FrameError::Damaged)
    }
}

/// Reads a message that fills `bytes`.
pub fn parse<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Result<Message<T>, FrameError> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Ok(message),
        _ => Err(FrameError::Malformed),
    }
}

/// The number of a message whose body may mean nothing here; zero if not even that can be read.
pub fn number(bytes: &[u8]) -> u32 {
    postcard::take_from_bytes(bytes).map_or(0, |(number, _)| number)
}

/// Why a frame is not a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FrameError {
    /// The checksum is wrong: bytes were lost or changed on the way.
    Damaged,
    /// The checksum is right, but the bytes are no valid message.
    Malformed,
}

impl fmt::Display for FrameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Damaged => "the frame was damaged on the way",
            Self::Malformed => "the frame is intact, but no valid message",
        })
    }
}

impl core::error::Error for FrameError {}

/// Appends the checksum of the bytes that pass. (postcard's own insists on a table of 1 KB.)
struct Summed<'b> {
    encoder: CobsEncoder<'b>,
    checksum: Checksum,
}

impl Summed<'_> {
    /// Kept out of line: a message has many fields, and each would bring all of this along.
    #[inline(never)]
    fn encode_bytes(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        let encoded = bytes.iter().try_for_each(|byte| self.encoder.push(*byte));
        encoded.ok_or(postcard::Error::SerializeBufferFull)
    }
}

impl<'b> Flavor for Summed<'b> {
    type Output = &'b mut [u8];

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.try_extend(&[byte])
    }

    #[inline(never)]
    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.checksum.update(bytes);
        self.encode_bytes(bytes)
    }

    fn finalize(mut self) -> postcard::Result<&'b mut [u8]> {
        let checksum = self.checksum.clone().finish();
        self.encode_bytes(&checksum.to_le_bytes())?;
        let frame = self.encoder.finish();
        frame.ok_or(postcard::Error::SerializeBufferFull)
    }
}
