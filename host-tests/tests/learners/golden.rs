//! The core, in `f32`, against traces that a double-precision implementation left behind (`golden/README.md`).
//!
//! Rows are those of a drawn set, and of `banana.libsvm.gz` (`$POCKETRON_DATA`, or `data/` of the repository) if it is
//! there. Decisions must be the same to the end; only Tighter0 may take another way, see there.

use pocketron::{
    budget::{Admission, Counts},
    label::Sign,
    prelude::*,
};
use pocketron_cli::{
    learner::{self, Algorithm, Learner},
    slot_tracker::SlotTracker,
};
use pocketron_testkit::data::DenseData;

use crate::common::{embedded, embedded::Embedded, golden::Golden, settings};

/// Relative error of weights that are computed and of counts that are added up, after 2000 rows in `f32`.
const CLOSE: f64 = 1e-4;

/// What a run leaves behind.
struct Run {
    mistakes: usize,
    /// Rows of the support vectors, oldest first, and their weights.
    sv: Vec<usize>,
    alpha: Vec<f32>,
    counts: Option<Vec<Counts>>,
}

fn run(learner: &mut dyn Learner, data: &DenseData) -> Run {
    let (mut slot_tracker, mut mistakes) = (SlotTracker::default(), 0);
    for (row, (x, y)) in data.to_f32().expect("small numbers").iter().enumerate() {
        let label = Sign::of(y as f32);
        let outcome = learner.learn(x, label).expect("finite rows");
        mistakes += usize::from(outcome.mistake);
        slot_tracker.follow(row, outcome.admission.unwrap_or(Admission::Refused));
    }
    assert_eq!(slot_tracker.len(), learner.alphas().len());
    let by_age = slot_tracker.by_age();
    let counts = learner.counts();
    Run {
        mistakes,
        sv: by_age.iter().map(|&slot| slot_tracker.row(slot)).collect(),
        alpha: by_age.iter().map(|&slot| learner.alphas()[slot]).collect(),
        counts: counts.map(|counts| by_age.iter().map(|&slot| counts[slot]).collect()),
    }
}

fn golden(name: &str) -> Vec<(Golden, DenseData)> {
    let traces = Golden::of(&format!("2000_{name}_B20"));
    for (golden, _) in &traces {
        assert_eq!((golden.algo.as_str(), golden.budget), (name, 20));
        assert_eq!((golden.kernel.as_str(), golden.param), ("rbf", 5.0));
    }
    traces
}

fn on_the_heap(algorithm: Algorithm, data: &DenseData) -> Run {
    let mut settings = settings(5.0, 20);
    // As little as the guard of the inverse allows.
    settings.tolerance = 0.0;
    let learner = learner::build(algorithm, &settings, data.dim, data.len());
    run(learner.expect("good settings").as_mut(), data)
}

fn assert_decisions(run: &Run, golden: &Golden) {
    assert_eq!(Some(run.mistakes), golden.mistakes, "mistakes");
    assert_eq!(run.sv, golden.sv, "support vectors");
}

fn assert_close(what: &str, ours: impl Iterator<Item = f32>, golden: &[f64]) {
    let ours: Vec<f32> = ours.collect();
    assert_eq!(ours.len(), golden.len(), "{what}");
    for (i, (a, b)) in ours.into_iter().zip(golden).enumerate() {
        let error = (f64::from(a) - b).abs();
        assert!(error <= CLOSE * b.abs(), "{what} {i}: {a}, golden {b}");
    }
}

/// The same decisions and, steps being one, the same weights.
fn follows_exactly(name: &str, run: impl Fn(&DenseData) -> Run) {
    for (golden, data) in golden(name) {
        let run = run(&data);
        assert_decisions(&run, &golden);
        let alpha: Vec<f64> = run.alpha.iter().copied().map(f64::from).collect();
        assert_eq!(alpha, golden.alpha, "weights");
    }
}

