//! What a device tells about itself and its model.

use pocketron::{
    classifier::{OnlineClassifier as _, Scorer as _},
    device::{
        BoardStatus, frame,
        message::{
            ErrorReply, Fault, Identity, Message, Permissions, Reply, Request, SCHEMA,
            StoreErrorCode,
        },
        self_test,
    },
    label::Sign,
    persist,
    stream::{Counters, WithIds, run_stream},
};

use crate::bench::{
    EAGER, FRAME, Flash, Host, Model, Unit, bytes_of, examples, fresh, image_of, learn, reset,
    taught,
};

#[test]
fn a_prediction_is_that_of_the_model() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 50);
    let direct = taught(1, 50);
    for (x, _) in examples(2).take(50) {
        let wanted = direct.score(&x).expect("a good example");
        let (class, score, scores) = host.predicted(&x);
        assert_eq!(score.to_bits(), wanted.to_bits());
        assert_eq!(class, u8::from(Sign::of(wanted) == Sign::Pos));
        assert_eq!(scores, [wanted]);
    }
    assert_eq!(host.status().generation, 50, "questions change nothing");
}

#[test]
fn what_learning_led_to_is_what_the_model_says() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let (mut direct, mut mistakes) = (fresh(), 0);
    for ((x, class), seen) in examples(1).take(80).zip(1..) {
        let learned = host.learn(&x, class);
        let label = [Sign::Neg, Sign::Pos][usize::from(class)];
        let outcome = direct.learn(&x, label).expect("a good example");
        mistakes += u32::from(outcome.mistake);
        assert_eq!(learned.predicted, u8::from(outcome.predicted == Sign::Pos));
        assert_eq!(learned.score.to_bits(), outcome.score.to_bits());
        assert_eq!(learned.mistake, outcome.mistake);
        assert_eq!(learned.changed, outcome.changed());
        assert_eq!((learned.seen, learned.mistakes), (seen, mistakes));
    }
}

#[test]
fn the_status_counts_as_the_metrics_do() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 80);
    for _ in 0..3 {
        host.command(learn(&bytes_of(&[f32::NAN, 0.0]), 1));
    }
    let stream = examples(1)
        .take(80)
        .map(|(x, class)| (x, [Sign::Neg, Sign::Pos][usize::from(class)]));
    let stream: Vec<_> = stream.collect();
    let mut counters = Counters::default();
    let Ok(()) = run_stream(&mut fresh(), &mut WithIds::new(&stream), &mut counters);
    assert!(counters.evictions > 0, "the budget was reached");

    let status = host.status();
    assert_eq!(
        (status.seen, status.mistakes, status.updates),
        (counters.seen, counters.mistakes, counters.updates)
    );
    assert_eq!((status.evictions, status.refused), (counters.evictions, 3));
    assert_eq!(status.generation, 80);
    // The identity, the commands, and this question itself.
    assert_eq!((status.frames, status.bad_frames), (1 + 83 + 1, 0));
}

#[test]
fn status_and_identity_report_the_board() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.board_status = BoardStatus {
        now_ms: 1 << 40,
        work: 5,
        stack_used: 1,
        stack_size: 2,
        dropped_bytes: 3,
        fault: Fault::HardFault { pc: 4 },
    };
    let status = host.status();
    assert_eq!(status.uptime_ms, 1 << 40);
    assert_eq!((status.stack_used, status.stack_size), (1, 2));
    assert_eq!((status.dropped_bytes, status.work), (3, 5));
    assert_eq!(status.fault, Fault::HardFault { pc: 4 });
    assert_eq!(host.identity().fault, Fault::HardFault { pc: 4 });
}

fn shape_text() -> String {
    let mut text = String::new();
    persist::describe(&fresh(), &mut |piece| text += piece);
    text
}

#[test]
fn the_identity_tells_what_a_host_must_know() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash
        .unit(&mut model, EAGER)
        .with_firmware("übung 1.2")
        .with_window(6);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 3);
    let identity = host.identity();
    let text = shape_text();
    assert!(text.starts_with(identity.shape) && identity.shape.len() > 30);
    assert_eq!(
        identity,
        Identity {
            schema: SCHEMA.to_le_bytes(),
            firmware: "übung 1.2",
            shape: identity.shape,
            shape_hash: persist::shape(&fresh()),
            features: 2,
            classes: 2,
            model_bytes: size_of::<Model>() as u32,
            store_bytes: 3 * 256 - 64,
            frame: FRAME as u16 - 1,
            part: identity.part,
            window: 6,
            next: 3,
            fault: Fault::None,
            permissions: Permissions::ALL,
            push_sequence: None,
        }
    );
}

/// Texts are cut so that the frame can hold them, and never in the middle of a character.
#[test]
fn long_names_do_not_silence_a_device() {
    for extra in 0..6 {
        let name = format!("{}{}", "x".repeat(extra), "ß".repeat(100));
        let (flash, mut model) = (Flash::new(), fresh());
        let mut unit = flash.unit(&mut model, EAGER).with_firmware(&name);
        let identity = Host::new(&mut unit).identity();
        assert!(name.starts_with(identity.firmware));
        assert!(identity.firmware.len() > 20);
        assert!(identity.shape.len() > 20 && shape_text().starts_with(identity.shape));
    }
}

