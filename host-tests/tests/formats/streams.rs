//! Streams with fixed-point features, on the host and on the device.

use pocketron::{budget::Stop, prelude::*, storage::Inline, wrap::Standardized};
use pocketron_cli::learner::{Algorithm, Format, Settings, build_in};
use pocketron_testkit::kernel::AnyKernel;

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
