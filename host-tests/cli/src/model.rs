//! Models out of their images, run on the host.
//!
//! An image says what it is of, as text; that text is read ([`shape`]), the same
//! learner is put together over memory on the heap ([`binary`], [`classes`], with
//! the [`parts`] chosen at run time) with the core's [`wrappers`] around it, and the image restores it bit for bit. What
//! it learns here, a device that gets its image back has learned.
//!
//! ```
//! use pocketron::{persist, prelude::*};
//! use pocketron_cli::model::{HostModel, image_of};
//!
//! let mut device = Tightest::<2, 20>::new(Gaussian::constant(0.5));
//! device.learn(&[1.0, 0.0], Sign::Pos)?;
//!
//! let mut model = HostModel::open(&image_of(&device))?;
//! assert_eq!(model.features(), 2);
//! model.learn(&[-1.0, 0.5], 0)?; // class 0 is negative, class 1 positive
//! device.learn(&[-1.0, 0.5], Sign::Neg)?;
//! persist::restore(&mut device, &mut &*model.image())?; // nothing changes
//! assert_eq!(model.predict(&[0.3, 0.3])?.score, device.score(&[0.3, 0.3])?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod binary;
mod boxed;
pub mod classes;
pub mod cli;
mod copies;
pub mod default_learner;
pub mod export;
pub mod file;
mod host_model;
mod image_header;
mod model_info;
pub mod parts;
pub mod predictor;
pub mod shape;
pub mod wrappers;

pub use boxed::{BoxedLearner, DynLearner};
pub use file::{Description, ModelFile};
pub use host_model::{HostModel, Model};
pub use image_header::{ImageHeader, image_of};
pub use model_info::{ModelInfo, parameters};
pub use shape::{Shape, UnknownShape};
pub use wrappers::Build;
