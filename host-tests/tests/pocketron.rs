//! The default learner: what it promises without a parameter.

use pocketron::{
    budget::Merging,
    kernel::ArdGaussian,
    label::Sign,
    learners::continual::Update as _,
    prelude::*,
    storage::{Features, Inline},
};
use pocketron_testkit::data::{DenseData, generate::Artificial, shuffle::SplitMix64};

fn examples<const D: usize>(data: &DenseData) -> Vec<([f32; D], Sign)> {
    let data = data.to_f32().expect("finite");
    let example = |(x, label): (&[f32], f64)| (x.try_into().unwrap(), Sign::of(label as f32));
    data.iter().map(example).collect()
}

/// Share of test examples that are right after one pass.
fn accuracy<const D: usize, const B: usize>(
    model: &mut Pocketron<D, B>,
    train: &[([f32; D], Sign)],
    test: &[([f32; D], Sign)],
) -> f64 {
    for (x, label) in train {
        model.learn(x, *label).expect("good");
    }
    let right = test
        .iter()
        .filter(|(x, label)| model.predict(x) == Ok(*label));
    right.count() as f64 / test.len() as f64
}

#[test]
fn features_that_tell_nothing_lose_their_weight() {
    let mut rng = SplitMix64::new(7);
    let mut even = || rng.below(1000) as f32 / 500.0 - 1.0;
    let mut draw = |n: usize| -> Vec<([f32; 6], Sign)> {
        let mut one = || {
            let x: [f32; 6] = std::array::from_fn(|_| even());
            // A ring in the first two features.
            let label = Sign::of(x[0] * x[0] + x[1] * x[1] - 0.6);
            (x, label)
        };
        (0..n).map(|_| one()).collect()
    };
    let (train, test) = (draw(6000), draw(2000));
    let mut model = Pocketron::<6, 60>::new();
    let right = accuracy(&mut model, &train, &test);
    assert!(right > 0.93, "{right}");
    let kernel = model.kernel();
    let weights: Vec<f32> = kernel.weights().collect();
    let telling = weights[..2].iter().copied().fold(f32::INFINITY, f32::min);
    let idle = weights[2..].iter().copied().fold(0.0, f32::max);
    assert!(telling > 2.0 * idle, "{weights:?}");
}

#[test]
fn a_single_feature_gets_as_narrow_as_it_must() {
    let mut rng = SplitMix64::new(11);
    let mut draw = |n: usize| -> Vec<([f32; 1], Sign)> {
        let mut one = || {
            let x = rng.below(8_000) as f32 / 1000.0;
            (
                [x],
                Sign::of(if (x as u32).is_multiple_of(2) {
                    1.0
                } else {
                    -1.0
                }),
            )
        };
        (0..n).map(|_| one()).collect()
    };
    let (train, test) = (draw(8000), draw(2000));
    let mut model = Pocketron::<1, 40>::new();
    let right = accuracy(&mut model, &train, &test);
    assert!(right > 0.9, "{right}");
    let kernel = model.kernel();
    let weights: Vec<f32> = kernel.weights().collect();
    assert!(weights[0] > 2.0, "{weights:?}");
}

#[test]
fn a_large_model_finds_the_width_in_spite_of_wrong_labels() {
    let train: Vec<([f32; 2], Sign)> = examples(&Artificial::NoisyCheckerboard.draw(10_000, 71));
    let test = examples(&Artificial::Checkerboard.draw(3000, 72));
    let mut model = Pocketron::<2, 300>::new();
    let right = accuracy(&mut model, &train, &test);
    assert!(right > 0.9, "{right}");
    // Fields are 0.87 standard deviations wide: 3 / D is too wide for them.
    let kernel = model.kernel();
    let weights: Vec<f32> = kernel.weights().collect();
    assert!(weights.iter().all(|weight| *weight > 1.5), "{weights:?}");
}

