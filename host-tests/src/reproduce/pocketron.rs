//! The default learner: accuracy in the bytes of other learners, without a parameter to choose.

mod calibration;
mod drift;
mod classes;
mod detection;
mod further;
mod rare;
mod runs;
mod streams;
mod table;
mod unknown;

pub use calibration::Calibration;
pub use drift::Drift;
pub use classes::Classes;
pub use rare::Rare;
pub use table::Table;
pub use unknown::Unknown;
