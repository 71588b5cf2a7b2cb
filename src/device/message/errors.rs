//! Error replies.

use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use super::permissions::Permission;

/// Why a request was not carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ErrorReply {
    /// The frame was damaged; `next` is the number of the next command.
    BadFrame {
        /// Go on from here.
        next: u32,
    },
    /// The frame was intact but is no request of this version.
    Unknown,
    /// A command came too early; `next` is the number of the next command.
    OutOfOrder {
        /// Go on from here.
        next: u32,
    },
    /// This command was carried out before, and its answer is forgotten.
    AlreadyDone,
    /// A feature is NaN or infinite.
    NonFinite,
    /// Another number of features.
    WrongDimension,
    /// The score left the range of `f32`.
    Overflow,
    /// There is no such class.
    UnknownClass,
    /// The model is not ready to learn.
    NotReady,
    /// The store cannot do it.
    Store(StoreErrorCode),
    /// The image does not suit.
    Image(ImageErrorCode),
    /// The flash was written a moment ago.
    TooSoon {
        /// Try again after this many milliseconds.
        wait_ms: u32,
    },
    /// The flash has been erased as often as it may be.
    WornOut,
    /// A reset must be armed by the command before it, with the token of its answer.
    NotArmed,
    /// No image is being pushed, or its parts do not follow one another.
    NoPush,
    /// This kind of model cannot do it.
    Unsupported,
    /// There is no example, block or forgotten class to take back.
    NothingToUndo,
    /// The device has no sensor.
    NoSensor,
    /// The sensor is a real one: there is no recording to be played.
    NoRecording,
    /// The image is safe in flash, where a restart will find it, but could not be read back: the model in memory is
    /// the one before, or fresh.
    Committed {
        /// The sequence number of the image.
        sequence: u32,
    },
    /// The line may not do this, at least not now.
    NotPermitted(Permission),
    /// The erase cycles that are left are reserved for the application: the line may not write the flash any more.
    WearReserved,
    /// The image is not signed, or with another key, or for another sequence number, or is not the one that was signed.
    NotAuthentic,
}

/// Errors of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum StoreErrorCode {
    /// The device keeps nothing.
    Missing,
    /// Nothing was saved.
    Empty,
    /// The saved image is of another kind of model.
    OtherShape,
    /// The saved image has another format.
    OtherVersion,
    /// The image does not fit.
    TooLong,
    /// No slot keeps what is written to it.
    Worn,
    /// The flash failed.
    Flash,
    /// The firmware's region for the store does not suit its flash.
    Region,
}

/// Errors of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum ImageErrorCode {
    /// Not an image.
    NotAnImage,
    /// Another format version.
    Version,
    /// Another kind of model.
    OtherShape,
    /// Incomplete or changed.
    Damaged,
    /// Intact, but no model writes such an image.
    Malformed,
    /// Could not be read back; the model is as it was.
    Unreadable,
    /// Could not be read back when the model was being taken over, which is fresh now.
    Torn,
}
