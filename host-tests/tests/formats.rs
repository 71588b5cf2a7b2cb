//! Whole numbers: what they promise of their errors, and that nothing overflows.

use pocketron::{
    budget::{Ranking, Stop},
    kernel::{Kernel, KernelIn},
    num::{
        Base, Fixed, Number,
        math::power::{FRACTION, RESULT, half_to_the},
        rng::XorShift32,
    },
    persist::Restart as _,
    prelude::*,
    storage::{
        Inline, SupportSet,
        point::{Feature, Rounding},
        scale::{Moments, RunningScale},
    },
    wrap::Standardized,
};
use pocketron_cli::learner::{Algorithm, Format, Settings, build_in};
use pocketron_testkit::kernel::AnyKernel;

/// Largest relative error of the exponential, and what it is off by at most otherwise.
const RELATIVE: f64 = 7e-5;
const UNIT: f64 = 1.0 / (1_u32 << RESULT) as f64;

#[test]
fn the_power_of_a_half_is_right_for_every_exponent() {
    // The digits below are not looked at.
    let ignored = FRACTION - 16;
    let mut last = u32::MAX;
    for top in 0..1_u32 << (32 - ignored) {
        let t = top << ignored;
        let found = half_to_the(t);
        assert!(found <= last, "{t}");
        assert_eq!(found, half_to_the(t | ((1 << ignored) - 1)), "{t}");
        last = found;
        for t in [t, t | ((1 << ignored) - 1)] {
            let exact = (-f64::from(t) / f64::from(1 << FRACTION)).exp2();
            let error = (f64::from(found) * UNIT - exact).abs();
            assert!(error <= RELATIVE * exact + UNIT, "{t}: {error}");
        }
    }
    assert_eq!((half_to_the(0), last), (1 << RESULT, 0));
}

#[test]
fn the_whole_gaussian_is_the_gaussian_for_every_width() {
    for exponent in -20..20 {
        for mantissa in [1.0, 1.3, 1.82, 1.999_999] {
            let gamma = mantissa * 2_f32.powi(exponent);
            let kernel = Gaussian::new(gamma).expect("a width");
            let step = i8::step(16);
            let mut distances: Vec<i32> = (0..31).map(|digit| 1 << digit).collect();
            distances.extend(0..1000);
            distances.push(i32::MAX);
            distances.sort_unstable();
            let mut row: Vec<Fixed> = distances.iter().map(|d| Fixed::from_raw(*d)).collect();
            KernelIn::<i8>::map_in(&kernel, step, &mut row);
            assert!(row.is_sorted_by(|a, b| a >= b), "{gamma}");
            for (distance, similarity) in distances.iter().zip(row) {
                let exact = kernel_of(gamma, step, *distance);
                let error = (f64::from(similarity.value()) - exact).abs();
                // The rate has 16 digits, the distance as many as go with it.
                let bound = RELATIVE * exact + 2.0 * UNIT + 2e-4 * exact;
                assert!(error <= bound, "{gamma} {distance}: {error}");
            }
            assert_eq!(kernel.own_with(|| 7.0), 1.0);
        }
    }
}

fn kernel_of(gamma: f32, step: f32, distance: i32) -> f64 {
    (-f64::from(gamma) * f64::from(step).powi(2) * f64::from(distance)).exp()
}

#[test]
fn no_base_number_overflows() {
    fn try_with<F: Feature>(dim: usize, low: F, high: F) {
        let (a, b) = (vec![low; dim], vec![high; dim]);
        // With overflow checks on, reaching the end is the proof.
        for base in [Base::Product, Base::Distance] {
            base.of_pair(&a, &b);
            base.of_pair(&a, &a);
        }
    }
    for dim in [1, 2, 3, 16, 64, 100, 256, 784, 10_000, 33_025] {
        try_with(dim, i8::MIN, i8::MAX);
        let largest = i16::nearest(f32::MAX, dim);
        assert!(largest >= 127 && largest.fits(dim) && !(largest + 1).fits(dim));
        try_with(dim, -largest, largest);
        let mut x = vec![0; dim];
        x[dim - 1] = largest + 1;
        assert!(i16::check(&x).is_err(), "{dim}");
    }
}

