//! The library's device, as large as this board wants it.

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

/// Begins with the model that was saved, if there is one.
pub fn start(
    learner: &'static mut Learner,
    store: Result<SlotRing<Flash>, StoreError>,
) -> Device<'static, Learner, Flash, FEATURES, FRAME, 2, Sensor> {
    let store = store.map_err(Into::into);
    let device = Device::new(learner, learner::reset, store, ThisBoard::WEAR);
    #[cfg(feature = "_recorded-sensor")]
    let device = device.with_sensor(super::accelerometer::stream());
    device
        .with_firmware(concat!("pocketron ", env!("CARGO_PKG_VERSION")))
        .with_window(WINDOW)
}
