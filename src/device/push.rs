//! A model from outside, part by part.
//!
//! The parts go straight to a spare slot of the flash, where they count for nothing:
//! memory for a second model is not needed, and until the end has been checked and
//! committed the old image is the one that a restart would find.

use super::{
    message::{ErrorReply, Reply, StoreErrorCode},
    model_store::ModelStore,
};
use crate::persist::{
    self, Persist,
    store::{PendingImage, nor_flash::NorFlash},
};

impl<L: Persist, F: NorFlash, const SLOTS: usize> ModelStore<'_, L, F, SLOTS> {
    /// Makes room for an image of `len` bytes, in place of one that was under way.
    ///
    /// Nothing is erased before the signature has been checked, if there must be one. If this is refused before that, the push under way goes on.
    pub(super) fn push_begin(
        &mut self,
        len: u32,
        digest: &[u8],
        tag: &[u8],
        now: u64,
    ) -> Result<Reply<'static>, ErrorReply> {
        let ring = self.store.as_mut().map_err(|reason| *reason)?;
        if len > ring.capacity() {
            return Err(StoreErrorCode::TooLong.into());
        }
        let sequence = if self.push_check.requires_signature() {
            ring.settle()?;
            ring.next_sequence()
        } else {
            0
        };
        self.push_check.check(sequence, len, digest, tag)?;
        self.limit.admit_from_line(now, ring.status().wear)?;
        self.pending = Some(ring.begin(len)?);
        self.push_check.begin(digest);
        Ok(Reply::Done)
    }

    /// Takes the part that begins where the last one ended. One that the store does not
    /// take ends the push.
    pub(super) fn push_part(
        &mut self,
        offset: u32,
        bytes: &[u8],
    ) -> Result<Reply<'static>, ErrorReply> {
        let ring = self.store.as_mut().map_err(|reason| *reason)?;
        let follows = |pending: &&mut _| PendingImage::received(pending) == offset;
        let pending = self.pending.as_mut().filter(follows);
        let pending = pending.ok_or(ErrorReply::NoPush)?;
        if let Err(error) = ring.append(pending, bytes) {
            self.pending = None;
            return Err(error.into());
        }
        Ok(Reply::Done)
    }

    /// Looks at what has come, and only if this model can be made of it, commits it and
    /// becomes it. The push ends in any case.
    pub(super) fn push_end(&mut self) -> Result<Reply<'static>, ErrorReply> {
        let ring = self.store.as_mut().map_err(|reason| *reason)?;
        let pending = self.pending.take().ok_or(ErrorReply::NoPush)?;
        let mut opened = ring.review(&pending)?;
        self.push_check.end(&mut opened)?;
        persist::check(self.model, &mut opened)?;
        let sequence = ring.commit(pending, persist::shape(self.model))?.sequence;
        // It cannot be taken back any more.
        let loaded = self.load().ok();
        loaded
            .filter(|image| image.sequence == sequence)
            .ok_or(ErrorReply::Committed { sequence })?;
        self.saved(sequence)
    }
}
