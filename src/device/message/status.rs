//! Status of a device and of its classes.

use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

use super::{errors::ErrorReply, sensor::RecallKind};

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
    /// Kind of these vectors.
    pub kind: RecallKind,
}

/// Status of a device.
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
