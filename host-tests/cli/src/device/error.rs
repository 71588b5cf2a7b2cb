//! Errors on the way to a device, in words that say what to do.

use std::{error::Error, fmt, io, time::Duration};

use pocketron::device::message::{
    ErrorReply, Fault, ImageErrorCode, LearnWarning, Permission, Permissions, SCHEMA, SensorEvent,
    StoreErrorCode,
};

/// Why the device did not do what it was asked.
#[derive(Debug)]
#[non_exhaustive]
pub enum LinkError {
    /// The line failed.
    Io(io::Error),
    /// Nothing was heard for so long.
    Silent(Duration),
    /// The device speaks this other version.
    OtherProtocol(u64),
    /// The device started anew, for this reason.
    Restarted(Fault),
    /// The device refused.
    Refused(ErrorReply),
    /// The device answered something that is not this.
    Unexpected(&'static str),
    /// The command was carried out, but its answer got lost.
    AnswerLost,
    /// The message does not fit in a frame.
    Oversized,
    /// An example has this number of features, the device's model that one.
    Features(usize, usize),
    /// The image of the model changed each time while it was read.
    Restless,
    /// The image does not suit the device.
    Image(String),
    /// The device takes only signed images, and there is no key.
    WantsSignature,
    /// The image is to be signed for a sequence number, and the device names another.
    OtherSequence {
        /// By the device.
        named: u32,
        /// By the user.
        wanted: u32,
    },
    /// The image is to be signed, and the device would not look at the signature.
    ChecksNoSignature,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the line to the device failed: {error}"),
            Self::Silent(waited) => write!(
                f,
                "the device does not answer ({:.0} s): does it run Pocketron's firmware, \
                 and are port and speed right?",
                waited.as_secs_f32()
            ),
            Self::OtherProtocol(schema) => write!(
                f,
                "the device speaks another version of the protocol ({schema:#018x}, here it is \
                 {SCHEMA:#018x}): build its firmware and this command from the same sources"
            ),
            Self::Restarted(fault) => write!(
                f,
                "the device restarted in the middle ({}): what it learned since the last save is \
                 lost, and it goes on from there; see `pocketron device status`",
                Describe(fault)
            ),
            Self::Refused(error) => write!(f, "the device refused: {}", Describe(error)),
            Self::Unexpected(wanted) => write!(
                f,
                "the device answered something else than {wanted}: build its firmware and this \
                 command from the same sources"
            ),
            Self::AnswerLost => f.write_str(
                "the command was carried out, but its answer got lost; see `pocketron device status`",
            ),
            Self::Oversized => f.write_str("the message does not fit in a frame of this device"),
            Self::Features(given, wanted) => write!(
                f,
                "an example with {given} features for a model of {wanted}"
            ),
            Self::Restless => f.write_str(
                "the model changed each time while it was read: stop whatever teaches it",
            ),
            Self::Image(why) => f.write_str(why),
            Self::WantsSignature => {
                f.write_str("the device takes only signed images: --key FILE names the file with its key")
            }
            Self::OtherSequence { named, wanted } => write!(
                f,
                "the device wants a signature for sequence number {named}, not {wanted}: it has saved since, or somebody \
                 on the line wants a signature for later; nothing was signed"
            ),
            Self::ChecksNoSignature => f.write_str(
                "the device does not check signatures, so a key protects nothing: leave --key out, \
                 or give its firmware a key",
            ),
        }
    }
}

impl Error for LinkError {}

impl From<io::Error> for LinkError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// A word of the protocol in a sentence.
pub struct Describe<'a, T>(pub &'a T);

impl fmt::Display for Describe<'_, Fault> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Fault::None => f.write_str("power or reset"),
            Fault::HardFault { pc } => write!(f, "hard fault at {pc:#010x}"),
            Fault::StackOverflow => f.write_str("stack overflow"),
            Fault::Watchdog => f.write_str("watchdog"),
            Fault::Panic => f.write_str("panic"),
            Fault::Unknown => f.write_str("something unknown"),
        }
    }
}

