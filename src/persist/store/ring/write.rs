//! Saving: erase, write, read back, commit.

use core::ops::Range;

use embedded_storage::nor_flash::NorFlash;

use super::{Slot, SlotRing, StoredImage};
use crate::persist::{
    ByteSource,
    checksum::Checksum,
    store::{
        buffer::{Aligned, CHUNK, UNIT},
        error::{Interrupted, StoreError},
        header::{Found, Header},
        layout::{MARK, PAYLOAD, pieces},
    },
};

/// Written behind the header once that has been read back.
const COMMITTED: Aligned<UNIT> = Aligned([0; UNIT]);

/// Bytes to be saved.
pub(in crate::persist::store) trait Payload {
    /// Writes the bytes from an offset on into a piece.
    fn fill(&mut self, offset: u32, piece: &mut [u8]) -> Result<(), Interrupted>;

    /// Looks at what is in flash now, before it counts.
    fn review(&mut self, _written: &mut dyn ByteSource) -> Result<(), Interrupted> {
        Ok(())
    }
}

impl<P: FnMut(u32, &mut [u8]) -> Result<(), Interrupted>> Payload for P {
    fn fill(&mut self, offset: u32, piece: &mut [u8]) -> Result<(), Interrupted> {
        self(offset, piece)
    }
}

impl<F: NorFlash, const N: usize> SlotRing<F, N> {
    /// Saves `len` bytes that `produce` writes piece by piece; returns when they are safe.
    ///
    /// `produce` gets the offset of each piece: they follow one another, and start
    /// again at zero when a slot turns out to be worn and the next one is tried.
    /// After an error the previous image is still the newest, except that a driver
    /// which fails at the very last step may leave the new one, complete.
    pub fn save(
        &mut self,
        shape: u32,
        len: u32,
        mut produce: impl FnMut(u32, &mut [u8]) -> Result<(), Interrupted>,
    ) -> Result<StoredImage, StoreError> {
        self.save_payload(shape, len, &mut produce)
    }

    /// Saves `len` bytes in the next slot that keeps them.
    pub(in crate::persist::store) fn save_payload(
        &mut self,
        shape: u32,
        len: u32,
        payload: &mut dyn Payload,
    ) -> Result<StoredImage, StoreError> {
        if len > self.capacity() {
            return Err(StoreError::TooLong(self.capacity()));
        }
        self.settle()?;
        let kept = self.state.newest.map(|slot| slot.number);
        let mut reason = StoreError::Worn;
        let first = self.spare_slot();
        for number in (first..).take(N).map(|number| number % N as u32) {
            // Neither the image that was there nor one that a failed try has left behind.
            let newest = self.state.newest.map(|slot| slot.number);
            if [kept, newest].contains(&Some(number)) {
                continue;
            }
            match self.write_slot(number, shape, len, payload) {
                Ok(image) => return Ok(image),
                Err(StoreError::Interrupted) => return Err(StoreError::Interrupted),
                Err(other) => reason = other,
            }
            self.settle()?;
        }
        Err(reason)
    }

    /// Saves bytes that are in memory.
    pub fn save_slice(&mut self, shape: u32, bytes: &[u8]) -> Result<StoredImage, StoreError> {
        // What is longer than 4 GiB is longer than any slot.
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        self.save(shape, len, |offset, piece| {
            let rest = bytes.get(offset as usize..).ok_or(Interrupted)?;
            piece
                .iter_mut()
                .zip(rest)
                .for_each(|(to, from)| *to = *from);
            Ok(())
        })
    }

    /// The slot to be written next: never the one that holds the newest image.
    pub(in crate::persist::store) fn spare_slot(&self) -> u32 {
        let kept = self.state.newest.map(|slot| slot.number);
        kept.map_or(0, |kept| (kept + 1) % N as u32)
    }

