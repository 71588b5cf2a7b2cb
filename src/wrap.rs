//! Learners around learners: feature scaling, confidence, concept drift.
//!
//! | wrapper | adds | bytes |
//! |---|---|---|
//! | [`Standardized<L, D>`](Standardized) | running standardisation of raw features | `8 D + 4` |
//! | [`confidence`] | probabilities, and whether an input is unknown | 8 and more |
//! | [`drift`] | notices concept drift, and reacts | 16 and more |
//!
//! Each is a learner again, and they nest.

pub mod confidence;
pub mod drift;
mod standardized;

pub use standardized::{Standardized, UNCUT, WARM_UP};
