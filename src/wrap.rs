//! Learners around learners: feature scaling, confidence, replay, concept drift, undo.
//!
//! | wrapper | adds | bytes |
//! |---|---|---|
//! | [`Standardized<L, D>`](Standardized) | running standardisation of raw features | `8 D + 4` |
//! | [`confidence`] | probabilities, and whether an input is unknown | 8 and more |
//! | [`ExemplarReplay<L, D, C>`](ExemplarReplay) | examples that are replayed, held out, and tell what is unknown | at most `C (2 D (K + H) + 6) + D + 24` |
//! | [`drift`] | notices concept drift, and reacts | 16 and more |
//! | [`Undo<L>`](Undo) | takes back the last example or block | those of `L` and 4 |
//!
//! Each is a learner again, and they nest.

pub mod confidence;
pub mod drift;
mod exemplar_replay;
mod standardized;
mod undo;

pub use exemplar_replay::ExemplarReplay;
pub use standardized::{NO_CLAMP, Standardized, WARM_UP};
pub use undo::Undo;
