//! Drawn messages of every kind, and the largest of them.

use pocketron::device::message::{
    ClassStatus, DeviceStatus, ErrorReply, Fault, Floats, Identity, ImageErrorCode, LearnWarning,
    Learned, Permission, Permissions, RawSamples, RecallKind, Reply, Request, SampleQuality,
    SensorEvent, SensorInfo, SensorState, StoreErrorCode,
};
use proptest::prelude::*;

/// What any message can be made of.
#[derive(Clone, Debug)]
pub struct Stuff {
    pub number: u32,
    pub variant: usize,
    words: [u32; 16],
    long: u64,
    bytes: Vec<u8>,
    text: String,
}

pub fn stuff() -> impl Strategy<Value = Stuff> {
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
pub const ERROR_REPLIES: usize = 23;
pub const STORE_ERRORS: usize = 8;
pub const IMAGE_ERRORS: usize = 6;
pub const FAULTS: usize = 6;
pub const WARNINGS: usize = 4;
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

    pub fn word(&self, at: usize) -> u32 {
        self.words[at]
    }

    fn float(&self, at: usize) -> f32 {
        f32::from_bits(self.words[at])
    }

    fn bit(&self, at: usize) -> bool {
        self.words[at] & 1 == 1
    }

    /// One of so many.
    pub fn kind(&self, count: usize) -> usize {
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
            10 => Request::PushBegin {
                len: self.word(0),
                digest: bytes,
                tag: bytes,
            },
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
            18 => ErrorReply::NoRecording,
            19 => ErrorReply::Committed { sequence: next },
            20 => ErrorReply::NotPermitted(self.permission()),
            21 => ErrorReply::WearReserved,
            _ => ErrorReply::NotAuthentic,
        }
    }

    fn permission(&self) -> Permission {
        Permission::ALL[self.kind(Permission::ALL.len())]
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
                permissions: Permissions::ALL.without(self.permission()),
                push_sequence: self.maybe(9),
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

    pub fn state(&self) -> SensorState {
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

    pub fn learned(&self) -> Learned {
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

    pub fn status(&self) -> DeviceStatus {
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
        2 => LearnWarning::Saturated,
        _ => LearnWarning::Underflow,
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
