//! The library's errors and warnings in the words of the protocol.

use super::message::{ErrorReply, ImageErrorCode, LearnWarning, RecallKind, StoreErrorCode};
use crate::{
    classifier,
    error::{EditError, InputError},
    persist::{
        ImageError,
        store::{LoadError, StoreError, WearError},
    },
};

impl From<InputError> for ErrorReply {
    fn from(error: InputError) -> Self {
        match error {
            InputError::NonFinite | InputError::OutOfRange => ErrorReply::NonFinite,
            InputError::WrongDimension => ErrorReply::WrongDimension,
            InputError::Overflow => ErrorReply::Overflow,
            InputError::UnknownClass => ErrorReply::UnknownClass,
            InputError::UnknownExample | InputError::Config(_) => ErrorReply::NotReady,
        }
    }
}

impl From<EditError> for ErrorReply {
    fn from(error: EditError) -> Self {
        match error {
            EditError::Unsupported => ErrorReply::Unsupported,
            EditError::UnknownClass => ErrorReply::UnknownClass,
            EditError::NothingToUndo => ErrorReply::NothingToUndo,
        }
    }
}

impl From<classifier::Warning> for LearnWarning {
    fn from(warning: classifier::Warning) -> Self {
        match warning {
            classifier::Warning::WarmUp => LearnWarning::WarmUp,
            classifier::Warning::StuckSensor => LearnWarning::StuckSensor,
            classifier::Warning::Saturated => LearnWarning::Saturated,
            classifier::Warning::Underflow => LearnWarning::Underflow,
        }
    }
}

impl From<classifier::RecallEstimate> for RecallKind {
    fn from(kind: classifier::RecallEstimate) -> Self {
        match kind {
            classifier::RecallEstimate::LeaveOneOut => RecallKind::LeaveOneOut,
            classifier::RecallEstimate::HeldOut => RecallKind::HeldOut,
        }
    }
}

impl From<StoreError> for StoreErrorCode {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Misaligned(_) | StoreError::OutOfRange(_) | StoreError::TooSmall(_) => {
                StoreErrorCode::Region
            }
            StoreError::Version(_) => StoreErrorCode::OtherVersion,
            StoreError::Empty => StoreErrorCode::Empty,
            StoreError::Shape(_) => StoreErrorCode::OtherShape,
            StoreError::TooLong(_) => StoreErrorCode::TooLong,
            StoreError::Worn => StoreErrorCode::Worn,
            StoreError::Interrupted | StoreError::Changed | StoreError::Flash(_) => {
                StoreErrorCode::Flash
            }
        }
    }
}

impl From<StoreErrorCode> for ErrorReply {
    fn from(reason: StoreErrorCode) -> Self {
        ErrorReply::Store(reason)
    }
}

impl From<StoreError> for ErrorReply {
    fn from(error: StoreError) -> Self {
        match error {
            // Only a pending image can be: it is incomplete, or has lost its slot.
            StoreError::Interrupted => ErrorReply::NoPush,
            other => ErrorReply::Store(other.into()),
        }
    }
}

impl From<ImageError> for ErrorReply {
    fn from(error: ImageError) -> Self {
        ErrorReply::Image(match error {
            ImageError::NotAnImage => ImageErrorCode::NotAnImage,
            ImageError::Version(_) => ImageErrorCode::Version,
            ImageError::OtherShape(_) | ImageError::TooManyClasses => ImageErrorCode::OtherShape,
            ImageError::Damaged => ImageErrorCode::Damaged,
            ImageError::Malformed => ImageErrorCode::Malformed,
            ImageError::Unreadable => ImageErrorCode::Unreadable,
            ImageError::Torn => ImageErrorCode::Torn,
        })
    }
}

impl From<LoadError> for ErrorReply {
    fn from(error: LoadError) -> Self {
        match error {
            LoadError::Store(error) => error.into(),
            LoadError::Image(error) => error.into(),
        }
    }
}

impl From<WearError> for ErrorReply {
    fn from(error: WearError) -> Self {
        match error {
            WearError::TooSoon { wait } => ErrorReply::TooSoon {
                wait_ms: u32::try_from(wait).unwrap_or(u32::MAX),
            },
            WearError::Exhausted => ErrorReply::WornOut,
            WearError::Reserved => ErrorReply::WearReserved,
        }
    }
}
