//! Requests of the host.

use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use super::{Floats, permissions::Permission};

/// A request of the host.
///
/// *Questions* change nothing and may come in any order, with any number.
/// *Commands* are numbered; each is carried out once, in order, whatever gets
/// lost or comes twice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub enum Request<'a> {
    /// Question: identity of the device. Answered by [`Reply::Identity`](super::Reply::Identity).
    Identify,
    /// Question: how are you? Answered by [`Reply::Status`](super::Reply::Status).
    Status,
    /// Question: prediction for a sample. Answered by [`Reply::Predicted`](super::Reply::Predicted).
    Predict {
        /// One number per feature.
        #[serde(borrow)]
        features: Floats<'a>,
    },
    /// Question: the model's image from here on. Answered by [`Reply::Part`](super::Reply::Part).
    Pull {
        /// Bytes to leave out.
        offset: u32,
    },
    /// Question: do you calculate right? Answered by [`Reply::Tested`](super::Reply::Tested).
    SelfTest,
    /// Command: predict, then learn. Answered by [`Reply::Learned`](super::Reply::Learned).
    Learn {
        /// The true class, from zero.
        class: u8,
        /// One number per feature.
        #[serde(borrow)]
        features: Floats<'a>,
    },
    /// Command: keep the model in flash. Answered by [`Reply::Saved`](super::Reply::Saved).
    Save,
    /// Command: go back to the model in flash. Answered by [`Reply::Loaded`](super::Reply::Loaded).
    Load,
    /// Command: be ready to forget everything. Answered by [`Reply::Armed`](super::Reply::Armed).
    Arm,
    /// Command: forget everything learned, in memory; the next command after [`Arm`](Self::Arm).
    /// Answered by [`Reply::Done`](super::Reply::Done).
    Reset {
        /// From [`Reply::Armed`](super::Reply::Armed).
        token: u32,
    },
    /// Command: a whole image will come. Answered by [`Reply::Done`](super::Reply::Done).
    PushBegin {
        /// Bytes of the image.
        len: u32,
        /// SHA-256 of the image, if the device wants it [signed](super::Identity::push_sequence); else nothing.
        digest: &'a [u8],
        /// HMAC-SHA-256 of that, if the device wants it; else nothing. `docs/protocol.md` gives its bytes.
        tag: &'a [u8],
    },
    /// Command: the next bytes of the image. Answered by [`Reply::Done`](super::Reply::Done).
    PushPart {
        /// Bytes that came before.
        offset: u32,
        /// At most [`Identity::part`](super::Identity::part).
        bytes: &'a [u8],
    },
    /// Command: check the image, keep it in flash, and become it. Answered by [`Reply::Saved`](super::Reply::Saved).
    PushEnd,
    /// Question: state of a class. Answered by [`Reply::Class`](super::Reply::Class).
    Class {
        /// From zero.
        class: u8,
    },
    /// Command: forget one class; the others stay. Answered by [`Reply::Done`](super::Reply::Done).
    Forget {
        /// From zero.
        class: u8,
    },
    /// Command: take back the last example, block or [`Forget`](Self::Forget). Answered by [`Reply::Done`](super::Reply::Done).
    Undo,
    /// Command: [`Undo`](Self::Undo) goes back to here, until the next block or the first change after
    /// [`EndBlock`](Self::EndBlock). Answered by [`Reply::Done`](super::Reply::Done).
    BeginBlock,
    /// Command: the block is complete. Answered by [`Reply::Done`](super::Reply::Done).
    EndBlock,
    /// Command: rehearse stored vectors. Answered by [`Reply::Rehearsed`](super::Reply::Rehearsed).
    ///
    /// A device without a sensor never rehearses unasked: a host that repeats the commands computes the same bits.
    Rehearse {
        /// Vectors; all of them, once, if there are fewer.
        steps: u16,
    },
    /// Question: description of the sensor. Answered by [`Reply::Sensor`](super::Reply::Sensor).
    Sensor {
        /// Names to leave out: channels come first, then features.
        name: u16,
    },
    /// Question: recent samples. Answered by [`Reply::Samples`](super::Reply::Samples).
    Samples {
        /// Sequence number of the first sample that is wanted.
        from: u32,
    },
    /// Question: how is it going? Answered by [`Reply::State`](super::Reply::State).
    State,
    /// Command: the samples that follow are of this class, or of none. Answered by [`Reply::Done`](super::Reply::Done).
    Teach {
        /// From zero; none: the model is asked instead.
        class: Option<u8>,
    },
    /// Command: let this many more samples of a recording come. Answered by [`Reply::Playing`](super::Reply::Playing).
    Play {
        /// Go on from this sample of the recording, with a new window; none: where the last one ended.
        from: Option<u32>,
        /// Number of samples; all of them if there are fewer.
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

    /// A push of an image that nobody has signed.
    pub fn unsigned_push(len: u32) -> Self {
        Request::PushBegin {
            len,
            digest: &[],
            tag: &[],
        }
    }

    /// Permission that the request needs; none for [`Identify`](Self::Identify) and [`Status`](Self::Status).
    pub fn permission(&self) -> Option<Permission> {
        Some(match self {
            Request::Identify | Request::Status => return None,
            Request::Predict { .. } | Request::SelfTest | Request::Class { .. } => Permission::Ask,
            Request::Sensor { .. } | Request::State => Permission::Ask,
            Request::Learn { .. } | Request::Rehearse { .. } => Permission::Teach,
            Request::Undo | Request::BeginBlock | Request::EndBlock => Permission::Teach,
            Request::Forget { .. } | Request::Teach { .. } => Permission::Teach,
            Request::Play { .. } => Permission::Teach,
            Request::Save => Permission::Save,
            Request::Pull { .. } => Permission::Pull,
            Request::PushBegin { .. } | Request::PushPart { .. } => Permission::Push,
            Request::PushEnd => Permission::Push,
            Request::Load | Request::Arm | Request::Reset { .. } => Permission::Reset,
            Request::Samples { .. } => Permission::Samples,
        })
    }
}
