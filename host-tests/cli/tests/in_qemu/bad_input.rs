//! Bad frames, bad examples and noise on the line.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use pocketron::{
    device::{
        frame,
        message::{ErrorReply, Floats, Message, Reply, Request},
    },
    num::rng::XorShift32,
};
use pocketron_cli::device::{
    Transport as _,
    qemu::{Board, Emulator},
};

use crate::{connect, examples, start};

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
