//! Looked-up scores are those that the device would compute.

use std::path::Path;

use pocketron_cli::family::LambdaUnit;

use super::*;
use crate::{
    all_voters::AllVoters,
    data::{DenseData, Places, halfspace::HalfSpace},
    sparse::SparseWeights,
};

const COURSE: TrainingPlan = TrainingPlan {
    epochs: 20,
    eta: 0.1,
    degree: 1,
};

fn artificial() -> Rows {
    let set = HalfSpace {
        dim: 30,
        margin: 0.05,
        noise: 0.1,
    };
    Rows::new(&set.draw(200, 5)).unwrap()
}

fn sonar() -> Rows {
    let rows = Places::only([Path::new(pocketron_testkit::FOLDER).join("data")])
        .load("sonar")
        .unwrap();
    Rows::new(&rows.permuted(3).to_dense().unwrap()).unwrap()
}

/// The same learner in the primal, with copies of all past hypotheses.
fn in_the_primal(rows: &Rows, learned: usize, setting: &Setting) -> Accuracy {
    type Snapshot = (SparseWeights, f32);
    type DetailedHistory = (
        Last,
        (LongestSurvivor<Snapshot>, Voted<AllVoters<Snapshot>, 0>),
    );
    let dim = rows.features().iter().flatten().map(|(at, _)| at + 1).max();
    let norms = rows.features()[..learned].iter().flatten();
    let theta = norms
        .map(|(_, value)| f64::from(value * value))
        .sum::<f64>()
        / learned as f64;
    let theta = theta as f32;
    let linear = Linear::with_weights(SparseWeights::new(dim.unwrap() as usize));
    let mut counts = Grown::BLANK;
    counts.ensure(learned);
    let function = UpdateCounts::new(Biased::new(linear, FixedRadius(theta), -theta), counts);
    let rule = rule(COURSE.eta, theta, setting);
    let mut model = Perceptron::with_history(function, rule, DetailedHistory::BLANK);
    let side = |row: usize| {
        if rows.classes()[row] == 1 {
            Sign::Pos
        } else {
            Sign::Neg
        }
    };
    for _ in 0..COURSE.epochs {
        for row in 0..learned {
            let x = &rows.features()[row];
            model.learn_with_id(x, side(row), Some(row as u32)).unwrap();
        }
    }
    let (last, (longest, voted)) = model.history();
    let percent = |score: &dyn Fn(&[Feature]) -> f32| {
        let tested = learned..rows.len();
        let right = tested
            .clone()
            .filter(|&row| (score(&rows.features()[row]) > 0.0) == (side(row) == Sign::Pos));
        100.0 * right.count() as f64 / tested.len() as f64
    };
    Accuracy {
        last: percent(&|x| last.score(model.hypothesis(), x)),
        longest: percent(&|x| longest.score(model.hypothesis(), x)),
        voted: percent(&|x| voted.score(model.hypothesis(), x)),
    }
}

const SETTINGS: [Setting; 6] = [
    Setting::margin(0.0),
    Setting::margin(0.5),
    Setting {
        lambda: 0.5,
        ..Setting::margin(0.0)
    },
    Setting {
        alpha: Some(5),
        ..Setting::margin(0.0)
    },
    Setting {
        lambda: 0.125,
        alpha: Some(10),
        ..Setting::margin(0.25)
    },
    Setting {
        lambda: 0.5,
        unit: LambdaUnit::Norm,
        ..Setting::margin(0.0)
    },
];

#[test]
fn products_learn_what_weights_learn() {
    for (rows, learned) in [(artificial(), 150), (sonar(), 160)] {
        let lesson = Lesson::new(&rows, learned, COURSE).unwrap();
        let ours = lesson.accuracies(&SETTINGS, &Watch::IDLE).unwrap();
        for (setting, ours) in SETTINGS.iter().zip(ours) {
            assert_eq!(ours, in_the_primal(&rows, learned, setting), "{setting}");
        }
    }
}

#[test]
fn rows_that_are_computed_again_teach_the_same() {
    let rows = artificial();
    for plan in [
        COURSE,
        TrainingPlan {
            degree: 4,
            ..COURSE
        },
    ] {
        let lesson = Lesson::new(&rows, 150, plan).unwrap();
        let mut learner_sets = SETTINGS.map(|setting| lesson.learner_set(&setting).unwrap());
        let streamed = |rows, first| Cow::Owned(lesson.panels.members(rows, first));
        lesson
            .teach(&mut learner_sets, streamed, &Watch::IDLE, |_| {})
            .unwrap();
        let streamed: Vec<_> = learner_sets
            .iter()
            .map(|learner_set| lesson.accuracy(learner_set))
            .collect();
        assert_eq!(
            streamed,
            lesson.accuracies(&SETTINGS, &Watch::IDLE).unwrap()
        );
    }
}

#[test]
fn a_curve_ends_where_learning_ends() {
    let rows = artificial();
    let lesson = Lesson::new(&rows, 150, COURSE).unwrap();
    let curve = lesson.curve(SETTINGS[1], &Watch::IDLE).unwrap();
    assert_eq!(curve.len(), COURSE.epochs);
    let shorter = TrainingPlan {
        epochs: 7,
        ..COURSE
    };
    for (plan, end) in [(COURSE, 19), (shorter, 6)] {
        let lesson = Lesson::new(&rows, 150, plan).unwrap();
        assert_eq!(
            lesson.accuracies(&SETTINGS[1..2], &Watch::IDLE).unwrap()[0],
            curve[end]
        );
    }
}

