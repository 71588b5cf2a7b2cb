//! Messages about a sensor.

use postcard_schema::Schema;
use serde::{Deserialize, Serialize};

/// Channels, windows and features of a device with a sensor.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub struct SensorInfo<'a> {
    /// Numbers in a sample.
    pub channels: u8,
    /// Samples in a window.
    pub window: u16,
    /// Samples from the beginning of a window to that of the next.
    pub hop: u16,
    /// Numbers that the model gets of a window.
    pub features: u16,
    /// Samples a second, nominally; zero if unknown.
    pub rate: f32,
    /// Samples of the recording that stands for a sensor; none if the sensor is a real one.
    pub recording: Option<u32>,
    /// Names of the channels and then of the features, from the one that was asked for on, as many as there is room for. Each
    /// ends with a newline.
    pub names: &'a str,
}

/// Samples as the wire has them: two bytes for each number, little-endian, channel by channel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub struct RawSamples<'a> {
    /// Sequence number of the first, behind samples that the device has lost; that of the next if there are none.
    pub first: u32,
    /// Samples that were asked for but are no longer there.
    pub dropped: u32,
    /// The numbers.
    pub bytes: &'a [u8],
}

impl<'a> RawSamples<'a> {
    /// All numbers, in order.
    pub fn iter(self) -> impl Iterator<Item = i16> + 'a {
        let (numbers, _) = self.bytes.as_chunks();
        numbers.iter().map(|bytes| i16::from_le_bytes(*bytes))
    }
}

/// How a device with a sensor is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Schema)]
pub struct SensorState {
    /// The latest event.
    pub event: SensorEvent,
    /// Samples there were when it came.
    pub event_at: u32,
    /// Samples so far: sequence number of the next one.
    pub next: u32,
    /// The class that is being taught.
    pub teaching: Option<u8>,
    /// Replays still to be done after what was taught last.
    pub owed: u16,
    /// Whether the model would be lost with the power.
    pub unsaved: bool,
    /// Samples of a recording that have still to come.
    pub to_play: u32,
    /// Faults of the samples.
    pub quality: SampleQuality,
}

/// An event: a window was complete, or a button was used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SensorEvent {
    /// Nothing yet.
    #[default]
    Nothing,
    /// A window was taught.
    Teaching {
        /// Its class.
        class: u8,
        /// Windows of this block so far.
        windows: u16,
    },
    /// A block is complete.
    Taught {
        /// Its class.
        class: u8,
        /// Its windows.
        windows: u16,
    },
    /// A window like what was taught.
    Known {
        /// Its class.
        class: u8,
        /// Probability that the class is right, if the model is calibrated.
        probability: Option<f32>,
    },
    /// A window unlike everything that was taught.
    Unknown,
    /// A window came before anything was taught.
    NeedsFirstClass,
    /// A window came when a single class had been taught.
    NeedsSecondClass,
    /// A window came when more windows of what was taught were needed.
    NeedsMoreExamples,
}

/// Counts samples since the start, and those with which something was wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SampleQuality {
    /// Samples taken, those below included, lost ones not.
    pub samples: u32,
    /// Samples that the driver failed to give.
    pub lost: u32,
    /// Samples with a channel at the end of its range.
    pub saturated: u32,
    /// Samples that repeat the ones before for too long.
    pub constant: u32,
    /// Samples with a NaN or an infinity.
    pub non_finite: u32,
}

/// On which examples of a class its recall was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RecallKind {
    /// Stored vectors, each classified by the others.
    #[default]
    LeaveOneOut,
    /// Examples that were taught but not learned: held-out recall.
    HeldOut,
}
