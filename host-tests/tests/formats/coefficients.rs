//! Coefficients and moved vectors in fixed point.

use pocketron::{
    budget::Ranking,
    num::rng::XorShift32,
    prelude::*,
    storage::{
        Inline, SupportSet,
        point::{Feature, Rounding},
    },
};

type Whole = SupportSet<Inline<1, 8, i8>>;

#[test]
fn coefficients_are_off_by_less_than_their_unit_allows() {
    let mut set = Whole::new();
    let mut largest = 0.0_f32;
    let coefficients = [1.0, -0.3, 1e-3, 7.7, -200.0, 0.25, 3e4, -1.0];
    for alpha in coefficients {
        assert!(set.push(&[0], alpha));
        largest = largest.max(alpha.abs());
        for (found, alpha) in set.coefficients().zip(coefficients) {
            assert!(
                (found - alpha).abs() <= largest / 32_768.0,
                "{found} {alpha}"
            );
        }
    }
}

#[test]
fn unit_steps_are_exact_and_shrinking_costs_no_digit() {
    let mut set = Whole::new();
    for alpha in [1.0, -1.0, 1.0] {
        set.push(&[0], alpha);
    }
    assert!(set.coefficients().eq([1.0, -1.0, 1.0]));
    let before = set.stored().to_vec();
    for _ in 0..100 {
        set.scale(0.9);
    }
    assert_eq!(set.stored(), before);
    let shrunk = 0.9_f32.powi(100);
    assert!((set.alpha(1) + shrunk).abs() < 1e-4 * shrunk);
    // Beside a whole one, what is left of them is nearly nothing.
    set.push(&[0], 1.0);
    assert!(set.alpha(0).abs() <= 1.0 / 16_384.0, "{}", set.alpha(0));
    assert!(
        (set.alpha(3) - 1.0).abs() <= 1.0 / 32_768.0,
        "{}",
        set.alpha(3)
    );
    // Nothing shines through what was shrunk to nothing.
    set.scale(0.0);
    set.push(&[0], 2.0);
    assert!(set.coefficients().eq([0.0, 0.0, 0.0, 0.0, 2.0]));
}

/// A thousandth of the way is less than half a level: to the nearest nothing would ever move. The same operands again
/// and again, as in a stream that says the same, must not always round alike.
#[test]
fn a_small_share_is_gone_as_often_as_it_says() {
    const TIMES: u16 = 20_000;
    for (own, x, share) in [
        (0_i8, 20, 0.001_f32),
        (0, 20, 0.01),
        (-50, 3, 0.002),
        (70, -30, 0.3),
    ] {
        let alphas = (0..TIMES).map(|time| 500.0 + 0.9 * f32::from(time));
        let moved = alphas.map(|alpha| {
            let rounding = Rounding::Chance(alpha.to_bits());
            f32::from(own.blend(x, share, rounding) - own)
        });
        let mean = moved.sum::<f32>() / f32::from(TIMES);
        let expected = share * (f32::from(x) - f32::from(own));
        // Four standard errors of a chance.
        let off = 4.0 * (expected.abs().fract() / f32::from(TIMES)).sqrt();
        assert!(
            (mean - expected).abs() <= off + 1e-3 * expected.abs(),
            "{share}: {mean} {expected}"
        );
    }
    assert_eq!(5_i8.blend(-7, 0.0, Rounding::Chance(1)), 5);
}

/// A vector that 600 examples have made heavy is drawn to 4,000 others beside them, by a hundredth of a level at a time:
/// whole features get as far as `f32` does.
#[test]
fn a_heavy_centre_goes_as_far_in_whole_numbers() {
    /// Where it ends, in standard deviations.
    fn end<F: Feature>(seed: u32) -> f32
    where
        Gaussian: Ranking<F>,
    {
        let rule = MarginRule::new(1.0).with_margin(1e9);
        let kernel = Gaussian::new(0.5).expect("a width");
        let mut model = MergingPerceptron::<1, 1, F>::with_rule(kernel, rule);
        let mut rng = XorShift32::new(seed);
        for example in 0..4600 {
            let middle = if example < 600 { 0.0 } else { 0.6 };
            let x = middle + 0.04 * (rng.below(9) as f32 - 4.0);
            let x = [F::nearest(x, 1)];
            assert!(model.learn(&x, Sign::Pos).expect("finite").changed());
        }
        let [x] = model.support().point(0);
        // The level is found by what it is worth: the similarity to the origin.
        let score = model.score(&[F::nearest(0.0, 1)]).expect("finite");
        let alpha = model.support().alpha(0);
        let there = model.score(&[x]).expect("finite");
        assert!((there / alpha - 1.0).abs() < 1e-3);
        (-2.0 * (score / alpha).ln()).sqrt()
    }
    let (mut whole, mut exact) = (0.0, 0.0);
    for seed in 1..=100 {
        let there = end::<f32>(seed);
        assert!((end::<i16>(seed) - there).abs() < 0.01, "{seed}: {there}");
        exact += there / 100.0;
        whole += end::<i8>(seed) / 100.0;
    }
    // Whole steps of a level, 0.03, by chance: each end is off by one or two.
    assert!((whole - exact).abs() < 0.02, "{whole} {exact}");
    assert!(exact > 0.4, "{exact}");
}
