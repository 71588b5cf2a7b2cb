//! Models instead of bytes.

use embedded_storage::nor_flash::NorFlash;

use super::{
    error::{LoadError, StoreError},
    ring::{SlotRing, StoredImage},
};
use crate::persist::{self, Persist};

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

    /// Loads the newest image into `model`.
    ///
    /// After an error it is unchanged, but see [`persist::restore`].
    pub fn load_model(&mut self, model: &mut dyn Persist) -> Result<StoredImage, LoadError> {
        let (image, mut opened) = self.open(persist::shape(model))?;
        persist::restore(model, &mut opened)?;
        Ok(image)
    }
}
