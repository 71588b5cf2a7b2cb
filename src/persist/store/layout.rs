//! Positions of the slots.

use core::ops::Range;

use embedded_storage::nor_flash::NorFlash;

use super::{
    buffer::{CHUNK, UNIT},
    error::StoreError,
};

/// Offsets of the mark and of the payload in a slot.
pub(super) const MARK: u32 = UNIT as u32;
pub(super) const PAYLOAD: u32 = 2 * UNIT as u32;

/// Equal slots of whole sectors, one behind the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    start: u32,
    sector: u32,
    slot_size: u32,
}

impl Layout {
    /// Divides `region` into `slots`; sectors that are left over stay unused.
    pub(super) fn new<F: NorFlash>(
        flash: &F,
        region: Range<u32>,
        slots: usize,
    ) -> Result<Self, StoreError> {
        const {
            assert!(
                F::READ_SIZE.is_power_of_two() && F::READ_SIZE <= UNIT,
                "the flash must be readable in pieces of 32 bytes"
            );
            assert!(
                F::WRITE_SIZE.is_power_of_two() && F::WRITE_SIZE <= UNIT,
                "the flash must be writable in pieces of 32 bytes"
            );
            assert!(
                F::ERASE_SIZE.is_power_of_two() && F::ERASE_SIZE <= 1 << 31,
                "the sectors of the flash must be a power of two of bytes"
            );
        }
        // Header and mark are erased together, on their own, and first.
        let sector = sector::<F>();
        if !region.start.is_multiple_of(sector) || !region.end.is_multiple_of(sector) {
            return Err(StoreError::Misaligned(sector));
        }
        let capacity = flash.capacity();
        if region.end as usize > capacity {
            return Err(StoreError::OutOfRange(capacity as u32));
        }
        let sectors = region.end.saturating_sub(region.start) / sector;
        let slot_size = sectors.checked_div(slots as u32).unwrap_or(0) * sector;
        if slot_size <= PAYLOAD {
            let smallest = sector.max(2 * PAYLOAD);
            return Err(StoreError::TooSmall(smallest.saturating_mul(slots as u32)));
        }
        Ok(Layout {
            start: region.start,
            sector,
            slot_size,
        })
    }

    /// The longest payload.
    pub(super) fn capacity(&self) -> u32 {
        self.slot_size - PAYLOAD
    }

    /// Start of `slot`.
    pub(super) fn slot(&self, slot: u32) -> u32 {
        self.start + slot * self.slot_size
    }

    /// The sector with the header and the mark of `slot`.
    pub(super) fn head(&self, slot: u32) -> Range<u32> {
        let start = self.slot(slot);
        start..start + self.sector
    }

    /// All other sectors of `slot`, if there are any.
    pub(super) fn tail(&self, slot: u32) -> Range<u32> {
        let start = self.slot(slot);
        start + self.sector..start + self.slot_size
    }
}

/// Bytes that are erased together: a sector, or as many as hold header and mark.
pub(super) const fn sector<F: NorFlash>() -> u32 {
    let sector = F::ERASE_SIZE as u32;
    if sector < PAYLOAD { PAYLOAD } else { sector }
}

/// Offsets and lengths of the pieces of a payload of `len` bytes.
///
/// They end where a page of the flash ends, as seen from the beginning of the slot.
pub(super) fn pieces(len: u32) -> impl Iterator<Item = (u32, usize)> {
    let mut next = 0;
    core::iter::from_fn(move || {
        let offset = next;
        let page = CHUNK as u32 - (PAYLOAD + offset) % CHUNK as u32;
        let piece = page.min(len.saturating_sub(offset));
        next += piece;
        (piece > 0).then_some((offset, piece as usize))
    })
}
