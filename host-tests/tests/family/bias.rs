//! The bias and its step.

use pocketron::{
    classifier::{OnlineClassifier as _, Scorer as _},
    hypothesis::{Biased, FixedRadius, LargestNorm, Linear},
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::MarginRule,
};
use proptest::prelude::*;

use super::rows::{D, rows};

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    /// The bias moves by the step times `R^2`: a number, or the largest squared norm up to this example, those that
    /// passed included.
    #[test]
    fn the_bias_moves_by_the_step_times_its_radius(rows in rows(), given in 0.0f32..4.0) {
        let rule = MarginRule::new(0.5).with_margin(0.2);
        let mut known = Perceptron::from_parts(Biased::new(Linear::<[f32; D]>::BLANK, FixedRadius(given), 0.25), rule);
        let mut tracked = Perceptron::from_parts(Biased::new(Linear::<[f32; D]>::BLANK, LargestNorm::new(), -0.5), rule);
        let (mut b_known, mut b_tracked, mut largest) = (0.25f32, -0.5f32, 0.0f32);
        for (x, label) in &rows {
            let step = 0.5 * label.value();
            largest = largest.max(x.iter().fold(0.0, |sum, x| sum + x * x));
            if known.learn(x, *label).expect("finite").changed() {
                b_known += step * given;
            }
            if tracked.learn(x, *label).expect("finite").changed() {
                b_tracked += step * largest;
            }
            prop_assert_eq!((known.hypothesis().bias(), tracked.hypothesis().bias()), (b_known, b_tracked));
            let (line, w) = (known.hypothesis(), known.hypothesis().inner().weights());
            let product = w.iter().zip(x).fold(0.0, |sum, (w, x)| sum + w * x);
            prop_assert_eq!(known.score(x), Ok(product + line.bias()));
        }
    }

    /// Where the longest example comes first, both kinds of step are the same.
    #[test]
    fn a_radius_that_is_known_at_once_is_given(rows in rows()) {
        let rule = MarginRule::new(0.5).with_margin(0.2);
        let first = [2.0; D];
        let mut known = Perceptron::from_parts(Biased::new(Linear::<[f32; D]>::BLANK, FixedRadius(4.0 * D as f32), 0.0), rule);
        let mut tracked = Perceptron::from_parts(Biased::new(Linear::<[f32; D]>::BLANK, LargestNorm::new(), 0.0), rule);
        for (x, label) in [(first, Sign::Pos)].iter().chain(&rows) {
            prop_assert_eq!(known.learn(x, *label), tracked.learn(x, *label));
        }
    }
}