    /// Erases, writes, reads back, and only then lets the slot count.
    pub(super) fn write_slot(
        &mut self,
        number: u32,
        shape: u32,
        len: u32,
        payload: &mut dyn Payload,
    ) -> Result<StoredImage, StoreError> {
        let wear = self.clear(number)?;
        let checksum = self.write_payload(number, len, payload)?;
        payload.review(&mut self.payload_of(number, len))?;
        self.seal(number, shape, len, checksum, wear)
    }

    /// Reads the payload of a slot back, and lets it count.
    pub(in crate::persist::store) fn seal(
        &mut self,
        number: u32,
        shape: u32,
        len: u32,
        checksum: u32,
        wear: u32,
    ) -> Result<StoredImage, StoreError> {
        let header = Header {
            sequence: self.state.next_sequence,
            len,
            shape,
            checksum,
            wear,
        };
        let slot = Slot {
            number,
            header,
            committed: true,
        };
        if self.read_payload(&slot, &mut |_, _| ())? != checksum {
            return Err(StoreError::Worn);
        }
        self.in_doubt = true;
        self.write_header(&slot)?;
        self.in_doubt = false;
        self.state.newest = Some(slot);
        self.state.next_sequence = slot.header.sequence.wrapping_add(1);
        self.state.futile = false;
        Ok(slot.header.image())
    }

    /// Erases a slot, its header first, and returns its wear.
    ///
    /// Cells that read as erased may be half erased, so it is done even if they do.
    pub(in crate::persist::store) fn clear(&mut self, number: u32) -> Result<u32, StoreError> {
        let start = self.layout.slot(number);
        let wear = match self.read_unit(start).map(|unit| Header::decode(&unit.0)) {
            Ok(Found::Header(header)) => header.wear.saturating_add(1),
            // Lost with the header, but slots take turns: as much as the others.
            _ => self.state.wear.saturating_add(self.state.futile.into()),
        }
        .max(1);
        self.state.wear = self.state.wear.max(wear);
        self.state.futile = true;
        self.era = self.era.wrapping_add(1);
        self.erase(self.layout.head(number))?;
        self.erase(self.layout.tail(number))?;
        if self.read_unit(start)? != Aligned::ERASED || self.is_marked(number)? {
            return Err(StoreError::Worn);
        }
        Ok(wear)
    }

    /// Writes the payload and returns its checksum.
    fn write_payload(
        &mut self,
        number: u32,
        len: u32,
        payload: &mut dyn Payload,
    ) -> Result<u32, StoreError> {
        let start = self.layout.slot(number) + PAYLOAD;
        let mut checksum = Checksum::new();
        for (offset, size) in pieces(len) {
            let mut buffer = Aligned::<CHUNK>::ERASED;
            let piece = buffer.0.get_mut(..size).unwrap_or_default();
            payload.fill(offset, piece)?;
            checksum.update(piece);
            let written = self.flash.write(start + offset, buffer.padded(size));
            written.map_err(StoreError::flash)?;
        }
        Ok(checksum.finish())
    }

    /// Writes the header, then the mark that says it stands.
    fn write_header(&mut self, slot: &Slot) -> Result<(), StoreError> {
        let start = self.layout.slot(slot.number);
        let header = Aligned(slot.header.encode());
        self.write_unit(start, &header)?;
        if self.read_unit(start)? != header {
            return Err(StoreError::Worn);
        }
        self.write_unit(start + MARK, &COMMITTED)?;
        if !self.is_marked(slot.number)? {
            return Err(StoreError::Worn);
        }
        Ok(())
    }

    pub(in crate::persist::store) fn write_unit(
        &mut self,
        offset: u32,
        unit: &Aligned<UNIT>,
    ) -> Result<(), StoreError> {
        let written = self.flash.write(offset, &unit.0);
        written.map_err(StoreError::flash)
    }

    #[inline(never)]
    pub(super) fn erase(&mut self, range: Range<u32>) -> Result<(), StoreError> {
        if range.is_empty() {
            return Ok(());
        }
        let erased = self.flash.erase(range.start, range.end);
        erased.map_err(StoreError::flash)
    }
}
