//! Sparse rows give the bits of dense ones.

use pocketron::{
    classifier::{OnlineClassifier as _, Scorer as _},
    error::InputError,
    history::{Averaged, LongestSurvivor, Voted},
    hypothesis::{Biased, FixedRadius, LargestNorm, Linear, UpdateCounts},
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::{Alma, Credit, MarginRule, Rule, Soft, UnitSteps},
};
use pocketron_testkit::{
    all_voters::AllVoters,
    sparse::{SparseWeights, sparse},
};
use proptest::prelude::*;

use super::rows::{D, Rows, rows};
use crate::common::{bits, streams::TestRng};

/// Every outcome and every weight, bit for bit, with a history of copies and sums.
fn same_bits<R: Rule + Copy, S: pocketron::hypothesis::BiasStep + Copy>(
    rule: R,
    step: S,
    rows: &Rows,
) -> Result<(), TestCaseError> {
    type Histories<W> = (
        Averaged<(Option<W>, f32)>,
        (LongestSurvivor<(W, f32)>, Voted<AllVoters<(W, f32)>>),
    );
    let dense = Biased::new(Linear::<[f32; D]>::BLANK, step, 0.0);
    let dense = UpdateCounts::new(dense, [0u32; 40]);
    let mut dense = Perceptron::with_history(dense, rule, <Histories<[f32; D]>>::BLANK);
    let thin = Biased::new(Linear::with_weights(SparseWeights::new(D)), step, 0.0);
    let thin = UpdateCounts::new(thin, [0u32; 40]);
    let mut thin = Perceptron::with_history(thin, rule, <Histories<SparseWeights>>::BLANK);
    for _ in 0..3 {
        for (id, (x, label)) in rows.iter().enumerate() {
            let a = dense
                .learn_with_id(x, *label, Some(id as u32))
                .expect("finite");
            let b = thin
                .learn_with_id(&sparse(x), *label, Some(id as u32))
                .expect("finite");
            prop_assert_eq!(a.score.to_bits(), b.score.to_bits());
            prop_assert_eq!(a, b);
            let (a, b) = (
                dense.score(x).expect("finite"),
                thin.score(&sparse(x)).expect("finite"),
            );
            prop_assert_eq!(a.to_bits(), b.to_bits(), "the average");
        }
    }
    let (a, b) = (dense.hypothesis().inner(), thin.hypothesis().inner());
    prop_assert_eq!(
        bits(a.inner().weights()),
        bits(b.inner().weights().as_slice())
    );
    prop_assert_eq!(a.bias().to_bits(), b.bias().to_bits());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..Default::default() })]

    #[test]
    fn sparse_rows_give_the_bits_of_dense_rows(rows in rows()) {
        let margins = MarginRule::new(0.3).with_margins(-0.1, 0.7);
        same_bits(UnitSteps, FixedRadius(0.0), &rows)?;
        same_bits(margins, FixedRadius(1.7), &rows)?;
        same_bits(margins, LargestNorm::new(), &rows)?;
        let soft = Soft::new(margins).with_credit(Credit::Once(0.3)).with_bound(2);
        same_bits(soft, LargestNorm::new(), &rows)?;
        same_bits(Alma::new(0.7).expect("an accuracy"), FixedRadius(0.0), &rows)?;
    }
}

/// Texts have tens of thousands of words and few of them at a time.
#[test]
fn twenty_thousand_features_are_learned() {
    const WORDS: u32 = 20_000;
    let mut rng = TestRng::new(4);
    let mut pick = |below: u32| ((rng.even() + 1.0) / 2.0 * below as f32) as u32 % below;
    let mut text = || {
        let mut words: Vec<u32> = (0..60).map(|_| pick(WORDS)).collect();
        let positive = pick(2) == 0;
        // One in a hundred words is telling.
        words
            .extend((0..5).map(|_| 100 * pick(WORDS / 200) + if positive { 0 } else { WORDS / 2 }));
        words.sort_unstable();
        words.dedup();
        let label = if positive { Sign::Pos } else { Sign::Neg };
        (
            words
                .into_iter()
                .map(|word| (word, 0.125))
                .collect::<Vec<_>>(),
            label,
        )
    };
    let texts: Vec<_> = (0..3000).map(|_| text()).collect();
    let (train, test) = texts.split_at(2000);
    let rule = MarginRule::new(1.0).with_margin(1.0);
    let line = Biased::new(
        Linear::with_weights(SparseWeights::new(WORDS as usize)),
        LargestNorm::new(),
        0.0,
    );
    let mut model = Perceptron::from_parts(line, rule);
    let mut naive = vec![0.0f64; WORDS as usize];
    for _ in 0..5 {
        for (x, label) in train {
            if model.learn(x, *label).expect("finite").changed() {
                for (word, value) in x {
                    naive[*word as usize] += f64::from(label.value() * value);
                }
            }
        }
    }
    let weights = model.hypothesis().inner().weights().as_slice();
    assert!(
        weights
            .iter()
            .zip(&naive)
            .all(|(w, naive)| f64::from(*w) == *naive),
        "eighths are exact"
    );
    let right = test
        .iter()
        .filter(|(x, label)| model.predict(x) == Ok(*label))
        .count();
    assert!(right >= 930, "{right} of 1000");
    assert_eq!(
        model.learn(&[(WORDS, 1.0)], Sign::Pos).err(),
        Some(InputError::WrongDimension)
    );
    assert_eq!(
        model.learn(&[(WORDS - 1, f32::NAN)], Sign::Pos).err(),
        Some(InputError::NonFinite)
    );
}
