//! A board with an accelerometer: taught over the line and from the live screen.

use std::time::Duration;

use pocketron::{
    device::message::RecallKind,
    label::Class,
    signal::{Event, FrontEnd as _, Idle, Motion, Teachable, Teacher},
    wrap::Undo,
};
use pocketron_cli::{
    device::{Client, Timeouts, qemu::Board},
    live::{
        device::Device,
        screen,
        source::{self, Source as _},
        state::{Action, State},
    },
    model::image_of,
};
use pocketron_testkit::data::recording;
use ratatui::{Terminal, backend::TestBackend};

use crate::{WHY, pull, run};

/// The firmware with a recorded accelerometer.
fn connect_sensor() -> Client {
    let board = Board::Mps2An386;
    let emulator = run(board, &board.sensor_firmware().expect(WHY), None);
    Client::connect(Box::new(emulator), Timeouts::default()).expect("a device")
}

/// The live screen in front of a board: keys in, windows taught, screen out.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn the_live_screen_teaches_a_board() {
    let mut source = Device::new(connect_sensor(), 1.0).expect("a sensor");
    let mut state = State::new(source.sensor());
    let wait = |source: &mut Device, state: &mut State, seconds: u32| {
        for _ in 0..4 * seconds {
            let update = source.poll(Duration::from_millis(250)).expect("an update");
            state.take_in(&update);
        }
    };
    for key in ['1', '1', '2', '2'] {
        let action = state.press(key).expect("a class");
        state.report(&source::act(&mut source, action).expect("taught"));
        wait(&mut source, &mut state, 12);
    }
    assert!(state.classes[0].windows > 5 && state.classes[1].windows > 5);
    assert!(!state.samples.is_empty());
    let mut terminal = Terminal::new(TestBackend::new(110, 30)).expect("a screen");
    let drawn = terminal.draw(|frame| screen::draw(frame, &state));
    drawn.expect("a picture");
    let screen = terminal.backend().to_string();
    assert!(screen.contains("pocketron 0.1.0  50 Hz"), "{screen}");
    // What is saved is in flash, and the flash was erased for it.
    assert!(screen.contains("not saved"), "{screen}");
    let (before, said) = (
        state.wear,
        source::act(&mut source, Action::Save).expect("saved"),
    );
    assert!(said.starts_with("saved to flash, image "), "{said}");
    wait(&mut source, &mut state, 1);
    assert!(state.wear > before, "{:?}", state.wear);
    assert!(!state.is_unsaved);
    assert!(
        matches!(state.event, Event::Known { .. } | Event::Unknown),
        "{:?}",
        state.event
    );
    // The recording does not wait: what is played while a key is pressed is the exercise of that key.
    assert_eq!(state.sensor.classes[4], "ER");
    let action = state.press('5').expect("a class");
    source::act(&mut source, action).expect("taught");
    for _ in 0..60 {
        wait(&mut source, &mut state, 1);
        assert_eq!(state.truth.as_deref(), Some("ER"));
    }
    let action = state.press('5').expect("a class");
    source::act(&mut source, action).expect("no longer taught");
    wait(&mut source, &mut state, 1);
    assert!(state.classes[4].windows > 30, "{:?}", state.classes);
    assert_eq!(
        source::act(&mut source, Action::Undo).expect("undone"),
        "the last block is taken back"
    );
}

/// The emulated accelerometer is read by its driver, taught and asked; the same loop runs here without driver, wire or board.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn what_a_sensor_teaches_has_the_bits_of_the_host() {
    let mut client = connect_sensor();
    let recording = recording::watch().expect("the recording");
    let samples = recording.samples_i16::<3>().expect("whole numbers");
    let mut twin = Teacher::<Motion<128>, Undo<Teachable<12, 40, 7>>>::new();
    let sensor = client.sensor().expect("a sensor");
    assert_eq!((sensor.window, sensor.hop), (128, 64));
    assert_eq!((sensor.channels.len(), sensor.features.len()), (3, 12));

    // The recording on the device begins as the file does: with the first person.
    let segments: Vec<_> = recording.segments[..3]
        .iter()
        .map(|segment| segment.samples.clone())
        .collect();
    for (class, segment) in (0..).zip(&segments) {
        client.teach(Some(class)).expect("a class");
        client
            .play(Some(segment.start as u32), 1000)
            .expect("played");
        client.teach(None).expect("none");
        client.settled().expect("rehearsed");
        twin.switch(Some(Class(class))).expect("a class");
        for sample in &samples[segment.start..][..1000] {
            twin.sample(sample, Some(Class(class))).expect("a class");
        }
        twin.switch(None).expect("none");
        while twin.idle() == Idle::Rehearsed {}
        assert!(
            pull(&mut client) == image_of(&twin),
            "other bits on the device after class {class}"
        );
        let (there, here) = (client.class_status(class), twin.recall(Class(class)));
        let (there, here) = (there.expect("a class"), here.expect("a recall"));
        assert_eq!(there.kind, RecallKind::HeldOut);
        assert_eq!((there.vectors, there.recalled), (here.asked, here.right));
    }
    let mut windows = 0;
    for segment in &segments {
        let (begin, count) = (segment.start + 1000, segment.len() - 1000);
        let mut answers = Vec::new();
        let tell = |at, event| answers.push((at as usize, event));
        client
            .play_windows(&sensor, begin as u32, count as u32, tell)
            .expect("played");
        twin.front_end_mut().restart();
        let mut there = answers.into_iter();
        for (at, sample) in (begin + 1..).zip(&samples[begin..][..count]) {
            let here = twin.sample(sample, None).expect("none");
            if here == Event::Nothing {
                continue;
            }
            assert_eq!(there.next(), Some((at, here.into())));
            windows += 1;
        }
        assert_eq!(there.next(), None);
    }
    assert!(windows > 30, "{windows}");
    let quality = client.sensor_state().expect("its state").quality;
    assert_eq!(quality.lost + quality.constant + quality.saturated, 0);

    // A block is taken back, and a class forgotten, as on the host.
    client.undo().expect("a block");
    twin.undo().expect("a block");
    client.forget(0).expect("a class");
    twin.forget(Class(0)).expect("a class");
    client.settled().expect("rehearsed");
    while twin.idle() == Idle::Rehearsed {}
    assert!(pull(&mut client) == image_of(&twin), "corrected otherwise");
}
