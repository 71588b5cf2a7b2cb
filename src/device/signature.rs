//! Images that only the holder of a key can push.
//!
//! The device has a key of 32 bytes, [given by the application](super::Device::with_key). A push begins with the SHA-256 of the
//! image and a tag: HMAC-SHA-256, with the key, of these 56 bytes:
//!
//! | bytes | content |
//! |---|---|
//! | 16 | `pocketron push`, two zeros |
//! | 4 | sequence number that the image will have in flash, little-endian |
//! | 4 | length of the image, little-endian |
//! | 32 | SHA-256 of the image |
//!
//! The tag is checked before anything is erased, the SHA-256 before the image is looked into. The sequence number counts the
//! saves of the store and lies in flash with each image, so it survives what the image survives, and a signature is good
//! for one push only: one that was recorded is refused as soon as anything has been saved since.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::persist::ByteSource;

/// Bytes of a key, of a digest and of a tag.
pub const BYTES: usize = 32;

const PURPOSE: &[u8; 16] = b"pocketron push\0\0";

/// What a push begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// SHA-256 of the image.
    pub digest: [u8; BYTES],
    /// HMAC-SHA-256 of digest, length and sequence number.
    pub tag: [u8; BYTES],
}

/// Signs an image for a device that has said it [wants it](super::message::Identity::push_sequence) for this sequence number.
///
/// ```
/// use pocketron::device::signature::sign;
///
/// let signature = sign(&[7; 32], 12, b"image");
/// assert_ne!(signature.tag, sign(&[7; 32], 13, b"image").tag);
/// ```
pub fn sign(key: &[u8; BYTES], sequence: u32, image: &[u8]) -> Signature {
    let digest = Sha256::digest(image).into();
    let tag = match tag(key, sequence, image.len() as u32, &digest) {
        Some(mac) => mac.finalize().into_bytes().into(),
        None => [0; BYTES],
    };
    Signature { digest, tag }
}

/// Whether the holder of the key has signed an image with this length and digest for this sequence number. The time it takes
/// does not depend on the tag's bytes.
pub(super) fn is_signed(
    key: &[u8; BYTES],
    sequence: u32,
    len: u32,
    digest: &[u8; BYTES],
    given: &[u8],
) -> bool {
    tag(key, sequence, len, digest).is_some_and(|mac| mac.verify_slice(given).is_ok())
}

/// SHA-256 of what is in flash; nothing if it cannot be read.
pub(super) fn digest_of(source: &mut dyn ByteSource) -> Option<[u8; BYTES]> {
    let mut hash = Sha256::new();
    let mut piece = [0; 64];
    let mut at = 0;
    while at < source.len() {
        let size = (source.len() - at).min(64);
        let bytes = piece.get_mut(..size as usize)?;
        source.read(at, bytes).ok()?;
        hash.update(bytes);
        at += size;
    }
    Some(hash.finalize().into())
}

/// Never nothing: HMAC takes keys of any length.
fn tag(key: &[u8; BYTES], sequence: u32, len: u32, digest: &[u8; BYTES]) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(PURPOSE);
    mac.update(&sequence.to_le_bytes());
    mac.update(&len.to_le_bytes());
    mac.update(digest);
    Some(mac)
}
