//! Scores that a policy keeps for its vectors are those that its vectors have, however long it learns.

use pocketron::{learners::TightestCached, num::rng::XorShift32, prelude::*};

/// Examples on a coarse grid, as a sensor with few levels gives them: the same roundings come again and again.
fn example(rng: &mut XorShift32) -> ([f32; 2], Sign) {
    let level = |rng: &mut XorShift32| rng.below(4) as f32 * 0.37;
    let x = [level(rng), level(rng)];
    let label = if rng.below(2) == 0 {
        Sign::Neg
    } else {
        Sign::Pos
    };
    (x, label)
}

#[test]
fn a_cache_of_16_bits_does_not_make_them_drift() {
    const BUDGET: usize = 6;
    let kernel = Gaussian::constant(1.3);
    let mut model = TightestCached::<2, BUDGET, Gaussian, f32, u16>::new(kernel);
    let mut rng = XorShift32::new(5);
    let mut exchanges = 0;
    for _ in 0..60_000 {
        let (x, label) = example(&mut rng);
        let outcome = model.learn(&x, label).expect("good examples");
        exchanges += u32::from(outcome.admission.is_some_and(|one| one.evicted().is_some()));
    }
    assert!(exchanges > 5_000, "{exchanges}");
    let hypothesis = model.hypothesis();
    for slot in 0..BUDGET {
        let kept = hypothesis.policy().score(slot).expect("a score");
        let own = hypothesis.support().point(slot);
        let score = model.score(&own).expect("good");
        // One rounding by 2^-16 for each other vector, and what single precision loses.
        let bound = BUDGET as f32 / 65_536.0 + 1e-4;
        assert!((kept - score).abs() <= bound, "{slot}: {kept} {score}");
    }
}
