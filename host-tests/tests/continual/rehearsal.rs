//! Stored vectors are asked again.

use pocketron::{
    learners::continual::{AnnealedSteps, BestWrongClass, Binary, ContinualLearner, Tuning},
    prelude::*,
    storage::{Features, Inline},
};

use crate::{
    kept::bytes_of,
    streams::{CLASSES, D, blocks, mixed, quadrants, recalls, teach},
};

#[derive(Clone, Debug)]
struct WithoutRehearsal;

impl Tuning for WithoutRehearsal {
    const REHEARSAL: bool = false;
}

const B: usize = 40;
type Several = PocketronMulti<D, B, CLASSES>;

fn mean(model: &Several) -> f64 {
    recalls(model).iter().sum::<f64>() / CLASSES as f64
}

#[test]
fn no_rehearsals_are_as_without_the_part() {
    type Two<T> =
        ContinualLearner<Features<D>, Inline<D, B, i8>, Binary<AnnealedSteps<30, 4>>, 2, 1, T>;
    let (mut never, mut without) = (Pocketron::<D, B>::new(), Two::<WithoutRehearsal>::new());
    let mut usual = Pocketron::<D, B>::new();
    never.set_rehearsals(0);
    assert_eq!((never.rehearsals(), usual.rehearsals()), (0, 2));
    let mut differed = false;
    for (x, label) in quadrants(1, 1000, 0.1) {
        let outcome = never.learn(&x, label);
        assert_eq!(outcome, without.learn(&x, label));
        differed |= usual.learn(&x, label) != outcome;
    }
    assert!(differed, "rehearsals make a difference");

    type All<T> = ContinualLearner<
        Features<D>,
        Inline<D, B, i8>,
        BestWrongClass<AnnealedSteps<35, 3>>,
        CLASSES,
        CLASSES,
        T,
    >;
    let (mut never, mut without) = (Several::new(), All::<WithoutRehearsal>::new());
    never.set_rehearsals(0);
    let order: Vec<usize> = (0..CLASSES).collect();
    for (x, class) in blocks(1, &order, 60) {
        assert_eq!(never.learn(&x, class), without.learn(&x, class));
    }
}

#[test]
fn rehearsals_keep_what_was_taught_earlier() {
    let order: Vec<usize> = (0..CLASSES).collect();
    let (mut with, mut without) = (0.0, 0.0);
    for seed in 0..5 {
        let examples = blocks(seed, &order, 100);
        let (mut usual, mut never) = (Several::new(), Several::new());
        never.set_rehearsals(0);
        teach(&mut usual, &examples);
        teach(&mut never, &examples);
        with += mean(&usual) / 5.0;
        without += mean(&never) / 5.0;
    }
    assert!(with > without + 0.02, "{with} {without}");
}

/// How right a model is before and after so many rounds of rehearsal.
fn rehearsed(seed: u64, count: usize, wrong: f32, rounds: usize) -> (f64, f64) {
    let mut model = Several::new();
    teach(&mut model, &mixed(seed, count, wrong));
    let before = mean(&model);
    for _ in 0..rounds {
        model.rehearse(B as u16);
    }
    assert!(!model.is_saturated());
    (before, mean(&model))
}

#[test]
fn idle_rehearsal_does_no_harm() {
    for seed in 0..5 {
        for count in [30, 300, 3000] {
            let (before, after) = rehearsed(seed, count, 0.0, 200);
            assert!(after > before - 0.01, "{count}: {before} {after}");
        }
    }
}

#[test]
fn a_little_idle_rehearsal_does_no_harm_where_labels_are_wrong() {
    for seed in 0..5 {
        for count in [300, 3000] {
            let (before, after) = rehearsed(seed, count, 0.1, 2);
            assert!(after > before - 0.05, "{count}: {before} {after}");
        }
    }
}

#[test]
fn idle_rehearsal_does_no_harm_where_labels_are_wrong() {
    for seed in 0..5 {
        for count in [100, 300, 3000] {
            let (before, after) = rehearsed(seed, count, 0.1, 100);
            assert!(after > before - 0.05, "{count}: {before} {after}");
        }
    }
}

#[test]
fn idle_rehearsal_in_place_of_that_of_every_example_helps() {
    let order: Vec<usize> = (0..CLASSES).collect();
    let mut model = Several::new();
    model.set_rehearsals(0);
    teach(&mut model, &blocks(1, &order, 5));
    let before = mean(&model);
    assert!(model.rehearse(200) > 0, "there is something to gain");
    for _ in 0..20 {
        model.rehearse(B as u16);
    }
    assert!(mean(&model) >= before, "{before} {}", mean(&model));
}

#[test]
fn when_nothing_is_left_to_gain_nothing_changes() {
    let order: Vec<usize> = (0..CLASSES).collect();
    for each in [1, 2, 5, 30] {
        let mut model = Several::new();
        teach(&mut model, &blocks(7, &order, each));
        let len = model.vectors().len() as u16;
        let rounds = (0..2000).position(|_| model.rehearse(len) == 0);
        assert!(rounds.is_some(), "{each}: never at rest");
        // A whole round, so that the turn comes to the same vector.
        let before = bytes_of(&model);
        assert_eq!(model.rehearse(len), 0);
        assert!(bytes_of(&model) == before, "{each}");
    }
}

#[test]
fn nobody_is_rehearsed_in_an_empty_model() {
    let mut model = Several::new();
    assert_eq!(model.rehearse(100), 0);
    assert!(bytes_of(&model) == bytes_of(&Several::new()));
}
