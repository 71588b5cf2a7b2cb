//! Does this machine calculate as all the others?

use core::hint::black_box;

use crate::{
    classifier::OnlineClassifier as _,
    kernel::Gaussian,
    label::Sign,
    learners::MergingPerceptron,
    num::{
        math::{Fast, Math},
        rng::XorShift32,
    },
    persist::checksum::Checksum,
    rule::MarginRule,
};

/// Examples, of which most find the model full.
const EXAMPLES: u32 = 40;

/// Lets a small model learn, and hashes every score that it gives on the way.
///
/// The same on every machine: exponentials, merging, divisions and square roots all
/// have a part in it. Another hash means a processor, a compiler or a memory that
/// makes mistakes.
///
/// ```
/// assert_eq!(pocketron::device::self_test(), 0xC772_9998);
/// ```
pub fn self_test() -> u32 {
    let rule = MarginRule::new(1.0).with_margin(1.0);
    let mut model = MergingPerceptron::<2, 6>::with_rule(Gaussian::constant(1.5), rule);
    // Not to be computed by a compiler.
    let mut random = XorShift32::new(black_box(1));
    let mut coordinate = || random.below(2048) as f32 / 1024.0 - 1.0;
    let mut hash = Checksum::new();
    for _ in 0..EXAMPLES {
        let (x, y) = (coordinate(), coordinate());
        let distance = Fast::sqrt(x * x + y * y);
        let label = Sign::of(distance - 0.7);
        // An example that is refused would leave its mark, too.
        let score = model.learn(&[x, y / (distance + 0.5)], label);
        let score = score.map_or(f32::NAN, |outcome| outcome.score);
        hash.update(&score.to_bits().to_le_bytes());
    }
    hash.finish()
}
