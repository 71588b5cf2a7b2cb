//! Undo, forget, rehearse, the status of a class, and warnings: what the default learner can do beyond learning.

use pocketron::{
    device::{
        Device, RemoteModel,
        message::{ClassStatus, ErrorReply, LearnWarning, RecallKind, Reply, Request},
    },
    label::Class,
    num::rng::XorShift32,
    persist::Ready,
    prelude::*,
    wrap::Undo,
};

use crate::bench::{EAGER, FRAME, Flash, Host, bytes_of, fresh, image_of, learn, request};

pub const C: u8 = 3;
pub type Inner = PocketronMulti<2, 8, 3>;
pub type Undoable = Undo<Inner>;
pub type Unit<'m, L> = Device<'m, L, Flash, 2, FRAME>;

/// Three overlapping classes.
pub fn stream(seed: u32) -> impl Iterator<Item = ([f32; 2], u8)> {
    let mut random = XorShift32::new(seed);
    std::iter::repeat_with(move || {
        let class = random.below(u32::from(C)) as u8;
        let mut noise = || random.below(1024) as f32 / 512.0;
        ([f32::from(class) + noise(), noise()], class)
    })
}

/// A device without flash that has learned `count` examples.
pub fn with<L>(count: usize, act: impl FnOnce(&mut Host<'_>))
where
    L: RemoteModel<Input = [f32; 2]> + Ready,
{
    let (flash, mut model) = (Flash::new(), L::BLANK);
    let reset = |model: &mut L| *model = L::BLANK;
    let mut unit = Unit::new(&mut model, reset, flash.mount(), EAGER);
    let mut host = Host::new(&mut unit);
    for (x, class) in stream(5).take(count) {
        host.learn(&x, class);
    }
    act(&mut host);
}

/// The same examples without a device.
pub fn taught(count: usize) -> Inner {
    let mut model = Inner::new();
    for (x, class) in stream(5).take(count) {
        model.learn(&x, Class(class)).expect("a good example");
    }
    model
}

pub fn class_status(host: &mut Host<'_>, class: u8) -> ClassStatus {
    match host.question(Request::Class { class }) {
        Reply::Class(status) => status,
        other => panic!("{other:?}"),
    }
}

#[test]
fn undo_takes_back_one_example_once() {
    with::<Undoable>(40, |host| {
        assert_eq!(host.pull(), image_of(&taught(40)));
        let generation = host.status().generation;
        assert_eq!(host.command(Request::Undo), Reply::Done);
        assert_eq!(host.pull(), image_of(&taught(39)));
        assert_ne!(host.status().generation, generation);
        // The counts since the start are not part of the model.
        assert_eq!(host.status().seen, 40);
        let nothing = Reply::Refused(ErrorReply::NothingToUndo);
        let generation = host.status().generation;
        assert_eq!(host.command(Request::Undo), nothing);
        assert_eq!(host.status().generation, generation);
    });
}

#[test]
fn undo_takes_back_a_block_bit_for_bit() {
    for count in [0, 1, 12] {
        with::<Undoable>(30, |host| {
            let (before, generation) = (host.pull(), host.status().generation);
            assert_eq!(host.command(Request::BeginBlock), Reply::Done);
            assert_eq!(host.status().generation, generation);
            for (x, _) in stream(9).take(count) {
                host.learn(&x, 1);
            }
            assert_eq!(host.command(Request::EndBlock), Reply::Done);
            assert_eq!(host.pull() == before, count == 0);
            assert_eq!(host.command(Request::Undo), Reply::Done);
            // An empty block is none: the example before it is taken back.
            let expected = if count == 0 {
                image_of(&taught(29))
            } else {
                before
            };
            assert_eq!(host.pull(), expected, "{count}");
        });
    }
}

#[test]
fn a_refused_example_or_class_leaves_what_can_be_undone() {
    with::<Undoable>(30, |host| {
        host.command(learn(&bytes_of(&[f32::NAN, 0.0]), 0));
        let refused = host.command(Request::Forget { class: C });
        assert_eq!(refused, Reply::Refused(ErrorReply::UnknownClass));
        assert_eq!(host.command(Request::Undo), Reply::Done);
        assert_eq!(host.pull(), image_of(&taught(29)));
    });
}

#[test]
fn what_is_loaded_or_reset_cannot_be_undone() {
    with::<Undoable>(30, |host| {
        host.command(Request::Save);
        host.learn(&[0.5, 0.5], 2);
        assert!(matches!(host.command(Request::Load), Reply::Loaded { .. }));
        let nothing = Reply::Refused(ErrorReply::NothingToUndo);
        assert_eq!(host.command(Request::Undo), nothing);
        assert_eq!(host.pull(), image_of(&taught(30)));
    });
}

#[test]
fn a_class_is_forgotten_and_comes_back() {
    with::<Undoable>(40, |host| {
        let (before, status) = (host.pull(), class_status(host, 1));
        assert!(status.seen > 0 && status.vectors > 0);
        let generation = host.status().generation;
        assert_eq!(host.command(Request::Forget { class: 1 }), Reply::Done);
        assert_ne!(host.status().generation, generation);
        assert_eq!(host.status().classes_seen, Some(2));
        assert_eq!(class_status(host, 1), ClassStatus::default());
        let mut direct = taught(40);
        direct.forget(Class(1));
        assert_eq!(host.pull(), image_of(&direct));
        assert_eq!(host.command(Request::Undo), Reply::Done);
        assert_eq!(host.pull(), before);
        assert_eq!(class_status(host, 1), status);
    });
}

#[test]
fn a_class_forgotten_in_a_block_belongs_to_it() {
    with::<Undoable>(30, |host| {
        let before = host.pull();
        host.command(Request::BeginBlock);
        host.learn(&[0.5, 0.5], 2);
        host.command(Request::Forget { class: 0 });
        host.command(Request::EndBlock);
        assert_eq!(host.command(Request::Undo), Reply::Done);
        assert_eq!(host.pull(), before);
    });
}

#[test]
fn rehearsing_gives_the_bits_of_the_host() {
    for steps in [0, 1, 3, 8, u16::MAX] {
        with::<Undoable>(40, |host| {
            let mut direct = taught(40);
            for _ in 0..3 {
                let moved = direct.rehearse(steps);
                let generation = host.status().generation;
                let answer = host.command(Request::Rehearse { steps });
                assert_eq!(answer, Reply::Rehearsed { moved });
                assert_ne!(host.status().generation, generation);
                assert_eq!(host.pull(), image_of(&direct), "{steps}");
            }
            // Rehearsals go with the example before them.
            assert_eq!(host.command(Request::Undo), Reply::Done);
            assert_eq!(host.pull(), image_of(&taught(39)));
        });
    }
}

#[test]
fn rehearsals_in_parts_give_the_bits_of_one() {
    with::<Undoable>(40, |host| {
        for steps in [3, 1, 4] {
            host.command(Request::Rehearse { steps });
        }
        let mut direct = taught(40);
        assert_eq!(direct.vectors().len(), 8);
        direct.rehearse(8);
        assert_eq!(host.pull(), image_of(&direct));
    });
}

#[test]
fn a_device_without_undo_still_forgets_and_rehearses() {
    with::<Inner>(40, |host| {
        let unsupported = Reply::Refused(ErrorReply::Unsupported);
        for command in [Request::Undo, Request::BeginBlock, Request::EndBlock] {
            assert_eq!(host.command(command), unsupported, "{command:?}");
        }
        let mut direct = taught(40);
        let moved = direct.rehearse(5);
        let answer = host.command(Request::Rehearse { steps: 5 });
        assert_eq!(answer, Reply::Rehearsed { moved });
        direct.forget(Class(0));
        assert_eq!(host.command(Request::Forget { class: 0 }), Reply::Done);
        assert_eq!(host.pull(), image_of(&direct));
    });
}

#[test]
fn a_learner_of_a_paper_refuses_and_stays_as_it_was() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 30);
    let (image, before) = (host.pull(), host.status());
    let unsupported = Reply::Refused(ErrorReply::Unsupported);
    for command in [
        Request::Forget { class: 1 },
        Request::Undo,
        Request::BeginBlock,
        Request::EndBlock,
        Request::Rehearse { steps: 4 },
    ] {
        assert_eq!(host.command(command), unsupported, "{command:?}");
    }
    assert_eq!(host.question(Request::Class { class: 1 }), unsupported);
    let after = host.status();
    assert_eq!(host.pull(), image);
    assert_eq!(after.generation, before.generation);
    assert!(after.ready && !after.saturated);
    assert_eq!((after.stuck, after.classes_seen), (0, None));
}

