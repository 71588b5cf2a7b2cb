//! The 32 bytes that make a slot an image.

use super::buffer::UNIT;
use crate::persist::checksum::checksum;

const MAGIC: u32 = u32::from_le_bytes(*b"PKTR");
const VERSION: u32 = 1;

/// Description of the payload that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    /// Counts the saves of the ring, and wraps.
    pub sequence: u32,
    /// Bytes of payload.
    pub len: u32,
    /// Shape of the models that can read the payload.
    pub shape: u32,
    /// CRC-32 of the payload.
    pub checksum: u32,
    /// Erase cycles of this slot.
    pub wear: u32,
}

/// State of a slot, as read from its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    OtherVersion(u32),
    Header(Header),
}

impl Header {
    pub(super) fn encode(&self) -> [u8; UNIT] {
        let mut bytes = [0; UNIT];
        let words = [
            MAGIC,
            VERSION,
            self.sequence,
            self.len,
            self.shape,
            self.checksum,
            self.wear,
        ];
        if let Some((body, sum)) = bytes.split_last_chunk_mut::<4>() {
            for (place, word) in body.as_chunks_mut::<4>().0.iter_mut().zip(words) {
                *place = word.to_le_bytes();
            }
            *sum = checksum(body).to_le_bytes();
        }
        bytes
    }

    /// Magic, version and the place of the checksum are the same in every version of
    /// the format, so that an old firmware knows a newer store when it sees one.
    pub(super) fn decode(bytes: &[u8; UNIT]) -> Found {
        let Some((body, sum)) = bytes.split_last_chunk::<4>() else {
            return Found::Nothing;
        };
        let (&[magic, version, sequence, len, shape, payload, wear], _) = body.as_chunks::<4>()
        else {
            return Found::Nothing;
        };
        if u32::from_le_bytes(magic) != MAGIC || u32::from_le_bytes(*sum) != checksum(body) {
            return Found::Nothing;
        }
        match u32::from_le_bytes(version) {
            VERSION => Found::Header(Header {
                sequence: u32::from_le_bytes(sequence),
                len: u32::from_le_bytes(len),
                shape: u32::from_le_bytes(shape),
                checksum: u32::from_le_bytes(payload),
                wear: u32::from_le_bytes(wear),
            }),
            other => Found::OtherVersion(other),
        }
    }

    /// Whether this image is newer: sequence numbers wrap, so it is their difference that counts.
    pub(super) fn is_newer_than(&self, other: &Header) -> bool {
        (self.sequence.wrapping_sub(other.sequence) as i32) > 0
    }
}
