//! Figures of the paper on the 0/1 loss, met by the core: means over splits of four fifths and one fifth.
//!
//! Pima and votes84 come along; german is looked for as `at_hand` says, yinyang is drawn.

#[path = "../../tests/common/at_hand.rs"]
mod at_hand;
#[path = "../../tests/common/within.rs"]
mod within;

use std::ops::Range;

use clap::ValueEnum;
use pocketron::learners::batch::Seeding;
use pocketron_cli::evaluate::Spread;
use pocketron_papers::{
    batch::{self, Errors, Learner, Set, Training},
    rcd,
};
use pocketron_testkit::data::{
    Dataset, Dense,
    catalogue::{Paper, SETS},
    generate::Artificial,
};

use within::within;

fn binary(data: Dataset) -> Set {
    Set::Rows(data.binary(None).expect("two classes"))
}

const SPLITS: Range<u64> = 1..21;

/// 2000 epochs from Fisher's discriminant.
fn alone(set: &Set, learner: Learner) -> Vec<Errors> {
    let training = Training::new(learner, Seeding::Fisher, 2000);
    rcd::runs(set, &training, SPLITS, |_| {}).expect("a set of the paper")
}

fn mean(runs: &[Errors], figure: fn(&Errors) -> f64) -> f64 {
    Spread::of(runs.iter().map(figure)).mean
}

/// The paper has 19.60 and 23.50 for RCD-bias, 19.60 for RCD-plain, 20.34 for pocket.
#[test]
fn pima_has_the_errors_of_the_paper() {
    let set = binary(at_hand::data("pima").expect("it comes along"));
    assert_eq!(set.learned(), 614);
    let bias = alone(&set, Learner::RcdBias);
    let training = mean(&bias, |run| run.training);
    within("RCD-bias, training %", training, 19.3, 20.1);
    within("RCD-bias, test %", mean(&bias, |run| run.test), 22.0, 25.0);
    let plain = mean(&alone(&set, Learner::RcdPlain), |run| run.training);
    within("RCD-plain less RCD-bias", plain - training, -0.3, 0.3);
    let pocket = mean(&alone(&set, Learner::Pocket), |run| run.training);
    within("pocket, training %", pocket, 20.1, 21.0);
}

/// The paper has 1.31.
#[test]
fn votes84_has_the_error_of_the_paper() {
    let set = binary(at_hand::data("votes84").expect("it comes along"));
    let bias = alone(&set, Learner::RcdBias);
    let training = mean(&bias, |run| run.training);
    within("RCD-bias, training %", training, 1.1, 1.7);
}

/// The paper has 18.80.
#[test]
fn german_has_the_error_of_the_paper() {
    let Some(data) = at_hand::data("german") else {
        return;
    };
    let bias = alone(&binary(data), Learner::RcdBias);
    let training = mean(&bias, |run| run.training);
    within("RCD-bias, training %", training, 18.5, 19.2);
}

/// The paper has 1.42 on sonar and 22.18 on german: 0.3 points, and the standard error of 20 splits.
#[test]
fn gradient_descent_has_the_errors_of_the_paper() {
    for (name, printed) in [("sonar", 1.42), ("german", 22.18)] {
        let Some(data) = at_hand::data(name) else {
            continue;
        };
        let descent = alone(&binary(data), Learner::SgdMls);
        let training = Spread::of(descent.iter().map(|run| run.training));
        let room = 0.3 + training.standard_error();
        within(
            &format!("SGD-mls on {name}, training %"),
            training.mean,
            printed - room,
            printed + room,
        );
    }
}

/// The paper has 3.95, on a symbol whose measures it does not give.
#[test]
fn boosting_on_yinyang_has_the_error_of_the_paper() {
    let training = Training {
        rounds: Some(200),
        ..Training::new(Learner::RcdPlain, Seeding::Zero, 200)
    };
    let set = Set::Drawn(Artificial::YinYang);
    let runs = rcd::runs(&set, &training, SPLITS, |_| {}).expect("good options");
    within(
        "test %",
        mean(&runs, |run| run.test),
        3.95 - 0.4,
        3.95 + 0.4,
    );
    assert!(
        runs.iter()
            .all(|run| run.planes == 200 && run.training == 0.0)
    );
}

/// The paper's claims about the variants, on one set: random directions beat fixed ones and examples, these
/// beat those who minimise something else, and the averaged perceptron, worse in training, is better on unseen
/// rows.
#[test]
fn the_variants_rank_as_in_the_paper() {
    let set = binary(at_hand::data("pima").expect("it comes along"));
    let measure = |learner| {
        let training = Training::new(learner, Seeding::Fisher, 500);
        let runs = rcd::runs(&set, &training, SPLITS, |_| {}).expect("a set of the paper");
        (mean(&runs, |run| run.training), mean(&runs, |run| run.test))
    };
    let bias = measure(Learner::RcdBias);
    let other_directions = [Learner::RcdGrad, Learner::Ccd].map(measure);
    let averaged = measure(Learner::AvePerc);
    let descent = measure(Learner::SgdMls);
    for other in other_directions {
        assert!(bias.0 + 0.3 < other.0, "{bias:?} {other:?}");
        assert!(other.0 + 0.3 < averaged.0.min(descent.0), "{other:?}");
    }
    assert!(averaged.1 < bias.1, "{averaged:?} {bias:?}");
}

/// A number of features is a type, so it must be compiled in.
#[test]
fn every_set_of_the_paper_can_be_run() {
    let known = SETS.iter().filter(|set| set.papers.contains(&Paper::LiLin));
    let real = known.map(|set| set.features);
    let drawn = ["yinyang", "ringnorm", "threenorm"].map(|name| {
        let set = Artificial::named(name).expect("a set of the paper");
        set.dim()
    });
    let needed: Vec<_> = real.chain(drawn).collect();
    assert_eq!(needed.len(), 10 + 3, "votes84 has two codings");
    for features in needed {
        assert!(batch::FEATURES.contains(&features), "{features}");
    }
    for features in batch::FEATURES {
        let rows = Dense {
            dim: *features,
            x: (0..20 * features).map(|i| (i * i % 31) as f32).collect(),
            labels: (0..20).map(|i| f64::from(i % 2 * 2 - 1)).collect(),
        };
        for learner in Learner::value_variants() {
            for rounds in [None, Some(2)] {
                let training = Training {
                    rounds,
                    ..Training::new(*learner, Seeding::Fisher, 3)
                };
                let errors = batch::run(&rows, &rows, &training, |_| {}).expect("compiled in");
                assert_eq!(errors.training, errors.test, "{features} {learner:?}");
            }
        }
    }
}
