//! Probabilities that are right as often as they say.

use pocketron::{
    prelude::*,
    wrap::confidence::{Calibrated, Platt},
};
use pocketron_testkit::data::{generate::Artificial, shuffle::SplitMix64};

use crate::{examples, yinyang};

#[test]
fn a_calibrated_learner_learns_as_without() {
    let mut plain = Pocketron::<2, 30>::new();
    let mut calibrated = Calibrated::<Pocketron<2, 30>>::new();
    for (x, label) in &yinyang(2000, 1, 10) {
        assert_eq!(plain.learn(x, *label), calibrated.learn(x, *label));
        assert_eq!(plain.predict(x), calibrated.predict(x));
    }
    assert!(calibrated.platt().slope() != 1.0);
}

#[test]
fn probabilities_hold_what_they_say() {
    let draw = |seed| examples::<2>(&Artificial::Gauss.draw(20_000, seed));
    let mut model = Calibrated::<Pocketron<2, 60>>::new();
    for (x, label) in &draw(1) {
        model.learn(x, *label).expect("finite");
    }
    // By tenths: how many, probabilities added up, positive ones.
    let mut bins = [(0, 0.0, 0); 10];
    for (x, label) in &draw(2) {
        let p = model.probability(x).expect("finite");
        let bin = &mut bins[((p * 10.0) as usize).min(9)];
        let positive = i32::from(*label == Sign::Pos);
        *bin = (bin.0 + 1, bin.1 + f64::from(p), bin.2 + positive);
    }
    let apart = |(_, said, found): &(i32, f64, i32)| (said - f64::from(*found)).abs();
    let error = bins.iter().map(apart).sum::<f64>() / 20_000.0;
    assert!(error < 0.06, "{error} {bins:?}");
    assert!(bins[0].0 > 500 && bins[8].0 > 500, "{bins:?}");
}

#[test]
fn platt_takes_the_steps_of_its_formula() {
    let mut rng = SplitMix64::new(5);
    let mut platt = Platt::new();
    let (mut a, mut b) = (1.0_f64, 0.0_f64);
    for n in 0..5000 {
        let score = rng.below(6001) as f64 / 1000.0 - 3.0;
        let positive = (rng.below(1000) as f64) < 1000.0 / (1.0 + (0.7 - 2.0 * score).exp());
        platt.learn(score as f32, Sign::of(if positive { 1.0 } else { -1.0 }));
        if n >= 100 {
            let p = 1.0 / (1.0 + (-(a * score + b)).exp());
            let g = p - f64::from(u8::from(positive));
            a = (a - 0.01 * g * score).max(0.05);
            b -= 0.01 * g;
        } else {
            assert_eq!((platt.slope(), platt.offset()), (1.0, 0.0));
        }
        assert!((f64::from(platt.slope()) - a).abs() < 1e-4, "{n}: {a}");
        assert!((f64::from(platt.offset()) - b).abs() < 1e-4, "{n}: {b}");
    }
    // The labels were drawn with a slope of 2 and an offset of -0.7.
    assert!((a - 2.0).abs() < 0.4 && (b + 0.7).abs() < 0.4, "{a} {b}");
}

#[test]
fn a_model_that_is_always_wrong_is_never_trusted_the_other_way_round() {
    let mut platt = Platt::new();
    for n in 0..20_000 {
        let score = (n % 7) as f32 - 3.0;
        platt.learn(score, Sign::of(-score));
        assert!(platt.slope() >= 0.05 - 1e-6);
    }
    assert!(platt.probability(1.0) > platt.probability(-1.0));
    assert!(platt.probability(1.0) < 0.6);
}

#[test]
fn scores_beyond_all_measure_stay_probabilities() {
    let mut platt = Platt::new();
    for n in 0..2000 {
        let score = [f32::MAX, -f32::MAX, 0.0, 1e-45][n % 4];
        let label = Sign::of(if n % 3 == 0 { -score } else { score });
        platt.learn(score, label);
        for score in [f32::MAX, -f32::MAX, 0.0] {
            let p = platt.probability(score);
            assert!((0.0..=1.0).contains(&p), "{n}: {platt:?}");
        }
    }
}

/// How many are answered with at least that confidence, and the share of right answers among them.
fn answered(model: &Calibrated<Pocketron<2, 40>>, threshold: f32) -> (u32, f64) {
    let (mut answered, mut right) = (0, 0);
    for (x, label) in &yinyang(8000, 4, 15) {
        let answer = model.predict_or_reject(x, threshold).expect("finite");
        assert_eq!(
            answer.is_some(),
            model.confidence(x).expect("finite") >= threshold
        );
        if let Some(answer) = answer {
            assert_eq!(answer, model.predict(x).expect("finite"));
            answered += 1;
            right += u32::from(answer == *label);
        }
    }
    (answered, f64::from(right) / f64::from(answered.max(1)))
}

fn taught() -> Calibrated<Pocketron<2, 40>> {
    let mut model = Calibrated::<Pocketron<2, 40>>::new();
    for (x, label) in &yinyang(8000, 3, 15) {
        model.learn(x, *label).expect("finite");
    }
    model
}

#[test]
fn a_higher_threshold_answers_less_and_better() {
    let model = taught();
    let [all, more, some, few] = [0.0, 0.55, 0.6, 0.8].map(|least| answered(&model, least));
    assert_eq!(all.0, 8000);
    assert!(
        all.0 > more.0 && more.0 > some.0 && some.0 > few.0 && few.0 > 1000,
        "{more:?} {some:?} {few:?}"
    );
    assert!(
        all.1 < more.1 && more.1 < some.1,
        "{all:?} {more:?} {some:?}"
    );
    assert_eq!(answered(&model, 1.1).0, 0);
}

#[test]
fn the_surest_answers_are_the_best() {
    let model = taught();
    let [some, few] = [0.6, 0.8].map(|least| answered(&model, least));
    assert!(some.1 < few.1, "{some:?} {few:?}");
}

#[test]
fn confidence_costs_what_its_table_says() {
    use pocketron::wrap::confidence::{NoveltyDetector, Quantile};
    type Inner = Pocketron<3, 17>;
    assert_eq!((size_of::<Platt>(), size_of::<Quantile>()), (12, 8));
    assert_eq!(size_of::<Calibrated<Inner>>(), size_of::<Inner>() + 12);
    assert_eq!(size_of::<NoveltyDetector<Inner>>(), size_of::<Inner>() + 8);
}
