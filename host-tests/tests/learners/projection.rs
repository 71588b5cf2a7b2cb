//! Projections in single precision: the inverse Gram matrix is kept for thousands of steps and must not rot.

use pocketron::{
    budget::{Admission, ChangesOneSlot, Forget, Guarantee, Oldest, Policy, Projecting, Random},
    kernel::Gaussian,
    prelude::*,
    storage::Inline,
};
use pocketron_cli::learner::{self, Algorithm, Learner};
use pocketron_testkit::reference::{self, Kernel};

use crate::common::{
    accuracy,
    embedded::Embedded,
    settings,
    streams::{Stream, checkerboard},
};

/// Noisy training points of a 4 x 4 board and clean test points.
fn board(train: usize, seed: u64) -> (Stream, Stream) {
    let noisy = checkerboard(train, 2, 4, 0.15, seed);
    (noisy, checkerboard(2000, 2, 4, 0.0, seed + 1000))
}

fn reference_accuracy(gamma: f32, tolerance: f32, train: &Stream, test: &Stream) -> f64 {
    let wide = |rows: &Stream| -> Vec<(Vec<f64>, f64)> {
        let x = |x: &[f32]| x.iter().copied().map(f64::from).collect();
        rows.iter()
            .map(|(p, label)| (x(p), f64::from(label.value())))
            .collect()
    };
    let algorithm = reference::Algorithm::Projectron;
    let numbers = reference::Settings {
        tolerance: f64::from(tolerance),
        ..reference::Settings::usual(algorithm, 100)
    };
    let gamma = f64::from(gamma);
    let mut learner = reference::Learner::new(algorithm, Kernel::Gaussian { gamma }, numbers);
    for (row, (x, y)) in wide(train).iter().enumerate() {
        learner.learn(row, x, *y);
    }
    learner.accuracy(&wide(test))
}

/// The known defect of others: the inverse drifts and accuracy collapses, to 61 % where double precision has 83 %.
///
/// With a tolerance that is noticed, decisions agree; with none, the guard of the inverse folds in a little more
/// than the reference does, which must cost nothing.
#[test]
fn a_projectron_is_as_accurate_in_single_precision_as_in_double() {
    for (gamma, tolerance) in [
        (2.0, 0.0),
        (8.0, 0.0),
        (16.0, 0.0),
        (8.0, 0.01),
        (16.0, 0.1),
    ] {
        let mut lead = 0.0;
        for seed in 1..=3 {
            let (train, test) = board(2000, seed);
            let numbers = learner::Settings {
                tolerance,
                ..settings(gamma, 100)
            };
            let core = learner::build(Algorithm::Projectron, &numbers, 2, train.len());
            let mut core = core.expect("good settings");
            for (x, label) in &train {
                core.learn(x, *label).expect("finite");
            }
            let (ours, theirs) = (
                accuracy(core.as_ref(), &test),
                reference_accuracy(gamma, tolerance, &train, &test),
            );
            println!("gamma {gamma}, tolerance {tolerance}: {ours:.3}, reference {theirs:.3}");
            assert!(
                tolerance == 0.0 || (ours - theirs).abs() <= 0.01,
                "{ours} {theirs}"
            );
            lead += (ours - theirs) / 3.0;
        }
        assert!(
            lead >= -0.025,
            "gamma {gamma}, tolerance {tolerance}: {lead:.3} on average"
        );
    }
}

/// Learns until 5,000 mistakes around a policy that replaces, and looks at the model all the while.
fn stays_sane<P>(inner: P, gamma: f32, tolerance: f32)
where
    P: Policy<Gaussian, Inline<2, 100>> + Guarantee<ChangesOneSlot>,
{
    let policy = Projecting::new(inner, tolerance).expect("a tolerance");
    let kernel = Gaussian::new(gamma).expect("a width");
    let mut model: Embedded<_, _, 2, 100, _> =
        Embedded(KernelPerceptron::with_policy(kernel, policy, UnitSteps));
    let (train, test) = board(20_000, 1);
    let (mut mistakes, mut replaced, mut accuracies) = (0, 0, Vec::new());
    for (row, (x, label)) in train.iter().enumerate() {
        let outcome = model.learn(x, *label);
        let outcome = outcome.unwrap_or_else(|error| panic!("gamma {gamma}, row {row}: {error}"));
        mistakes += usize::from(outcome.mistake);
        replaced += usize::from(matches!(outcome.admission, Some(Admission::Replaced(_))));
        let greatest = model
            .alphas()
            .iter()
            .fold(0.0_f32, |most, alpha| most.max(alpha.abs()));
        assert!(
            greatest <= 100.0,
            "gamma {gamma}, row {row}: a weight of {greatest}"
        );
        if row % 2_000 == 1_999 {
            accuracies.push(accuracy(&model, &test));
        }
        if mistakes == 5_000 {
            break;
        }
    }
    let mean = accuracies.iter().sum::<f64>() / accuracies.len() as f64;
    println!("gamma {gamma}, tolerance {tolerance}: {replaced} replaced, accuracy {mean:.3}");
    assert!(
        mistakes == 5_000 && replaced > 100,
        "{mistakes} mistakes, {replaced} replaced"
    );
    assert!(
        mean >= 0.6,
        "gamma {gamma}, tolerance {tolerance}: {accuracies:?}"
    );
}

#[test]
fn five_thousand_mistakes_do_not_wear_out_the_inverse() {
    stays_sane(Oldest::new(), 16.0, 0.1);
    stays_sane(Random::new(1), 16.0, 0.1);
    stays_sane(Forget::new(), 16.0, 0.1);
    stays_sane(Oldest::new(), 32.0, 0.0);
}

/// Without a tolerance, and with a wide kernel, the stored vectors are as dependent as the guard allows.
#[test]
fn nor_do_they_where_the_stored_vectors_nearly_depend_on_each_other() {
    stays_sane(Oldest::new(), 8.0, 0.0);
    stays_sane(Random::new(1), 8.0, 0.0);
    stays_sane(Forget::new(), 8.0, 0.0);
    stays_sane(Random::new(1), 16.0, 0.0);
}
