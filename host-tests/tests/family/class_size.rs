//! Margins for the size of a class.

use pocketron::{
    classifier::OnlineClassifier as _,
    error::ConfigError,
    history::Averaged,
    hypothesis::{Biased, LargestNorm, Linear},
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::MarginRule,
};

use crate::common::streams::TestRng;

#[test]
fn margins_by_class_size_follow_their_formula() {
    for (fraction, scale, kappa) in [
        (0.0, 2.0, -5.0),
        (0.1, 2.0, -5.0),
        (0.5, 3.0, -1.0),
        (1.0, 1.0, 4.0),
    ] {
        let rule = MarginRule::new(0.5).with_class_size(fraction, -0.25, scale, kappa);
        let wanted = f64::from(scale) / (1.0 + (-f64::from(kappa) * f64::from(fraction)).exp());
        assert!(
            (f64::from(rule.tau_pos) - wanted).abs() <= 1e-6 * wanted,
            "{rule:?}: {wanted}"
        );
        assert_eq!((rule.tau_neg, rule.eta), (-0.25, 0.5));
    }
    let rule = MarginRule::new(1.0);
    let margins = [0.01, 0.1, 0.3, 0.5, 0.9]
        .map(|fraction| rule.with_class_size(fraction, 0.0, 2.0, -5.0).tau_pos);
    assert!(
        margins.is_sorted_by(|a, b| a > b),
        "rarer classes get the larger margin: {margins:?}"
    );
    for bad in [f32::NAN, f32::INFINITY] {
        assert_eq!(
            rule.with_class_size(0.1, bad, 2.0, -5.0).checked().err(),
            Some(ConfigError::Margin)
        );
        assert_eq!(
            rule.with_class_size(0.1, 0.0, bad, -5.0).checked().err(),
            Some(ConfigError::Margin)
        );
    }
    assert_eq!(
        rule.with_class_size(f32::NAN, 0.0, 2.0, -5.0)
            .checked()
            .err(),
        Some(ConfigError::Margin)
    );
}

/// What they are for: more of a rare class is found than with margins of zero.
#[test]
fn uneven_margins_find_more_of_a_rare_class() {
    let mut rng = TestRng::new(11);
    let mut example = || {
        let rare = rng.chance(0.04);
        let centre = if rare { 0.9 } else { -0.2 };
        let x: [f32; 4] = std::array::from_fn(|_| centre + rng.normal());
        (x, if rare { Sign::Pos } else { Sign::Neg })
    };
    let rows: Vec<_> = (0..12_000).map(|_| example()).collect();
    let (train, test) = rows.split_at(6000);
    let recall = |rule: MarginRule| {
        let line = Biased::new(Linear::<[f32; 4]>::BLANK, LargestNorm::new(), 0.0);
        // The average, since a single hypothesis of a noisy stream is a matter of luck.
        let mut model =
            Perceptron::with_history(line, rule, Averaged::<(Option<[f32; 4]>, f32)>::BLANK);
        for (x, label) in train {
            model.learn(x, *label).expect("finite");
        }
        let rare = test.iter().filter(|(_, label)| *label == Sign::Pos);
        let found = rare
            .clone()
            .filter(|(x, _)| model.predict(x) == Ok(Sign::Pos))
            .count();
        found as f64 / rare.count() as f64
    };
    let plain = MarginRule::new(1.0);
    let fraction = train
        .iter()
        .filter(|(_, label)| *label == Sign::Pos)
        .count() as f32
        / train.len() as f32;
    let (without, with) = (
        recall(plain),
        recall(plain.with_class_size(fraction, -1.0, 100.0, -5.0)),
    );
    assert!(
        with >= without + 0.1,
        "recall {without} without, {with} with margins"
    );
}
