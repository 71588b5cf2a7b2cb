//! Replies that outlive the frame they came in.

use pocketron::device::{
    Confidence,
    message::{
        self, ClassStatus, DeviceStatus, ErrorReply, Fault, Learned, Permissions, Reply,
        SensorInfo, SensorState,
    },
};

use super::sensor::{Playing, SampleRun, Sensor, SensorPart};

/// Answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Identity of the device.
    Identity(Box<Identity>),
    /// Its status.
    Status(Box<DeviceStatus>),
    /// Its prediction.
    Predicted(Prediction),
    /// A part of the model's image.
    Part(Part),
    /// Hash of its calculations.
    Tested(u32),
    /// The example was learned.
    Learned(Learned),
    /// The model is safe in flash.
    Saved(Saved),
    /// The model is the saved one of this number.
    Loaded(u32),
    /// Ready to forget, with this token.
    Armed(u32),
    /// Counters of a class.
    Class(ClassStatus),
    /// Stored vectors were rehearsed, and this many moved.
    Rehearsed(u16),
    /// A part of what its sensor is.
    Sensor(SensorPart),
    /// Measured samples.
    Samples(SampleRun),
    /// Sensor status.
    State(Box<SensorState>),
    /// A recording is being played.
    Playing(Playing),
    /// Carried out.
    Done,
    /// Not carried out.
    Refused(ErrorReply),
    /// Carried out, but the answer got lost on the way and the device has forgotten it.
    Forgotten,
}

/// Identity of a device; see [`message::Identity`].
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of the message")]
pub struct Identity {
    pub schema: u64,
    pub firmware: String,
    pub shape: String,
    pub shape_hash: u32,
    pub features: usize,
    pub classes: usize,
    pub model_bytes: u32,
    pub store_bytes: u32,
    pub frame: usize,
    pub part: usize,
    pub window: usize,
    pub next: u32,
    pub fault: Fault,
    pub permissions: Permissions,
    pub push_sequence: Option<u32>,
}

impl From<message::Identity<'_>> for Identity {
    fn from(identity: message::Identity<'_>) -> Self {
        Identity {
            schema: u64::from_le_bytes(identity.schema),
            firmware: identity.firmware.into(),
            shape: identity.shape.into(),
            shape_hash: identity.shape_hash,
            features: identity.features.into(),
            classes: identity.classes.into(),
            model_bytes: identity.model_bytes,
            store_bytes: identity.store_bytes,
            frame: identity.frame.into(),
            part: identity.part.into(),
            window: identity.window.into(),
            next: identity.next,
            fault: identity.fault,
            permissions: identity.permissions,
            push_sequence: identity.push_sequence,
        }
    }
}

/// Prediction of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The winning class.
    pub class: u8,
    /// Its score.
    pub score: f32,
    /// Scores of all classes; of a binary learner the one score there is.
    pub scores: Vec<f32>,
    /// Confidence of the model, if it can tell.
    pub confidence: Confidence,
}

/// A part of an image.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Changes whenever the model does.
    pub generation: u32,
    /// Bytes of the whole image.
    pub len: u32,
    /// The bytes asked for.
    pub bytes: Vec<u8>,
}

/// A model that is safe in flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Grows with each save.
    pub sequence: u32,
    /// Erase cycles of the slot that has most.
    pub wear: u32,
}

impl From<Reply<'_>> for Answer {
    fn from(reply: Reply<'_>) -> Self {
        match reply {
            Reply::Identity(identity) => Answer::Identity(Box::new(identity.into())),
            Reply::Status(status) => Answer::Status(Box::new(status)),
            Reply::Predicted {
                class,
                score,
                scores,
                probability,
                known,
            } => Answer::Predicted(Prediction {
                class,
                score,
                scores: scores.iter().collect(),
                confidence: Confidence {
                    probability,
                    known,
                    ..Confidence::default()
                },
            }),
            Reply::Part {
                generation,
                len,
                bytes,
            } => Answer::Part(Part {
                generation,
                len,
                bytes: bytes.into(),
            }),
            Reply::Tested { hash } => Answer::Tested(hash),
            Reply::Learned(learned) => Answer::Learned(learned),
            Reply::Saved { sequence, wear } => Answer::Saved(Saved { sequence, wear }),
            Reply::Loaded { sequence } => Answer::Loaded(sequence),
            Reply::Armed { token } => Answer::Armed(token),
            Reply::Class(status) => Answer::Class(status),
            Reply::Rehearsed { moved } => Answer::Rehearsed(moved),
            Reply::Sensor(info) => Answer::Sensor(info.into()),
            Reply::Samples(samples) => Answer::Samples(SampleRun {
                first: samples.first,
                dropped: samples.dropped,
                values: samples.iter().collect(),
            }),
            Reply::State(state) => Answer::State(Box::new(state)),
            Reply::Playing { to_play, left } => Answer::Playing(Playing { to_play, left }),
            Reply::Done => Answer::Done,
            Reply::Refused(ErrorReply::AlreadyDone) => Answer::Forgotten,
            Reply::Refused(error) => Answer::Refused(error),
        }
    }
}

impl From<SensorInfo<'_>> for SensorPart {
    fn from(info: SensorInfo<'_>) -> Self {
        SensorPart {
            sensor: Sensor {
                channels: Vec::new(),
                features: Vec::new(),
                window: info.window.into(),
                hop: info.hop.into(),
                rate: info.rate,
                recording: info.recording,
            },
            channels: info.channels.into(),
            features: info.features.into(),
            names: info.names.lines().map(str::to_string).collect(),
        }
    }
}
