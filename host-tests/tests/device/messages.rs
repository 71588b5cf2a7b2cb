//! Every message survives the wire, and fits where room was made for it.

use pocketron::device::{
    buffer_for, frame,
    message::{
        ClassStatus, DeviceStatus, ErrorReply, Fault, Floats, Identity, ImageErrorCode,
        LearnWarning, Learned, Message, RawSamples, RecallKind, Reply, Request, SampleQuality,
        SensorEvent, SensorInfo, SensorState, StoreErrorCode,
    },
};
use proptest::prelude::*;

use crate::wire::{framed, unframed};

/// What any message can be made of.
#[derive(Clone, Debug)]
pub struct Stuff {
    number: u32,
    variant: usize,
    words: [u32; 16],
    long: u64,
    bytes: Vec<u8>,
    text: String,
}

fn stuff() -> impl Strategy<Value = Stuff> {
    // Small numbers are short on the wire, and the largest are the longest.
    let word = || prop_oneof![0..300_u32, any::<u32>(), Just(u32::MAX)];
    (
        word(),
        0..REQUESTS * REPLIES * ERROR_REPLIES,
        prop::array::uniform16(word()),
        prop_oneof![any::<u64>(), Just(u64::MAX)],
        prop::collection::vec(prop_oneof![Just(0), any::<u8>()], 0..600),
        "[a-zä(),0-9]{0,150}",
    )
        .prop_map(|(number, variant, words, long, bytes, text)| Stuff {
            number,
            variant,
            words,
            long,
            bytes,
            text,
        })
}

/// How many kinds there are of each.
pub const REQUESTS: usize = 24;
pub const REPLIES: usize = 17;
pub const ERROR_REPLIES: usize = 19;
pub const STORE_ERRORS: usize = 8;
pub const IMAGE_ERRORS: usize = 6;
pub const FAULTS: usize = 6;
pub const WARNINGS: usize = 3;
pub const EVENTS: usize = 7;

impl Stuff {
    /// What makes the longest messages.
    pub fn largest() -> Self {
        Stuff {
            number: u32::MAX,
            variant: 0,
            words: [u32::MAX; 16],
            long: u64::MAX,
            bytes: Vec::new(),
            text: String::new(),
        }
    }

    fn word(&self, at: usize) -> u32 {
        self.words[at]
    }

    fn float(&self, at: usize) -> f32 {
        f32::from_bits(self.words[at])
    }

    fn bit(&self, at: usize) -> bool {
        self.words[at] & 1 == 1
    }

    /// One of so many.
    fn kind(&self, count: usize) -> usize {
        self.variant / REQUESTS % count
    }

    fn maybe(&self, at: usize) -> Option<u32> {
        self.bit(at + 1).then_some(self.words[at])
    }

