//! The firmware itself, on emulated boards. `cargo xtask device` builds it and runs these.

use std::{
    collections::HashMap,
    io::Read,
    ops::ControlFlow,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use pocketron::{
    classifier::OnlineClassifier,
    device::{
        RemoteModel as _, frame,
        message::{ClassStatus, ErrorReply, Floats, Message, RecallKind, Reply, Request},
        self_test,
    },
    label::Class,
    learners::PocketronMulti,
    num::rng::XorShift32,
    signal::{Event, FrontEnd as _, Idle, Motion, Teachable, Teacher},
    wrap::{Undo, confidence::Confident},
};
use pocketron_cli::{
    device::{
        Client, LinkError, Timeouts, Transport,
        qemu::{Board, Emulator, Machine},
    },
    live::{
        device::Device,
        screen,
        source::{self, Source as _},
        state::{Action, State},
    },
    model::{HostModel, image_of},
};
use pocketron_testkit::data::recording;
use ratatui::{Terminal, backend::TestBackend};

const WHY: &str = "needs the firmware and QEMU: cargo xtask device";

fn start(board: Board) -> Emulator {
    let machine = Machine {
        board,
        program: &board.firmware().expect(WHY),
        flash: None,
        count_instructions: false,
    };
    Emulator::start(&machine).unwrap_or_else(|error| panic!("{error} ({WHY})"))
}

fn connect(board: Board) -> Client {
    let timeouts = Timeouts {
        give_up: Duration::from_secs(60),
        ..Timeouts::default()
    };
    Client::connect(Box::new(start(board)), timeouts).expect("a device")
}

/// Deepest stack of a board's firmware by its machine code.
fn stack_bound(board: Board) -> u32 {
    let bounds = std::env::var("POCKETRON_STACKS").expect(WHY);
    let bound = bounds.split(' ').find_map(|one| {
        let (machine, bytes) = one.split_once('=')?;
        (machine == board.machine()).then(|| bytes.parse().ok())?
    });
    bound.expect("a bound for every board")
}

fn pull(client: &mut Client) -> Vec<u8> {
    client.pull(&mut |_, _| ()).expect("its model")
}

/// Points around the corners of a square, a class each, with some noise.
fn examples(count: usize, features: usize, classes: usize, seed: u32) -> Vec<(u8, Vec<f32>)> {
    let mut rng = XorShift32::new(seed);
    let example = |_| {
        let class = rng.below(classes as u32) as u8;
        let feature = |bit: usize| {
            let corner = if (class >> (bit % 8)) & 1 == 1 {
                0.5
            } else {
                -0.5
            };
            corner + rng.below(1601) as f32 / 1000.0 - 0.8
        };
        (class, (0..features).map(feature).collect())
    };
    (0..count).map(example).collect()
}

fn teach(client: &mut Client, examples: &[(u8, Vec<f32>)]) {
    let rows = examples.iter().map(|(class, x)| (*class, &x[..]));
    client
        .learn_all(rows, |taught| {
            taught.expect("good examples");
            ControlFlow::Continue(())
        })
        .expect("a line");
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

/// The firmware with a recorded accelerometer.
fn connect_sensor() -> Client {
    let board = Board::Mps2An386;
    let machine = Machine {
        board,
        program: &board.sensor_firmware().expect(WHY),
        flash: None,
        count_instructions: false,
    };
    let emulator = Emulator::start(&machine).expect(WHY);
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

#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn saving_loading_and_forgetting() {
    for board in [Board::Mps2An386, Board::Microbit] {
        let mut client = connect(board);
        let (features, classes) = (client.identity().features, client.identity().classes);
        let blank = pull(&mut client);
        assert!(matches!(
            client.load(),
            Err(LinkError::Refused(ErrorReply::Store(_)))
        ));
        teach(&mut client, &examples(50, features, classes, 8));
        let saved = pull(&mut client);
        client.save().expect("saved");
        teach(&mut client, &examples(50, features, classes, 9));
        assert!(pull(&mut client) != saved);
        client.load().expect("loaded");
        assert!(pull(&mut client) == saved);
        client.reset().expect("forgotten");
        assert!(pull(&mut client) == blank);
        client.load().expect("loaded");
        assert!(pull(&mut client) == saved);
    }
}

/// A line without manners: raw bytes out, frames in.
struct Raw {
    emulator: Emulator,
    received: Vec<u8>,
    /// Numbers of questions, which no command of this test has.
    number: u32,
}

impl Raw {
    fn send(&mut self, bytes: &[u8]) {
        self.emulator.send(bytes).expect("a line");
    }

    /// Asks after the device, and returns all that it says up to its answer.
    fn probe(&mut self) -> HashMap<u32, ErrorReply> {
        self.number += 1;
        let question = encode(self.number, Request::Status);
        self.send(&[0]);
        self.send(&question);
        let mut refusals = HashMap::new();
        loop {
            let mut frame = self.frame();
            // What was sent may have made it say anything, but nothing that is no message.
            let Message { number, body } =
                frame::decode::<Reply<'_>>(&mut frame).expect("a message");
            match body {
                Reply::Status(_) if number == self.number => return refusals,
                Reply::Refused(refusal) => drop(refusals.insert(number, refusal)),
                _ => {}
            }
        }
    }

    fn frame(&mut self) -> Vec<u8> {
        let timeouts = Instant::now() + Duration::from_secs(60);
        loop {
            if let Some(end) = self.received.iter().position(|byte| *byte == 0) {
                let rest = self.received.split_off(end + 1);
                let mut frame = std::mem::replace(&mut self.received, rest);
                frame.pop();
                return frame;
            }
            assert!(Instant::now() < timeouts, "the device does not answer");
            let mut buffer = [0; 512];
            let received = self
                .emulator
                .receive(&mut buffer, Duration::from_millis(200));
            self.received.extend(&buffer[..received.expect("a line")]);
        }
    }

    /// The model as it is now, asked for in the rude way too.
    fn image(&mut self) -> Vec<u8> {
        let mut image = Vec::new();
        loop {
            self.number += 1;
            let offset = image.len() as u32;
            let question = encode(self.number, Request::Pull { offset });
            self.send(&question);
            let mut frame = self.frame();
            let message = frame::decode::<Reply<'_>>(&mut frame).expect("a message");
            let Reply::Part { bytes, len, .. } = message.body else {
                panic!("{message:?}");
            };
            image.extend(bytes);
            if image.len() >= len as usize {
                return image;
            }
        }
    }
}

fn encode<T: serde::Serialize>(number: u32, body: T) -> Vec<u8> {
    let mut buffer = [0; 1024];
    let frame = frame::encode(&Message { number, body }, &mut buffer);
    frame.expect("room for it").to_vec()
}

fn learn(number: u32, class: u8, features: &[f32]) -> Vec<u8> {
    let bytes: Vec<u8> = features.iter().flat_map(|x| x.to_le_bytes()).collect();
    let features = Floats(&bytes);
    encode(number, Request::Learn { class, features })
}

/// Nothing that comes over the line silences the device, and nothing bad is learned.
fn survives_bad_input(board: Board) {
    let client = connect(board);
    let (features, classes) = (client.identity().features, client.identity().classes as u8);
    drop(client);
    let mut raw = Raw {
        emulator: start(board),
        received: Vec::new(),
        number: 1 << 30,
    };
    raw.probe();
    for (number, (class, x)) in (0..).zip(&examples(30, features, classes.into(), 10)) {
        raw.send(&learn(number, *class, x));
        raw.probe();
    }
    let before = raw.image();
    // Well-formed, but no example: each is refused by name, and uses its number up.
    let mut number = 30;
    let mut refused = |raw: &mut Raw, class: u8, x: &[f32], why: ErrorReply| {
        raw.send(&learn(number, class, x));
        assert_eq!(raw.probe().get(&number), Some(&why));
        number += 1;
    };
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for place in 0..features {
            let mut x = vec![0.5; features];
            x[place] = bad;
            refused(&mut raw, 0, &x, ErrorReply::NonFinite);
        }
    }
    for len in [0, features - 1, features + 1] {
        refused(&mut raw, 0, &vec![0.5; len], ErrorReply::WrongDimension);
    }
    for class in [classes, 255] {
        refused(
            &mut raw,
            class,
            &vec![0.5; features],
            ErrorReply::UnknownClass,
        );
    }

    // Damaged: every bit, every length, too long, without an end, nothing. An intact one would be
    // learned, as the end of this test shows.
    let good = learn(number, 0, &vec![0.25; features]);
    let garbled = |raw: &mut Raw, bytes: &[u8]| {
        raw.send(bytes);
        let refusal = raw.probe().remove(&0);
        assert!(
            matches!(refusal, Some(ErrorReply::BadFrame { .. })),
            "{refusal:?}: {bytes:?}"
        );
    };
    for bit in 0..8 * good.len() {
        let mut flipped = good.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        garbled(&mut raw, &flipped);
    }
    // What a probe begins with would end the longest but one.
    for len in 1..good.len() - 1 {
        garbled(&mut raw, &good[..len]);
    }
    garbled(&mut raw, &vec![0xA5; 5000]);
    garbled(&mut raw, &[&good[..good.len() - 1], &good[..]].concat());
    raw.send(&[0; 500]);
    assert!(raw.probe().is_empty(), "nothing was asked");

    // A right checksum around nonsense, with a number that no command may have now.
    let mut rng = XorShift32::new(11);
    for _ in 0..500 {
        let body: [u8; 9] = std::array::from_fn(|_| rng.below(256) as u8);
        raw.send(&encode(number + 1000, body));
        raw.probe();
    }
    // Noise.
    for _ in 0..50 {
        let noise: Vec<u8> = (0..400).map(|_| rng.below(256) as u8).collect();
        raw.send(&noise);
        raw.probe();
    }
    assert!(raw.image() == before, "something of it was learned");

    // Half a frame, silence, then a good one, which comes twice and is learned once.
    raw.send(&good[..good.len() / 2]);
    std::thread::sleep(Duration::from_millis(300));
    raw.probe();
    raw.send(&good);
    raw.probe();
    let once = raw.image();
    assert!(once != before, "the good one was not learned");
    raw.send(&good);
    raw.probe();
    assert!(raw.image() == once, "it was learned twice");
}

#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn bad_input_on_a_cortex_m4f() {
    survives_bad_input(Board::Mps2An386);
}

