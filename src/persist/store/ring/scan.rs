//! Search for the newest image.

use embedded_storage::nor_flash::NorFlash;

use super::{Slot, SlotRing, State};
use crate::persist::store::{
    error::StoreError,
    header::{Found, Header},
};

impl<F: NorFlash, const N: usize> SlotRing<F, N> {
    /// Looks into the flash if only that knows what the last save has come to.
    ///
    /// An image that a mount would choose must not be erased, even if its save has failed.
    pub(crate) fn settle(&mut self) -> Result<(), StoreError> {
        if self.in_doubt {
            self.state = self.scan()?;
            self.in_doubt = false;
        }
        Ok(())
    }

    /// Looks at every slot, and reads the newest image, or as many as it takes to find an intact one.
    ///
    /// A slot that cannot be read is as good as empty, because a write cut off can
    /// leave words that their error correction refuses to read. A flash of which
    /// nothing can be read has failed.
    #[inline(never)]
    pub(super) fn scan(&mut self) -> Result<State, StoreError> {
        let mut slots = [None; N];
        let mut failure = None;
        let mut readable = false;
        for (number, slot) in (0..).zip(&mut slots) {
            match self.examine(number) {
                Ok(found) => {
                    readable = true;
                    *slot = found;
                }
                Err(StoreError::Flash(kind)) => failure = Some(StoreError::Flash(kind)),
                Err(other) => return Err(other),
            }
        }
        if let Some(failure) = failure.filter(|_| !readable) {
            return Err(failure);
        }

        let headers = || slots.iter().flatten().map(|slot| slot.header);
        let latest = headers().reduce(|a, b| if b.is_newer_than(&a) { b } else { a });
        let mut state = State {
            newest: None,
            next_sequence: latest.map_or(0, |header| header.sequence.wrapping_add(1)),
            wear: headers().fold(self.state.wear, |wear, header| wear.max(header.wear)),
            passed_over: 0,
            futile: self.state.futile,
        };
        while let Some(best) = first(&slots) {
            if self.read_payload(&best, &mut |_, _| ()) == Ok(best.header.checksum) {
                state.newest = Some(best);
                break;
            }
            state.passed_over += 1;
            if let Some(slot) = slots.get_mut(best.number as usize) {
                *slot = None;
            }
        }
        Ok(state)
    }

    /// Reads header and mark of a slot.
    fn examine(&mut self, number: u32) -> Result<Option<Slot>, StoreError> {
        let start = self.layout.slot(number);
        let header = match Header::decode(&self.read_unit(start)?.0) {
            Found::Header(header) if header.len <= self.capacity() => header,
            Found::OtherVersion(version) => return Err(StoreError::Version(version)),
            Found::Header(_) | Found::Nothing => return Ok(None),
        };
        let committed = self.is_marked(number)?;
        Ok(Some(Slot {
            number,
            header,
            committed,
        }))
    }
}

impl Slot {
    /// A committed image comes before one that is not; then the newer one.
    fn comes_before(&self, other: &Slot) -> bool {
        if self.committed == other.committed {
            self.header.is_newer_than(&other.header)
        } else {
            self.committed
        }
    }
}

/// The slot to be tried first.
fn first(slots: &[Option<Slot>]) -> Option<Slot> {
    let slots = slots.iter().flatten().copied();
    slots.reduce(
        |best, slot| {
            if slot.comes_before(&best) { slot } else { best }
        },
    )
}