    pub fn request(&self, variant: usize) -> Request<'_> {
        let features = Floats(&self.bytes);
        let bytes = &self.bytes;
        let offset = self.word(0);
        match variant {
            0 => Request::Identify,
            1 => Request::Status,
            2 => Request::Predict { features },
            3 => Request::Pull { offset },
            4 => Request::SelfTest,
            5 => Request::Learn {
                class: self.word(0) as u8,
                features,
            },
            6 => Request::Save,
            7 => Request::Load,
            8 => Request::Arm,
            9 => Request::Reset {
                token: self.word(0),
            },
            10 => Request::PushBegin { len: self.word(0) },
            11 => Request::PushPart { offset, bytes },
            12 => Request::PushEnd,
            13 => Request::Class {
                class: self.word(0) as u8,
            },
            14 => Request::Forget {
                class: self.word(0) as u8,
            },
            15 => Request::Undo,
            16 => Request::BeginBlock,
            17 => Request::EndBlock,
            18 => Request::Rehearse {
                steps: self.word(0) as u16,
            },
            19 => Request::Sensor {
                name: self.word(0) as u16,
            },
            20 => Request::Samples { from: offset },
            21 => Request::State,
            22 => Request::Teach {
                class: self.maybe(0).map(|class| class as u8),
            },
            _ => Request::Play {
                from: self.maybe(0),
                samples: self.word(2),
            },
        }
    }

    pub fn fault(&self, variant: usize) -> Fault {
        match variant {
            0 => Fault::None,
            1 => Fault::HardFault { pc: self.word(14) },
            2 => Fault::StackOverflow,
            3 => Fault::Watchdog,
            4 => Fault::Panic,
            _ => Fault::Unknown,
        }
    }

    pub fn error_reply(&self, variant: usize) -> ErrorReply {
        let next = self.word(0);
        match variant {
            0 => ErrorReply::BadFrame { next },
            1 => ErrorReply::Unknown,
            2 => ErrorReply::OutOfOrder { next },
            3 => ErrorReply::AlreadyDone,
            4 => ErrorReply::NonFinite,
            5 => ErrorReply::WrongDimension,
            6 => ErrorReply::Overflow,
            7 => ErrorReply::UnknownClass,
            8 => ErrorReply::NotReady,
            9 => ErrorReply::Store(store_error(self.kind(STORE_ERRORS))),
            10 => ErrorReply::Image(image_error(self.kind(IMAGE_ERRORS))),
            11 => ErrorReply::TooSoon { wait_ms: next },
            12 => ErrorReply::WornOut,
            13 => ErrorReply::NotArmed,
            14 => ErrorReply::NoPush,
            15 => ErrorReply::Unsupported,
            16 => ErrorReply::NothingToUndo,
            17 => ErrorReply::NoSensor,
            _ => ErrorReply::NoRecording,
        }
    }

    pub fn reply(&self, variant: usize) -> Reply<'_> {
        match variant {
            0 => Reply::Identity(Identity {
                schema: self.long.to_le_bytes(),
                firmware: &self.text,
                shape: &self.text,
                shape_hash: self.word(0),
                features: self.word(1) as u16,
                classes: self.word(2) as u16,
                model_bytes: self.word(3),
                store_bytes: self.word(4),
                frame: self.word(5) as u16,
                part: self.word(6) as u16,
                window: self.word(7) as u8,
                next: self.word(8),
                fault: self.fault(self.kind(FAULTS)),
            }),
            1 => Reply::Status(self.status()),
            2 => Reply::Predicted {
                class: self.word(0) as u8,
                score: self.float(1),
                scores: Floats(&self.bytes),
                probability: self.bit(2).then(|| self.float(3)),
                known: self.bit(4).then(|| self.bit(5)),
            },
            3 => Reply::Part {
                generation: self.word(0),
                len: self.word(1),
                bytes: &self.bytes,
            },
            4 => Reply::Tested { hash: self.word(0) },
            5 => Reply::Learned(self.learned()),
            6 => Reply::Saved {
                sequence: self.word(0),
                wear: self.word(1),
            },
            7 => Reply::Loaded {
                sequence: self.word(0),
            },
            8 => Reply::Armed {
                token: self.word(0),
            },
            9 => Reply::Done,
            10 => Reply::Refused(self.error_reply(self.kind(ERROR_REPLIES))),
            11 => Reply::Class(ClassStatus {
                seen: self.word(0),
                vectors: self.word(1) as u16,
                recalled: self.word(2) as u16,
                kind: if self.bit(3) {
                    RecallKind::HeldOut
                } else {
                    RecallKind::LeaveOneOut
                },
            }),
            12 => Reply::Rehearsed {
                moved: self.word(0) as u16,
            },
            13 => Reply::Sensor(SensorInfo {
                channels: self.word(0) as u8,
                window: self.word(1) as u16,
                hop: self.word(2) as u16,
                features: self.word(3) as u16,
                rate: self.float(4),
                recording: self.maybe(5),
                names: &self.text,
            }),
            14 => Reply::Samples(RawSamples {
                first: self.word(0),
                dropped: self.word(1),
                bytes: &self.bytes,
            }),
            15 => Reply::State(self.state()),
            _ => Reply::Playing {
                to_play: self.word(0),
                left: self.word(1),
            },
        }
    }

    pub fn event(&self, variant: usize) -> SensorEvent {
        let (class, windows) = (self.word(0) as u8, self.word(1) as u16);
        match variant {
            0 => SensorEvent::Nothing,
            1 => SensorEvent::Teaching { class, windows },
            2 => SensorEvent::Taught { class, windows },
            3 => SensorEvent::Known {
                class,
                probability: self.bit(2).then(|| self.float(3)),
            },
            4 => SensorEvent::Unknown,
            5 => SensorEvent::NeedsFirstClass,
            6 => SensorEvent::NeedsSecondClass,
            _ => SensorEvent::NeedsMoreExamples,
        }
    }

    fn state(&self) -> SensorState {
        SensorState {
            event: self.event(self.kind(EVENTS)),
            event_at: self.word(4),
            next: self.word(5),
            teaching: self.maybe(6).map(|class| class as u8),
            owed: self.word(8) as u16,
            unsaved: self.bit(9),
            to_play: self.word(10),
            quality: SampleQuality {
                samples: self.word(11),
                lost: self.word(12),
                saturated: self.word(13),
                constant: self.word(14),
                non_finite: self.word(15),
            },
        }
    }

    fn learned(&self) -> Learned {
        Learned {
            predicted: self.word(0) as u8,
            score: self.float(1),
            mistake: self.bit(2),
            changed: self.bit(3),
            seen: self.word(4),
            mistakes: self.word(5),
            warning: self.bit(6).then(|| warning(self.kind(WARNINGS))),
        }
    }

    fn status(&self) -> DeviceStatus {
        DeviceStatus {
            uptime_ms: self.long,
            seen: self.word(0),
            mistakes: self.word(1),
            updates: self.word(2),
            evictions: self.word(3),
            refused: self.word(4),
            generation: self.word(5),
            saved: self.maybe(6),
            saved_generation: self.maybe(7),
            wear: self.word(8),
            passed_over: self.word(9),
            frames: self.word(10),
            bad_frames: self.word(11),
            dropped_bytes: self.word(12),
            work: self.word(13),
            stack_used: self.word(14),
            stack_size: self.word(15),
            fault: self.fault(self.kind(FAULTS)),
            began_fresh: self
                .bit(0)
                .then(|| self.error_reply(self.kind(ERROR_REPLIES))),
            ready: self.bit(1),
            saturated: self.bit(2),
            stuck: self.word(3),
            classes_seen: self.maybe(4).map(|classes| classes as u16),
        }
    }
}

