//! Figures of the papers, met by the core: the acceptance of the perceptron family and of the budget policies.
//!
//! Needs USPS, MNIST and Banana (`$POCKETRON_DATA`, or `data/` of the repository); `common::at_hand` says what
//! happens without. Orders are those of `pocketron evaluate`: repetition `r` of seed 1 is the permutation 1 + `r`.

use pocketron_cli::evaluate::{self, Run, Spread};
use pocketron_testkit::data::{Dataset, Dense};
use rayon::prelude::*;

use crate::common::{at_hand, cli::options, within::within};

fn mean(runs: &[Run], figure: fn(&Run) -> f64) -> f64 {
    Spread::of(runs.iter().map(figure)).mean
}

fn error(run: &Run) -> f64 {
    100.0 - run.accuracy
}

/// Rows as learners take them, every value divided.
fn rows(data: &Dataset, divisor: f64) -> Dense<f32> {
    let mut dense = data.to_dense().expect("one label a row");
    dense.x.iter_mut().for_each(|value| *value /= divisor);
    dense.to_f32().expect("small numbers")
}

/// One pass over `train` in each of the orders, tested on `test`.
fn classes(train: &Dense<f32>, test: &Dense<f32>, line: &str, orders: [u64; 2]) -> Vec<Run> {
    let options = options(line);
    let rule = options.family.margin_rule();
    let settings = options.learner.class_settings(rule, train.dim, 10);
    let settings = settings.expect("good options");
    let run = |order: u64| {
        let train = train.permuted(order);
        evaluate::run_classes(&train, test, &options.learner, &settings, |_| {})
    };
    let runs = orders
        .into_par_iter()
        .map(run)
        .collect::<Result<Vec<_>, _>>();
    runs.expect("good options")
}

/// paum, USPS: no bias, kernel exp(-d^2 / 49), eta 1, one epoch, ten problems of one class against the rest.
#[test]
fn margins_on_usps_have_the_errors_of_the_paper() {
    let (Some(train), Some(test)) = (at_hand::data("usps.train"), at_hand::data("usps.test"))
    else {
        return;
    };
    let (train, test) = (rows(&train, 1.0), rows(&test, 1.0));
    assert_eq!((train.len(), test.len(), train.dim), (7291, 2007, 256));
    let kernel = 1.0 / 49.0;
    let run = |margins: &str| {
        let line = format!("--learner paum-kernel --kernel rbf:{kernel} {margins}");
        classes(&train, &test, &line, [1, 2])
    };
    let plain = run("");
    within("PA, error %", mean(&plain, error), 6.0, 6.6);
    let margin = run("--tau-neg 0.2 --tau-pos 0.2");
    within("PAM(0.2), error %", mean(&margin, error), 4.7, 5.0);
    // A margin asks for more vectors, the union of all classes.
    assert!(mean(&margin, |run| run.support_vectors) > mean(&plain, |run| run.support_vectors));
}

/// fs, MNIST: the first 6000 of a permutation, pixels / 255, (1 + x.z)^4, one epoch.
#[test]
fn voting_on_mnist_has_the_error_and_the_support_vectors_of_the_paper() {
    let (Some(train), Some(test)) = (at_hand::data("mnist.train"), at_hand::data("mnist.test"))
    else {
        return;
    };
    let test = rows(&test, 255.0);
    assert_eq!((train.len(), test.len(), test.dim), (60_000, 10_000, 784));
    let options = options("--learner voted --kernel poly:4");
    let rule = options.family.margin_rule();
    let settings = options.learner.class_settings(rule, test.dim, 10);
    let settings = settings.expect("good options");
    let run = |order: u64| {
        let train = rows(&train.clone().permuted(order).limit(6000), 255.0);
        evaluate::run_classes(&train, &test, &options.learner, &settings, |_| {})
    };
    // Orders 1 to 8 have 5.26, 5.14, 5.37, 5.08, 5.36, 5.38, 5.60 and 5.29 %: two of them alone say little.
    let runs: Result<Vec<Run>, _> = (1..=6u64).into_par_iter().map(run).collect();
    let runs = runs.expect("good options");
    within("voted, error %", mean(&runs, error), 5.2, 5.7);
    within(
        "voted, support vectors",
        mean(&runs, |run| run.support_vectors),
        1350.0,
        1450.0,
    );
}

/// wv, Banana: exp(-5 d^2) on standardised features, 20 vectors, 4300 rows to learn and 1000 to test, ten orders.
fn banana(line: &str) -> Option<Vec<Run>> {
    let data = at_hand::data("banana")?.binary(None).expect("two classes");
    let options = options(&format!("{line} --kernel rbf:5 --budget 20"));
    let run = |order: u64| {
        let (train, test) = data.clone().permuted(order).split(4300).expect("5300 rows");
        let (train, scale) = train
            .to_dense()
            .expect("small")
            .standardize()
            .expect("a scale");
        let test = scale
            .apply(&test.to_dense().expect("small"))
            .expect("two features");
        assert_eq!((train.len(), test.len()), (4300, 1000));
        let single = |rows: Dense<f64>| rows.to_f32().expect("small numbers");
        evaluate::run(&single(train), &single(test), &options.learner, |_| {})
    };
    let runs: Result<Vec<Run>, _> = (1..=10u64).into_par_iter().map(run).collect();
    Some(runs.expect("good options"))
}

#[test]
fn tightest_on_banana_has_the_accuracy_of_the_paper() {
    let Some(runs) = banana("--learner tightest") else {
        return;
    };
    within(
        "Tightest, accuracy %",
        mean(&runs, |run| run.accuracy),
        86.0,
        88.5,
    );
}

#[test]
fn merging_on_banana_is_nearly_as_good() {
    let Some(runs) = banana("--learner merge --beta 1") else {
        return;
    };
    within(
        "merging, accuracy %",
        mean(&runs, |run| run.accuracy),
        85.5,
        100.0,
    );
}
