//! Errors of the store.

use core::fmt;

use embedded_storage::nor_flash::{NorFlashError, NorFlashErrorKind};

use crate::persist::ImageError;

/// Why a store refused or failed; the newest image is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum StoreError {
    /// The region is not aligned; holds the alignment in bytes (a sector, and at least header and mark).
    Misaligned(u32),
    /// The region goes beyond the flash; holds the flash size in bytes.
    OutOfRange(u32),
    /// The region has too few sectors for its slots; holds the minimum in bytes.
    TooSmall(u32),
    /// A slot holds an image of this other format version; nothing was touched.
    Version(u32),
    /// There is no image.
    Empty,
    /// The image has this other shape: it belongs to another kind of model.
    Shape(u32),
    /// The payload is too long for the slot, the buffer or its announced length; holds the maximum in bytes.
    TooLong(u32),
    /// The producer of the payload stopped.
    Interrupted,
    /// No slot holds what was written: the flash is worn out.
    Worn,
    /// The image changed while it was read: discard the bytes that were read.
    Changed,
    /// The flash driver failed.
    Flash(#[cfg_attr(feature = "defmt", defmt(Debug2Format))] NorFlashErrorKind),
}

impl StoreError {
    /// From a driver's own error.
    pub(super) fn flash(error: impl NorFlashError) -> Self {
        StoreError::Flash(error.kind())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Misaligned(sector) => {
                write!(
                    f,
                    "the region does not begin and end at a multiple of {sector} bytes"
                )
            }
            Self::OutOfRange(capacity) => {
                write!(f, "the region goes beyond the flash of {capacity} bytes")
            }
            Self::TooSmall(least) => {
                write!(
                    f,
                    "the region is too small: its slots need {least} bytes at least"
                )
            }
            Self::Version(found) => write!(f, "the store has format version {found}, not ours"),
            Self::Empty => f.write_str("there is no image"),
            Self::Shape(found) => write!(f, "the image has another shape, {found:#010x}"),
            Self::TooLong(most) => {
                write!(
                    f,
                    "the payload does not fit: there is room for {most} bytes"
                )
            }
            Self::Interrupted => f.write_str("the producer of the payload stopped"),
            Self::Worn => f.write_str("no slot kept what was written into it"),
            Self::Changed => f.write_str("the image changed while it was read"),
            Self::Flash(kind) => write!(f, "the flash driver failed: {kind}"),
        }
    }
}

impl core::error::Error for StoreError {}

/// The producer of a payload cannot go on; the save ends and the old image stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Interrupted;

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        StoreError::from(*self).fmt(f)
    }
}

impl core::error::Error for Interrupted {}

impl From<Interrupted> for StoreError {
    fn from(_: Interrupted) -> Self {
        StoreError::Interrupted
    }
}

/// Why a model could not be loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum LoadError {
    /// The store has no readable image.
    Store(StoreError),
    /// The image is not one of this model.
    Image(ImageError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Store(_) => "the store has no readable image",
            Self::Image(_) => "the image is not one of this model",
        })
    }
}

impl core::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Store(error) => Some(error),
            Self::Image(error) => Some(error),
        }
    }
}

impl From<StoreError> for LoadError {
    fn from(error: StoreError) -> Self {
        LoadError::Store(error)
    }
}

impl From<ImageError> for LoadError {
    fn from(error: ImageError) -> Self {
        LoadError::Image(error)
    }
}
