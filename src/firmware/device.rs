//! The library's device, as large as this board wants it.
//!
//! Two variables of the environment say at build time what its line may do:
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `POCKETRON_PERMISSIONS` | `ask`, `teach` (which includes asking and saving) or `all` | `all` |
//! | `POCKETRON_KEY` | file with 64 hexadecimal digits: only images signed with this key can be pushed; needs the feature `auth`, without which it is an error | no key |
//!
//! This firmware is for development, where access to the line is access to the device. `docs/security.md` says what is right for a product.

#[cfg(restricted_line)]
use pocketron::device::message::Permissions;
use pocketron::{
    device::{Device, buffer_for, frame::frame_len},
    persist::store::{SlotRing, StoreError},
};

use super::{
    Flash,
    board::{Board, ThisBoard},
    learner::{self, CLASSES, FEATURES, Learner},
    rx_queue,
};

/// Room for the texts of an identity, even if the examples are short.
const FRAME: usize = {
    let least = buffer_for(FEATURES, CLASSES);
    if least > 320 { least } else { 320 }
};

/// Examples that the receive queue can hold while the device is busy.
const WINDOW: u8 = {
    let example = frame_len(4 * FEATURES + 10);
    let window = rx_queue::CAPACITY / example;
    if window > 32 { 32 } else { window as u8 }
};

#[cfg(not(feature = "_recorded-sensor"))]
type Sensor = pocketron::device::NoSensor;
#[cfg(feature = "_recorded-sensor")]
type Sensor = pocketron::device::SampleStream<3, { super::accelerometer::KEPT }>;

#[cfg(not(restricted_line))]
type Access = pocketron::device::Unrestricted;
#[cfg(restricted_line)]
type Access = Permissions;

include!(concat!(env!("OUT_DIR"), "/access.rs"));

/// Begins with the model that was saved, if there is one.
pub fn start(
    learner: &'static mut Learner,
    store: Result<SlotRing<Flash>, StoreError>,
) -> Device<'static, Learner, Flash, FEATURES, FRAME, 2, Sensor, Access> {
    let store = store.map_err(Into::into);
    let device = Device::new(learner, learner::reset, store, ThisBoard::WEAR);
    #[cfg(feature = "_recorded-sensor")]
    let device = device.with_sensor(super::accelerometer::stream());
    #[cfg(restricted_line)]
    let device = device.with_permissions(PERMISSIONS);
    #[cfg(feature = "auth")]
    let device = device.with_key(&KEY);
    device
        .with_firmware(concat!("pocketron ", env!("CARGO_PKG_VERSION")))
        .with_window(WINDOW)
}