#[test]
fn classes_are_counted_and_recalled() {
    with::<Undoable>(0, |host| {
        assert_eq!(host.status().classes_seen, Some(0));
        assert!(!host.status().ready);
        host.learn(&[0.5, 0.5], 2);
        assert_eq!(host.status().classes_seen, Some(1));
        assert!(!host.status().ready);
        host.learn(&[1.5, 0.5], 0);
        assert_eq!(host.status().classes_seen, Some(2));
        assert!(host.status().ready && !host.status().saturated);
    });
    with::<Undoable>(200, |host| {
        let direct = taught(200);
        let mut vectors = 0;
        for class in 0..C {
            let recall = direct.recall(Class(class));
            assert_eq!(recall.asked, direct.parts().vectors_of(Class(class)));
            assert!(recall.right <= recall.asked);
            vectors += usize::from(recall.asked);
            let wanted = ClassStatus {
                seen: direct.seen(Class(class)),
                vectors: recall.asked,
                recalled: recall.right,
                kind: RecallKind::LeaveOneOut,
            };
            assert_eq!(class_status(host, class), wanted);
        }
        assert_eq!(vectors, direct.vectors().len());
        let beyond = host.question(Request::Class { class: C });
        assert_eq!(beyond, Reply::Refused(ErrorReply::UnknownClass));
    });
}

