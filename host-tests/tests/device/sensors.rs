//! A device with a sensor: taught, asked and watched over the wire.

mod saving;

use pocketron::{
    device::{
        Device, SampleStream,
        message::{
            ClassStatus, ErrorReply, RawSamples, RecallKind, Reply, Request, SensorEvent,
            SensorInfo, SensorState, StoreErrorCode,
        },
    },
    error::EditError,
    label::Class,
    num::rng::XorShift32,
    persist::store::{RamFlash, SlotRing},
    prelude::*,
    signal::{FrontEnd, Idle, Motion, Teachable, Teacher},
};

use crate::bench::{EAGER, Flash, Host, Line, bytes_of, fresh, image_of, learn};

type Model = Teacher<Motion<32>, Undo<Teachable<12, 16, 3>>>;
const FRAME: usize = 136;
const KEPT: usize = 40;
type Unit<'m> = Device<'m, Model, RamFlash<32>, 12, FRAME, 2, SampleStream<3, KEPT>>;

const BLOCK: u32 = 600;
/// Three movements, each 600 samples, and then each of them once more.
const SAMPLES: u32 = 6 * BLOCK;

fn sample(number: u32) -> Result<[i16; 3], ()> {
    let mut random = XorShift32::new(number + 1);
    let mut noise = || random.below(41) as i16 - 20;
    let t = number as i16 % 20 - 10;
    let swing = match number / BLOCK % 3 {
        0 => [0, 0, 0],
        1 => [t * 50, 0, 0],
        _ => [0, t * 20, -t * 60],
    };
    Ok([
        swing[0] + noise(),
        swing[1] + noise(),
        1000 + swing[2] + noise(),
    ])
}

fn unit(model: &mut Model) -> Unit<'_> {
    let store = SlotRing::mount(RamFlash::new(), 0..32768).map_err(Into::into);
    let stream = SampleStream::new(["x", "y", "z"], 50.0).of_recording(SAMPLES);
    Device::new(model, |model| *model = Model::BLANK, store, EAGER).with_sensor(stream)
}

/// Runs as a board does: before each byte, all that there is to do in idle time.
struct Board<'m>(Unit<'m>);

impl Line for Board<'_> {
    fn take(&mut self, byte: u8, status: &pocketron::device::BoardStatus) -> Option<Vec<u8>> {
        while self.0.step(0, sample) {}
        self.0.take(byte, status)
    }
}

