//! A device that learns over a serial line, free of hardware.

mod cobs;
pub mod frame;
pub mod message;
