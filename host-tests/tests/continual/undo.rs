//! What was taught last can be taken back.

use pocketron::{label::Class, persist::Restart as _, prelude::*, wrap::Undo};

use crate::{
    kept::{bytes_of, restore},
    streams::{CLASSES, D, blocks, mixed, teach},
};

type Inner = PocketronMulti<D, 30, CLASSES>;

fn taught() -> Undo<Inner> {
    let mut model = Undo::<Inner>::new();
    teach(&mut model, &mixed(1, 300, 0.1));
    model
}

#[test]
fn it_learns_bit_for_bit_as_without() {
    let (mut plain, mut model) = (Inner::new(), Undo::<Inner>::new());
    for (x, class) in mixed(1, 500, 0.1) {
        assert_eq!(plain.learn(&x, class), model.learn(&x, class));
    }
    assert!(bytes_of(&plain) == bytes_of(&model));
    assert_eq!(size_of::<Undo<Inner>>(), 2 * size_of::<Inner>() + 4);
}

#[test]
fn the_last_example_is_taken_back_as_if_it_had_never_been() {
    let mut model = taught();
    for (x, class) in mixed(2, 100, 0.5) {
        let before = bytes_of(&model);
        model.learn(&x, class).expect("good");
        assert!(model.undo());
        assert!(bytes_of(&model) == before);
        assert!(!model.undo(), "only one");
        model.learn(&x, class).expect("good");
    }
}

#[test]
fn a_block_is_taken_back_as_a_whole() {
    let mut model = taught();
    let before = bytes_of(&model);
    model.begin_block();
    teach(&mut model, &blocks(5, &[2], 40));
    model.end_block();
    assert!(bytes_of(&model) != before && model.can_undo());
    assert!(model.undo());
    assert!(bytes_of(&model) == before);
    // From then on examples stand alone.
    teach(&mut model, &blocks(6, &[1], 2));
    let one = bytes_of(&model);
    teach(&mut model, &blocks(7, &[1], 1));
    assert!(model.undo());
    assert!(bytes_of(&model) == one);
}

#[test]
fn a_refused_example_leaves_what_can_be_taken_back() {
    let mut model = taught();
    let before = bytes_of(&model);
    model.learn(&[1.0; D], Class(0)).expect("good");
    assert!(model.learn(&[f32::NAN; D], Class(0)).is_err());
    assert!(model.learn(&[0.0; D], Class(CLASSES as u8)).is_err());
    assert!(model.undo());
    assert!(bytes_of(&model) == before);
}

#[test]
fn a_new_beginning_can_be_taken_back_and_a_restored_model_cannot() {
    let mut model = taught();
    let before = bytes_of(&model);
    model.restart();
    assert!(model.undo());
    assert!(bytes_of(&model) == before);
    model.learn(&[1.0; D], Class(0)).expect("good");
    restore(&mut model, &before).expect("its own image");
    assert!(!model.can_undo() && !model.undo());
    assert!(bytes_of(&model) == before);
}