fn with_board(act: impl FnOnce(&mut Host<'_>)) {
    let mut model = Model::new();
    let mut board = Board(unit(&mut model));
    act(&mut Host::new(&mut board));
}

fn state(host: &mut Host<'_>) -> SensorState {
    match host.question(Request::State) {
        Reply::State(state) => state,
        other => panic!("{other:?}"),
    }
}

fn play(host: &mut Host<'_>, from: Option<u32>, samples: u32) -> (u32, u32) {
    match host.command(Request::Play { from, samples }) {
        Reply::Playing { to_play, left } => (to_play, left),
        other => panic!("{other:?}"),
    }
}

fn teach(host: &mut Host<'_>, class: u8) {
    let class = Some(class);
    assert_eq!(host.command(Request::Teach { class }), Reply::Done);
    let from = class.map(|class| BLOCK * u32::from(class));
    play(host, from, BLOCK);
    let taught = state(host);
    assert_eq!((taught.teaching, taught.to_play), (class, 0));
    assert_eq!(host.command(Request::Teach { class: None }), Reply::Done);
}

fn class_status(host: &mut Host<'_>, class: u8) -> ClassStatus {
    match host.question(Request::Class { class }) {
        Reply::Class(status) => status,
        other => panic!("{other:?}"),
    }
}

/// The same without a device.
fn twin(classes: u8) -> Model {
    let mut model = Model::new();
    for class in 0..classes {
        let label = Some(Class(class));
        model.switch(label).expect("a class");
        model.front_end_mut().restart();
        for number in (BLOCK * u32::from(class)..).take(BLOCK as usize) {
            let sample = sample(number).expect("a sample");
            model.sample(&sample, label).expect("a class");
        }
        model.switch(None).expect("none");
        while model.idle() == Idle::Rehearsed {}
    }
    model
}

#[test]
fn what_is_taught_over_the_wire_has_the_bits_of_the_loop_without_a_wire() {
    with_board(|host| {
        for class in 0..3 {
            teach(host, class);
            assert_eq!(state(host).owed, 0);
            assert!(state(host).unsaved);
            assert_eq!(host.pull(), image_of(&twin(class + 1)), "class {class}");
        }
        assert!(matches!(host.command(Request::Save), Reply::Saved { .. }));
        assert!(!state(host).unsaved);
        // The second time they are asked, window by window.
        let (mut right, mut wrong, mut unknown) = (0, 0, 0);
        for class in 0..3_u8 {
            play(host, Some(BLOCK * (3 + u32::from(class))), 31);
            let begin = state(host).next;
            play(host, None, 1);
            for window in 0..(BLOCK - 32) / 16 {
                let state = state(host);
                assert_eq!(state.event_at, begin + 1 + 16 * window);
                assert_eq!(state.event_at, state.next);
                match state.event {
                    SensorEvent::Known {
                        class: found,
                        probability: Some(_),
                    } if found == class => right += 1,
                    SensorEvent::Known { .. } => wrong += 1,
                    SensorEvent::Unknown => unknown += 1,
                    other => panic!("{other:?}"),
                }
                play(host, None, 16);
            }
        }
        assert!(right > 60 && wrong == 0, "{right} {wrong} {unknown}");
    });
}

#[test]
fn the_events_of_a_device_say_what_is_missing_and_what_was_taught() {
    with_board(|host| {
        assert_eq!(state(host).event, SensorEvent::Nothing);
        play(host, None, 32);
        assert_eq!(state(host).event, SensorEvent::NeedsFirstClass);
        teach(host, 0);
        // Windows of 32 samples, every 16.
        let windows = (BLOCK / 16 - 1) as u16;
        assert_eq!(state(host).event, SensorEvent::Taught { class: 0, windows });
        play(host, None, 32);
        assert_eq!(state(host).event, SensorEvent::NeedsSecondClass);
        teach(host, 1);
        // Upside down: no movement that was taught.
        play(host, Some(2 * BLOCK), 32);
        assert_eq!(state(host).event, SensorEvent::Unknown);
        let state = state(host);
        assert_eq!(state.quality.samples, state.next);
        assert_eq!(state.next, 32 + 32 + 2 * BLOCK + 32);
    });
}

#[test]
fn a_block_is_taken_back_and_a_class_forgotten_by_the_wire() {
    with_board(|host| {
        teach(host, 0);
        teach(host, 1);
        let two = host.pull();
        let status = class_status(host, 1);
        assert_eq!(status.kind, RecallKind::HeldOut);
        assert_eq!(status.seen, BLOCK / 16 - 1);
        assert_eq!((status.vectors, status.recalled), (4, 4));
        teach(host, 2);
        assert_ne!(host.pull(), two);
        assert_eq!(host.command(Request::Undo), Reply::Done);
        assert_eq!(host.pull(), two, "the block is still there");
        assert_eq!(class_status(host, 2).seen, 0);
        let nothing = Reply::Refused(ErrorReply::NothingToUndo);
        assert_eq!(host.command(Request::Undo), nothing);
        assert_eq!(host.command(Request::Forget { class: 1 }), Reply::Done);
        assert_eq!(class_status(host, 1).seen, 0);
        assert_eq!(host.command(Request::Undo), Reply::Done);
        assert_eq!(host.pull(), two, "the class is still gone");
        // Features by the wire count as windows do.
        let features = bytes_of(&[0.0; 12]);
        assert!(matches!(
            host.command(learn(&features, 2)),
            Reply::Learned(_)
        ));
        assert_eq!(class_status(host, 2).seen, 1);
    });
}

#[test]
fn every_sample_is_handed_on_or_counted_as_dropped() {
    with_board(|host| {
        let (mut next, mut dropped) = (0, 0);
        let mut random = XorShift32::new(9);
        for _ in 0..200 {
            play(host, None, random.below(3 * KEPT as u32 / 2));
            // A frame has room for a few of them only.
            loop {
                let reply = host.question(Request::Samples { from: next });
                let Reply::Samples(samples) = reply else {
                    panic!("{reply:?}");
                };
                assert_eq!(samples.first, next + samples.dropped);
                dropped += samples.dropped;
                next = samples.first;
                let values: Vec<i16> = samples.iter().collect();
                for values in values.chunks_exact(3) {
                    assert_eq!(Ok(values), sample(next).as_ref().map(|sample| &sample[..]));
                    next += 1;
                }
                if values.is_empty() {
                    break;
                }
            }
            assert_eq!(next, state(host).next);
        }
        assert_eq!(next, SAMPLES, "all of it was played");
        assert!(0 < dropped && dropped < SAMPLES / 2, "{dropped}");
        // A number from before a restart.
        let reply = host.question(Request::Samples { from: next + 1000 });
        let Reply::Samples(RawSamples { first, dropped, .. }) = reply else {
            panic!("{reply:?}");
        };
        assert_eq!((first, dropped), (SAMPLES - KEPT as u32, 0));
    });
}

/// The numbers of samples that a host gets have a gap where some were lost.
#[test]
fn lost_samples_take_numbers_and_are_left_out() {
    let is_lost = |number: u32| matches!(number, 0 | 7 | 8 | 20 | 38 | 39);
    let mut model = Model::new();
    let mut unit = unit(&mut model);
    for number in 0..40 {
        let reading = if is_lost(number) {
            Err(())
        } else {
            sample(number)
        };
        unit.sample(reading, None).expect("no class");
    }
    let mut host = Host::new(&mut unit);
    let (mut next, mut found) = (0, Vec::new());
    while next < state(&mut host).next {
        let Reply::Samples(samples) = host.question(Request::Samples { from: next }) else {
            panic!("no samples");
        };
        // All of them are still there.
        assert_eq!(samples.dropped, 0);
        next = samples.first;
        let values: Vec<i16> = samples.iter().collect();
        for values in values.chunks_exact(3) {
            assert_eq!(Ok(values), sample(next).as_ref().map(|sample| &sample[..]));
            found.push(next);
            next += 1;
        }
    }
    let expected = (0..40).filter(|number| !is_lost(*number));
    assert_eq!(found, expected.collect::<Vec<u32>>());
}

#[test]
fn names_come_in_parts_and_whole() {
    with_board(|host| {
        let (mut names, mut parts) = (Vec::new(), 0);
        while names.len() < 15 {
            let name = names.len() as u16;
            let reply = host.question(Request::Sensor { name });
            let Reply::Sensor(info) = reply else {
                panic!("{reply:?}");
            };
            let rest = SensorInfo { names: "", ..info };
            let expected = SensorInfo {
                channels: 3,
                window: 32,
                hop: 16,
                features: 12,
                rate: 50.0,
                recording: Some(SAMPLES),
                names: "",
            };
            assert_eq!(rest, expected);
            assert!(info.names.ends_with('\n'));
            names.extend(info.names.lines());
            parts += 1;
        }
        assert!(parts > 1, "all names fit into one frame");
        assert_eq!(names[..4], ["x", "y", "z", "x mean"]);
        for (feature, name) in names[3..].iter().enumerate() {
            let mut expected = String::new();
            Motion::<32>::feature_name(feature, &mut expected).expect("a string");
            assert_eq!(*name, expected);
        }
        let reply = host.question(Request::Sensor { name: u16::MAX });
        assert!(matches!(reply, Reply::Sensor(SensorInfo { names: "", .. })));
    });
}

#[test]
fn playing_ends_with_the_recording() {
    with_board(|host| {
        assert_eq!(play(host, None, 100), (100, SAMPLES - 100));
        assert_eq!(play(host, None, u32::MAX), (SAMPLES - 100, 0));
        assert_eq!(play(host, None, 1), (0, 0));
        assert_eq!(play(host, Some(u32::MAX), 5), (0, 0));
        assert_eq!(play(host, Some(SAMPLES - 2), 5), (2, 0));
        assert_eq!(state(host).next, SAMPLES + 2);
    });
}

#[test]
fn idle_time_changes_nothing_once_all_is_rehearsed() {
    let mut model = Model::new();
    let mut board = Board(unit(&mut model));
    let mut host = Host::new(&mut board);
    // Few windows, so that no vectors are merged.
    for class in [0, 1] {
        host.command(Request::Teach { class: Some(class) });
        play(&mut host, Some(BLOCK * u32::from(class)), 80);
        state(&mut host);
        host.command(Request::Teach { class: None });
    }
    let rehearsed = host.pull();
    // What could have to be rehearsed again.
    for edit in [Request::Forget { class: 2 }, Request::Undo] {
        assert_eq!(host.command(edit), Reply::Done);
        assert_eq!(host.pull(), rehearsed, "{edit:?}");
    }
}

#[test]
fn a_class_that_does_not_exist_is_refused_and_teaching_goes_on() {
    with_board(|host| {
        host.command(Request::Teach { class: Some(1) });
        for class in [3, 255] {
            let class = Some(class);
            let refused = Reply::Refused(ErrorReply::UnknownClass);
            assert_eq!(host.command(Request::Teach { class }), refused);
            assert_eq!(state(host).teaching, Some(1));
        }
    });
}

#[test]
fn a_real_sensor_cannot_be_played_and_counts_what_is_lost() {
    let mut model = Model::new();
    let device = Device::<_, RamFlash<8>, 12, FRAME>::new(
        &mut model,
        |model| *model = Model::BLANK,
        Err(StoreErrorCode::Missing),
        EAGER,
    );
    let mut unit = device.with_sensor(SampleStream::<3, KEPT>::new(["x", "y", "z"], 50.0));
    for number in 0..10 {
        let reading = if number == 5 { Err(()) } else { sample(number) };
        unit.sample(reading, None).expect("no class");
    }
    // A button on the board teaches as the wire does.
    unit.sample(sample(10), Some(Class(2))).expect("a class");
    assert!(!unit.step(0, sample), "no recording");
    let mut host = Host::new(&mut unit);
    let refused = Reply::Refused(ErrorReply::NoRecording);
    let play = Request::Play {
        from: None,
        samples: 1,
    };
    assert_eq!(host.command(play), refused);
    let state = state(&mut host);
    assert_eq!((state.quality.samples, state.quality.lost), (10, 1));
    // The lost one has a number, too.
    assert_eq!((state.next, state.teaching), (11, Some(2)));
}

/// With buttons and missed samples, as over the wire.
#[test]
fn a_board_skips_samples_and_takes_blocks_back_by_itself() {
    let mut model = Model::new();
    let mut unit = unit(&mut model);
    let teach = |unit: &mut Unit<'_>, class: u8, missed: u32| {
        for number in (BLOCK * u32::from(class)..).take(BLOCK as usize) {
            unit.sample(sample(number), Some(Class(class)))
                .expect("a class");
        }
        unit.skip(missed);
        unit.sample(sample(0), None).expect("none");
        while unit.idle(0) == Idle::Rehearsed {}
    };
    teach(&mut unit, 0, 0);
    teach(&mut unit, 1, 0);
    unit.save(0).expect("room");
    let two = image_of(unit.model());
    let next = |unit: &mut Unit<'_>| state(&mut Host::new(unit)).next;
    let before = next(&mut unit);
    teach(&mut unit, 2, 7);
    assert_eq!(unit.model().front_end().quality().lost, 7);
    // A block, the missed samples, and one after them.
    assert_eq!(next(&mut unit) - before, BLOCK + 7 + 1);
    assert_ne!(image_of(unit.model()), two);
    unit.undo().expect("a block");
    assert_eq!(image_of(unit.model()), two);
    assert!(
        state(&mut Host::new(&mut unit)).unsaved,
        "it is another model"
    );
    assert_eq!(unit.undo(), Err(EditError::NothingToUndo));
}

