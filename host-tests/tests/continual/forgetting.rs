//! What is forgotten on purpose, and only that.

use pocketron::{
    label::Class,
    learners::continual::{AllViolating, AnnealedSteps},
    prelude::*,
};

use crate::{
    kept::bytes_of,
    streams::{CLASSES, D, blocks, mixed, quadrants, recalls, teach},
};

type Model = PocketronMulti<D, 40, CLASSES>;
type ByClass = PocketronMulti<D, 40, CLASSES, AllViolating<AnnealedSteps<35, 3>, CLASSES>>;

#[test]
fn a_forgotten_class_is_gone_and_the_others_stay() {
    macro_rules! check {
        ($model:ty) => {
            for gone in 0..CLASSES {
                let mut model = <$model>::new();
                teach(&mut model, &mixed(1, 600, 0.0));
                let before = recalls(&model);
                model.forget(Class(gone as u8));
                let after = recalls(&model);
                assert_eq!((model.seen(Class(gone as u8)), after[gone]), (0, 0.0));
                for class in (0..CLASSES).filter(|class| *class != gone) {
                    assert!(
                        after[class] >= before[class] - 0.05,
                        "{gone}: {before:?} {after:?}"
                    );
                    assert!(model.seen(Class(class as u8)) > 0);
                }
                // Its column is empty, and no vector is its own.
                for row in model.vectors().rows() {
                    assert_eq!(row.coefficient(gone), 0.0);
                }
                // It can be taught anew.
                teach(&mut model, &blocks(2, &[gone], 25));
                let again = recalls(&model);
                assert!(again[gone] > 0.7, "{gone}: {again:?}");
                let mean = again.iter().sum::<f64>() / CLASSES as f64;
                assert!(mean > 0.9, "{gone}: {again:?}");
            }
        };
    }
    check!(Model);
    check!(ByClass);
}

#[test]
fn of_two_classes_the_other_one_is_left() {
    for (gone, left) in [(Sign::Pos, Sign::Neg), (Sign::Neg, Sign::Pos)] {
        let mut model = Pocketron::<D, 20>::new();
        teach(&mut model, &quadrants(1, 500, 0.0));
        let vectors = model.vectors().len();
        model.forget(gone);
        assert!(!model.is_ready() && !model.vectors().is_empty());
        assert!(model.vectors().len() < vectors);
        for (x, _) in quadrants(2, 200, 0.0) {
            assert_eq!(model.predict(&x), Ok(left));
        }
    }
}

/// Share of right answers after so many examples.
fn taught_anew(mut model: Pocketron<D, 20>) -> f64 {
    teach(&mut model, &quadrants(3, 3000, 0.0));
    let test = quadrants(4, 1000, 0.0);
    let right = test
        .iter()
        .filter(|(x, label)| model.predict(x) == Ok(*label));
    right.count() as f64 / 1000.0
}

fn without(gone: Sign) -> Pocketron<D, 20> {
    let mut model = Pocketron::new();
    teach(&mut model, &quadrants(1, 500, 0.0));
    model.forget(gone);
    model
}

#[test]
fn a_forgotten_side_can_be_taught_anew() {
    for gone in [Sign::Pos, Sign::Neg] {
        let right = taught_anew(without(gone));
        assert!(right > 0.85, "{gone:?}: {right}");
    }
}

#[test]
fn a_forgotten_side_is_taught_anew_as_well_as_at_first() {
    let fresh = taught_anew(Pocketron::new());
    for gone in [Sign::Pos, Sign::Neg] {
        let right = taught_anew(without(gone));
        assert!(right > fresh - 0.02, "{gone:?}: {right} {fresh}");
    }
}

#[test]
fn a_class_that_was_never_seen_can_be_forgotten_without_loss() {
    let mut model = Model::new();
    teach(&mut model, &blocks(1, &[0, 1, 2], 8));
    let before = bytes_of(&model);
    model.forget(Class(4));
    model.forget(Class(200));
    assert!(bytes_of(&model) == before);
}

#[test]
fn whoever_has_forgotten_all_classes_is_empty() {
    let mut model = Model::new();
    teach(&mut model, &mixed(1, 600, 0.1));
    for class in 0..CLASSES as u8 {
        model.forget(Class(class));
    }
    assert!(model.vectors().is_empty() && !model.is_ready());
    let [x, _] = [[1000.0, 0.0, 0.5, 7.5], [0.0; D]];
    assert_eq!(model.scores(&x), Ok([0.0; CLASSES]));
    teach(&mut model, &mixed(2, 600, 0.0));
    assert!(recalls(&model).iter().all(|recall| *recall > 0.8));
}

/// Bit for bit as new: it learns another world as somebody new does.
#[test]
fn after_a_reset_the_past_is_gone() {
    let mut used = Model::new();
    for (x, class) in mixed(1, 3000, 0.2) {
        // A world of another scale.
        let x = x.map(|x| -300.0 * x + 5.0);
        used.learn(&x, class).expect("good");
    }
    used.reset();
    let mut fresh = Model::new();
    assert!(bytes_of(&used) == bytes_of(&fresh));
    let examples = blocks(2, &[3, 1, 5, 0, 4, 2], 5);
    teach(&mut used, &examples);
    teach(&mut fresh, &examples);
    assert!(bytes_of(&used) == bytes_of(&fresh));
}

#[test]
fn the_rules_and_counts_of_a_forgotten_class_are_as_new() {
    let mut model = ByClass::new();
    teach(&mut model, &mixed(1, 600, 0.1));
    for class in 0..CLASSES as u8 {
        model.forget(Class(class));
    }
    assert_eq!(model.parts().update(), ByClass::new().parts().update());
    assert!(!model.parts().has_merged());

    let mut model = PocketronRare::<D, 20>::new();
    teach(&mut model, &quadrants(1, 500, 0.0));
    let taught = *model.parts().update();
    model.forget(Sign::Pos);
    assert_ne!(*model.parts().update(), taught);
}
