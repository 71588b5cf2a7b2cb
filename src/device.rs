//! A device that learns over a serial line, free of hardware.
//!
//! [`Device`] takes bytes and returns the bytes to be sent. It has no timers and no I/O, so it runs on a host as in a
//! firmware. Every byte is answered or skipped, also if bytes are lost, doubled or damaged; every command runs once.
//! [`frame`] and [`message`] are the messages, for hosts too; `docs/protocol.md` describes them for other languages.
//!
//! A board adds a UART, flash and a counter; [`RxQueue`] brings received bytes from the
//! interrupt to the loop, and [`Clock`] makes milliseconds of the counter. `docs/boards.md`
//! shows three boards.
//!
//! ```
//! use pocketron::device::message::{Floats, Message, Reply, Request};
//! use pocketron::device::{BoardStatus, Device, frame};
//! use pocketron::prelude::*;
//! use pocketron::persist::store::{RamFlash, SlotRing, WearLimit};
//!
//! type Model = Tightest<2, 20>;
//! /// Two features, frames of at most 255 bytes and a zero.
//! type Unit<'m> = Device<'m, Model, RamFlash<8>, 2, 256>;
//!
//! fn fresh(model: &mut Model) {
//!     *model = Tightest::new(Gaussian::constant(0.5));
//! }
//!
//! let mut model = Model::BLANK;
//! fresh(&mut model);
//! let store = SlotRing::mount(RamFlash::new(), 0..8192); // on a device: its flash
//! let once_a_minute = WearLimit::new(60_000, 10_000);
//! let mut device = Unit::new(&mut model, fresh, store.map_err(Into::into), once_a_minute);
//!
//! // A host writes a frame.
//! let features: Vec<u8> = [1.0_f32, 0.2].iter().flat_map(|x| x.to_le_bytes()).collect();
//! let body = Request::Learn { class: 1, features: Floats(&features) };
//! let mut buffer = [0; 256];
//! let request = frame::encode(&Message { number: 0, body }, &mut buffer).unwrap();
//!
//! // The device takes it byte by byte, and answers at its end.
//! let mut answer = None;
//! for byte in request {
//!     answer = device.receive(*byte, &BoardStatus::default()).map(<[u8]>::to_vec);
//! }
//! let mut answer = answer.expect("an answer");
//! assert_eq!(answer.pop(), Some(0));
//! let Message { number: 0, body: Reply::Learned(learned) } = frame::decode(&mut answer)? else {
//!     panic!("not the answer")
//! };
//! assert!(learned.mistake && learned.changed);
//! # Ok::<(), frame::FrameError>(())
//! ```

mod access;
mod board_status;
mod clock;
mod cobs;
mod command_sequence;
mod error_reply;
pub mod frame;
mod frame_buffer;
mod handler;
mod limits;
pub mod message;
mod model_store;
mod push;
mod push_check;
mod request_handler;
mod rx_queue;
mod sample_stream;
mod self_test;
mod sensor;
mod sensor_device;
#[cfg(feature = "auth")]
pub mod signature;
mod slice_writer;

pub use crate::classifier::{Confidence, RemoteModel};
pub use access::{Access, Unrestricted};
pub use board_status::BoardStatus;
pub use clock::Clock;
pub use handler::Device;
pub use limits::buffer_for;
pub use rx_queue::RxQueue;
pub use sample_stream::SampleStream;
pub use self_test::self_test;
pub use sensor::{NoSensor, Sensor};