#[test]
fn a_device_without_a_sensor_says_so_and_changes_nothing() {
    let (flash, mut model) = (Flash::new(), fresh());
    let mut unit = flash.unit(&mut model, EAGER);
    let mut host = Host::new(&mut unit);
    let before = (host.pull(), host.status().generation);
    let refused = Reply::Refused(ErrorReply::NoSensor);
    for question in [
        Request::Sensor { name: 0 },
        Request::Samples { from: 0 },
        Request::State,
    ] {
        assert_eq!(host.question(question), refused);
    }
    for class in [None, Some(0), Some(255)] {
        assert_eq!(host.command(Request::Teach { class }), refused);
    }
    let (from, samples) = (Some(1), 1);
    assert_eq!(host.command(Request::Play { from, samples }), refused);
    assert_eq!((host.pull(), host.status().generation), before);
}

#[test]
fn any_bytes_are_answered_or_skipped_with_a_sensor() {
    use crate::wire::framed;
    with_board(|host| {
        teach(host, 0);
        let mut random = XorShift32::new(3);
        for _ in 0..3000 {
            let len = random.below(24) as usize;
            let mut message: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
            // Mostly a request that there is, with the number that is due.
            if random.below(4) > 0 {
                let next = host.identity().next;
                message.splice(0..0, [(next % 128) as u8, random.below(24) as u8]);
            }
            assert_eq!(host.send(&framed(&message)).len(), 1);
            let noise: Vec<u8> = (0..len).map(|_| random.below(256) as u8).collect();
            host.send(&noise);
            host.send(&[0]);
        }
        assert!(state(host).next > 0);
    });
}
