//! Replies of the device.

use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use super::{
    Floats,
    errors::ErrorReply,
    permissions::Permissions,
    sensor::{RawSamples, SensorInfo, SensorState},
    status::{ClassStatus, DeviceStatus, Fault},
};

/// A reply of the device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Reply<'a> {
    /// Identity of the device.
    #[serde(borrow)]
    Identity(Identity<'a>),
    /// Its status.
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
        /// Sequence number of that image.
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
    /// State of the sensor.
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
    /// [`SCHEMA`](super::SCHEMA) of the device, eight bytes little-endian. Always the first field.
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
    /// What the line may do now.
    pub permissions: Permissions,
    /// Sequence number for which a pushed image must be signed; none if the device wants no signature.
    pub push_sequence: Option<u32>,
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
    /// The step was so small beside the coefficients of others that it was rounded to zero.
    Underflow,
}
