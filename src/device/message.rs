//! The messages between host and device.
//!
//! The types are the specification: their postcard encoding goes over the wire,
//! and [`SCHEMA`] is a hash of their structure, so that two sides that speak
//! different versions notice it. Only the beginning of [`Identity`] is fixed for
//! ever: its place in [`Reply`], and its first field.

mod sensor;

pub use sensor::{RawSamples, RecallKind, SampleQuality, SensorEvent, SensorInfo, SensorState};

use postcard_schema::{Schema, key::Key};
use serde::{Deserialize, Serialize};

/// Hash of the structure of all messages: the version of the protocol.
pub const SCHEMA: u64 = {
    let ask = u64::from_le_bytes(Key::for_path::<Message<Request<'static>>>("request").to_bytes());
    let answer = u64::from_le_bytes(Key::for_path::<Message<Reply<'static>>>("reply").to_bytes());
    ask ^ answer.rotate_left(1)
};

/// A request or a reply with its number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub struct Message<T> {
    /// Chosen by the host and repeated by the device; commands are numbered one after the other.
    pub number: u32,
    /// Request or reply.
    pub body: T,
}

/// Numbers as the wire has them: four bytes each, little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub struct Floats<'a>(#[serde(borrow)] pub &'a [u8]);

impl<'a> Floats<'a> {
    /// As many numbers as there are.
    pub fn iter(self) -> impl Iterator<Item = f32> + 'a {
        let (numbers, _) = self.0.as_chunks();
        numbers.iter().map(|bytes| f32::from_le_bytes(*bytes))
    }

    /// Exactly `D` numbers.
    pub fn to_array<const D: usize>(self) -> Option<[f32; D]> {
        let (numbers, rest) = self.0.as_chunks();
        let mut array = [0.0; D];
        for (to, from) in array.iter_mut().zip(numbers) {
            *to = f32::from_le_bytes(*from);
        }
        (numbers.len() == D && rest.is_empty()).then_some(array)
    }
}

/// A request of the host.
///
/// *Questions* change nothing and may come in any order, with any number.
/// *Commands* are numbered; each is carried out once, in order, whatever gets
/// lost or comes twice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Request<'a> {
    /// Question: identity of the device. Answered by [`Reply::Identity`].
    Identify,
    /// Question: how are you? Answered by [`Reply::Status`].
    Status,
    /// Question: prediction for a sample. Answered by [`Reply::Predicted`].
    Predict {
        /// One number per feature.
        #[serde(borrow)]
        features: Floats<'a>,
    },
    /// Question: the model's image from here on. Answered by [`Reply::Part`].
    Pull {
        /// Bytes to leave out.
        offset: u32,
    },
    /// Question: do you calculate right? Answered by [`Reply::Tested`].
    SelfTest,
    /// Command: predict, then learn. Answered by [`Reply::Learned`].
    Learn {
        /// The true class, from zero.
        class: u8,
        /// One number per feature.
        #[serde(borrow)]
        features: Floats<'a>,
    },
    /// Command: keep the model in flash. Answered by [`Reply::Saved`].
    Save,
    /// Command: go back to the model in flash. Answered by [`Reply::Loaded`].
    Load,
    /// Command: be ready to forget everything. Answered by [`Reply::Armed`].
    Arm,
    /// Command: forget everything learned, in memory; the next command after [`Arm`](Self::Arm).
    /// Answered by [`Reply::Done`].
    Reset {
        /// From [`Reply::Armed`].
        token: u32,
    },
    /// Command: a whole image will come. Answered by [`Reply::Done`].
    PushBegin {
        /// Bytes of the image.
        len: u32,
    },
    /// Command: the next bytes of the image. Answered by [`Reply::Done`].
    PushPart {
        /// Bytes that came before.
        offset: u32,
        /// At most [`Identity::part`].
        bytes: &'a [u8],
    },
    /// Command: check the image, keep it in flash, and become it. Answered by [`Reply::Saved`].
    PushEnd,
    /// Question: state of a class. Answered by [`Reply::Class`].
    Class {
        /// From zero.
        class: u8,
    },
    /// Command: forget one class; the others stay. Answered by [`Reply::Done`].
    Forget {
        /// From zero.
        class: u8,
    },
    /// Command: take back the last example, block or [`Forget`](Self::Forget). Answered by [`Reply::Done`].
    Undo,
    /// Command: [`Undo`](Self::Undo) goes back to here, until the next block or the first change after
    /// [`EndBlock`](Self::EndBlock). Answered by [`Reply::Done`].
    BeginBlock,
    /// Command: the block is complete. Answered by [`Reply::Done`].
    EndBlock,
    /// Command: rehearse stored vectors. Answered by [`Reply::Rehearsed`].
    ///
    /// A device without a sensor never rehearses unasked: a host that repeats the commands computes the same bits.
    Rehearse {
        /// Vectors; all of them, once, if there are fewer.
        steps: u16,
    },
    /// Question: description of the sensor. Answered by [`Reply::Sensor`].
    Sensor {
        /// Names to leave out: channels come first, then features.
        name: u16,
    },
    /// Question: recent samples. Answered by [`Reply::Samples`].
    Samples {
        /// Sequence number of the first sample that is wanted.
        from: u32,
    },
    /// Question: how is it going? Answered by [`Reply::State`].
    State,
    /// Command: the samples that follow are of this class, or of none. Answered by [`Reply::Done`].
    Teach {
        /// From zero; none: the model is asked instead.
        class: Option<u8>,
    },
    /// Command: let this many more samples of a recording come. Answered by [`Reply::Playing`].
    Play {
        /// Go on from this sample of the recording, with a new window; none: where the last one ended.
        from: Option<u32>,
        /// How many; as many as there are if there are fewer.
        samples: u32,
    },
}

