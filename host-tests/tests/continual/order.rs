//! Classes may be taught in any order, with few examples each.

use pocketron::{
    label::Class,
    learners::continual::{AllViolating, AnnealedSteps},
    prelude::*,
};

use crate::{
    common::streams::TestRng,
    streams::{CLASSES, D, Examples, blocks, recalls, teach},
};

type Model<const B: usize> = PocketronMulti<D, B, CLASSES>;
type ByClass<const B: usize> =
    PocketronMulti<D, B, CLASSES, AllViolating<AnnealedSteps<35, 3>, CLASSES>>;

/// Orders of the classes.
fn orders() -> Vec<Vec<usize>> {
    let mut orders = vec![
        (0..CLASSES).collect::<Vec<_>>(),
        (0..CLASSES).rev().collect(),
    ];
    let mut rng = TestRng::new(4);
    for _ in 0..6 {
        let mut keys: Vec<(f32, usize)> = (0..CLASSES).map(|class| (rng.even(), class)).collect();
        keys.sort_by(|a, b| a.0.total_cmp(&b.0));
        orders.push(keys.into_iter().map(|(_, class)| class).collect());
    }
    orders
}

#[track_caller]
fn all_are_recognised<L>(mut model: L, examples: &Examples, (mean, least): (f64, f64))
where
    L: OnlineClassifier<Input = [f32; D], Label = Class>,
{
    teach(&mut model, examples);
    let recalls = recalls(&model);
    let found = recalls.iter().sum::<f64>() / CLASSES as f64;
    assert!(
        found > mean && recalls.iter().all(|recall| *recall > least),
        "{recalls:?}"
    );
}

#[test]
fn classes_that_are_taught_one_after_the_other_are_all_recognised() {
    for (seed, order) in orders().iter().enumerate() {
        let examples = blocks(seed as u64, order, 5);
        all_are_recognised(Model::<40>::new(), &examples, (0.95, 0.8));
        all_are_recognised(ByClass::<40>::new(), &examples, (0.85, 0.3));
        // More examples than slots.
        all_are_recognised(Model::<18>::new(), &examples, (0.9, 0.5));
        all_are_recognised(ByClass::<18>::new(), &examples, (0.85, 0.3));
    }
}

#[test]
fn two_examples_of_each_class_are_enough_for_most() {
    let mut sum = 0.0;
    for (seed, order) in orders().iter().enumerate() {
        let mut model = Model::<40>::new();
        teach(&mut model, &blocks(20 + seed as u64, order, 2));
        sum += recalls(&model).iter().sum::<f64>() / CLASSES as f64;
    }
    assert!(sum / orders().len() as f64 > 0.85, "{sum}");
}

#[test]
fn long_blocks_leave_earlier_classes_known() {
    for (seed, order) in orders().iter().enumerate() {
        let examples = blocks(40 + seed as u64, order, 100);
        all_are_recognised(Model::<40>::new(), &examples, (0.95, 0.8));
    }
}

/// The first example counts: there is no warm-up.
#[test]
fn a_single_example_of_each_of_two_classes_makes_a_choice() {
    for (first, second) in [(Sign::Neg, Sign::Pos), (Sign::Pos, Sign::Neg)] {
        let mut model = Pocketron::<2, 8>::new();
        assert!(!model.is_ready());
        let outcome = model.learn(&[20.0, 1013.0], first).expect("good");
        assert!(outcome.mistake && outcome.changed() && outcome.warning.is_none());
        // Whatever comes, there is one class so far.
        assert_eq!(model.predict(&[-500.0, 0.0]), Ok(first));
        assert!(!model.is_ready());
        model.learn(&[29.0, 1020.0], second).expect("good");
        assert!(model.is_ready());
        assert_eq!(model.predict(&[21.0, 1014.0]), Ok(first));
        assert_eq!(model.predict(&[28.0, 1019.0]), Ok(second));
    }
}

#[test]
fn two_classes_in_either_order_are_told_apart() {
    for order in [[0, 3], [3, 0]] {
        let mut model = Pocketron::<D, 12>::new();
        let sign = |class: Class| if class.0 == 0 { Sign::Neg } else { Sign::Pos };
        for (x, class) in blocks(8, &order, 5) {
            model.learn(&x, sign(class)).expect("good");
        }
        let test = blocks(9, &[0, 3], 200);
        let right = test
            .iter()
            .filter(|(x, class)| model.predict(x) == Ok(sign(*class)));
        assert!(right.count() > 390, "{order:?}");
    }
}

/// Nobody is answered who has not been seen.
#[test]
fn a_class_without_an_example_never_wins() {
    let mut model = Model::<20>::new();
    for (x, class) in blocks(3, &[1, 4], 40) {
        model.learn(&x, class).expect("good");
        for (x, _) in blocks(5, &[0, 2, 3, 5], 2) {
            let winner = model.predict(&x).expect("good");
            assert!(model.seen(winner) > 0, "{winner:?}");
        }
    }
}
