//! A device that learns over a serial line, free of hardware.

pub mod frame;
pub mod message;
