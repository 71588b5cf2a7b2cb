//! The host's end of the line to a device that learns.
//!
//! The layers, from bytes to meaning:
//!
//! | module | knows about |
//! |---|---|
//! | [`transport`], [`serial`], [`qemu`] | bytes that come in time or not at all |
//! | [`framing`] | where a message begins and ends, and whether it is intact |
//! | [`session`], [`pace`], [`statistics`] | numbers, the window, what to send again and when to give up |
//! | [`client`], [`transfer`], [`sensor`] | one method for each thing that a device can do |
//! | [`cli`] | `pocketron device` |
//!
//! [`pocketron::device::message`] describes the messages.

pub mod answer;
pub mod cli;
pub mod client;
pub mod error;
pub mod framing;
pub mod pace;
pub mod qemu;
pub mod sensor;
pub mod serial;
pub mod session;
pub mod statistics;
pub mod transfer;
pub mod transport;

pub use answer::{Answer, Identity, Prediction};
pub use client::Client;
pub use error::LinkError;
pub use pace::Timeouts;
pub use sensor::Sensor;
pub use session::Session;
pub use statistics::Statistics;
pub use transfer::Signer;
pub use transport::Transport;
