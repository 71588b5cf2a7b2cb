//! A class that is taught to a model which has learned others for long.

use pocketron::{
    label::Class,
    learners::continual::{Each, Settling},
    prelude::*,
};

use crate::streams::{CLASSES, D, Examples, blocks, mixed, recalls, teach};

type Model = PocketronMulti<D, 40, CLASSES>;
type ByClass = PocketronMulti<D, 40, CLASSES, Each<Settling<35, 3>, CLASSES>>;

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

#[test]
fn a_class_of_a_hundredth_of_the_stream_does_not_stop_the_settling() {
    let mut model = Model::new();
    let stream = mixed(5, 60_000, 0.0);
    let mut rare = 0;
    for (x, class) in &stream {
        if *class == Class(0) {
            rare += 1;
            if rare % 20 > 0 {
                continue;
            }
        }
        model.learn(x, *class).expect("a good example");
    }
    let recalls = recalls(&model);
    assert!(recalls.iter().all(|recall| *recall > 0.9), "{recalls:?}");
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
