//! Limits of frames and messages.
//!
//! Lengths count the longest encodings: five bytes for a `u32`, three for a length
//! or a `u16`, ten for a `u64`, one for a tag.

use super::frame::frame_len;

/// Number and tag, with which every message begins.
const BEGINNING: usize = 5 + 1;

/// [`DeviceStatus`](super::message::DeviceStatus): the time, 15 numbers, two that may be missing, the
/// fault, why it began fresh, two bits, and a `u16` that may be missing.
const STATUS: usize = BEGINNING + 10 + 15 * 5 + 2 * 6 + 6 + 7 + 2 + 4;

/// [`Identity`](super::message::Identity) without its texts.
const IDENTITY: usize = BEGINNING + 8 + 2 * 3 + 3 * 5 + 4 * 3 + 1 + 5 + 6 + 1 + 6;

/// [`Part`](super::message::Reply::Part) without its bytes.
const PART: usize = BEGINNING + 5 + 5 + 3;

/// [`Sensor`](super::message::Reply::Sensor) without its names.
const SENSOR: usize = BEGINNING + 1 + 3 * 3 + 4 + 6 + 3;

/// [`Samples`](super::message::Reply::Samples) without the samples.
const SAMPLES: usize = BEGINNING + 5 + 5 + 3;

/// The smallest buffer for frames of a device: for the model's examples, the scores of
/// its classes, and the longest of the other messages.
///
/// ```
/// use pocketron::device::buffer_for;
/// assert!(buffer_for(3, 2) <= 128); // a status is the longest
/// assert_eq!(buffer_for(64, 2), 273);
/// ```
pub const fn buffer_for(features: usize, classes: usize) -> usize {
    let learn = BEGINNING + 1 + 3 + 4 * features;
    let predicted = BEGINNING + 1 + 4 + 3 + 4 * classes + 5 + 2;
    let mut longest = STATUS;
    if longest < learn {
        longest = learn;
    }
    if longest < predicted {
        longest = predicted;
    }
    frame_len(longest)
}

/// Most bytes of an image in one message, with frames of `frame` bytes.
pub(super) const fn part(frame: usize) -> usize {
    message(frame).saturating_sub(PART)
}

/// Bytes that the names of a sensor's channels and features may have in one message.
pub(super) const fn names(frame: usize) -> usize {
    message(frame).saturating_sub(SENSOR)
}

/// Bytes of samples in one message.
pub(super) const fn samples(frame: usize) -> usize {
    message(frame).saturating_sub(SAMPLES)
}

/// Bytes that the texts of an identity may have together.
pub(super) const fn texts(frame: usize) -> usize {
    message(frame).saturating_sub(IDENTITY)
}

/// The longest message in a frame of `frame` bytes, its final zero included.
const fn message(frame: usize) -> usize {
    let mut len = frame;
    while len > 0 && frame_len(len) > frame {
        len -= 1;
    }
    len
}
