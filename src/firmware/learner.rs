//! The learner of the firmware. Change it here, or at build time by the environment:
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `POCKETRON_FEATURES` | numbers per sample | 2 |
//! | `POCKETRON_BUDGET` | support vectors, shared by all classes | 64, micro:bit 32 |
//! | `POCKETRON_CLASSES` | classes, at least 2 | 4 |
//! | `POCKETRON_UNDO` | 1: the last example or block can be taken back; 0: it cannot | 1 |
//!
//! With a sensor there are 12 features of a window, 40 vectors and 7 classes.
//!
//! `build.rs` checks them. The model takes about `BUDGET * (FEATURES + CLASSES + 2) + 12 * FEATURES + 8 * CLASSES`
//! bytes of RAM, and twice that with undo, which keeps a copy. Its image is the same with and without.

use pocketron::persist::Blank;
#[cfg(feature = "_recorded-sensor")]
use pocketron::signal::Teachable;
#[cfg(not(feature = "_recorded-sensor"))]
use pocketron::{learners::PocketronMulti, wrap::confidence::Confident};

include!(concat!(env!("OUT_DIR"), "/learner.rs"));

/// The default learner: samples may come as the sensor gives them, and there is nothing to tune. Answers have a probability,
/// and say whether the sample is known.
#[cfg(not(feature = "_recorded-sensor"))]
type Model = Confident<PocketronMulti<FEATURES, BUDGET, CLASSES>, CLASSES>;

/// With a sensor, one that is taught by hand.
#[cfg(feature = "_recorded-sensor")]
type Model = Teachable<FEATURES, BUDGET, CLASSES>;

/// Half of the RAM is for the model, the rest for the stack, the queue and the device.
const _: () = assert!(
    size_of::<Learner>() <= super::board::RAM / 2,
    "the model is too large: set POCKETRON_UNDO=0, or lower POCKETRON_BUDGET, POCKETRON_CLASSES or POCKETRON_FEATURES"
);

/// A model that cannot be saved would be lost with the power. Its image is hardly larger than
/// itself: header, description and checksum. What can be taken back is not in it.
const _: () = assert!(
    size_of::<Model>() + 512 <= super::board::SLOT,
    "the model does not fit the board's flash: lower POCKETRON_BUDGET, POCKETRON_CLASSES or POCKETRON_FEATURES"
);

/// Makes the model as it was before the first example.
#[cfg_attr(
    feature = "_provoke-faults",
    expect(dead_code, reason = "the device of the fault injection learns nothing")
)]
pub fn reset(learner: &mut Learner) {
    *learner = Learner::BLANK;
}
