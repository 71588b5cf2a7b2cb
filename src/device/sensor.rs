//! The optional sensor of a device.

use super::message::{ErrorReply, RawSamples, Reply, SensorInfo, SensorState};
use crate::sealed::Sealed;

/// Answers what a host asks about the sensor of a device with the model `L`.
///
/// There are two: [`NoSensor`], which refuses everything and takes no memory, and
/// [`SampleStream`](super::SampleStream).
pub trait Sensor<L>: Sealed {
    /// Whether there is one.
    const IS_THERE: bool;

    /// Its description. Names go to `scratch`, from this one on.
    fn info<'s>(&self, _name: u16, _scratch: &'s mut [u8]) -> Result<SensorInfo<'s>, ErrorReply> {
        Err(ErrorReply::NoSensor)
    }

    /// The samples from this sequence number on, as many as fit into `scratch`.
    fn samples<'s>(
        &self,
        _from: u32,
        _scratch: &'s mut [u8],
    ) -> Result<RawSamples<'s>, ErrorReply> {
        Err(ErrorReply::NoSensor)
    }

    /// How it is going; what lies in flash is not known here.
    fn state(&self, _model: &L) -> Result<SensorState, ErrorReply> {
        Err(ErrorReply::NoSensor)
    }

    /// The samples that follow are of this class, or of none.
    fn teach(&mut self, _model: &mut L, _class: Option<u8>) -> Result<(), ErrorReply> {
        Err(ErrorReply::NoSensor)
    }

    /// The line may not teach any more: the class that it taught ends with the next sample.
    fn end_teaching(&mut self) {}

    /// The model is another one: what was taught before is not to be saved any more.
    fn cancel_save(&mut self) {}

    /// This many samples of a recording may come.
    fn play(
        &mut self,
        _model: &mut L,
        _from: Option<u32>,
        _samples: u32,
    ) -> Result<Reply<'static>, ErrorReply> {
        Err(ErrorReply::NoSensor)
    }
}

/// The device has no sensor: examples come over the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoSensor;

impl Sealed for NoSensor {}

impl<L> Sensor<L> for NoSensor {
    const IS_THERE: bool = false;
}