#[test]
fn features_are_cut_at_two_and_a_half_standard_deviations() {
    let mut model = Pocketron::<1, 4>::new();
    for n in 0..40 {
        let (x, label) = if n % 2 == 0 {
            (1.0, Sign::Pos)
        } else {
            (-1.0, Sign::Neg)
        };
        model.learn(&[x], label).expect("good");
    }
    // The deviation is one, and what it is rounded to no less than seven eighths of that.
    let score = |x: f32| model.score(&[x]).expect("finite");
    assert_ne!(score(1.9), score(2.1));
    assert_eq!([score(2.6), score(-2.6)], [score(1e30), score(-1e30)]);
}

#[test]
fn sizes_and_offsets_of_features_do_not_matter() {
    let data: Vec<([f32; 2], Sign)> = examples(&Artificial::NoisyCheckerboard.draw(3000, 5));
    let mut plain = Pocketron::<2, 40>::new();
    let mut scaled = Pocketron::<2, 40>::new();
    for (x, label) in &data {
        // Powers of two change no digit.
        let other = [x[0] * 1024.0, x[1] / 4096.0];
        assert_eq!(plain.learn(x, *label), scaled.learn(&other, *label));
    }
}

#[test]
fn a_class_that_is_far_from_everything_is_learned_too() {
    let train: Vec<([f32; 20], Sign)> = examples(&Artificial::RingNorm.draw(10_000, 1));
    let test = examples(&Artificial::RingNorm.draw(3000, 2));
    let right = accuracy(&mut Pocketron::<20, 200>::new(), &train, &test);
    assert!(right > 0.85, "{right}");
}

#[test]
fn steps_get_small_where_labels_are_wrong() {
    let step = |flipped: u64| {
        let mut train: Vec<([f32; 2], Sign)> = examples(&Artificial::YinYang.draw(4000, 3));
        let mut rng = SplitMix64::new(1);
        for (_, label) in &mut train {
            if rng.below(100) < flipped {
                *label = Sign::of(-label.value());
            }
        }
        let mut model = Pocketron::<2, 50>::new();
        accuracy(&mut model, &train, &train[..1]);
        model.parts().update().trust(&[true; 2])
    };
    let (trusted, doubted) = (step(0), step(30));
    assert!(doubted < 0.5 * trusted, "{trusted} {doubted}");
}

#[test]
fn the_largest_features_overflow_nothing() {
    // With overflow checks on, reaching the end is the proof. Differences are the largest that there are.
    let mut rng = SplitMix64::new(3);
    let mut model: KernelPerceptron<
        ArdGaussian<Features<300>>,
        Merging,
        Inline<300, 12, i8>,
        MarginRule,
    > = KernelPerceptron::with_rule(
        ArdGaussian::starting_from(Gaussian::constant(1e-4)).expect("a width"),
        MarginRule::new(1.0).with_margin(1.0),
    );
    for n in 0..600 {
        let mut far = || [i8::MIN, i8::MAX][rng.below(2) as usize];
        let x: [i8; 300] = std::array::from_fn(|_| far());
        let label = if n % 3 == 0 { Sign::Pos } else { Sign::Neg };
        model.learn(&x, label).expect("good examples");
    }
    let weights: Vec<f32> = model.hypothesis().kernel().weights().collect();
    let (first, rest) = weights.split_first().expect("weights");
    assert!(rest.iter().any(|weight| weight != first), "it did adapt");
}

#[test]
fn a_feature_of_absurd_size_can_still_be_learned() {
    let mut model = Pocketron::<2, 12>::new();
    let example = |n: usize| {
        let label = if n.is_multiple_of(2) {
            Sign::Pos
        } else {
            Sign::Neg
        };
        ([label.value() * 1e30, (n % 7) as f32], label)
    };
    for n in 0..400 {
        let (x, label) = example(n);
        model.learn(&x, label).expect("finite");
    }
    for n in 0..10 {
        let (x, label) = example(n);
        assert_eq!(model.predict(&x), Ok(label));
    }
}
