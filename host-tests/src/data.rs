//! Data files on the PC: from a name such as `sonar` to rows of numbers.
//!
//! The way of a set: [`Places`] finds its file, [`libsvm`] or [`csv`] reads it into a sparse
//! [`Dataset`] (labels and values in f64, as written), the [`catalogue`] supplies the feature count that the
//! file alone cannot tell, and [`Dataset::to_dense`] makes the matrix that learners and references
//! share. Scaling happens there in f64 ([`Standardizer`]); the step to f32 comes last
//! ([`Dense::to_f32`]), so that all sides round the same numbers once.
//!
//! ```
//! use pocketron_testkit::data::Places;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let sonar = Places::new(None).load("sonar")?.permuted(7);
//! let (train, test) = sonar.split(104)?;
//! let (train, scale) = train.to_dense()?.standardize()?;
//! let test = scale.apply(&test.to_dense()?)?.to_f32()?;
//! assert_eq!((train.len(), test.len(), test.dim), (104, 104, 60));
//! # Ok(())
//! # }
//! ```
//!
//! Samples of sensors, in the order of time, are a [`Recording`] instead.

pub mod catalogue;
pub mod csv;
pub mod dataset;
pub mod dense;
pub mod error;
pub mod find;
pub mod generate;
pub mod halfspace;
pub mod libsvm;
pub mod names;
pub mod recording;
pub mod rng;
pub mod row;
pub mod rows;
pub mod shuffle;
mod source;

pub use catalogue::{BinaryTask, Entry, Paper};
pub use dataset::Dataset;
pub use dense::{Dense, DenseData, Standardizer};
pub use error::DatasetError;
pub use find::{LoadError, NotFound, Places};
pub use libsvm::{Fault, ReadError};
pub use recording::{Recording, RecordingError};
pub use row::{Row, RowError, RowView};
pub use rows::Rows;
