//! Loading: check, then read.

use embedded_storage::nor_flash::NorFlash;

use super::{Slot, SlotRing, StoredImage};
use crate::persist::{
    checksum::Checksum,
    store::{
        buffer::{Aligned, CHUNK, UNIT},
        error::StoreError,
        layout::{MARK, PAYLOAD, pieces},
    },
};

/// Takes a piece of the payload, and its offset.
type Consumer<'a> = &'a mut dyn FnMut(u32, &[u8]);

impl<F: NorFlash, const N: usize> SlotRing<F, N> {
    /// Hands the newest image to `consume` piece by piece, after all of it was checked.
    ///
    /// `consume` gets the offset of each piece; they follow one another. If the
    /// image was damaged since it was mounted, the next older one takes its place.
    pub fn load(
        &mut self,
        shape: u32,
        mut consume: impl FnMut(u32, &[u8]),
    ) -> Result<StoredImage, StoreError> {
        let slot = self.checked_newest(shape)?;
        if self.read_payload(&slot, &mut consume)? != slot.header.checksum {
            return Err(StoreError::Changed);
        }
        Ok(slot.header.image())
    }

    /// Loads the newest image into `bytes` and returns how many it has.
    pub fn load_slice(&mut self, shape: u32, bytes: &mut [u8]) -> Result<usize, StoreError> {
        let image = self.load(shape, |offset, piece| {
            let rest = bytes.get_mut(offset as usize..).unwrap_or_default();
            rest.iter_mut()
                .zip(piece)
                .for_each(|(to, from)| *to = *from);
        })?;
        let len = image.len as usize;
        (len <= bytes.len())
            .then_some(len)
            .ok_or(StoreError::TooLong(bytes.len() as u32))
    }

    /// The newest image whose payload is still intact.
    pub(in crate::persist::store) fn checked_newest(
        &mut self,
        shape: u32,
    ) -> Result<Slot, StoreError> {
        self.settle()?;
        let slot = self.newest_of(shape)?;
        if self.read_payload(&slot, &mut |_, _| ())? == slot.header.checksum {
            return Ok(slot);
        }
        self.state = self.scan()?;
        self.newest_of(shape)
    }

    fn newest_of(&self, shape: u32) -> Result<Slot, StoreError> {
        let slot = self.state.newest.ok_or(StoreError::Empty)?;
        if slot.header.shape == shape {
            Ok(slot)
        } else {
            Err(StoreError::Shape(slot.header.shape))
        }
    }

    /// Reads the payload and returns its checksum.
    #[inline(never)]
    pub(super) fn read_payload(
        &mut self,
        slot: &Slot,
        consume: Consumer<'_>,
    ) -> Result<u32, StoreError> {
        let start = self.layout.slot(slot.number) + PAYLOAD;
        let mut checksum = Checksum::new();
        let mut buffer = Aligned::<CHUNK>::ERASED;
        for (offset, size) in pieces(slot.header.len) {
            let read = self.flash.read(start + offset, buffer.padded(size));
            read.map_err(StoreError::flash)?;
            let piece = buffer.0.get(..size).unwrap_or_default();
            checksum.update(piece);
            consume(offset, piece);
        }
        Ok(checksum.finish())
    }

    /// One programmed bit is proof enough: the mark is begun only when the header stands.
    pub(super) fn is_marked(&mut self, number: u32) -> Result<bool, StoreError> {
        let mark = self.read_unit(self.layout.slot(number) + MARK)?;
        Ok(mark != Aligned::ERASED)
    }

    #[inline(never)]
    pub(in crate::persist::store) fn read_unit(
        &mut self,
        offset: u32,
    ) -> Result<Aligned<UNIT>, StoreError> {
        let mut unit = Aligned::ERASED;
        let read = self.flash.read(offset, &mut unit.0);
        read.map(|()| unit).map_err(StoreError::flash)
    }
}