#[test]
fn the_rank_of_a_partner_is_the_root_of_its_loss() {
    let (step, gamma) = (i8::step(1), 1.0);
    let kernel = Gaussian::constant(gamma);
    let weakest: i16 = 1000;
    let rank = Ranking::<i8>::ranking(&kernel, step, weakest);
    for partner in [1000_i16, 1100, 1500, 2500, 6000, 15_000, 32_000] {
        for distance in [1, 10, 50, 100, 300, 700, 1000, 1500, 3000, 10_000] {
            let found = f64::from(rank(partner, Fixed::from_raw(distance)));
            let k = kernel_of(gamma, step, distance);
            let exact = best_loss(k, f64::from(partner) / f64::from(weakest)).sqrt();
            // 19 digits of what is missing to one, 12 of the table.
            let found = found / 2_f64.powi(19 + 12);
            let error = (found - exact).abs();
            assert!(
                error <= 0.02 * exact + 2e-5,
                "{partner} {distance}: {found} {exact}"
            );
        }
    }
}

/// Loss of the best of many mergers, for coefficients 1 and `ratio`.
fn best_loss(k: f64, ratio: f64) -> f64 {
    let kept = |h: f64| k.powf((1.0 - h) * (1.0 - h)) + ratio * k.powf(h * h);
    let best = (0..=100_000).map(|step| kept(f64::from(step) / 1e5));
    let best = best.fold(0.0, f64::max);
    (1.0 + ratio * ratio + 2.0 * ratio * k - best * best).max(0.0)
}

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

#[test]
fn a_scale_has_the_moments_of_all_that_it_saw() {
    let x = |i: u32| [1e3 + (i * i % 17) as f32, -0.01 * (i % 5) as f32, 7.0];
    let mut scale = RunningScale::<[Moments; 3]>::new();
    for i in 0..500 {
        scale.update(&x(i)).expect("finite");
    }
    for feature in 0..3 {
        let values: Vec<f64> = (0..500).map(|i| x(i)[feature].into()).collect();
        let mean = values.iter().sum::<f64>() / 500.0;
        let squares = values.iter().map(|value| (value - mean).powi(2));
        let variance = squares.sum::<f64>() / 500.0;
        let found = scale.moments()[feature];
        assert!((f64::from(found.mean) - mean).abs() <= 1e-6 * mean.abs());
        assert!(
            (f64::from(found.variance) - variance).abs() <= 1e-3 * variance,
            "{found:?} {variance}"
        );
    }
    let before = scale;
    assert!(scale.update(&[0.0, f32::NAN, 0.0]).is_err());
    assert!(scale.update(&[0.0, 0.0]).is_err());
    assert_eq!(scale, before);
    // What never varied tells nothing, wherever it goes; the rest ends at four deviations.
    let (mut bytes, mut words) = ([1_i8; 3], [1_i16; 3]);
    scale.apply(&[1e9, -1e9, 1e9], &mut bytes);
    scale.apply(&[1e9, -1e9, 1e9], &mut words);
    assert_eq!(bytes, [127, -127, 0]);
    assert_eq!(
        words.map(|word| f32::from(word) * i16::step(3)),
        [4.0, -4.0, 0.0]
    );
    let frozen = scale.frozen();
    for i in 0..500 {
        scale.apply(&x(i), &mut bytes);
        assert_eq!(frozen.apply::<i8>(&x(i)), bytes);
    }
}

/// A feature that is as often low as high, one apart from the middle.
fn beat(n: u32) -> f32 {
    if n.is_multiple_of(2) { 1.0 } else { -1.0 }
}

fn deviation(scale: &RunningScale<[Moments; 1]>) -> f32 {
    scale.moments()[0].variance.sqrt()
}

#[test]
fn a_scale_is_as_good_after_a_month_as_after_a_minute() {
    let mut scale = RunningScale::<[Moments; 1]>::new();
    // Sums of squares would have stopped to grow, and counts gone on.
    for n in 0..1 << 26 {
        scale.update(&[beat(n)]).expect("finite");
    }
    let found = deviation(&scale);
    assert!((found - 1.0).abs() < 1e-3, "{found}");
}