fn frame_len_of(body: Reply<'_>) -> usize {
    let number = u32::MAX;
    let mut buffer = [0; 1024];
    let frame = frame::encode(&Message { number, body }, &mut buffer);
    frame.expect("fits").len()
}

/// Texts and parts are as long as they may be when every number beside them is at its longest.
#[test]
fn what_fits_a_frame_today_fits_it_when_all_numbers_have_grown() {
    let name = "long".repeat(100);
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER).with_firmware(&name);
    let identity = Host::new(&mut unit).identity();
    let bytes = &[1; FRAME][..identity.part.into()];
    let part = Reply::Part {
        generation: u32::MAX,
        len: u32::MAX,
        bytes,
    };
    // Lengths are counted with three bytes, and take one here.
    assert_eq!(frame_len_of(part), FRAME - 2);
    let grown = Identity {
        shape_hash: u32::MAX,
        features: u16::MAX,
        classes: u16::MAX,
        model_bytes: u32::MAX,
        store_bytes: u32::MAX,
        frame: u16::MAX,
        part: u16::MAX,
        next: u32::MAX,
        fault: Fault::HardFault { pc: u32::MAX },
        push_sequence: Some(u32::MAX),
        ..identity
    };
    assert_eq!(frame_len_of(Reply::Identity(grown)), FRAME - 4);
}

#[test]
fn a_short_shape_is_told_as_a_whole_where_there_is_room() {
    type Roomy<'m> = pocketron::device::Device<'m, Model, Flash, 2, 400>;
    let mut model = fresh();
    let mut unit = Roomy::new(&mut model, reset, Flash::new().mount(), EAGER);
    assert_eq!(Host::new(&mut unit).identity().shape, shape_text());
}

#[test]
fn the_pulled_image_is_that_of_the_model() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    for count in 0..30 {
        assert_eq!(host.pull(), image_of(&taught(8, count)), "{count}");
        let (x, class) = examples(8).nth(count).expect("endless");
        host.learn(&x, class);
    }
}

#[test]
fn any_piece_of_the_image_can_be_had_in_any_order() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 30);
    let (whole, part) = (image_of(&taught(1, 30)), host.identity().part);
    let mut short = 0;
    for offset in (0..whole.len() + 50).rev().chain([usize::MAX >> 33]) {
        let pull = Request::Pull {
            offset: offset as u32,
        };
        let Reply::Part {
            generation,
            len,
            bytes,
        } = host.question(pull)
        else {
            panic!("no part")
        };
        assert_eq!((generation, len as usize), (30, whole.len()));
        let rest = whole.get(offset..).unwrap_or_default();
        let wanted = &rest[..rest.len().min(part.into())];
        assert_eq!(bytes, wanted, "{offset}");
        short += usize::from(bytes.len() < part.into());
    }
    assert!(short > 0);
}

#[test]
fn a_model_that_changes_while_it_is_pulled_says_so() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    host.learn_all(1, 30);
    let generation = |host: &mut Host<'_>| match host.question(Request::Pull { offset: 50 }) {
        Reply::Part { generation, .. } => generation,
        other => panic!("{other:?}"),
    };
    let mut seen = vec![generation(&mut host)];
    for (x, class) in examples(20).take(40) {
        // Also when nothing moves: the model may count.
        host.learn(&x, class);
        seen.push(generation(&mut host));
    }
    host.command(Request::Save);
    assert_eq!(
        generation(&mut host),
        *seen.last().expect("some"),
        "a save changes nothing"
    );
    host.command(Request::Load);
    seen.push(generation(&mut host));
    let Reply::Armed { token } = host.command(Request::Arm) else {
        panic!("not armed")
    };
    host.command(Request::Reset { token });
    seen.push(generation(&mut host));
    let mut different = seen.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!(different, seen);
}

#[test]
fn the_self_test_gives_what_the_host_calculates() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let hash = self_test();
    assert_eq!(host.question(Request::SelfTest), Reply::Tested { hash });
    assert_eq!(host.status().generation, 0, "it has a model of its own");
}

#[test]
fn why_a_device_begins_fresh_is_told() {
    let begins = |store| {
        let mut model = fresh();
        let mut unit: Unit<'_> = Unit::new(&mut model, reset, store, EAGER);
        let status = Host::new(&mut unit).status();
        (status.began_fresh, status.saved, status.saved_generation)
    };
    let refused = |reason| (Some(ErrorReply::Store(reason)), None, None);
    assert_eq!(
        begins(Err(StoreErrorCode::Missing)),
        refused(StoreErrorCode::Missing)
    );
    let flash = Flash::new();
    assert_eq!(begins(flash.mount()), refused(StoreErrorCode::Empty));

    flash
        .mount()
        .expect("mounts")
        .save_model(&taught(1, 9))
        .expect("saves");
    assert_eq!(begins(flash.mount()), (None, Some(0), Some(1)));

    let foreign = pocketron::learners::Stoptron::<2, 8>::new(crate::bench::KERNEL);
    flash
        .mount()
        .expect("mounts")
        .save_model(&foreign)
        .expect("saves");
    let other = ErrorReply::Store(StoreErrorCode::OtherShape);
    assert_eq!(begins(flash.mount()), (Some(other), Some(1), None));

    let odd = pocketron::persist::store::SlotRing::mount(flash.clone(), 100..300);
    assert_eq!(
        begins(odd.map_err(Into::into)),
        refused(StoreErrorCode::Region)
    );
}
