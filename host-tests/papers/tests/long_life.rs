//! A million examples with wrong labels: what was learned early is not lost.

use pocketron_papers::reproduce::{
    pocketron::long_life::{ABOVE_BEST, ComparedLearner, Schedule, Task},
    progress::Watch,
};

const EXAMPLES: u64 = 1_000_000;

/// Percentage of wrong labels.
const NOISE: u64 = 10;

/// The error on clean examples at the end, in points above the least one that was measured on the way.
fn points_above_best(learner: ComparedLearner, task: &str) -> f64 {
    let task = Task::named(task).expect("a task");
    let mut model = learner.build(task).expect("a learner for the task");
    let schedule = Schedule::steady(EXAMPLES, NOISE);
    let figures = schedule.run(task, &mut *model, 1, &Watch::IDLE);
    let figures = figures.expect("good examples");
    println!("{figures:?}");
    figures[ABOVE_BEST]
}

#[test]
fn four_classes_stay_learned() {
    let points = points_above_best(ComparedLearner::PocketronMulti, "quad4");
    assert!(points <= 2.0, "{points} points above the best look");
}

#[test]
fn two_classes_stay_learned() {
    let points = points_above_best(ComparedLearner::Pocketron, "quad2");
    assert!(points <= 2.0, "{points} points above the best look");
}