#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn bad_input_on_a_cortex_m0() {
    survives_bad_input(Board::Microbit);
}

/// An acknowledged save outlives the emulator's sudden end.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn a_saved_model_outlives_the_power() {
    let folder = tempfile::tempdir().expect("a folder");
    let flash = folder.path().join("flash");
    let program = Board::Mps2An386.firmware().expect(WHY);
    let boot = || {
        let machine = Machine {
            board: Board::Mps2An386,
            program: &program,
            flash: Some(&flash),
            count_instructions: false,
        };
        let emulator = Emulator::start(&machine).expect(WHY);
        Client::connect(Box::new(emulator), Timeouts::default()).expect("a device")
    };
    let mut client = boot();
    let (features, classes) = (client.identity().features, client.identity().classes);
    teach(&mut client, &examples(100, features, classes, 12));
    client.save().expect("saved");
    let saved = pull(&mut client);
    teach(&mut client, &examples(10, features, classes, 13));
    drop(client); // killed
    let mut client = boot();
    assert!(pull(&mut client) == saved);
}

/// Twenty-five sudden ends in the middle of a save; `pocketron device power-cut-test` does more of them.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn kills_while_saving_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_pocketron"))
        .args([
            "device",
            "--qemu",
            "power-cut-test",
            "--kills",
            "25",
            "--victim",
        ])
        .arg(folder.path().join("victim"))
        .output()
        .expect("the command");
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
}

