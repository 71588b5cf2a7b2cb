//! Khardon and Wachman: margins, soft margins and votes against noise.

mod average;
mod credit;
mod dominance;
mod folds;
mod lesson;
mod machines;
mod optimise;
mod pictures;
mod problem;
mod products;
mod rows;
mod search;
mod setting;
mod task;
mod training_size;

pub use average::Average;
pub use credit::LambdaUnits;
pub use dominance::Dominance;
pub use optimise::{LargeOptimisation, Optimisation};
pub use pictures::{Landscape, LearningCurve};
pub use search::{ArtificialSearch, Search};
pub use training_size::TrainingSize;
