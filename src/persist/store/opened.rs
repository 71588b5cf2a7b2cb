//! Random access to the payload of a slot.

use embedded_storage::nor_flash::NorFlash;

use super::{
    buffer::{Aligned, UNIT},
    error::StoreError,
    layout::PAYLOAD,
    ring::{SlotRing, StoredImage},
};
use crate::persist::{ByteSource, ImageError};

/// The payload of a slot, lent by its [`SlotRing`].
#[derive(Debug)]
pub struct Opened<'a, F, const N: usize> {
    pub(super) ring: &'a mut SlotRing<F, N>,
    /// Address of the payload in flash.
    pub(super) start: u32,
    pub(super) len: u32,
}

impl<F: NorFlash, const N: usize> ByteSource for Opened<'_, F, N> {
    fn len(&self) -> u32 {
        self.len
    }

    fn read(&mut self, offset: u32, piece: &mut [u8]) -> Result<(), ImageError> {
        let end = u64::from(offset) + piece.len() as u64;
        if end > u64::from(self.len) {
            return Err(ImageError::Unreadable);
        }
        // In whole units, because a flash may not be readable otherwise.
        let mut rest = piece;
        let mut position = offset;
        while !rest.is_empty() {
            let inside = position % UNIT as u32;
            let unit: Aligned<UNIT> = self
                .ring
                .read_unit(self.start + position - inside)
                .map_err(|_| ImageError::Unreadable)?;
            let bytes = unit.0.get(inside as usize..).unwrap_or_default();
            let size = bytes.len().min(rest.len());
            let Some((now, later)) = rest.split_at_mut_checked(size) else {
                return Err(ImageError::Unreadable);
            };
            now.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
            rest = later;
            position += size as u32;
        }
        Ok(())
    }
}

impl<F: NorFlash, const N: usize> SlotRing<F, N> {
    /// The newest image, after all of it was checked, to be read in any order.
    pub fn open(&mut self, shape: u32) -> Result<(StoredImage, Opened<'_, F, N>), StoreError> {
        let slot = self.checked_newest(shape)?;
        let opened = self.payload_of(slot.number, slot.header.len);
        Ok((slot.header.image(), opened))
    }

    /// The payload in a slot, whether it counts or not.
    pub(super) fn payload_of(&mut self, number: u32, len: u32) -> Opened<'_, F, N> {
        Opened {
            start: self.layout().slot(number) + PAYLOAD,
            len,
            ring: self,
        }
    }
}