/// The firmware that logs, decoded as `defmt-print` would.
#[test]
#[ignore = "needs the firmware and QEMU: cargo xtask device"]
fn the_log_can_be_read() {
    let program = Board::Mps2An386.firmware().expect(WHY);
    let program = program.with_file_name("mps2-an386-log.elf");
    let table = defmt_decoder::Table::parse(&std::fs::read(&program).expect(WHY));
    let table = table.expect("a table").expect("a firmware that logs");
    let mut emulator = Command::new("qemu-system-arm")
        .args([
            "-machine",
            "mps2-an386",
            "-display",
            "none",
            "-monitor",
            "none",
        ])
        .args([
            "-serial",
            "null",
            "-semihosting-config",
            "enable=on,target=native",
        ])
        .arg("-kernel")
        .arg(&program)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("an emulator");
    let mut output = emulator.stdout.take().expect("its output");
    let mut decoder = table.new_stream_decoder();
    let mut messages = Vec::new();
    // A firmware that says less would keep us waiting for ever.
    let (done, timeouts) = std::sync::mpsc::channel::<()>();
    let killer = std::thread::spawn(move || {
        let _ = timeouts.recv_timeout(Duration::from_secs(60));
        let _ = emulator.kill();
        let _ = emulator.wait();
    });
    let mut buffer = [0; 256];
    while messages.len() < 2 {
        let len = output.read(&mut buffer).expect("readable");
        assert!(len > 0, "it ended after {messages:?}");
        decoder.received(&buffer[..len]);
        while let Ok(frame) = decoder.decode() {
            messages.push(frame.display_message().to_string());
        }
    }
    drop(done);
    killer.join().expect("killed");
    assert_eq!(messages[0], "start");
    assert!(
        messages[1].starts_with("store: StoreStatus { newest: None"),
        "{messages:?}"
    );
}
