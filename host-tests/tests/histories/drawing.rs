//! A hypothesis drawn by lot.

use std::collections::BTreeMap;

use pocketron::{
    classifier::{OnlineClassifier as _, Scorer as _},
    history::{RandomHypothesis, Raw},
    hypothesis::Linear,
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::{MarginRule, UnitSteps},
};
use pocketron_testkit::data::shuffle::SplitMix64;

use super::rows::{D, cube, taught};

fn drawn_in_proportion<const OPENING: u32>() {
    let rows = cube(3);
    let rule = MarginRule::new(1.0);
    let line = || Linear::<[f32; D]>::BLANK;
    // The hypotheses and their runs; the last one has not retired and is not drawn.
    let (mut runs, mut run) = (vec![], 0);
    let mut model = Perceptron::from_parts(line(), rule);
    for (x, label) in &rows {
        let before = *model.hypothesis().weights();
        if model.learn(x, *label).expect("finite").changed() {
            runs.push((before, run));
            run = OPENING;
        } else {
            run += 1;
        }
    }
    runs.retain(|(_, run)| *run > 0);
    assert!(runs.len() >= 4, "{runs:?}");
    let probe = [0.9, -0.4, 0.77];
    let total: u32 = runs.iter().map(|(_, run)| run).sum();
    let mut expected = BTreeMap::new();
    for (weights, run) in &runs {
        let score: f32 = weights
            .iter()
            .zip(probe)
            .fold(0.0, |sum, (w, x)| sum + w * x);
        *expected.entry(score.to_bits()).or_insert(0.0) += f64::from(*run) / f64::from(total);
    }
    assert_eq!(
        expected.len(),
        runs.len(),
        "scores tell the hypotheses apart"
    );

    const DRAWS: usize = 6000;
    let mut seeds = SplitMix64::new(5);
    let mut counted = BTreeMap::new();
    for _ in 0..DRAWS {
        let history = RandomHypothesis::<[f32; D], Raw, OPENING>::new(seeds.next_u64() as u32);
        let model = taught(Perceptron::with_history(line(), rule, history), &rows);
        let score = model.score(&probe).expect("finite");
        *counted.entry(score.to_bits()).or_insert(0usize) += 1;
    }
    let mut chi_square = 0.0;
    for (score, share) in &expected {
        let expected = share * DRAWS as f64;
        let seen = counted.remove(score).unwrap_or(0) as f64;
        chi_square += (seen - expected).powi(2) / expected;
    }
    assert!(counted.is_empty(), "others were drawn: {counted:?}");
    // Mean n, variance 2 n for n degrees of freedom.
    let n = (expected.len() - 1) as f64;
    assert!(
        chi_square <= n + 5.0 * (2.0 * n).sqrt(),
        "{chi_square} for {n} degrees of freedom"
    );
}

#[test]
fn a_hypothesis_is_drawn_with_its_survivals_as_chances() {
    drawn_in_proportion::<0>();
    drawn_in_proportion::<1>();
}

/// Before anybody has retired with a run there is only the present one.
#[test]
fn without_a_draw_the_present_hypothesis_predicts() {
    let history = RandomHypothesis::<[f32; D], Raw, 0>::new(1);
    let mut model = Perceptron::with_history(Linear::<[f32; D]>::BLANK, UnitSteps, history);
    let x = [1.0, 0.0, 0.0];
    assert_eq!(model.score(&x), Ok(0.0));
    model.learn(&x, Sign::Pos).expect("finite");
    assert_eq!(model.score(&x), Ok(1.0));
    // It fails at once, having survived nothing: it must not be drawn.
    model.learn(&[0.0, 1.0, 0.0], Sign::Neg).expect("finite");
    assert_eq!(model.score(&[0.0, 1.0, 0.0]), Ok(-1.0));
}
