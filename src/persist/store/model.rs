//! Models instead of bytes.

use embedded_storage::nor_flash::NorFlash;

use super::{
    error::{Interrupted, LoadError, StoreError},
    ring::{Payload, SlotRing, StoredImage},
};
use crate::persist::{self, ByteSource, ImageError, Persist};

/// A model that must be able to load what it saves.
struct Checked<'a>(&'a mut dyn Persist);

impl Payload for Checked<'_> {
    fn fill(&mut self, offset: u32, piece: &mut [u8]) -> Result<(), Interrupted> {
        persist::fill(self.0, offset, piece);
        Ok(())
    }

    fn review(&mut self, written: &mut dyn ByteSource) -> Result<(), Interrupted> {
        match persist::check(self.0, written) {
            Err(ImageError::Malformed) => Err(Interrupted),
            // What the flash did not keep is found when it is read back.
            _ => Ok(()),
        }
    }
}

impl<F: NorFlash, const N: usize> SlotRing<F, N> {
    /// Saves `model`; returns when it is safe.
    ///
    /// ```
    /// use pocketron::{persist::store::{RamFlash, SlotRing}, prelude::*};
    ///
    /// let mut ring: SlotRing<_> = SlotRing::mount(RamFlash::<8>::new(), 0..8192)?;
    /// let mut model = Forgetron::<2, 20>::new(Gaussian::constant(0.5));
    /// model.learn(&[1.0, 0.0], Sign::Pos)?;
    /// ring.save_model(&model)?;
    ///
    /// // After a reset:
    /// let mut restored = Forgetron::<2, 20>::BLANK;
    /// ring.load_model(&mut restored)?;
    /// assert_eq!(restored.score(&[0.9, 0.1])?, model.score(&[0.9, 0.1])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_model(&mut self, model: &dyn Persist) -> Result<StoredImage, StoreError> {
        let (shape, len) = (persist::shape(model), persist::len(model));
        self.save(shape, len, |offset, piece| {
            persist::fill(model, offset, piece);
            Ok(())
        })
    }

    /// The same, but a model that could not be loaded again, such as a blank one without parameters, is refused with
    /// [`ImageError::Malformed`]: the previous image stays the newest.
    pub fn save_checked(&mut self, model: &mut dyn Persist) -> Result<StoredImage, LoadError> {
        let (shape, len) = (persist::shape(model), persist::len(model));
        let saved = self.save_payload(shape, len, &mut Checked(model));
        saved.map_err(|error| match error {
            StoreError::Interrupted => ImageError::Malformed.into(),
            other => other.into(),
        })
    }

    /// Loads the newest image into `model`.
    ///
    /// After an error it is unchanged, but see [`persist::restore`].
    pub fn load_model(&mut self, model: &mut dyn Persist) -> Result<StoredImage, LoadError> {
        let (image, mut opened) = self.open(persist::shape(model))?;
        persist::restore(model, &mut opened)?;
        Ok(image)
    }
}