/// The same decisions, and weights as near as `f32` comes.
fn follows(name: &str, algorithm: Algorithm) {
    for (golden, data) in golden(name) {
        let run = on_the_heap(algorithm, &data);
        assert_decisions(&run, &golden);
        assert_close("weight", run.alpha.iter().copied(), &golden.alpha);
    }
}

#[test]
fn the_perceptron_follows_its_trace() {
    follows_exactly("perceptron", |data| {
        on_the_heap(Algorithm::Perceptron, data)
    });
}

#[test]
fn the_stoptron_follows_its_trace() {
    follows_exactly("stoptron", |data| on_the_heap(Algorithm::Stoptron, data));
}

#[test]
fn remove_oldest_follows_its_trace() {
    let oldest = Algorithm::RemoveOldest;
    follows_exactly("remove-oldest", |data| on_the_heap(oldest, data));
}

#[test]
fn fixed_follows_its_trace() {
    follows_exactly("fixed", |data| on_the_heap(Algorithm::Fixed, data));
}

#[test]
fn tightest_follows_its_trace() {
    follows_exactly("tightest", |data| on_the_heap(Algorithm::Tightest, data));
}

#[test]
fn tighterfull_follows_its_trace() {
    follows_exactly("tighterfull", |data| {
        on_the_heap(Algorithm::TighterFull, data)
    });
}

#[test]
fn forgetron_follows_its_trace() {
    follows("forgetron", Algorithm::Forgetron);
}

#[test]
fn projectron_follows_its_trace() {
    follows("projectron", Algorithm::Projectron);
}

#[test]
fn tightest_counts_what_its_trace_counts() {
    for (golden, data) in golden("tightest") {
        let counts = on_the_heap(Algorithm::Tightest, &data).counts;
        let counts = counts.expect("tightest counts");
        let (plus, minus) = (golden.cplus.expect("c+"), golden.cminus.expect("c-"));
        assert_close("c+", counts.iter().map(|counts| counts.plus), &plus);
        assert_close("c-", counts.iter().map(|counts| counts.minus), &minus);
    }
}

/// In single precision a score that should be zero may fall on either side of it, and one other choice is
/// another run. So the trace is a yardstick only: as many mistakes, give or take a quarter, and unit weights.
#[test]
fn tighter0_errs_about_as_often_as_its_trace() {
    for (golden, data) in golden("tighter0") {
        let run = on_the_heap(Algorithm::Tighter0, &data);
        let mistakes = golden.mistakes.expect("mistakes");
        assert!(
            run.mistakes.abs_diff(mistakes) <= mistakes / 4,
            "{} {mistakes}",
            run.mistakes
        );
        assert_eq!(run.sv.len(), golden.sv.len());
        assert!(run.alpha.iter().all(|alpha| alpha.abs() == 1.0));
    }
}

#[test]
fn the_learners_of_a_device_follow_the_same_traces() {
    const KERNEL: Gaussian = Gaussian::constant(5.0);
    follows_exactly("tightest", |data| {
        run(&mut Embedded(Tightest::<2, 20>::new(KERNEL)), data)
    });
    let cached = || Embedded(TightestCached::<2, 20>::new(KERNEL));
    follows_exactly("tightest", |data| run(&mut cached(), data));
    // 16 bits for a similarity are enough to take the same decisions.
    let half = || Embedded(TightestCached::<2, 20, Gaussian, f32, u16>::new(KERNEL));
    follows_exactly("tightest", |data| run(&mut half(), data));
    follows_exactly("fixed", |data| {
        run(&mut Embedded(FixedBudget::<2, 20>::new(KERNEL)), data)
    });
    let oldest = || Embedded(RemoveOldest::<2, 20>::new(KERNEL));
    follows_exactly("remove-oldest", |data| run(&mut oldest(), data));
    follows_exactly("stoptron", |data| {
        let stop = embedded::build::<2, 20>(Algorithm::Stoptron, &settings(5.0, 20));
        run({ stop }.as_mut(), data)
    });
}