proptest! {
    #[test]
    fn every_request_survives_the_wire(stuff in stuff()) {
        let body = stuff.request(stuff.variant % REQUESTS);
        let sent = Message { number: stuff.number, body };
        let mut buffer = [0; 1024];
        let frame = frame::encode(&sent, &mut buffer).expect("fits").to_vec();
        prop_assert_eq!(frame.last(), Some(&0));
        let mut received = frame[..frame.len() - 1].to_vec();
        prop_assert!(!received.contains(&0));
        let message: Message<Request<'_>> = frame::decode(&mut received).expect("arrives");
        prop_assert_eq!(message, sent);
        // The same by hand, from the description.
        let bytes = unframed(&frame).expect("well framed");
        prop_assert_eq!(&framed(&bytes), &frame);
        prop_assert_eq!(frame::number(&bytes), stuff.number);
        prop_assert!(frame.len() <= frame::frame_len(bytes.len()));
    }

    #[test]
    fn every_reply_survives_the_wire(stuff in stuff()) {
        let sent = Message { number: stuff.number, body: stuff.reply(stuff.variant % REPLIES) };
        let mut buffer = [0; 1024];
        let frame = frame::encode(&sent, &mut buffer).expect("fits").to_vec();
        let mut received = frame[..frame.len() - 1].to_vec();
        let message: Message<Reply<'_>> = frame::decode(&mut received).expect("arrives");
        // Bytes instead of values: a score may be NaN, which equals nothing.
        let mut again = [0; 1024];
        let again = frame::encode(&message, &mut again).expect("fits");
        prop_assert_eq!(&*again, frame.as_slice());
    }

    /// Any bytes at all, stuffed by hand and by the device's encoder, come out the same.
    #[test]
    fn frames_made_by_hand_are_read(bytes in prop::collection::vec(prop_oneof![Just(0), any::<u8>()], 0..700)) {
        let mut frame = framed(&bytes);
        prop_assert_eq!(unframed(&frame), Some(bytes.clone()));
        frame.pop();
        prop_assert_eq!(frame::open(&mut frame), Ok(bytes.as_slice()));
    }

    #[test]
    fn a_buffer_too_short_is_not_written_beyond(stuff in stuff(), room in 0..700_usize) {
        let sent = Message { number: stuff.number, body: stuff.reply(stuff.variant % REPLIES) };
        let mut large = [0; 1024];
        let needed = frame::encode(&sent, &mut large).expect("fits").len();
        let mut buffer = vec![0; room];
        let written = frame::encode(&sent, &mut buffer).map(|frame| frame.len());
        prop_assert_eq!(written, (needed <= room).then_some(needed));
    }
}

