//! What is done with the rows of a set: classes, division, order, scaling.

use pocketron_testkit::data::shuffle::{SplitMix64, permutation};
use pocketron_testkit::data::{Dataset, DatasetError, DenseData};
use proptest::prelude::*;

use crate::common::files::{committed, set};

#[test]
fn dense_rows_have_the_zeros_written_out() {
    let data = set("1 2:5\n-1 1:3 4:7\n").with_dim(5).expect("5 covers 4");
    assert_eq!(data.dense_f64(0), [0.0, 5.0, 0.0, 0.0, 0.0]);
    let dense = data.to_dense().expect("one label each");
    assert_eq!(dense.row(1), [3.0, 0.0, 0.0, 7.0, 0.0]);
    assert_eq!(
        (dense.dim, dense.len(), &dense.labels[..]),
        (5, 2, &[1.0, -1.0][..])
    );
    assert!(
        dense
            .iter()
            .map(|(x, _)| x.to_vec())
            .eq((0..2).map(|i| data.dense_f64(i)))
    );
}

#[test]
fn the_dimension_must_cover_the_highest_index() {
    let data = set("1 2:5\n-1 1:3 4:7\n");
    assert_eq!(data.dim(), 4);
    let error = data.with_dim(3).expect_err("index 4");
    assert_eq!(
        error,
        DatasetError::DimTooSmall {
            dim: 3,
            row: 1,
            index: 4
        }
    );
    assert_eq!(
        error.to_string(),
        "example 2 has feature 4, but the set has 3 features"
    );
}

#[test]
fn a_stray_index_cannot_swallow_the_machine() {
    let error = set("1 4294967295:1\n").to_dense().expect_err("32 GiB");
    assert_eq!(
        error,
        DatasetError::TooLarge {
            rows: 1,
            dim: 4_294_967_295
        }
    );
}

#[test]
fn without_named_labels_the_sign_decides() {
    let labels = |data: Dataset| data.to_dense().expect("one label each").labels;
    assert_eq!(
        set("0 1:1\n1 1:1\n").binary(None).map(labels),
        Ok(vec![-1.0, 1.0])
    );
    assert_eq!(
        set("-1 1:1\n3 1:1\n0 1:1\n2 1:1\n")
            .binary(None)
            .map(labels),
        Ok(vec![-1.0, 1.0, -1.0, 1.0])
    );
    let error = set("1 1:1\n 1:1\n").binary(None).expect_err("no label");
    assert_eq!(error, DatasetError::LabelCount { row: 1, count: 0 });
}

#[test]
fn named_labels_are_positive_wherever_they_stand_among_several() {
    let data = set("3,17 1:1\n17 1:1\n 1:1\n4 1:1\n")
        .binary(Some(&[17.0, 4.0]))
        .expect("named");
    assert_eq!(
        data.to_dense().expect("one label each").labels,
        [1.0, 1.0, -1.0, 1.0]
    );
}

#[test]
fn several_labels_are_no_dense_label() {
    let error = set("1 1:1\n3,17 1:1\n").to_dense().expect_err("two labels");
    assert_eq!(error.to_string(), "example 2 has 2 labels instead of one");
}

#[test]
fn limit_split_and_keep_take_the_rows_they_say() {
    let data = set("3 1:1\n5 1:2\n8 1:3\n3 9:4\n");
    assert_eq!(data.classes(), [(3.0, 2), (5.0, 1), (8.0, 1)]);
    assert_eq!(data.clone().limit(2).rows(), &data.rows().select(0..2));
    assert_eq!(data.clone().limit(9), data);
    let (train, test) = data.clone().split(3).expect("4 rows");
    assert_eq!(train.rows(), &data.rows().select(0..3));
    assert_eq!(test.rows(), &data.rows().select(3..4));
    assert_eq!((train.dim(), test.dim()), (9, 9), "both keep the dimension");
    let error = data.clone().split(5).expect_err("4 rows");
    assert_eq!(error, DatasetError::TooFewRows { rows: 4, wanted: 5 });
    let kept = data.keep_labels(&[3.0, 8.0]);
    assert_eq!(
        kept.to_dense().expect("one label each").labels,
        [3.0, 8.0, 3.0]
    );
}

#[test]
fn the_generator_is_splitmix64() {
    // The published test values for seed 1234567.
    let mut generator = SplitMix64::new(1_234_567);
    let numbers = [(); 3].map(|()| generator.next_u64());
    assert_eq!(
        numbers,
        [
            6457827717110365317,
            3203168211198807973,
            9817491932198370423
        ]
    );
}

