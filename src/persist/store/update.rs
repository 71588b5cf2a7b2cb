//! A new version of the firmware and the store that the old one has left.

use embedded_storage::nor_flash::NorFlash;

use super::{
    error::{LoadError, StoreError},
    ring::{SlotRing, StoredImage},
};
use crate::persist::{self, Convert};

/// An image that was loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LoadedImage {
    /// The image in flash.
    pub image: StoredImage,
    /// Whether it is of a model of other sizes. It stays in flash as it is until the next save.
    pub converted: bool,
}

impl<F: NorFlash, const N: usize> SlotRing<F, N> {
    /// Loads the newest image into `model`, also if that has another budget or another number of classes now: see
    /// [`convert`](fn@persist::convert). Writes nothing.
    ///
    /// ```
    /// use pocketron::{persist::store::{RamFlash, SlotRing}, prelude::*};
    ///
    /// let mut ring: SlotRing<_> = SlotRing::mount(RamFlash::<8>::new(), 0..8192)?;
    /// let mut old = Pocketron::<2, 20>::new();
    /// old.learn(&[1.0, 0.0], Sign::Pos)?;
    /// old.learn(&[0.0, 1.0], Sign::Neg)?;
    /// ring.save_model(&old)?;
    ///
    /// // Firmware with a larger budget:
    /// let mut new = Pocketron::<2, 40>::new();
    /// let loaded = ring.load_or_convert(&mut new)?;
    /// assert!(loaded.converted);
    /// assert_eq!(new.score(&[0.9, 0.1])?, old.score(&[0.9, 0.1])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `model` is unchanged, but see [`persist::restore`].
    pub fn load_or_convert(&mut self, model: &mut dyn Convert) -> Result<LoadedImage, LoadError> {
        let newest = self.newest().ok_or(StoreError::Empty)?;
        let converted = newest.shape != persist::shape(&*model);
        let (image, mut opened) = self.open(newest.shape)?;
        if converted {
            persist::convert(model, &mut opened)?;
        } else {
            persist::restore(model, &mut opened)?;
        }
        Ok(LoadedImage { image, converted })
    }

    /// Saves `model`, unless the newest image is one that [`load_or_convert`](Self::load_or_convert) could not have loaded into
    /// it: then nothing is written, and the error says why.
    ///
    /// For firmware that goes on with an empty model when it could not load: its saves would erase what the user taught the
    /// old firmware. [`save_model`](Self::save_model) saves all the same. Costs one reading of the newest image more than that.
    ///
    /// ```
    /// use pocketron::{persist::store::{RamFlash, SlotRing}, prelude::*};
    ///
    /// let mut ring: SlotRing<_> = SlotRing::mount(RamFlash::<8>::new(), 0..8192)?;
    /// ring.save_model(&Pocketron::<2, 20>::new())?;
    ///
    /// let mut other = Pocketron::<3, 20>::new(); // of three features: that is another task
    /// assert!(ring.load_or_convert(&mut other).is_err());
    /// assert!(ring.save_if_readable(&mut other).is_err());
    /// ring.save_model(&other)?; // told to
    /// ring.save_if_readable(&mut other)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_if_readable(&mut self, model: &mut dyn Convert) -> Result<StoredImage, LoadError> {
        if let Some(newest) = self.newest() {
            let same = newest.shape == persist::shape(&*model);
            let (_, mut opened) = self.open(newest.shape)?;
            if same {
                persist::check(model, &mut opened)?;
            } else {
                persist::check_convertible(model, &mut opened)?;
            }
        }
        Ok(self.save_model(&*model)?)
    }
}
