//! The library's errors and warnings in the words of the protocol.

use super::message::{ImageRefusal, Refusal, StoreRefusal, Warning};
use crate::{
    error::InputError,
    image::ImageError,
    perceptron,
    store::{LoadError, StoreError, WearError},
};

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Self {
        match error {
            InputError::NonFinite | InputError::OutOfRange => Refusal::NonFinite,
            InputError::WrongDimension => Refusal::WrongDimension,
            InputError::Overflow => Refusal::Overflow,
            InputError::UnknownClass => Refusal::UnknownClass,
            InputError::UnknownExample | InputError::Config(_) => Refusal::NotReady,
        }
    }
}

impl From<perceptron::Warning> for Warning {
    fn from(warning: perceptron::Warning) -> Self {
        match warning {
            perceptron::Warning::WarmUp => Warning::WarmUp,
            perceptron::Warning::StuckSensor => Warning::StuckSensor,
            perceptron::Warning::Saturated => Warning::Saturated,
        }
    }
}

impl From<StoreError> for StoreRefusal {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Misaligned(_) | StoreError::OutOfRange(_) | StoreError::TooSmall(_) => {
                StoreRefusal::Region
            }
            StoreError::Version(_) => StoreRefusal::OtherVersion,
            StoreError::Empty => StoreRefusal::Empty,
            StoreError::Shape(_) => StoreRefusal::OtherShape,
            StoreError::TooLong(_) => StoreRefusal::TooLong,
            StoreError::Worn => StoreRefusal::Worn,
            StoreError::Interrupted | StoreError::Changed | StoreError::Flash(_) => {
                StoreRefusal::Flash
            }
        }
    }
}

impl From<StoreRefusal> for Refusal {
    fn from(reason: StoreRefusal) -> Self {
        Refusal::Store(reason)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        match error {
            // Only a draft can be: it is incomplete, or has lost its slot.
            StoreError::Interrupted => Refusal::NoPush,
            other => Refusal::Store(other.into()),
        }
    }
}

impl From<ImageError> for Refusal {
    fn from(error: ImageError) -> Self {
        Refusal::Image(match error {
            ImageError::NotAnImage => ImageRefusal::NotAnImage,
            ImageError::Version(_) => ImageRefusal::Version,
            ImageError::OtherShape(_) => ImageRefusal::OtherShape,
            ImageError::Damaged => ImageRefusal::Damaged,
            ImageError::Malformed => ImageRefusal::Malformed,
            ImageError::Unreadable => ImageRefusal::Unreadable,
            ImageError::Torn => ImageRefusal::Torn,
        })
    }
}

impl From<LoadError> for Refusal {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Store(error) => error.into(),
            LoadError::Image(error) => error.into(),
        }
    }
}

impl From<WearError> for Refusal {
    fn from(error: WearError) -> Self {
        match error {
            WearError::TooSoon { wait } => Refusal::TooSoon {
                wait_ms: u32::try_from(wait).unwrap_or(u32::MAX),
            },
            WearError::Exhausted => Refusal::WornOut,
        }
    }
}