impl Request<'_> {
    /// Whether it is a command, which must come in order.
    pub fn is_command(&self) -> bool {
        !matches!(
            self,
            Request::Identify
                | Request::Status
                | Request::Predict { .. }
                | Request::Pull { .. }
                | Request::SelfTest
                | Request::Class { .. }
                | Request::Sensor { .. }
                | Request::Samples { .. }
                | Request::State
        )
    }
}

/// A reply of the device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Reply<'a> {
    /// Identity of the device.
    #[serde(borrow)]
    Identity(Identity<'a>),
    /// How it is.
    Status(DeviceStatus),
    /// The prediction.
    Predicted {
        /// The winning class.
        class: u8,
        /// Its score.
        score: f32,
        /// Scores of all classes; of a binary learner the one score there is.
        #[serde(borrow)]
        scores: Floats<'a>,
        /// Probability that the class is right, if the model is calibrated.
        probability: Option<f32>,
        /// Whether the features are like those learned so far, if the model can tell.
        known: Option<bool>,
    },
    /// A part of the model's image.
    Part {
        /// Changes whenever the model does: parts of different generations do not fit together.
        generation: u32,
        /// Bytes of the whole image.
        len: u32,
        /// The bytes asked for, at most [`Identity::part`]; none at the end.
        bytes: &'a [u8],
    },
    /// The result of its calculations.
    Tested {
        /// Equal on every machine.
        hash: u32,
    },
    /// The example was predicted and learned.
    Learned(Learned),
    /// The model is safe in flash.
    Saved {
        /// Grows with each save.
        sequence: u32,
        /// Erase cycles of the slot that has most.
        wear: u32,
    },
    /// The model is the one that was saved last.
    Loaded {
        /// Which one.
        sequence: u32,
    },
    /// Ready to forget everything.
    Armed {
        /// To be repeated.
        token: u32,
    },
    /// The command was carried out.
    Done,
    /// It was not.
    Refused(ErrorReply),
    /// State of a class.
    Class(ClassStatus),
    /// Stored vectors were rehearsed.
    Rehearsed {
        /// Vectors that were not sure enough and took a step.
        moved: u16,
    },
    /// Description of the sensor.
    #[serde(borrow)]
    Sensor(SensorInfo<'a>),
    /// Recent samples.
    #[serde(borrow)]
    Samples(RawSamples<'a>),
    /// How it is going.
    State(SensorState),
    /// The recording will be played.
    Playing {
        /// Samples that have still to come.
        to_play: u32,
        /// Samples of the recording behind those.
        left: u32,
    },
}

/// Identity of a device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub struct Identity<'a> {
    /// [`SCHEMA`] of the device, eight bytes little-endian. Always the first field.
    pub schema: [u8; 8],
    /// Version of the firmware.
    pub firmware: &'a str,
    /// Kind of its model, as far as the frame has room for it; see [`image`](crate::persist).
    pub shape: &'a str,
    /// The same as a number.
    pub shape_hash: u32,
    /// Numbers per example.
    pub features: u16,
    /// Classes at most.
    pub classes: u16,
    /// Memory of the model.
    pub model_bytes: u32,
    /// Bytes for an image in each slot of its flash; zero without a store.
    pub store_bytes: u32,
    /// Longest frame it takes, without the final zero.
    pub frame: u16,
    /// Most bytes of an image in one message.
    pub part: u16,
    /// Examples it can hold while it is busy: the window of a host that teaches or asks.
    pub window: u8,
    /// Number of the next command.
    pub next: u32,
    /// Why it started last.
    pub fault: Fault,
}

/// The outcome of a learned example.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub struct Learned {
    /// The prediction before learning.
    pub predicted: u8,
    /// Its score.
    pub score: f32,
    /// Whether it was wrong.
    pub mistake: bool,
    /// Whether the model moved.
    pub changed: bool,
    /// Examples learned since the start, this one included.
    pub seen: u32,
    /// Wrong predictions among them.
    pub mistakes: u32,
    /// A warning about the example.
    pub warning: Option<LearnWarning>,
}