/// Three clusters in the plane, as far apart as they are wide.
fn clusters() -> Rows {
    let centres = [(0.0, 3.0), (3.0, -2.0), (-3.0, -2.0)];
    let mut data = DenseData {
        dim: 2,
        x: Vec::new(),
        labels: Vec::new(),
    };
    for number in 0..90 {
        let (class, turn) = (number % 3, f64::from(number));
        let (x, y) = centres[class as usize];
        data.x.extend([x + turn.sin(), y + (1.7 * turn).cos()]);
        data.labels.push(f64::from(class));
    }
    Rows::new(&data).unwrap()
}

#[test]
fn three_classes_are_told_apart_by_three_learners() {
    let rows = clusters();
    let lesson = Lesson::new(&rows, 60, COURSE).unwrap();
    let accuracy = lesson
        .accuracies(&[Setting::margin(0.5)], &Watch::IDLE)
        .unwrap()[0];
    for accuracy in accuracy.by_prediction() {
        assert!(accuracy > 95.0, "{accuracy}");
    }
}

#[test]
fn a_class_without_rows_is_counted_and_learned_around() {
    let rows = clusters();
    let two = (0..90)
        .filter(|row| row % 3 < 2)
        .chain((0..90).filter(|row| row % 3 == 2));
    let rows = rows.pick(two.collect::<Vec<_>>());
    let lesson = Lesson::new(&rows, 60, COURSE).unwrap();
    assert_eq!(lesson.absent_classes(), 1);
    let accuracy = lesson
        .accuracies(&[Setting::margin(0.0)], &Watch::IDLE)
        .unwrap()[0];
    assert_eq!(
        accuracy.last, 0.0,
        "nothing but the class that was never seen"
    );
    let lesson = Lesson::new(&rows, 61, COURSE).unwrap();
    assert_eq!(lesson.absent_classes(), 0);
}

/// Threshold and margins are in units of the mean squared norm. A power of two changes no digit.
#[test]
fn a_common_factor_of_the_features_changes_nothing() {
    let data = Places::only([Path::new(pocketron_testkit::FOLDER).join("data")])
        .load("sonar")
        .unwrap();
    let accuracies = |factor: f64| {
        let mut data = data.clone().permuted(3).to_dense().unwrap();
        data.x.iter_mut().for_each(|value| *value *= factor);
        let rows = Rows::new(&data).unwrap();
        let lesson = Lesson::new(&rows, 160, COURSE).unwrap();
        lesson.accuracies(&SETTINGS, &Watch::IDLE).unwrap()
    };
    assert_eq!(accuracies(1.0), accuracies(0.125));
}

/// A `lambda` in steps is `lambda eta` in squared norms; with this step size the product has the same bits.
#[test]
fn both_units_of_lambda_teach_the_same_by_their_factor() {
    use pocketron_cli::family::LambdaUnit::{Norm, Step};
    let rows = sonar();
    let plan = TrainingPlan {
        eta: 0.25,
        ..COURSE
    };
    let lesson = Lesson::new(&rows, 160, plan).unwrap();
    let learn = |lambda, unit| {
        let setting = Setting {
            lambda,
            unit,
            ..Setting::margin(0.0)
        };
        lesson.curve(setting, &Watch::IDLE).unwrap()
    };
    assert_eq!(learn(2.0, Step), learn(0.5, Norm));
    assert_ne!(learn(2.0, Step), learn(2.0, Norm));
}

/// Sums that are written out, for two classes and for three.
#[test]
fn the_average_algorithm_answers_with_the_sum_of_the_labelled_rows() {
    for (rows, learned) in [(sonar(), 160), (clusters(), 60)] {
        let lesson = Lesson::new(&rows, learned, COURSE).unwrap();
        let dense = |x: &[Feature]| {
            let mut dense = vec![0.0; rows.dim()];
            x.iter()
                .for_each(|(at, value)| dense[*at as usize] = f64::from(*value));
            dense
        };
        let points: Vec<_> = rows.features().iter().map(|x| dense(x)).collect();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let theta = points[..learned].iter().map(|x| dot(x, x)).sum::<f64>() / learned as f64;
        let score = |class: usize, x: &[f64], threshold: bool| {
            let mut score = if threshold { -10.0 * theta } else { 0.0 };
            for (other, truth) in points[..learned].iter().zip(rows.classes()) {
                let y = if *truth == class { 1.0 } else { -1.0 };
                score += y * (dot(other, x) + if threshold { theta } else { 0.0 });
            }
            score
        };
        for threshold in [false, true] {
            let answer = |x: &[f64]| match rows.class_count {
                2 => usize::from(score(1, x, threshold) > 0.0),
                count => (0..count)
                    .max_by(|a, b| score(*a, x, threshold).total_cmp(&score(*b, x, threshold)))
                    .unwrap(),
            };
            let right =
                (learned..rows.len()).filter(|&row| answer(&points[row]) == rows.classes()[row]);
            let expected = 100.0 * right.count() as f64 / (rows.len() - learned) as f64;
            assert_eq!(lesson.average(threshold).unwrap(), expected);
        }
    }
}