/// The definition, computed from coefficients and similarities in `f32`: no vector counts for itself.
#[test]
fn recall_leaves_each_vector_out() {
    let model = taught(200);
    let vectors = model.vectors();
    for class in 0..C {
        let mut right = 0;
        for slot in 0..vectors.len() {
            let row = vectors.row(slot);
            let values = row.values();
            let owner = (0..3).max_by_key(|&class| (values[class], std::cmp::Reverse(class)));
            if owner != Some(usize::from(class)) {
                continue;
            }
            let whole = vectors.scores(model.kernel(), &vectors.point(slot));
            // Its similarity to itself is one.
            let scores = [0, 1, 2].map(|class| whole[class] - row.coefficient(class));
            let (winner, _) = model.parts().winner(&scores);
            right += u16::from(winner == Class(class));
        }
        assert_eq!(model.recall(Class(class)).right, right, "{class}");
    }
}

#[test]
fn a_stuck_sensor_is_reported_and_counted() {
    with::<Undoable>(20, |host| {
        let mut warnings = Vec::new();
        for _ in 0..12 {
            warnings.push(host.learn(&[0.25, 0.75], 1).warning);
        }
        let stuck = |warning: &&Option<LearnWarning>| **warning == Some(LearnWarning::StuckSensor);
        assert_eq!(warnings.iter().filter(stuck).count(), 5);
        assert!(warnings[..7].iter().all(Option::is_none));
        assert_eq!(host.status().stuck, 5);
        assert_eq!(host.learn(&[0.5, 0.75], 1).warning, None);
        assert_eq!(host.status().stuck, 5);
    });
}

#[test]
fn an_undo_whose_answer_was_lost_is_carried_out_once() {
    with::<Undoable>(40, |host| {
        let number = host.next;
        assert_eq!(host.command(Request::Undo), Reply::Done);
        let (image, generation) = (host.pull(), host.status().generation);
        for _ in 0..3 {
            let again = host.exchange(&request(number, Request::Undo));
            assert_eq!((again.number, again.body), (number, Reply::Done));
        }
        assert_eq!(host.pull(), image);
        assert_eq!(host.status().generation, generation);
    });
    // The same for rehearsals, whose answer is a number.
    with::<Undoable>(40, |host| {
        let number = host.next;
        let first = host.command(Request::Rehearse { steps: 8 });
        let image = host.pull();
        let again = host.exchange(&request(number, Request::Rehearse { steps: 8 }));
        assert_eq!((again.body, host.pull()), (first, image));
    });
}
