//! What a board learns, moves and takes back has the bits of the host.

use std::time::Instant;

use pocketron::{
    classifier::OnlineClassifier as _,
    device::{RemoteModel as _, message::ClassStatus, self_test},
    label::Class,
    learners::PocketronMulti,
    wrap::confidence::Confident,
};
use pocketron_cli::{
    device::qemu::Board,
    model::{HostModel, image_of},
};

use crate::{WHY, connect, examples, pull, teach};

/// Deepest stack of a board's firmware by its machine code.
fn stack_bound(board: Board) -> u32 {
    let bounds = std::env::var("POCKETRON_STACKS").expect(WHY);
    let bound = bounds.split(' ').find_map(|one| {
        let (machine, bytes) = one.split_once('=')?;
        (machine == board.machine()).then(|| bytes.parse().ok())?
    });
    bound.expect("a bound for every board")
}

/// Host and device learn the same, and know the same to the last bit.
fn learns_as_the_host_does(board: Board, count: usize) {
    let mut client = connect(board);
    let (features, classes) = (client.identity().features, client.identity().classes);
    assert_eq!(client.self_test().expect("a hash"), self_test());
    let mut twin = HostModel::open(&pull(&mut client)).expect("a model for hosts");

    let lessons = examples(count, features, classes, 5);
    let begun = Instant::now();
    teach(&mut client, &lessons);
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{}: {:.0} learn exchanges a second",
        board.machine(),
        count as f64 / seconds
    );
    for (class, x) in &lessons {
        twin.learn(x, *class).expect("good examples");
    }
    let status = client.status().expect("its status");
    assert_eq!(status.seen as usize, count);
    assert!(status.evictions > 0, "the budget was never full");
    assert!(
        pull(&mut client) == twin.image(),
        "other bits on the device"
    );

    for (_, x) in &examples(200, features, classes, 6) {
        let (there, here) = (
            client.predict(x).expect("a class"),
            twin.predict(x).expect("too"),
        );
        assert_eq!(
            (there.class, there.score.to_bits()),
            (here.class, here.score.to_bits())
        );
        let bits = |scores: &[f32]| {
            scores
                .iter()
                .map(|score| score.to_bits())
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(&there.scores), bits(&here.scores));
        assert_eq!(there.confidence, here.confidence);
        assert!(there.confidence.probability.is_some() && there.confidence.known.is_some());
    }
    let (used, bound) = (
        client.status().expect("its status").stack_used,
        stack_bound(board),
    );
    println!(
        "{}: {used} bytes of stack, at most {bound}",
        board.machine()
    );
    assert!(0 < used && used <= bound, "{used} of {bound}");
}

#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn five_thousand_lessons_give_the_bits_of_the_host() {
    learns_as_the_host_does(Board::Mps2An386, 5000);
}

#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn a_cortex_m0_learns_the_same_bits() {
    learns_as_the_host_does(Board::Microbit, 1000);
}

/// Undo, forget and rehearse, on a board with a model of `B` vectors.
fn is_corrected<const B: usize>(board: Board) {
    let mut client = connect(board);
    let mut twin = Confident::<PocketronMulti<2, B, 4>, 4>::new();
    let lessons = examples(200, 2, 4, 8);
    teach(&mut client, &lessons);
    for (class, x) in &lessons {
        let x = x[..].try_into().expect("two features");
        twin.learn(x, Class(*class)).expect("good examples");
    }
    let taught = pull(&mut client);
    assert!(taught == image_of(&twin), "other bits on the device");

    client.begin_block().expect("it has undo");
    teach(&mut client, &examples(50, 2, 4, 9));
    client.end_block().expect("it has undo");
    assert!(pull(&mut client) != taught);
    client.undo().expect("a block");
    assert!(pull(&mut client) == taught, "the block is still there");

    client.forget(1).expect("a class");
    let status = client.class_status(1).expect("a class");
    assert_eq!(status, ClassStatus::default());
    client.undo().expect("a class to bring back");
    for class in 0..4 {
        let (status, recall) = (
            client.class_status(class).expect("a class"),
            twin.learner().recall(Class(class)),
        );
        assert_eq!(status.seen, twin.learner().seen(Class(class)));
        assert_eq!(
            (status.vectors, status.recalled),
            (recall.asked, recall.right)
        );
    }

    let moved = client.rehearse(u16::MAX).expect("the default learner");
    assert_eq!(Ok(moved), twin.rehearse_steps(u16::MAX));
    assert!(
        pull(&mut client) == image_of(&twin),
        "other bits on the device"
    );
}

#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn corrections_give_the_bits_of_the_host() {
    is_corrected::<64>(Board::Mps2An386);
    is_corrected::<32>(Board::Microbit);
}

/// A model taught here goes on learning there.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn a_model_moves_to_the_device_and_goes_on() {
    for board in [Board::Mps2An386, Board::Microbit] {
        let mut client = connect(board);
        let (features, classes) = (client.identity().features, client.identity().classes);
        let mut twin = HostModel::open(&pull(&mut client)).expect("a model for hosts");
        let lessons = examples(600, features, classes, 7);
        for (class, x) in &lessons[..400] {
            twin.learn(x, *class).expect("good examples");
        }
        client.push(&twin.image(), &mut |_, _| ()).expect("pushed");
        assert!(pull(&mut client) == twin.image(), "pushed something else");
        teach(&mut client, &lessons[400..]);
        for (class, x) in &lessons[400..] {
            twin.learn(x, *class).expect("good examples");
        }
        assert!(pull(&mut client) == twin.image(), "went on differently");

        // What was pushed is in flash, and can be had again.
        client.load().expect("loaded");
        let mut pushed = HostModel::open(&pull(&mut client)).expect("a model");
        for (class, x) in &lessons[400..] {
            pushed.learn(x, *class).expect("good examples");
        }
        assert!(pushed.image() == twin.image(), "flash holds something else");
    }
}
