//! Saving bytes that arrive one by one.

use embedded_storage::nor_flash::NorFlash;

use super::{
    buffer::{Aligned, UNIT},
    error::StoreError,
    layout::PAYLOAD,
    opened::Opened,
    ring::{SlotRing, StoredImage},
};
use crate::persist::checksum::Checksum;

/// A payload on its way into a slot: nothing counts before [`SlotRing::commit`].
///
/// Any other save makes it void, as does dropping it.
pub struct PendingImage {
    number: u32,
    wear: u32,
    len: u32,
    /// Bytes so far, the last of them perhaps still in `unit`.
    received: u32,
    unit: Aligned<UNIT>,
    checksum: Checksum,
    /// Erases that the store had seen when the image was begun.
    era: u32,
    /// Sequence number of the image to be; if the store has one of that number by now, the pending image is too late.
    sequence: u32,
}

impl PendingImage {
    /// Bytes received so far.
    pub fn received(&self) -> u32 {
        self.received
    }

    /// Whether all bytes are there.
    pub fn is_complete(&self) -> bool {
        self.received == self.len
    }

    fn written(&self) -> u32 {
        self.received - self.received % UNIT as u32
    }
}

impl<F: NorFlash, const N: usize> SlotRing<F, N> {
    /// Erases a slot for a payload of `len` bytes that will come in pieces.
    pub fn begin(&mut self, len: u32) -> Result<PendingImage, StoreError> {
        if len > self.capacity() {
            return Err(StoreError::TooLong(self.capacity()));
        }
        self.settle()?;
        let number = self.spare_slot();
        let wear = self.clear(number)?;
        Ok(PendingImage {
            number,
            wear,
            len,
            received: 0,
            unit: Aligned::ERASED,
            checksum: Checksum::new(),
            era: self.era(),
            sequence: self.next_sequence(),
        })
    }

    /// Takes the next bytes of a pending image.
    pub fn append(&mut self, pending: &mut PendingImage, bytes: &[u8]) -> Result<(), StoreError> {
        self.check_pending(pending)?;
        let left = pending.len.saturating_sub(pending.received);
        if bytes.len() > left as usize {
            return Err(StoreError::TooLong(left));
        }
        pending.checksum.update(bytes);
        for byte in bytes {
            let start = pending.written();
            let inside = pending.received as usize % UNIT;
            if let Some(place) = pending.unit.0.get_mut(inside) {
                *place = *byte;
            }
            pending.received += 1;
            if pending.received.is_multiple_of(UNIT as u32) || pending.is_complete() {
                let place = self.layout().slot(pending.number) + PAYLOAD + start;
                self.write_unit(place, &pending.unit)?;
                pending.unit = Aligned::ERASED;
            }
        }
        Ok(())
    }

    /// The payload of a complete pending image in flash, for a check before it becomes the newest image.
    pub fn review(&mut self, pending: &PendingImage) -> Result<Opened<'_, F, N>, StoreError> {
        self.check_pending(pending)?;
        if !pending.is_complete() {
            return Err(StoreError::Interrupted);
        }
        Ok(self.payload_of(pending.number, pending.len))
    }

    /// Makes a complete pending image the newest image; returns when it is safe.
    pub fn commit(&mut self, pending: PendingImage, shape: u32) -> Result<StoredImage, StoreError> {
        self.check_pending(&pending)?;
        if !pending.is_complete() {
            return Err(StoreError::Interrupted);
        }
        let checksum = pending.checksum.finish();
        self.seal(pending.number, shape, pending.len, checksum, pending.wear)
    }

    fn check_pending(&self, pending: &PendingImage) -> Result<(), StoreError> {
        if (pending.era, pending.sequence) == (self.era(), self.next_sequence()) {
            Ok(())
        } else {
            Err(StoreError::Interrupted)
        }
    }
}
