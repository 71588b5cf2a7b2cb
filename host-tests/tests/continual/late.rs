//! A class that is taught to a model which has learned others for long.

use pocketron::{
    label::Class,
    learners::continual::{AllViolating, AnnealedSteps},
    prelude::*,
};

use crate::{
    common::streams::TestRng,
    streams::{CLASSES, D, Examples, blocks, mixed, recalls, teach},
};

type Model = PocketronMulti<D, 40, CLASSES>;
type ByClass = PocketronMulti<D, 40, CLASSES, AllViolating<AnnealedSteps<35, 3>, CLASSES>>;

/// A long stream without one class.
fn stream_without(class: usize, count: usize, wrong: f32) -> Examples {
    let mut stream = mixed(class as u64, count, wrong);
    stream.retain(|(_, label)| *label != Class(class as u8));
    stream
}

/// Mean recall of the classes other than this one.
fn others(recalls: &[f64; CLASSES], class: usize) -> f64 {
    (recalls.iter().sum::<f64>() - recalls[class]) / (CLASSES - 1) as f64
}

#[test]
fn a_late_class_is_recognised_after_ten_examples() {
    macro_rules! check {
        ($model:ty, $wrong:expr) => {
            for late in 0..CLASSES {
                let mut model = <$model>::new();
                teach(&mut model, &stream_without(late, 20_000, $wrong));
                let before = recalls(&model);
                teach(&mut model, &blocks(50, &[late], 10));
                let after = recalls(&model);
                assert!(after[late] > 0.8, "{late}: {before:?} {after:?}");
                let lost = others(&before, late) - others(&after, late);
                assert!(lost < 0.1, "{late}: {before:?} {after:?}");
            }
        };
    }
    check!(Model, 0.0);
    check!(Model, 0.1);
    check!(ByClass, 0.0);
}

#[test]
fn a_late_class_stays_known_while_others_are_learned() {
    for late in [0, 3] {
        let mut model = Model::new();
        let stream = stream_without(late, 30_000, 0.0);
        let (first, then) = stream.split_at(20_000);
        teach(&mut model, first);
        teach(&mut model, &blocks(50, &[late], 10));
        teach(&mut model, then);
        let recalls = recalls(&model);
        assert!(recalls[late] > 0.8, "{late}: {recalls:?}");
        assert!(others(&recalls, late) > 0.95, "{late}: {recalls:?}");
    }
}

#[test]
fn idle_rehearsal_leaves_a_late_class_known() {
    for late in [1, 4] {
        let mut model = Model::new();
        teach(&mut model, &stream_without(late, 20_000, 0.0));
        teach(&mut model, &blocks(50, &[late], 10));
        let before = recalls(&model);
        for _ in 0..20 {
            model.rehearse(40);
        }
        let after = recalls(&model);
        assert!(after[late] > before[late] - 0.1, "{before:?} {after:?}");
    }
}

/// Whose label is wrong once teaches nothing for ever.
#[test]
fn a_single_wrong_label_of_an_unused_class_does_no_harm() {
    let mut model = PocketronMulti::<D, 40, 7>::new();
    let stream = mixed(3, 40_000, 0.0);
    for (n, (x, class)) in stream.iter().enumerate() {
        let label = if n % 5000 == 2500 { Class(6) } else { *class };
        model.learn(x, label).expect("a good example");
    }
    let recalls = recalls(&model);
    assert!(recalls.iter().all(|recall| *recall > 0.9), "{recalls:?}");
}

/// At 1,025 examples a learner is grown up, and knows few examples of each of many classes.
#[test]
fn many_classes_do_not_become_new_when_the_learner_grows_up() {
    const MANY: usize = 50;
    let centre = |class: usize, k: usize| ((class * (k + 3) * 7 + k * 5) % 23) as f32;
    let mut rng = TestRng::new(1);
    let mut example = || {
        let class = ((rng.even() + 1.0) / 2.0 * MANY as f32) as usize % MANY;
        let x = [0, 1, 2, 3].map(|k| centre(class, k) + rng.normal());
        (x, Class(class as u8))
    };
    let test: Vec<_> = (0..1000).map(|_| example()).collect();
    let mut model = PocketronMulti::<4, 150, MANY>::new();
    let mut right = [0, 0];
    for (right, count) in right.iter_mut().zip([1024, 400]) {
        for _ in 0..count {
            let (x, class) = example();
            model.learn(&x, class).expect("a good example");
        }
        let hit = |(x, class): &&([f32; 4], Class)| model.predict(x) == Ok(*class);
        *right = test.iter().filter(hit).count();
    }
    assert!(right[1] + 20 > right[0], "{right:?} of 1000");
}

#[test]
fn every_vector_belongs_to_a_class_that_was_taught() {
    let mut model = ByClass::new();
    // Class 0 has no example, so no vector can be its own.
    teach(&mut model, &stream_without(0, 3000, 0.1));
    for row in model.vectors().rows() {
        let own = (1..CLASSES).map(|class| row.coefficient(class));
        assert!(own.fold(f32::MIN, f32::max) > 0.0, "{row:?}");
    }
}