/// A problem of an example, or of its update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LearnWarning {
    /// The example only initialised the feature scaling.
    WarmUp,
    /// The same reading came eight times in a row or more: nothing was learned.
    StuckSensor,
    /// A coefficient was clamped at the largest value there is.
    Saturated,
}

/// State of one class in a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ClassStatus {
    /// Examples taught of it.
    pub seen: u32,
    /// Vectors of the class on which its recall was measured.
    pub vectors: u16,
    /// Vectors among them that are classified right.
    pub recalled: u16,
    /// Which vectors they are.
    pub kind: RecallKind,
}

/// How a device is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub struct DeviceStatus {
    /// Milliseconds since the start.
    pub uptime_ms: u64,
    /// Examples learned since the start.
    pub seen: u32,
    /// Wrong predictions among them, each made before learning.
    pub mistakes: u32,
    /// Examples that moved the model.
    pub updates: u32,
    /// Vectors evicted for others.
    pub evictions: u32,
    /// Examples that were refused.
    pub refused: u32,
    /// Changes whenever the model does.
    pub generation: u32,
    /// Sequence number of the image in flash, if there is one.
    pub saved: Option<u32>,
    /// Generation that was saved or loaded last, if any.
    pub saved_generation: Option<u32>,
    /// Erase cycles of the slot that has most.
    pub wear: u32,
    /// Damaged images that were passed over when the device started.
    pub passed_over: u32,
    /// Frames that were answered.
    pub frames: u32,
    /// Frames that were not understood.
    pub bad_frames: u32,
    /// Bytes that came faster than they could be taken.
    pub dropped_bytes: u32,
    /// Ticks of the board's fastest counter that the answer before this one took.
    pub work: u32,
    /// Most stack that was ever in use, in bytes.
    pub stack_used: u32,
    /// Stack there is, in bytes.
    pub stack_size: u32,
    /// Why it started last.
    pub fault: Fault,
    /// Why it began with a fresh model; `None` if it began with the one in its flash.
    pub began_fresh: Option<ErrorReply>,
    /// Whether the model has a choice: two classes or more have been taught.
    pub ready: bool,
    /// Whether a coefficient has reached the largest value there is.
    pub saturated: bool,
    /// Examples since the start that taught nothing because the reading repeated itself.
    pub stuck: u32,
    /// Classes with an example, if the model counts them.
    pub classes_seen: Option<u16>,
}

/// Why a device started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Fault {
    /// Power, or a wanted reset.
    #[default]
    None,
    /// The processor met something impossible at this address.
    HardFault {
        /// Program counter.
        pc: u32,
    },
    /// The stack left its memory.
    StackOverflow,
    /// The main loop did not come round in time.
    Watchdog,
    /// The program stopped itself.
    Panic,
    /// Something that this version does not know.
    Unknown,
}

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
