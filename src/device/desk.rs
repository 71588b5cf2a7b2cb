//! Requests and their answers.

use super::{
    frame::{self, Garbled, encode},
    keeper::Keeper,
    ledger::{Ledger, Turn},
    message::{
        Floats, Identity, Learned, Message, Refusal, Reply, Request, SCHEMA, Status, Warning,
    },
    piecewise::Piecewise,
    pupil::Pupil,
    room,
    self_test::self_test,
    vitals::Vitals,
};
use crate::{
    checksum::checksum,
    error::InputError,
    image,
    label::Class,
    metrics::Counters,
    store::{SlotRing, nor_flash::NorFlash},
    stream::Observer,
};

/// Answers every message: questions at once, commands in their order.
pub(super) struct Desk<'m, L, F, const D: usize, const SLOTS: usize> {
    pub(super) keeper: Keeper<'m, L, F, SLOTS>,
    pub(super) firmware: &'m str,
    pub(super) window: u8,
    ledger: Ledger,
    counters: Counters,
    /// Examples that taught nothing because the reading repeated itself.
    stuck: u32,
    /// What the next command must repeat if it is to forget everything.
    armed: Option<u32>,
    began_fresh: Option<Refusal>,
    frames: u32,
    garbled: u32,
}

impl<'m, L, F, const D: usize, const SLOTS: usize> Desk<'m, L, F, D, SLOTS>
where
    L: Pupil<Input = [f32; D]>,
    F: NorFlash,
{
    /// Begins with the model in flash, if there is one that suits.
    pub(super) fn new(mut keeper: Keeper<'m, L, F, SLOTS>) -> Self {
        let began_fresh = keeper.load().err();
        // A command that was carried out before a restart must not be carried out again
        // after it. It can only be if the model has been saved in between; so every saved
        // model has a first number of its own.
        let first = keeper.newest().map(|image| image.sequence.to_le_bytes());
        let first = first.map_or(0, |sequence| checksum(&sequence));
        Desk {
            keeper,
            firmware: concat!("pocketron ", env!("CARGO_PKG_VERSION")),
            window: 1,
            ledger: Ledger::new(first),
            counters: Counters::default(),
            stuck: 0,
            armed: None,
            began_fresh,
            frames: 0,
            garbled: 0,
        }
    }

    /// Answers what a frame held, and returns the length of the answer in `outbox`.
    pub(super) fn answer(
        &mut self,
        message: Result<&[u8], Garbled>,
        vitals: &Vitals,
        scratch: &mut [u8],
        outbox: &mut [u8],
    ) -> Option<usize> {
        self.frames = self.frames.wrapping_add(1);
        let (number, request) = self.understand(message);
        let body = match request {
            Ok(request) if request.is_command() => {
                return self.take_turn(number, request, vitals, outbox);
            }
            Ok(request) => self.question(request, vitals, scratch, outbox.len()),
            Err(refusal) => {
                self.garbled = self.garbled.wrapping_add(1);
                Err(refusal)
            }
        };
        write(number, body, outbox).map(<[u8]>::len)
    }

    /// What is asked for, and under which number.
    fn understand<'a>(
        &self,
        message: Result<&'a [u8], Garbled>,
    ) -> (u32, Result<Request<'a>, Refusal>) {
        let Ok(bytes) = message else {
            let next = self.ledger.next();
            return (0, Err(Refusal::Garbled { next }));
        };
        match frame::parse(bytes) {
            Ok(Message { number, body }) => (number, Ok(body)),
            Err(_) => (frame::number(bytes), Err(Refusal::Unknown)),
        }
    }

    /// Carries a command out if it is its turn; the length of the answer is returned.
    fn take_turn(
        &mut self,
        number: u32,
        request: Request<'_>,
        vitals: &Vitals,
        outbox: &mut [u8],
    ) -> Option<usize> {
        let next = self.ledger.next();
        let refusal = match self.ledger.turn(number) {
            Turn::Now => {
                let body = self.command(number, request, vitals);
                let answer = write(number, body, outbox)?;
                self.ledger.close(answer);
                return Some(answer.len());
            }
            Turn::Again => {
                let mut again = Piecewise::new(outbox);
                again.push(self.ledger.answer());
                return Some(again.finish().len());
            }
            Turn::Past => Refusal::AlreadyDone,
            Turn::Early => Refusal::OutOfOrder { next },
        };
        write(number, Err(refusal), outbox).map(<[u8]>::len)
    }

    /// Answers without changing anything; texts and bytes of the answer go to `scratch`.
    fn question<'s>(
        &'s self,
        request: Request<'_>,
        vitals: &Vitals,
        scratch: &'s mut [u8],
        frame: usize,
    ) -> Result<Reply<'s>, Refusal> {
        match request {
            Request::Identify => Ok(self.identity(vitals, scratch, frame)),
            Request::Status => Ok(Reply::Status(self.status(vitals))),
            Request::Predict { features } => self.predict(features, scratch),
            Request::Pull { offset } => Ok(self.pull(offset, scratch, frame)),
            Request::SelfTest => Ok(Reply::Tested { hash: self_test() }),
            Request::Class { class } => self.class(class),
            _ => Err(Refusal::Unknown),
        }
    }

    fn command(
        &mut self,
        number: u32,
        request: Request<'_>,
        vitals: &Vitals,
    ) -> Result<Reply<'static>, Refusal> {
        let armed = self.armed.take();
        match request {
            Request::Learn { class, features } => self.learn(class, features),
            Request::Save => self.keeper.save(vitals.now_ms),
            Request::Load => self.keeper.load().map(|image| Reply::Loaded {
                sequence: image.sequence,
            }),
            Request::Arm => {
                let token = token(number, vitals.now_ms);
                self.armed = Some(token);
                Ok(Reply::Armed { token })
            }
            Request::Reset { token } if armed == Some(token) => {
                self.keeper.forget();
                Ok(Reply::Done)
            }
            Request::Reset { .. } => Err(Refusal::NotArmed),
            Request::PushBegin { len } => self.keeper.push_begin(len, vitals.now_ms),
            Request::PushPart { offset, bytes } => self.keeper.push_part(offset, bytes),
            Request::PushEnd => self.keeper.push_end(),
            Request::Forget { class } => self.change(|model| model.forget_class(Class(class))),
            Request::Undo => self.change(L::undo),
            // These two change what can be taken back, not the model.
            Request::BeginBlock => self.keeper.model.begin_block().map(|()| Reply::Done),
            Request::EndBlock => self.keeper.model.end_block().map(|()| Reply::Done),
            Request::Rehearse { steps } => {
                let moved = self.keeper.model.rehearse_steps(steps)?;
                // Even where no vector moved, the next rehearsal begins elsewhere.
                self.keeper.touch();
                Ok(Reply::Rehearsed { moved })
            }
            _ => Err(Refusal::Unknown),
        }
    }

    /// Changes the model in a way that only some kinds of models can.
    fn change(
        &mut self,
        change: impl FnOnce(&mut L) -> Result<(), Refusal>,
    ) -> Result<Reply<'static>, Refusal> {
        change(self.keeper.model)?;
        self.keeper.touch();
        Ok(Reply::Done)
    }

    fn class(&self, class: u8) -> Result<Reply<'static>, Refusal> {
        if usize::from(class) >= L::CLASSES {
            return Err(Refusal::UnknownClass);
        }
        let status = self.keeper.model.class_status(Class(class));
        status.map(Reply::Class).ok_or(Refusal::Unsupported)
    }

    fn learn(&mut self, class: u8, features: Floats<'_>) -> Result<Reply<'static>, Refusal> {
        let class = Class(class);
        let learned = match features.to_array() {
            Some(x) => self.keeper.model.learn_class(&x, class),
            None => Err(InputError::WrongDimension),
        };
        let outcome = learned.inspect_err(|error| self.counters.refused(class, *error))?;
        self.counters.learned(class, &outcome);
        let warning = outcome.warning.map(Warning::from);
        if warning == Some(Warning::StuckSensor) {
            self.stuck = self.stuck.saturating_add(1);
        }
        // Even an example that moves nothing may be counted in the model.
        self.keeper.touch();
        Ok(Reply::Learned(Learned {
            predicted: outcome.predicted.0,
            score: outcome.score,
            mistake: outcome.mistake,
            changed: outcome.changed(),
            seen: self.counters.seen,
            mistakes: self.counters.mistakes,
            warning,
        }))
    }

    fn predict<'s>(
        &self,
        features: Floats<'_>,
        scratch: &'s mut [u8],
    ) -> Result<Reply<'s>, Refusal> {
        let x = features.to_array().ok_or(InputError::WrongDimension)?;
        let mut scores = Piecewise::new(scratch);
        let (class, score) = self
            .keeper
            .model
            .score_classes(&x, &mut |score| scores.push(&score.to_le_bytes()))?;
        let confidence = self.keeper.model.confidence(&x)?;
        Ok(Reply::Predicted {
            class: class.0,
            score,
            scores: Floats(scores.finish()),
            probability: confidence.probability,
            known: confidence.known,
        })
    }

    fn pull<'s>(&self, offset: u32, scratch: &'s mut [u8], frame: usize) -> Reply<'s> {
        let len = image::len(self.keeper.model);
        let rest = len.saturating_sub(offset) as usize;
        let bytes = scratch.get_mut(..rest.min(room::part(frame)));
        let bytes = bytes.unwrap_or_default();
        image::fill(self.keeper.model, offset, bytes);
        Reply::Part {
            generation: self.keeper.generation(),
            len,
            bytes,
        }
    }

    fn identity<'s>(&'s self, vitals: &Vitals, scratch: &'s mut [u8], frame: usize) -> Reply<'s> {
        let texts = room::texts(frame);
        let end = self.firmware.floor_char_boundary(texts / 2);
        let firmware = self.firmware.get(..end).unwrap_or_default();
        let mut shape = Piecewise::new(scratch.get_mut(..texts - end).unwrap_or_default());
        image::describe(self.keeper.model, &mut |piece| shape.push(piece.as_bytes()));
        Reply::Identity(Identity {
            schema: SCHEMA.to_le_bytes(),
            firmware,
            shape: core::str::from_utf8(shape.finish()).unwrap_or_default(),
            shape_hash: image::shape(self.keeper.model),
            features: D as u16,
            classes: L::CLASSES as u16,
            model_bytes: size_of::<L>() as u32,
            store_bytes: self.keeper.store.as_ref().map_or(0, SlotRing::capacity),
            frame: frame.saturating_sub(1) as u16,
            part: room::part(frame) as u16,
            window: self.window,
            next: self.ledger.next(),
            fault: vitals.fault,
        })
    }

    fn status(&self, vitals: &Vitals) -> Status {
        let store = self.keeper.store.as_ref().ok().map(SlotRing::status);
        Status {
            uptime_ms: vitals.now_ms,
            seen: self.counters.seen,
            mistakes: self.counters.mistakes,
            updates: self.counters.updates,
            evictions: self.counters.evictions,
            refused: self.counters.refused,
            generation: self.keeper.generation(),
            saved: self.keeper.newest().map(|image| image.sequence),
            saved_generation: self.keeper.saved_generation(),
            wear: store.map_or(0, |store| store.wear),
            passed_over: store.map_or(0, |store| store.passed_over),
            frames: self.frames,
            garbled: self.garbled,
            dropped_bytes: vitals.dropped_bytes,
            stack_used: vitals.stack_used,
            work: vitals.work,
            stack_size: vitals.stack_size,
            fault: vitals.fault,
            began_fresh: self.began_fresh,
            ready: self.keeper.model.is_ready(),
            saturated: self.keeper.model.is_saturated(),
            stuck: self.stuck,
            classes_seen: classes_seen(self.keeper.model),
        }
    }
}

/// Classes with an example, if the model counts them.
fn classes_seen<L: Pupil>(model: &L) -> Option<u16> {
    let mut count = 0;
    for class in 0..=u8::MAX {
        if usize::from(class) < L::CLASSES {
            count += u16::from(model.examples_of(Class(class))? > 0);
        }
    }
    Some(count)
}

/// Something that no host sends by accident: another one each time.
fn token(number: u32, now: u64) -> u32 {
    let number = u64::from(number).rotate_right(16);
    checksum(&(number ^ now).to_le_bytes()).max(1)
}

/// Writes the frame of an answer.
fn write<'b>(
    number: u32,
    body: Result<Reply<'_>, Refusal>,
    outbox: &'b mut [u8],
) -> Option<&'b [u8]> {
    let body = body.unwrap_or_else(Reply::Refused);
    encode(&Message { number, body }, outbox).map(|frame| &*frame)
}
