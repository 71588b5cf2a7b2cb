//! Rings and their slots, as the tests of the store handle them.

use flate2::Crc;
use pocketron::persist::store::{
    SlotRing, StoreError,
    nor_flash::{NorFlash, ReadNorFlash},
};
use pocketron_testkit::flash::SimFlash;

pub const SHAPE: u32 = 0x5EED_CAFE;

/// Header and mark.
pub const HEAD: usize = 64;

/// Bytes that look like nothing.
pub fn payload(len: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
    let bytes = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 11) as u8
    });
    bytes.take(len).collect()
}

pub fn mount<F: NorFlash, const N: usize>(
    flash: &mut F,
) -> Result<SlotRing<&mut F, N>, StoreError> {
    let end = flash.capacity() as u32;
    SlotRing::mount(flash, 0..end)
}

pub fn load<F: NorFlash, const N: usize>(ring: &mut SlotRing<F, N>) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    match ring.load(SHAPE, |offset, piece| {
        assert_eq!(offset as usize, bytes.len(), "pieces follow one another");
        bytes.extend_from_slice(piece);
    }) {
        Ok(image) => {
            assert_eq!(image.len as usize, bytes.len());
            Some(bytes)
        }
        Err(StoreError::Empty) => None,
        Err(other) => panic!("{other}"),
    }
}

/// What a device finds when it starts.
pub fn remounted<const N: usize>(flash: &mut impl NorFlash) -> Option<Vec<u8>> {
    load(&mut mount::<_, N>(flash).expect("mounts"))
}

/// A slot made by hand from `docs/store.md`, with another program's CRC-32.
pub fn slot_by_hand(version: u32, sequence: u32, wear: u32, payload: &[u8]) -> Vec<u8> {
    let crc = |bytes: &[u8]| {
        let mut crc = Crc::new();
        crc.update(bytes);
        crc.sum()
    };
    let mut slot = b"PKTR".to_vec();
    for word in [
        version,
        sequence,
        payload.len() as u32,
        SHAPE,
        crc(payload),
        wear,
    ] {
        slot.extend(word.to_le_bytes());
    }
    slot.extend(crc(&slot).to_le_bytes());
    slot.extend([0; 32]);
    slot.extend(payload);
    slot
}

/// Slots of `size` bytes, the rest of each erased.
pub fn region<const R: usize, const W: usize, const E: usize>(
    size: usize,
    slots: &[Vec<u8>],
) -> SimFlash<R, W, E> {
    let padded = slots.iter().flat_map(|slot| {
        let rest = size - slot.len();
        slot.iter().copied().chain(std::iter::repeat_n(0xFF, rest))
    });
    SimFlash::holding(padded.collect())
}
