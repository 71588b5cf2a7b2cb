//! Why an image could not be written or restored.

use core::fmt;

/// Why bytes did not become a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ImageError {
    /// The bytes are something else.
    NotAnImage,
    /// The image has this other format version.
    Version(u32),
    /// The image is of another kind of model; its shape hashes to this.
    OtherShape(u32),
    /// The image has learned a class that the model has no place for.
    TooManyClasses,
    /// Length or checksum are wrong: something was lost or changed.
    Damaged,
    /// The checksum holds, but no model writes such an image.
    Malformed,
    /// The source could not be read.
    Unreadable,
    /// The source could not be read a second time, when the model was being taken over: it is
    /// neither the old nor the new one.
    Torn,
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnImage => f.write_str("this is not the image of a model"),
            Self::Version(found) => write!(f, "the image has format version {found}, not ours"),
            Self::OtherShape(found) => {
                write!(f, "the image is of another kind of model ({found:#010x})")
            }
            Self::TooManyClasses => {
                f.write_str("the image has learned more classes than the model has")
            }
            Self::Damaged => f.write_str("the image is damaged: its checksum does not hold"),
            Self::Malformed => f.write_str("the image is not one that a model would write"),
            Self::Unreadable => f.write_str("the image could not be read"),
            Self::Torn => f.write_str("the image could not be read to its end: the model is lost"),
        }
    }
}

impl core::error::Error for ImageError {}

/// The buffer is too small: the image has this many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BufferTooSmall(pub u32);

impl fmt::Display for BufferTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the buffer is too small: the image has {} bytes", self.0)
    }
}

impl core::error::Error for BufferTooSmall {}
