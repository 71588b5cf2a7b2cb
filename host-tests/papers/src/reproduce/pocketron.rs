//! The default learner: accuracy in the bytes of other learners, without a parameter to choose.

mod anomaly;
mod calibration;
mod classes;
mod detection;
mod drift;
pub mod few_shot;
mod further;
pub mod long_life;
mod rare;
mod runs;
mod streams;
mod table;
mod unknown;
pub mod watch;

pub use anomaly::Anomaly;
pub use calibration::Calibration;
pub use classes::Classes;
pub use drift::Drift;
pub use long_life::{Disturbance, LongLife};
pub use rare::Rare;
pub use table::Table;
pub use unknown::Unknown;
