//! Saves a model in flash, safe against power cuts.
//!
//! [`SlotRing`] holds the newest of your models in NOR flash. A save goes to another
//! slot than the one that holds the newest image, is read back, and counts only when
//! a header and a mark, written last, have been read back too. Cut the power at any
//! instant: the next mount finds the old model or the new one, complete, and the new
//! one for certain once `save` has returned. It never finds a mix.
//!
//! A payload is opaque here: bytes with a `shape`, a number that says which
//! kind of model can read them. It is streamed in pieces of at most 256 bytes, so that
//! a model need not be in memory twice.
//!
//! ```
//! use pocketron::persist::store::{RamFlash, SlotRing, StoreError};
//!
//! const SHAPE: u32 = 0x7C15_0A3E; // says what the bytes mean
//! let mut flash = RamFlash::<8>::new(); // on a device: the driver of its flash
//!
//! let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..8192)?; // two slots of 4 KB
//! assert_eq!(ring.newest(), None);
//! ring.save_slice(SHAPE, b"first model")?;
//! ring.save_slice(SHAPE, b"second model")?;
//!
//! // After a reset:
//! let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..8192)?;
//! let mut model = [0; 32];
//! let len = ring.load_slice(SHAPE, &mut model)?;
//! assert_eq!(&model[..len], b"second model");
//! assert_eq!(ring.load_slice(SHAPE + 1, &mut model), Err(StoreError::Shape(SHAPE)));
//! # Ok::<(), StoreError>(())
//! ```
//!
//! Flash wears out: [`WearLimit`] decides whether a save may happen at all, and
//! [`StoreStatus::wear`] tells how far it has come.
//!
//! The bytes, and why each instant of a save is safe, are written down in
//! `docs/store.md`.

mod buffer;
mod error;
mod header;
mod layout;
mod limit;
mod model;
mod opened;
mod pending_image;
mod ram;
mod ring;
mod room;
mod update;

pub use embedded_storage::nor_flash;
pub use error::{Interrupted, LoadError, StoreError};
pub use limit::{WearError, WearLimit};
pub use opened::Opened;
pub use pending_image::PendingImage;
pub use ram::RamFlash;
pub use ring::{SlotRing, StoreStatus, StoredImage};
pub use update::LoadedImage;
