//! What the firmware learns with. Change it here, or at build time by the environment:
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `POCKETRON_FEATURES` | numbers per sample | 2 |
//! | `POCKETRON_BUDGET` | support vectors per class | 64, micro:bit 32 |
//! | `POCKETRON_CLASSES` | classes, at least 2 | 4 |
//! | `POCKETRON_GAMMA` | width of the Gaussian, `exp(-gamma * |a - b|^2)` | 1 |
//!
//! `build.rs` checks them. The model takes about `CLASSES * BUDGET * (4 * FEATURES + 4)`
//! bytes of RAM.

use pocketron::{
    kernel::Gaussian, learners::MergingPerceptron, memory::Blank, multiclass::OneVsRest,
    rule::MarginRule,
};

include!(concat!(env!("OUT_DIR"), "/learner.rs"));

/// One merging perceptron per class: the most accurate per byte, also when the stream drifts.
pub type Learner = OneVsRest<MergingPerceptron<FEATURES, BUDGET>, CLASSES>;

const KERNEL: Gaussian = Gaussian::constant(GAMMA);
const RULE: MarginRule = MarginRule::new(1.0).with_margin(1.0);

/// Half of the RAM is for the model, the rest for the stack, the queue and the device.
const _: () = assert!(
    size_of::<Learner>() <= super::board::RAM / 2,
    "the model is too large: lower POCKETRON_BUDGET, POCKETRON_CLASSES or POCKETRON_FEATURES"
);

/// Makes the model as it was before the first example.
#[cfg_attr(
    feature = "provoke-faults",
    expect(dead_code, reason = "the trial device learns nothing")
)]
pub fn reset(learner: &mut Learner) {
    *learner = Learner::BLANK;
    configure(learner);
}

/// A model that cannot be saved would be lost with the power. Its image is hardly larger than
/// itself: header, description and checksum.
const _: () = assert!(
    size_of::<Learner>() + 512 <= super::board::SLOT,
    "the model does not fit the board's flash: lower POCKETRON_BUDGET, POCKETRON_CLASSES or POCKETRON_FEATURES"
);

/// Gives the blank model its parameters.
pub fn configure(learner: &mut Learner) {
    // They are constants that the compiler has checked, and the model is blank. A model
    // without parameters would refuse every sample, so nothing could go unnoticed.
    let _ = learner.configure(KERNEL, RULE);
}
