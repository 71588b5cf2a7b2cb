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
/// Any other save makes the draft void, as does dropping it.
pub struct Draft {
    number: u32,
    wear: u32,
    len: u32,
    /// Bytes so far, the last of them perhaps still in `unit`.
    received: u32,
    unit: Aligned<UNIT>,
    checksum: Checksum,
    /// Erases that the store had seen when the draft was begun.
    era: u32,
    /// Sequence number of the image to be; if the store has one of that number by now, the draft is too late.
    sequence: u32,
}

impl Draft {
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
    pub fn begin(&mut self, len: u32) -> Result<Draft, StoreError> {
        if len > self.capacity() {
            return Err(StoreError::TooLong(self.capacity()));
        }
        self.settle()?;
        let number = self.spare_slot();
        let wear = self.clear(number)?;
        Ok(Draft {
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

    /// Takes the next bytes of a draft.
    pub fn append(&mut self, draft: &mut Draft, bytes: &[u8]) -> Result<(), StoreError> {
        self.check_draft(draft)?;
        let left = draft.len.saturating_sub(draft.received);
        if bytes.len() > left as usize {
            return Err(StoreError::TooLong(left));
        }
        draft.checksum.update(bytes);
        for byte in bytes {
            let start = draft.written();
            let inside = draft.received as usize % UNIT;
            if let Some(place) = draft.unit.0.get_mut(inside) {
                *place = *byte;
            }
            draft.received += 1;
            if draft.received.is_multiple_of(UNIT as u32) || draft.is_complete() {
                let place = self.layout().slot(draft.number) + PAYLOAD + start;
                self.write_unit(place, &draft.unit)?;
                draft.unit = Aligned::ERASED;
            }
        }
        Ok(())
    }

    /// The payload of a complete draft in flash, for a check before it becomes the newest image.
    pub fn review(&mut self, draft: &Draft) -> Result<Opened<'_, F, N>, StoreError> {
        self.check_draft(draft)?;
        if !draft.is_complete() {
            return Err(StoreError::Interrupted);
        }
        Ok(self.payload_of(draft.number, draft.len))
    }

    /// Makes a complete draft the newest image; returns when it is safe.
    pub fn commit(&mut self, draft: Draft, shape: u32) -> Result<StoredImage, StoreError> {
        self.check_draft(&draft)?;
        if !draft.is_complete() {
            return Err(StoreError::Interrupted);
        }
        let checksum = draft.checksum.finish();
        self.seal(draft.number, shape, draft.len, checksum, draft.wear)
    }

    fn check_draft(&self, draft: &Draft) -> Result<(), StoreError> {
        if (draft.era, draft.sequence) == (self.era(), self.next_sequence()) {
            Ok(())
        } else {
            Err(StoreError::Interrupted)
        }
    }
}