impl fmt::Display for Describe<'_, ErrorReply> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            ErrorReply::TooSoon { wait_ms } => {
                return write!(
                    f,
                    "the flash was written a moment ago; again in {:.1} s",
                    f64::from(*wait_ms) / 1000.0
                );
            }
            ErrorReply::Store(error) => return Describe(error).fmt(f),
            ErrorReply::Image(error) => return Describe(error).fmt(f),
            ErrorReply::BadFrame { .. } => "the frame was damaged",
            ErrorReply::Unknown => "it does not know this request; its firmware is of another version",
            ErrorReply::OutOfOrder { .. } => "the command came too early",
            ErrorReply::AlreadyDone => "the command was carried out before",
            ErrorReply::NonFinite => "a feature is NaN or infinite",
            ErrorReply::WrongDimension => "its model has another number of features",
            ErrorReply::Overflow => "the score left the range of 32-bit numbers; scale the features",
            ErrorReply::UnknownClass => "its model has no such class",
            ErrorReply::NotReady => "its model is not ready to learn; push one",
            ErrorReply::WornOut => "its flash has been erased as often as it may be",
            ErrorReply::NotArmed => "a reset must be armed first",
            ErrorReply::NoPush => "no image is being pushed",
            ErrorReply::Unsupported => {
                "its model cannot do this; only the default learner can, and undo also needs a \
                 firmware that was not built with POCKETRON_UNDO=0"
            }
            ErrorReply::NothingToUndo => {
                "there is nothing to undo: only the last example, block or `forget` since the start \
                 or the last load can be taken back, once"
            }
            ErrorReply::NoSensor => {
                "it has no sensor; `cargo xtask firmware --sensor` builds one that plays a recording"
            }
            ErrorReply::Committed { sequence } => {
                return write!(
                    f,
                    "it has saved the image (number {sequence}) but could not read it back: \
                     load it, or restart the device, before anything else"
                );
            }
            ErrorReply::NotPermitted(permission) => {
                return write!(
                    f,
                    "the line may not do this ({}); only the application on the device can allow it",
                    Describe(permission)
                );
            }
            ErrorReply::WearReserved => {
                "the erase cycles that its flash has left are reserved for the application"
            }
            ErrorReply::NotAuthentic => {
                "the image is not signed with its key, or something was saved since: push it again \
                 with --key and the right key"
            }
            ErrorReply::NoRecording => "its sensor is a real one: there is no recording to be played",
        })
    }
}

impl fmt::Display for Describe<'_, Permission> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Permission::Ask => "ask",
            Permission::Teach => "teach",
            Permission::Save => "save",
            Permission::Pull => "pull",
            Permission::Push => "push",
            Permission::Reset => "reset",
            Permission::Samples => "samples",
        })
    }
}

impl fmt::Display for Describe<'_, Permissions> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let allowed = Permission::ALL.iter();
        let names = allowed.filter(|one| self.0.allows(**one));
        let names: Vec<String> = names.map(|one| Describe(one).to_string()).collect();
        match *self.0 {
            Permissions::ALL => f.write_str("everything"),
            Permissions::NONE => f.write_str("nothing"),
            _ => f.write_str(&names.join(", ")),
        }
    }
}

impl fmt::Display for Describe<'_, SensorEvent> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            SensorEvent::Nothing => f.write_str("no window yet"),
            SensorEvent::Teaching { class, windows } => {
                write!(f, "class {class} is being taught, window {windows}")
            }
            SensorEvent::Taught { class, windows } => {
                write!(f, "class {class} was taught, {windows} windows")
            }
            SensorEvent::Known {
                class,
                probability: Some(probability),
            } => write!(f, "class {class}, {:.0} %", 100.0 * probability),
            SensorEvent::Known { class, .. } => write!(f, "class {class}"),
            SensorEvent::Unknown => f.write_str("unknown"),
            SensorEvent::NeedsFirstClass => f.write_str("nothing was taught yet"),
            SensorEvent::NeedsSecondClass => {
                f.write_str("one class was taught; a choice needs another")
            }
            SensorEvent::NeedsMoreExamples => f.write_str("more windows are needed"),
        }
    }
}

impl fmt::Display for Describe<'_, LearnWarning> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            LearnWarning::WarmUp => "the example only initialised the feature scaling",
            LearnWarning::StuckSensor => {
                "the reading repeats itself bit for bit: is the sensor stuck? nothing was learned"
            }
            LearnWarning::Saturated => "a coefficient was clamped at the largest value there is",
            LearnWarning::Underflow => {
                "the step was rounded to zero: it is too small beside the coefficients before it"
            }
        })
    }
}

impl fmt::Display for Describe<'_, StoreErrorCode> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            StoreErrorCode::Missing => "it has no flash to keep models in",
            StoreErrorCode::Empty => "nothing was saved yet",
            StoreErrorCode::OtherShape => "what was saved is of another kind of model",
            StoreErrorCode::OtherVersion => "what was saved has another format",
            StoreErrorCode::TooLong => "the image does not fit in its flash",
            StoreErrorCode::Worn => "no slot of its flash keeps what is written to it",
            StoreErrorCode::Flash => "its flash failed",
            StoreErrorCode::Region => "its firmware reserves a region that does not suit its flash",
        })
    }
}

impl fmt::Display for Describe<'_, ImageErrorCode> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            ImageErrorCode::NotAnImage => "this is not the image of a model",
            ImageErrorCode::Version => "the image has another format version",
            ImageErrorCode::OtherShape => "the image is of another kind of model",
            ImageErrorCode::Damaged => "the image is damaged",
            ImageErrorCode::Malformed => "the image is not one that a model would write",
            ImageErrorCode::Unreadable => "the image could not be read back from its flash",
            ImageErrorCode::Torn => {
                "its flash failed while the model was loaded, so it has forgotten everything"
            }
        })
    }
}