/// Blocks of 254 bytes are where stuffing is easily off by one.
#[test]
fn long_stretches_without_a_zero_are_framed_as_described() {
    for len in 1..1100 {
        let bytes = vec![7; len];
        let body = Request::PushPart {
            offset: 0,
            bytes: &bytes,
        };
        let sent = Message { number: 1, body };
        let mut buffer = [0; 1200];
        let frame = frame::encode(&sent, &mut buffer).expect("fits").to_vec();
        let message = unframed(&frame).expect("well framed");
        assert!(frame.len() <= frame::frame_len(message.len()), "{len}");
        let mut received = frame[..frame.len() - 1].to_vec();
        assert_eq!(frame::decode(&mut received), Ok(sent), "{len}");
    }
}

pub fn store_error(variant: usize) -> StoreErrorCode {
    match variant {
        0 => StoreErrorCode::Missing,
        1 => StoreErrorCode::Empty,
        2 => StoreErrorCode::OtherShape,
        3 => StoreErrorCode::OtherVersion,
        4 => StoreErrorCode::TooLong,
        5 => StoreErrorCode::Worn,
        6 => StoreErrorCode::Flash,
        _ => StoreErrorCode::Region,
    }
}

pub fn warning(variant: usize) -> LearnWarning {
    match variant {
        0 => LearnWarning::WarmUp,
        1 => LearnWarning::StuckSensor,
        _ => LearnWarning::Saturated,
    }
}

pub fn image_error(variant: usize) -> ImageErrorCode {
    match variant {
        0 => ImageErrorCode::NotAnImage,
        1 => ImageErrorCode::Version,
        2 => ImageErrorCode::OtherShape,
        3 => ImageErrorCode::Damaged,
        4 => ImageErrorCode::Malformed,
        5 => ImageErrorCode::Unreadable,
        _ => ImageErrorCode::Torn,
    }
}

fn frame_len_of(body: Reply<'_>) -> usize {
    let number = u32::MAX;
    let mut buffer = [0; 4096];
    let frame = frame::encode(&Message { number, body }, &mut buffer);
    frame.expect("fits").len()
}

#[test]
fn the_longest_status_fits_into_the_smallest_buffer() {
    let status = DeviceStatus {
        fault: Fault::HardFault { pc: u32::MAX },
        began_fresh: Some(ErrorReply::BadFrame { next: u32::MAX }),
        saved: Some(u32::MAX),
        saved_generation: Some(u32::MAX),
        ..Stuff::largest().status()
    };
    assert_eq!(frame_len_of(Reply::Status(status)), buffer_for(1, 2));
}

#[test]
fn the_longest_state_of_a_sensor_fits_into_the_smallest_buffer() {
    let stuff = Stuff::largest();
    for variant in 0..EVENTS {
        let state = SensorState {
            event: stuff.event(variant),
            ..stuff.state()
        };
        assert!(frame_len_of(Reply::State(state)) <= buffer_for(1, 2));
    }
}

#[test]
fn the_longest_examples_and_scores_fit_into_the_buffer_made_for_them() {
    for count in [1, 2, 30, 31, 32, 33, 63, 64, 100, 256, 784] {
        let numbers = vec![1; 4 * count];
        let learn = Request::Learn {
            class: 255,
            features: Floats(&numbers),
        };
        let mut buffer = vec![0; buffer_for(count, 2)];
        let message = Message {
            number: u32::MAX,
            body: learn,
        };
        assert!(frame::encode(&message, &mut buffer).is_some(), "{count}");
        let predicted = Reply::Predicted {
            class: 255,
            score: f32::MAX,
            scores: Floats(&numbers),
            probability: Some(1.0),
            known: Some(true),
        };
        assert!(frame_len_of(predicted) <= buffer_for(1, count), "{count}");
    }
}

/// The handler keeps the answer to the last command in a buffer for the longest `Learned`.
#[test]
fn no_command_is_answered_at_greater_length_than_learn() {
    let stuff = Stuff::largest();
    let longest = frame_len_of(Reply::Learned(stuff.learned()));
    assert_eq!(longest, frame::frame_len(5 + 1 + 19));
    let error_replies =
        (0..ERROR_REPLIES).map(|variant| Reply::Refused(stuff.error_reply(variant)));
    // Sensor, samples and state are answers to questions, which nobody keeps.
    let others = (6..REPLIES).filter(|variant| !(13..16).contains(variant));
    let others = others.map(|variant| stuff.reply(variant));
    for other in others.chain(error_replies) {
        assert!(frame_len_of(other) <= longest, "{other:?}");
    }
}