#[test]
fn a_value_that_was_read_wrong_once_is_forgotten() {
    for spike in [65535.0, -4.2e9, 3e38] {
        let mut scale = RunningScale::<[Moments; 1]>::new();
        for n in 0..20_000 {
            let x = if n == 5000 { spike } else { beat(n) };
            scale.update(&[x]).expect("finite");
        }
        let found = deviation(&scale);
        assert!((0.9..1.2).contains(&found), "{spike}: {found}");
    }
}

#[test]
fn what_is_far_away_now_and_then_keeps_its_size() {
    let mut scale = RunningScale::<[Moments; 1]>::new();
    let x = |n: u32| {
        if n.is_multiple_of(1000) {
            100.0
        } else {
            0.01 * beat(n)
        }
    };
    for n in 0..100_000 {
        scale.update(&[x(n)]).expect("finite");
    }
    let found = deviation(&scale);
    assert!(
        (found / 0.001_f32.sqrt() / 100.0 - 1.0).abs() < 0.1,
        "{found}"
    );
}

#[test]
fn a_scale_follows_a_sensor_whose_zero_has_moved() {
    let mut scale = RunningScale::<[Moments; 1]>::new();
    for n in 0..1_000_000 {
        scale.update(&[beat(n)]).expect("finite");
    }
    let after = |scale: &RunningScale<[Moments; 1]>, examples: u32| -> [i8; 2] {
        let mut scale = *scale;
        for n in 0..examples {
            scale.update(&[beat(n) + 10.0]).expect("finite");
        }
        let mut levels = [[0_i8]; 2];
        for (level, x) in levels.iter_mut().zip([9.0, 11.0]) {
            scale.apply_within(2.5, &[x], level);
        }
        levels.map(|[level]| level)
    };
    // By itself in the course of some ten thousand examples; anew at once.
    let [low, high] = after(&scale, 1000);
    assert!(high - low < 20, "{low} {high}");
    let [low, high] = after(&scale, 60_000);
    assert!(high - low > 45, "{low} {high}");
    scale.restart();
    let [low, high] = after(&scale, 20);
    assert!(high - low > 45, "{low} {high}");
}

/// A wavy border between two noisy classes; raw features of very different sizes.
fn stream(count: u32) -> Vec<([f32; 2], Sign)> {
    let mut rng = pocketron::num::rng::XorShift32::new(5);
    let mut uniform = move || rng.below(1 << 20) as f32 / (1 << 20) as f32;
    let mut stream = Vec::new();
    for _ in 0..count {
        let (a, b) = (uniform(), uniform());
        let above = b > 0.5 + 0.3 * (9.0 * a).sin();
        let label = if above != (uniform() < 0.1) {
            Sign::Pos
        } else {
            Sign::Neg
        };
        stream.push(([1e4 * a, 20.0 + 0.1 * b], label));
    }
    stream
}

