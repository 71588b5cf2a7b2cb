//! The model and its copy in flash.

use super::{
    message::{ErrorReply, Reply, StoreErrorCode},
    push_check::PushCheck,
};
use crate::persist::{
    self, ImageError, Persist,
    store::{LoadError, PendingImage, SlotRing, StoredImage, WearLimit, nor_flash::NorFlash},
};

/// Keeps a model in memory and, if there is a store, in flash.
pub(super) struct ModelStore<'m, L, F, const SLOTS: usize> {
    pub(super) model: &'m mut L,
    reset: fn(&mut L),
    pub(super) store: Result<SlotRing<F, SLOTS>, StoreErrorCode>,
    pub(super) limit: WearLimit,
    /// Changes whenever the model does.
    generation: u32,
    /// Whether the application has changed the model since it was saved, and not only the line.
    application_change: bool,
    /// Whether what the application has taught is being rehearsed.
    application_rehearsal: bool,
    /// State of the copy in flash.
    saved: Option<SavedImage>,
    /// An image that is being pushed; the store knows whether it still has its slot.
    pub(super) pending: Option<PendingImage>,
    pub(super) push_check: PushCheck<'m>,
}

/// The image that was saved or loaded last.
#[derive(Clone, Copy)]
struct SavedImage {
    generation: u32,
    sequence: u32,
}

impl<'m, L: Persist, F: NorFlash, const SLOTS: usize> ModelStore<'m, L, F, SLOTS> {
    pub(super) fn new(
        model: &'m mut L,
        reset: fn(&mut L),
        store: Result<SlotRing<F, SLOTS>, StoreErrorCode>,
        limit: WearLimit,
    ) -> Self {
        ModelStore {
            model,
            reset,
            store,
            limit,
            generation: 0,
            application_change: false,
            application_rehearsal: false,
            saved: None,
            pending: None,
            push_check: PushCheck::default(),
        }
    }

    pub(super) fn generation(&self) -> u32 {
        self.generation
    }

    pub(super) fn saved_generation(&self) -> Option<u32> {
        self.saved.map(|saved| saved.generation)
    }

    /// Whether something would be lost with the power. A model that nobody has changed would not.
    pub(super) fn is_unsaved(&self) -> bool {
        self.generation != 0 && self.saved_generation() != Some(self.generation)
    }

    /// The newest image in flash.
    pub(super) fn newest(&self) -> Option<StoredImage> {
        self.store.as_ref().ok().and_then(SlotRing::newest)
    }

    /// To be called whenever the model may have changed.
    pub(super) fn touch(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// Forgets everything learned, in memory.
    pub(super) fn forget(&mut self) {
        (self.reset)(self.model);
        self.replaced();
    }

    /// Whether the application itself has changed the model since it was saved.
    pub(super) fn has_application_change(&self) -> bool {
        self.application_change
    }

    /// To be called whenever the application itself may have changed the model.
    pub(super) fn touch_by_application(&mut self) {
        self.touch();
        self.application_change = true;
        self.application_rehearsal = true;
    }

    /// To be called after a rehearsal that nobody has asked for: it is the change of whoever has taught what is rehearsed. It may
    /// come after a save that has kept the rest.
    pub(super) fn touch_by_rehearsal(&mut self) {
        self.touch();
        self.application_change |= self.application_rehearsal;
    }

    /// To be called when nothing is left to be rehearsed.
    pub(super) fn rehearsed(&mut self) {
        self.application_rehearsal = false;
    }

    /// The model is another one, of which the application has changed nothing.
    fn replaced(&mut self) {
        self.touch();
        self.application_change = false;
        self.application_rehearsal = false;
    }

    /// Keeps the model in flash, unless it is there already; the sequence number of its image.
    ///
    /// What only the line has changed is saved as if the line had asked for it, so that nothing that it teaches takes cycles of
    /// the reserve of the application.
    pub(super) fn save(&mut self, now: u64, from_line: bool) -> Result<u32, ErrorReply> {
        let ring = self.store.as_mut().map_err(|reason| *reason)?;
        let shape = persist::shape(self.model);
        if let Some(saved) = self.saved
            && saved.generation == self.generation
            // It might have been damaged since; then an older one takes its place.
            && let Ok((image, _)) = ring.open(shape)
            && image.sequence == saved.sequence
        {
            return Ok(saved.sequence);
        }
        if persist::len(self.model) > ring.capacity() {
            return Err(StoreErrorCode::TooLong.into());
        }
        let wear = ring.status().wear;
        if from_line || !self.application_change {
            self.limit.admit_from_line(now, wear)?;
        } else {
            self.limit.admit(now, wear)?;
        }
        match ring.save_checked(self.model) {
            Ok(image) => {
                self.keep(image);
                Ok(image.sequence)
            }
            // No model that learns is such: it has no parameters yet.
            Err(LoadError::Image(_)) => Err(ErrorReply::NotReady),
            Err(LoadError::Store(error)) => Err(error.into()),
        }
    }

    /// Loads the newest saved image.
    pub(super) fn load(&mut self) -> Result<StoredImage, ErrorReply> {
        let ring = self.store.as_mut().map_err(|reason| *reason)?;
        match ring.load_model(self.model) {
            Ok(image) => {
                self.replaced();
                self.keep(image);
                Ok(image)
            }
            Err(error) => {
                // The model may be half changed: reset it.
                if error == LoadError::Image(ImageError::Torn) {
                    self.forget();
                }
                Err(error.into())
            }
        }
    }

    pub(super) fn saved(&self, sequence: u32) -> Result<Reply<'static>, ErrorReply> {
        let ring = self.store.as_ref().map_err(|reason| *reason)?;
        let wear = ring.status().wear;
        Ok(Reply::Saved { sequence, wear })
    }

    fn keep(&mut self, image: StoredImage) {
        self.application_change = false;
        self.saved = Some(SavedImage {
            generation: self.generation,
            sequence: image.sequence,
        });
    }
}
