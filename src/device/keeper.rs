//! The model, and what flash knows of it.

use super::message::{Refusal, Reply, StoreRefusal};
use crate::{
    image::{self, ImageError, Persist},
    store::{Draft, Image, LoadError, SlotRing, WearLimit, nor_flash::NorFlash},
};

/// Keeps a model in memory and, if there is a store, in flash.
pub(super) struct Keeper<'m, L, F, const SLOTS: usize> {
    pub(super) model: &'m mut L,
    reset: fn(&mut L),
    pub(super) store: Result<SlotRing<F, SLOTS>, StoreRefusal>,
    pub(super) limit: WearLimit,
    /// Changes whenever the model does.
    generation: u32,
    /// What of the model lies in flash.
    kept: Option<Kept>,
    /// An image that is being pushed; the store knows whether it still has its slot.
    pub(super) draft: Option<Draft>,
}

/// The image that was saved or loaded last.
#[derive(Clone, Copy)]
struct Kept {
    generation: u32,
    sequence: u32,
}

impl<'m, L: Persist, F: NorFlash, const SLOTS: usize> Keeper<'m, L, F, SLOTS> {
    pub(super) fn new(
        model: &'m mut L,
        reset: fn(&mut L),
        store: Result<SlotRing<F, SLOTS>, StoreRefusal>,
        limit: WearLimit,
    ) -> Self {
        Keeper {
            model,
            reset,
            store,
            limit,
            generation: 0,
            kept: None,
            draft: None,
        }
    }

    pub(super) fn generation(&self) -> u32 {
        self.generation
    }

    pub(super) fn saved_generation(&self) -> Option<u32> {
        self.kept.map(|kept| kept.generation)
    }

    /// The newest image in flash.
    pub(super) fn newest(&self) -> Option<Image> {
        self.store.as_ref().ok().and_then(SlotRing::newest)
    }

    /// To be called whenever the model may have changed.
    pub(super) fn touch(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    /// Forgets everything learned, in memory.
    pub(super) fn forget(&mut self) {
        (self.reset)(self.model);
        self.touch();
    }

    /// Keeps the model in flash, unless it is there already.
    pub(super) fn save(&mut self, now: u64) -> Result<Reply<'static>, Refusal> {
        let ring = self.store.as_mut().map_err(|reason| *reason)?;
        let shape = image::shape(self.model);
        if let Some(kept) = self.kept
            && kept.generation == self.generation
            // It might have been damaged since; then an older one takes its place.
            && let Ok((image, _)) = ring.open(shape)
            && image.sequence == kept.sequence
        {
            return self.saved(kept.sequence);
        }
        if image::len(self.model) > ring.capacity() {
            return Err(StoreRefusal::TooLong.into());
        }
        self.limit.admit(now, ring.status().wear)?;
        let image = ring.save_model(self.model)?;
        self.keep(image);
        self.saved(image.sequence)
    }

    /// Makes the model what it was when it was saved last.
    pub(super) fn load(&mut self) -> Result<Image, Refusal> {
        let ring = self.store.as_mut().map_err(|reason| *reason)?;
        match ring.load_model(self.model) {
            Ok(image) => {
                self.touch();
                self.keep(image);
                Ok(image)
            }
            Err(error) => {
                // The model may be half changed: better to know nothing.
                if error == LoadError::Image(ImageError::Torn) {
                    self.forget();
                }
                Err(error.into())
            }
        }
    }

    pub(super) fn saved(&self, sequence: u32) -> Result<Reply<'static>, Refusal> {
        let ring = self.store.as_ref().map_err(|reason| *reason)?;
        let wear = ring.status().wear;
        Ok(Reply::Saved { sequence, wear })
    }

    fn keep(&mut self, image: Image) {
        self.kept = Some(Kept {
            generation: self.generation,
            sequence: image.sequence,
        });
    }
}