#[test]
fn heap_and_fixed_memory_give_the_same_bits() {
    const B: usize = 70; // more than a block of a prediction
    let kernel = Gaussian::constant(3.0);
    let settings = Settings {
        kernel: Some(AnyKernel::Gaussian(kernel)),
        budget: Some(B),
        margin: 1.0,
        seed: 3,
        tolerance: 0.0,
        aggressiveness: 1.0,
        lambda: Some(0.01),
    };
    let margin = MarginRule::new(1.0).with_margin(1.0);
    macro_rules! same {
        ($format:ident, $algorithm:ident, $learner:expr) => {{
            let mut fixed = Standardized::<_, 2>::of($learner);
            let algorithm = Algorithm::$algorithm;
            let heap = build_in(Format::$format, algorithm, &settings, 2, 900);
            let mut heap = heap.expect("good settings");
            for (i, (x, label)) in stream(900).iter().enumerate() {
                let [a, b] = [fixed.learn(x, *label), heap.learn(x, *label)];
                assert_eq!(a.expect("good"), b.expect("good"), "{algorithm:?} {i}");
            }
            for (x, _) in stream(50) {
                let score = heap.score(&x).expect("good");
                let there = pocketron::classifier::Scorer::score(&fixed, &x).expect("good");
                assert_eq!(score.to_bits(), there.to_bits());
            }
        }};
    }
    macro_rules! formats {
        ($($format:ident $feature:ty),*) => { $(
            type Model<P> = KernelPerceptron<Gaussian, P, Inline<2, B, $feature>, MarginRule>;
            same!($format, Stoptron, Model::<Stop>::with_rule(kernel, margin));
            let random = pocketron::budget::Random::new(3);
            same!($format, Random, Model::with_policy(kernel, random, margin));
            let forget = pocketron::budget::Forget::new();
            same!($format, Forgetron, Model::with_policy(kernel, forget, margin));
            type Least = pocketron::budget::LeastLoss<Inline<2, B, $feature>>;
            same!($format, Tightest, Model::<Least>::with_rule(kernel, margin));
            let merge = MergingPerceptron::<2, B, $feature>::with_rule(kernel, margin);
            same!($format, Merge, merge);
            let shrinking = Shrinking::new(0.01).expect("lambda");
            same!($format, Bsgd, Bsgd::<2, B, $feature>::with_rule(kernel, shrinking));
        )* };
    }
    {
        formats!(I8 i8);
    }
    {
        formats!(I16 i16);
    }
    // Its width is the usual one in both.
    let usual = Gaussian::constant(1.5);
    let settings = Settings {
        kernel: Some(AnyKernel::Gaussian(usual)),
        ..settings
    };
    let mut fixed = Pocketron::<2, B>::new();
    let heap = build_in(Format::I8, Algorithm::Pocketron, &settings, 2, 3000);
    let mut heap = heap.expect("good settings");
    for (i, (x, label)) in stream(3000).iter().enumerate() {
        let [a, b] = [fixed.learn(x, *label), heap.learn(x, *label)];
        assert_eq!(a.expect("good"), b.expect("good"), "pocketron {i}");
    }
}

#[test]
fn whole_numbers_learn_what_floating_point_learns() {
    let rows = stream(18_000);
    let (train, test) = rows.split_at(15_000);
    let right = |train: &[([f32; 2], Sign)],
                 learner: &mut dyn FnMut(&[f32; 2], Option<Sign>) -> Sign| {
        for (x, label) in train {
            learner(x, Some(*label));
        }
        let right = test.iter().filter(|(x, label)| learner(x, None) == *label);
        right.count() as f64 / test.len() as f64
    };
    let margin = MarginRule::new(1.0).with_margin(1.0);
    let kernel = Gaussian::constant(2.0);
    macro_rules! accuracy {
        ($feature:ty) => {{
            let accuracies = train.chunks(3000).map(|part| {
                let merging = MergingPerceptron::<2, 20, $feature>::with_rule(kernel, margin);
                let mut model = Standardized::<_, 2>::of(merging);
                right(part, &mut |x, label| match label {
                    Some(label) => model.learn(x, label).expect("good").predicted,
                    None => model.predict(x).expect("good"),
                })
            });
            accuracies.sum::<f64>() / 5.0
        }};
    }
    let found: [f64; 3] = [accuracy!(f32), accuracy!(i16), accuracy!(i8)];
    assert!(found[0] > 0.8, "{found:?}");
    for whole in &found[1..] {
        assert!((whole - found[0]).abs() < 0.02, "{found:?}");
    }
}

#[test]
fn a_prediction_sees_what_the_next_learning_step_sees() {
    let merging = MergingPerceptron::<2, 10, i8>::with_rule(
        Gaussian::constant(1.0),
        MarginRule::new(1.0).with_margin(1.0),
    );
    let mut model = Standardized::<_, 2>::of(merging);
    for (i, (x, label)) in stream(200).iter().enumerate() {
        let foreseen = model.predict(x).expect("good");
        let outcome = model.learn(x, *label).expect("good");
        assert_eq!(outcome.predicted, foreseen, "{i}");
        assert!(model.learn(&[f32::NAN, 0.0], *label).is_err());
        assert_eq!(model.scale().seen() as usize, i + 1);
    }
}