#[test]
fn an_order_is_named_by_its_seed_on_every_machine() {
    // Expected values from an independent implementation with unbounded integers.
    assert_eq!(permutation(10, 0), [4, 9, 2, 5, 1, 7, 6, 0, 3, 8]);
    assert_eq!(permutation(10, 42), [8, 3, 6, 5, 4, 0, 9, 2, 1, 7]);
    assert_eq!(
        permutation(1000, 1)[..8],
        [233, 421, 954, 480, 236, 701, 638, 231]
    );
}

#[test]
fn every_order_of_four_is_equally_likely() {
    let mut counts = std::collections::BTreeMap::new();
    (0..24_000).for_each(|seed| *counts.entry(permutation(4, seed)).or_insert(0_i32) += 1);
    assert_eq!(counts.len(), 24);
    // Standard deviation 31 about 1000; five of them.
    assert!(
        counts.values().all(|count| (count - 1000).abs() < 155),
        "{counts:?}"
    );
}

#[test]
fn sparse_and_dense_permutation_agree() {
    let sonar = committed().load("sonar").expect("committed");
    let sparse = sonar.clone().permuted(3).to_dense();
    assert_ne!(sparse, sonar.to_dense());
    assert_eq!(sparse, sonar.to_dense().map(|dense| dense.permuted(3)));
}

proptest! {
    #[test]
    fn a_permutation_has_every_number_once(n in 0_usize..500, seed: u64) {
        let mut order = permutation(n, seed);
        order.sort_unstable();
        prop_assert!(order.into_iter().eq(0..n));
    }
}

#[test]
fn standardised_features_have_mean_zero_and_deviation_one() {
    let wdbc = committed().load("wdbc").expect("committed").to_dense();
    let (scaled, _) = wdbc.expect("one label each").standardize().expect("finite");
    let n = scaled.len() as f64;
    for feature in 0..scaled.dim {
        let mean = scaled.iter().map(|(x, _)| x[feature]).sum::<f64>() / n;
        let square = scaled
            .iter()
            .map(|(x, _)| x[feature] * x[feature])
            .sum::<f64>()
            / n;
        assert!(mean.abs() < 1e-12, "feature {feature}: mean {mean}");
        assert!(
            (square - 1.0).abs() < 1e-12,
            "feature {feature}: mean square {square}"
        );
    }
}

#[test]
fn a_constant_feature_becomes_zero_even_if_its_mean_rounds() {
    let n = 7;
    let x: Vec<f64> = (0..n).flat_map(|i| [0.1, f64::from(i)]).collect();
    let sum: f64 = x.iter().step_by(2).sum();
    assert_ne!(sum / f64::from(n), 0.1, "the case this test is about");
    let data = DenseData {
        dim: 2,
        x,
        labels: vec![1.0; 7],
    };
    let (scaled, scale) = data.standardize().expect("finite");
    assert!(scaled.iter().all(|(x, _)| x[0] == 0.0), "{scaled:?}");
    assert_eq!(scale.sd()[1], 2.0, "population deviation of 0 to 6");
}

#[test]
fn the_test_set_is_scaled_by_training_statistics() {
    let train = DenseData {
        dim: 2,
        x: vec![0.0, 5.0, 2.0, 5.0, 4.0, 5.0],
        labels: vec![1.0; 3],
    };
    let (_, scale) = train.standardize().expect("finite");
    assert_eq!((scale.mean(), scale.sd()[1]), (&[2.0, 5.0][..], 0.0));
    let sd = (8.0_f64 / 3.0).sqrt();
    let test = DenseData {
        dim: 2,
        x: vec![10.0, 9.0],
        labels: vec![-1.0],
    };
    let scaled = scale.apply(&test).expect("same features");
    assert_eq!(
        (&scaled.x[..], &scaled.labels[..]),
        (&[8.0 / sd, 0.0][..], &[-1.0][..])
    );
    let other = DenseData {
        dim: 1,
        x: vec![1.0],
        labels: vec![1.0],
    };
    assert_eq!(
        scale.apply(&other),
        Err(DatasetError::OtherDim {
            dim: 1,
            expected: 2
        })
    );
}

#[test]
fn what_has_no_scale_or_no_f32_is_refused() {
    let column = |x: Vec<f64>| DenseData {
        dim: 1,
        labels: vec![1.0; x.len()],
        x,
    };
    assert_eq!(
        column(vec![]).standardize(),
        Err(DatasetError::NoScale { feature: 0 })
    );
    assert_eq!(
        column(vec![1e308, -1e308]).standardize(),
        Err(DatasetError::NoScale { feature: 0 })
    );
    let error = column(vec![1.0, 1e39])
        .to_f32()
        .expect_err("above the largest f32");
    assert_eq!(
        error,
        DatasetError::BeyondF32 {
            row: 1,
            feature: 0,
            value: 1e39
        }
    );
    assert_eq!(
        column(vec![0.1]).to_f32().map(|data| data.x),
        Ok(vec![0.1_f32])
    );
}
