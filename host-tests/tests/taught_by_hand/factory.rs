//! A factory model gives way to its owner.

use pocketron::{
    classifier::{RecallEstimate, RemoteModel as _},
    label::Class,
    prelude::*,
    wrap::ExemplarReplay,
};

use crate::streams::{C, D, H, Inner, K, Model, blocks, teach};

/// Taught by others: three classes, of which the owner does the first one in another way.
fn factory() -> Inner {
    let mut model = Inner::new();
    teach(&mut model, &blocks(21, &[0, 1, 2, 0, 1, 2], 15));
    model
}

/// The owner's examples of the first class.
fn own(count: usize) -> Vec<([f32; D], Class)> {
    let mut own = blocks(22, &[0], count);
    own.iter_mut().for_each(|(x, _)| *x = x.map(|x| 30.0 - x));
    own
}

#[test]
fn it_gives_way_after_as_many_own_examples_as_are_kept_and_not_before() {
    let mut model = Model::of(factory());
    for (n, example) in (1..).zip(own(12)) {
        teach(&mut model, &[example]);
        let seen = model.learner().examples_of(Class(0));
        let learned = match n {
            ..K => 30 + n,
            // What is kept is replayed in idle time.
            K => 1,
            // The eighth is held out.
            7 => 2,
            _ => n - K,
        };
        assert_eq!(seen, Some(learned as u32), "after {n}");
    }
}

#[test]
fn before_both_count_and_then_the_owner_alone() {
    let examples = own(40);
    let (first, later) = examples.split_at(K - 1);
    let mut model = Model::of(factory());
    teach(&mut model, first);
    let of_factory = blocks(23, &[0], 20);
    let right = |model: &Model, examples: &[([f32; D], Class)]| {
        let right = examples
            .iter()
            .filter(|(x, class)| model.predict(x) == Ok(*class));
        right.count()
    };
    assert_eq!(right(&model, &of_factory), 20);
    assert_eq!(right(&model, first), K - 1);
    teach(&mut model, later);
    model.rehearse(u16::MAX);
    assert_eq!(right(&model, later), later.len());
    assert!(
        right(&model, &of_factory) < 20,
        "the factory's way is forgotten"
    );
}

#[test]
fn other_classes_are_untouched() {
    let mut model = Model::of(factory());
    teach(&mut model, &own(K));
    for class in [1, 2] {
        let class = Class(class);
        assert_eq!(model.learner().examples_of(class), Some(30));
        assert_eq!((model.taught(class), model.exemplars(class)), (0, 0));
    }
    for (x, class) in blocks(24, &[1, 2], 20) {
        assert_eq!(model.predict(&x), Ok(class));
    }
}

#[test]
fn a_class_that_the_factory_does_not_know_has_nothing_to_give_way() {
    let mut model = Model::of(factory());
    for (n, example) in (1..).zip(blocks(25, &[3], 7)) {
        teach(&mut model, &[example]);
        assert_eq!(model.learner().examples_of(Class(3)), Some(n));
    }
}

/// What the factory's vectors say of each other is no recall of the owner's examples.
#[test]
fn recall_is_not_measured_before_an_own_example_is_held_out() {
    let mut model = Model::of(factory());
    for class in (0..C as u8).map(Class) {
        let recall = model.recall_of(class).expect("it can tell");
        assert_eq!((recall.asked, recall.kind), (0, RecallEstimate::HeldOut));
    }
    teach(&mut model, &own(8));
    let asked = [0, 1].map(|class| model.recall_of(Class(class)).expect("it can tell").asked);
    assert_eq!(asked, [1, 0]);
    // Where none is ever held out, the learner says what it can.
    let model = ExemplarReplay::<Inner, D, C, K, 0>::of(factory());
    let recall = model.recall_of(Class(0)).expect("it can tell");
    assert!(recall.asked > 0 && recall.kind == RecallEstimate::LeaveOneOut);
}

#[test]
fn forgetting_the_examples_makes_a_factory_model() {
    let mut model = ExemplarReplay::<Inner, D, C, K, H>::new();
    teach(&mut model, &blocks(26, &[0, 1], 20));
    let learned = model.learner().examples_of(Class(0)).expect("counted");
    model.forget_examples();
    assert_eq!((model.taught(Class(0)), model.pending_replays()), (0, 0));
    assert_eq!(model.learner().examples_of(Class(0)), Some(learned));
    teach(&mut model, &own(K));
    assert_eq!(model.learner().examples_of(Class(0)), Some(1));
}
