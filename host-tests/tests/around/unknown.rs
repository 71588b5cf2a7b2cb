//! Samples that are like nothing before.

use pocketron::{
    budget::Merging,
    kernel::ArdGaussian,
    label::Class,
    learners::multiclass::OneVsRest,
    prelude::*,
    storage::{Features, Inline},
    wrap::{
        Standardized,
        confidence::{NoveltyDetector, Quantile},
    },
};
use pocketron_testkit::data::shuffle::SplitMix64;

use crate::yinyang;

/// Share of the later half of the values that are below the level of just before.
fn below<const PERCENT: u32>(values: impl Iterator<Item = f32>) -> f64 {
    let mut quantile = Quantile::<PERCENT>::new();
    let mut below = Vec::new();
    for value in values {
        below.push(value < quantile.level());
        quantile.learn(value);
    }
    let later = &below[below.len() / 2..];
    later.iter().filter(|it| **it).count() as f64 / later.len() as f64
}

#[test]
fn the_level_holds_its_share_of_values_of_any_kind() {
    let draw = |seed: u64, shape: fn(f32) -> f32| {
        let mut rng = SplitMix64::new(seed);
        (0..20_000).map(move |_| shape(rng.below(1_000_000) as f32 / 1e6))
    };
    let shapes: [fn(f32) -> f32; 5] = [
        |u| u,
        |u| 1e-6 * u,
        |u| 3000.0 * u - 1000.0,
        // Most near one, a tail to the left; and the other way round.
        |u| 1.0 - u.powi(8),
        |u| (1.0 + u).powi(8),
    ];
    for (number, shape) in shapes.into_iter().enumerate() {
        let (five, twenty) = (below::<5>(draw(1, shape)), below::<20>(draw(2, shape)));
        assert!((five - 0.05).abs() < 0.015, "{number}: {five}");
        assert!((twenty - 0.20).abs() < 0.03, "{number}: {twenty}");
    }
    // Values that grow all the time, as scores do while a model learns.
    let growing = draw(3, |u| u)
        .enumerate()
        .map(|(n, u)| u + n as f32 / 5000.0);
    let share = below::<5>(growing);
    assert!((0.01..0.06).contains(&share), "{share}");
}

#[test]
fn twice_the_values_are_twice_the_level() {
    let (mut one, mut two) = (Quantile::<5>::new(), Quantile::<5>::new());
    let mut rng = SplitMix64::new(7);
    for _ in 0..3000 {
        let value = rng.below(1000) as f32 / 100.0 - 3.0;
        one.learn(value);
        two.learn(2.0 * value);
        assert_eq!(2.0 * one.level(), two.level());
    }
    assert!(one.level() < -1.0);
}

#[test]
fn values_beyond_all_measure_leave_a_number() {
    let mut quantile = Quantile::<5>::new();
    for n in 0..5000 {
        quantile.learn([f32::MAX, -f32::MAX, 0.0][n % 3]);
        assert!(quantile.level().is_finite());
    }
}

#[test]
fn one_in_twenty_of_two_classes_is_called_unknown() {
    let share = |seed: u64| {
        let mut plain = Pocketron::<2, 40>::new();
        let mut model = NoveltyDetector::<Pocketron<2, 40>>::new();
        for (x, label) in &yinyang(6000, seed, 0) {
            assert_eq!(plain.learn(x, *label), model.learn(x, *label));
        }
        // What lies far away from everything is unknown: no vector is near.
        assert_eq!(model.predict_known(&[60.0, -60.0]), Ok(None));
        let test = yinyang(4000, seed + 100, 0);
        let unknown = |(x, _): &&([f32; 2], Sign)| model.is_unknown(x).expect("finite");
        test.iter().filter(unknown).count() as f64 / 4000.0
    };
    // A model moves a little at every step, and its share with it.
    let shares: Vec<f64> = (1..=12).map(share).collect();
    let mean = shares.iter().sum::<f64>() / 12.0;
    assert!((mean - 0.05).abs() < 0.01, "{shares:?}");
    assert!(shares.iter().all(|share| *share < 0.1), "{shares:?}");
}

#[test]
fn a_class_that_was_never_shown_is_mostly_unknown() {
    type Binary =
        KernelPerceptron<ArdGaussian<Features<2>>, Merging, Inline<2, 20, i8>, MarginRule>;
    let rule = MarginRule::new(1.0).with_margin(1.0);
    let classes = OneVsRest::<_, 3>::of(&Binary::with_rule(ArdGaussian::new(), rule));
    let mut model = NoveltyDetector::<Standardized<_, 2>>::of(Standardized::of(classes));
    let mut rng = SplitMix64::new(3);
    // Three blobs on a line and a fourth above them, which comes only at the end.
    let mut blob = |class: u8| {
        let mut noise = || (0..4).map(|_| rng.below(1000) as f32).sum::<f32>() / 2000.0 - 1.0;
        let (x, y) = if class < 3 {
            (3.0 * f32::from(class), 0.0)
        } else {
            (3.0, 3.0)
        };
        [x + noise(), y + noise()]
    };
    for n in 0..6000_u32 {
        let class = (n % 3) as u8;
        model.learn(&blob(class), Class(class)).expect("finite");
    }
    let mut unknown = |class: u8| {
        let rejected = (0..2000).filter(|_| model.is_unknown(&blob(class)) == Ok(true));
        rejected.count() as f64 / 2000.0
    };
    // The level is one for all classes: the middle one has more of what lies below it.
    let known = (0..3).map(&mut unknown).sum::<f64>() / 3.0;
    let new = unknown(3);
    assert!(known < 0.1 && new > 0.8, "{known} {new}");
    assert_eq!(model.predict_known(&[6.0, 0.0]), Ok(Some(Class(2))));
}
