//! The messages between host and device.
//!
//! The types are the specification: their postcard encoding goes over the wire,
//! and [`SCHEMA`] is a hash of their structure, so that two sides that speak
//! different versions notice it. Only the beginning of [`Identity`] is fixed for
//! ever: its place in [`Reply`], and its first field.

mod errors;
mod permissions;
mod reply;
mod request;
mod sensor;
mod status;

pub use errors::{ErrorReply, ImageErrorCode, StoreErrorCode};
pub use permissions::{Permission, Permissions};
pub use reply::{Identity, LearnWarning, Learned, Reply};
pub use request::Request;
pub use sensor::{RawSamples, RecallKind, SampleQuality, SensorEvent, SensorInfo, SensorState};
pub use status::{ClassStatus, DeviceStatus, Fault};

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
