//! Requests and their answers.

use super::{
    access::{Access, Unrestricted},
    board_status::BoardStatus,
    command_sequence::{CommandSequence, Turn},
    frame::{self, FrameError, encode},
    limits,
    message::{
        ClassStatus, DeviceStatus, ErrorReply, Floats, Identity, LearnWarning, Learned, Message,
        Permission, Permissions, Reply, Request, SCHEMA, SensorState,
    },
    model_store::ModelStore,
    self_test::self_test,
    sensor::{NoSensor, Sensor},
    slice_writer::SliceWriter,
};
use crate::{
    classifier::{Edit, RemoteModel},
    error::InputError,
    label::Class,
    persist::{
        self,
        checksum::checksum,
        store::{SlotRing, nor_flash::NorFlash},
    },
    stream::{Counters, Observer},
};

/// Answers every message: questions at once, commands in their order.
pub(super) struct RequestHandler<'m, L, F, const D: usize, const SLOTS: usize, S, A> {
    pub(super) sensor: S,
    pub(super) access: A,
    pub(super) model_store: ModelStore<'m, L, F, SLOTS>,
    pub(super) firmware: &'m str,
    pub(super) window: u8,
    command_sequence: CommandSequence,
    counters: Counters,
    /// Examples that taught nothing because the reading repeated itself.
    stuck: u32,
    /// The code that the next command must repeat to reset the model.
    armed: Option<u32>,
    began_fresh: Option<ErrorReply>,
    frames: u32,
    bad_frames: u32,
}

impl<'m, L, F, const D: usize, const SLOTS: usize>
    RequestHandler<'m, L, F, D, SLOTS, NoSensor, Unrestricted>
where
    L: RemoteModel<Input = [f32; D]>,
    F: NorFlash,
{
    /// Begins with the model in flash, if there is one that suits.
    pub(super) fn new(mut model_store: ModelStore<'m, L, F, SLOTS>) -> Self {
        let began_fresh = model_store.load().err();
        // A command that was carried out before a restart must not be carried out again
        // after it. It can only be if the model has been saved in between; so every saved
        // model has a first number of its own.
        let first = model_store
            .newest()
            .map(|image| image.sequence.to_le_bytes());
        let first = first.map_or(0, |sequence| checksum(&sequence));
        RequestHandler {
            sensor: NoSensor,
            access: Unrestricted,
            model_store,
            firmware: concat!("pocketron ", env!("CARGO_PKG_VERSION")),
            window: 1,
            command_sequence: CommandSequence::new(first),
            counters: Counters::default(),
            stuck: 0,
            armed: None,
            began_fresh,
            frames: 0,
            bad_frames: 0,
        }
    }
}

impl<'m, L, F, const D: usize, const SLOTS: usize, S, A> RequestHandler<'m, L, F, D, SLOTS, S, A>
where
    L: RemoteModel<Input = [f32; D]>,
    F: NorFlash,
    S: Sensor<L>,
    A: Access,
{
    /// The same with another sensor, or with other access.
    pub(super) fn map<T, B>(
        self,
        change: impl FnOnce(S, A) -> (T, B),
    ) -> RequestHandler<'m, L, F, D, SLOTS, T, B> {
        let (sensor, access) = change(self.sensor, self.access);
        RequestHandler {
            sensor,
            access,
            model_store: self.model_store,
            firmware: self.firmware,
            window: self.window,
            command_sequence: self.command_sequence,
            counters: self.counters,
            stuck: self.stuck,
            armed: self.armed,
            began_fresh: self.began_fresh,
            frames: self.frames,
            bad_frames: self.bad_frames,
        }
    }

    /// Answers what a frame held, and returns the length of the answer in `reply_buffer`.
    pub(super) fn answer(
        &mut self,
        message: Result<&[u8], FrameError>,
        board_status: &BoardStatus,
        scratch: &mut [u8],
        reply_buffer: &mut [u8],
    ) -> Option<usize> {
        self.frames = self.frames.wrapping_add(1);
        let (number, request) = self.parse_request(message);
        let body = match request {
            Ok(request) if request.is_command() => {
                return self.execute_in_order(number, request, board_status, reply_buffer);
            }
            Ok(request) => self.answer_query(request, board_status, scratch, reply_buffer.len()),
            Err(error) => {
                self.bad_frames = self.bad_frames.wrapping_add(1);
                Err(error)
            }
        };
        write::<L, S>(number, body, reply_buffer).map(<[u8]>::len)
    }

    /// The request and its number.
    fn parse_request<'a>(
        &self,
        message: Result<&'a [u8], FrameError>,
    ) -> (u32, Result<Request<'a>, ErrorReply>) {
        let Ok(bytes) = message else {
            let next = self.command_sequence.next();
            return (0, Err(ErrorReply::BadFrame { next }));
        };
        match frame::parse(bytes) {
            Ok(Message { number, body }) => (number, Ok(body)),
            Err(_) => (frame::number(bytes), Err(ErrorReply::Unknown)),
        }
    }

    /// Carries a command out if it is its turn; the length of the answer is returned.
    fn execute_in_order(
        &mut self,
        number: u32,
        request: Request<'_>,
        board_status: &BoardStatus,
        reply_buffer: &mut [u8],
    ) -> Option<usize> {
        let next = self.command_sequence.next();
        let error = match self.command_sequence.turn(number) {
            Turn::Now => {
                let body = self.command(number, request, board_status);
                let answer = write::<L, S>(number, body, reply_buffer)?;
                self.command_sequence.close(answer);
                return Some(answer.len());
            }
            Turn::Again => {
                let mut again = SliceWriter::new(reply_buffer);
                again.push(self.command_sequence.answer());
                return Some(again.finish().len());
            }
            Turn::Past => ErrorReply::AlreadyDone,
            Turn::Early => ErrorReply::OutOfOrder { next },
        };
        write::<L, S>(number, Err(error), reply_buffer).map(<[u8]>::len)
    }

    fn check_permission(&self, request: &Request<'_>) -> Result<(), ErrorReply> {
        let permissions = self.access.permissions();
        // Said to the compiler, which leaves the rest out of a device that allows everything.
        if permissions == Permissions::ALL {
            return Ok(());
        }
        match request.permission() {
            Some(permission) if !permissions.allows(permission) => {
                Err(ErrorReply::NotPermitted(permission))
            }
            _ => Ok(()),
        }
    }

    /// Ends what was begun with a permission that the line does not have any more.
    pub(super) fn end_unpermitted(&mut self) {
        let permissions = self.access.permissions();
        if !permissions.allows(Permission::Teach) {
            self.sensor.end_teaching();
        }
        if !permissions.allows(Permission::Push) {
            self.model_store.pending = None;
        }
        if !permissions.allows(Permission::Reset) {
            self.armed = None;
        }
    }

    /// Answers without changing anything; texts and bytes of the answer go to `scratch`.
    fn answer_query<'s>(
        &'s self,
        request: Request<'_>,
        board_status: &BoardStatus,
        scratch: &'s mut [u8],
        frame: usize,
    ) -> Result<Reply<'s>, ErrorReply> {
        self.check_permission(&request)?;
        match request {
            Request::Identify => Ok(self.identity(board_status, scratch, frame)),
            Request::Status => Ok(Reply::Status(self.status(board_status))),
            Request::Predict { features } => self.predict(features, scratch),
            Request::Pull { offset } => Ok(self.pull(offset, scratch, frame)),
            Request::SelfTest => Ok(Reply::Tested { hash: self_test() }),
            Request::Class { class } => self.class(class),
            Request::Sensor { name } => {
                let room = scratch.get_mut(..limits::names(frame)).unwrap_or_default();
                self.sensor.info(name, room).map(Reply::Sensor)
            }
            Request::Samples { from } => {
                let room = scratch
                    .get_mut(..limits::samples(frame))
                    .unwrap_or_default();
                self.sensor.samples(from, room).map(Reply::Samples)
            }
            Request::State => self.state(),
            _ => Err(ErrorReply::Unknown),
        }
    }

    fn command(
        &mut self,
        number: u32,
        request: Request<'_>,
        board_status: &BoardStatus,
    ) -> Result<Reply<'static>, ErrorReply> {
        let armed = self.armed.take();
        self.check_permission(&request)?;
        match request {
            Request::Learn { class, features } => self.learn(class, features),
            Request::Save => {
                let sequence = self.model_store.save(board_status.now_ms, true)?;
                self.model_store.saved(sequence)
            }
            Request::Load => self.model_store.load().map(|image| Reply::Loaded {
                sequence: image.sequence,
            }),
            Request::Arm => {
                let token = token(number, board_status.now_ms);
                self.armed = Some(token);
                Ok(Reply::Armed { token })
            }
            Request::Reset { token } if armed == Some(token) => {
                self.model_store.forget();
                self.sensor.cancel_save();
                Ok(Reply::Done)
            }
            Request::Reset { .. } => Err(ErrorReply::NotArmed),
            Request::PushBegin { len, digest, tag } => {
                let now = board_status.now_ms;
                self.model_store.push_begin(len, digest, tag, now)
            }
            Request::PushPart { offset, bytes } => self.model_store.push_part(offset, bytes),
            Request::PushEnd => {
                let ended = self.model_store.push_end();
                // Otherwise the model is the one before, and may have to be saved.
                if matches!(ended, Ok(_) | Err(ErrorReply::Committed { .. })) {
                    self.sensor.cancel_save();
                }
                ended
            }
            Request::Forget { class } => self.edit(Edit::Forget(Class(class))),
            Request::Undo => self.edit(Edit::Undo),
            Request::BeginBlock => self.edit(Edit::BeginBlock),
            Request::EndBlock => self.edit(Edit::EndBlock),
            Request::Rehearse { steps } => {
                let moved = self.model_store.model.rehearse_steps(steps)?;
                // Even where no vector moved, the next rehearsal begins elsewhere.
                self.model_store.touch();
                Ok(Reply::Rehearsed { moved })
            }
            Request::Teach { class } => {
                self.sensor.teach(self.model_store.model, class)?;
                Ok(Reply::Done)
            }
            Request::Play { from, samples } => {
                self.sensor.play(self.model_store.model, from, samples)
            }
            _ => Err(ErrorReply::Unknown),
        }
    }

    /// Changes the model in a way that only some kinds of models can.
    fn edit(&mut self, edit: Edit) -> Result<Reply<'static>, ErrorReply> {
        self.model_store.model.edit(edit)?;
        // The limits of a block change what can be taken back, not the model.
        if !matches!(edit, Edit::BeginBlock | Edit::EndBlock) {
            self.model_store.touch();
        }
        Ok(Reply::Done)
    }

    fn state(&self) -> Result<Reply<'static>, ErrorReply> {
        let state = self.sensor.state(self.model_store.model)?;
        let unsaved = self.model_store.is_unsaved();
        Ok(Reply::State(SensorState { unsaved, ..state }))
    }

    fn class(&self, class: u8) -> Result<Reply<'static>, ErrorReply> {
        if usize::from(class) >= L::CLASSES {
            return Err(ErrorReply::UnknownClass);
        }
        let (model, class) = (&*self.model_store.model, Class(class));
        let seen = model.examples_of(class).ok_or(ErrorReply::Unsupported)?;
        let recall = model.recall_of(class).ok_or(ErrorReply::Unsupported)?;
        Ok(Reply::Class(ClassStatus {
            seen,
            vectors: recall.asked,
            recalled: recall.right,
            kind: recall.kind.into(),
        }))
    }

    fn learn(&mut self, class: u8, features: Floats<'_>) -> Result<Reply<'static>, ErrorReply> {
        let class = Class(class);
        let learned = match features.to_array() {
            Some(x) => self.model_store.model.learn_class(&x, class),
            None => Err(InputError::WrongDimension),
        };
        let outcome = learned.inspect_err(|error| self.counters.refused(class, *error))?;
        self.counters.learned(class, &outcome);
        let warning = outcome.warning.map(LearnWarning::from);
        if warning == Some(LearnWarning::StuckSensor) {
            self.stuck = self.stuck.saturating_add(1);
        }
        // Even an example that moves nothing may be counted in the model.
        self.model_store.touch();
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
    ) -> Result<Reply<'s>, ErrorReply> {
        let x = features.to_array().ok_or(InputError::WrongDimension)?;
        let mut scores = SliceWriter::new(scratch);
        let (class, score) = self
            .model_store
            .model
            .score_classes(&x, &mut |score| scores.push(&score.to_le_bytes()))?;
        let confidence = self.model_store.model.confidence(&x)?;
        Ok(Reply::Predicted {
            class: class.0,
            score,
            scores: Floats(scores.finish()),
            probability: confidence.probability,
            known: confidence.known,
        })
    }

    fn pull<'s>(&self, offset: u32, scratch: &'s mut [u8], frame: usize) -> Reply<'s> {
        let len = persist::len(self.model_store.model);
        let rest = len.saturating_sub(offset) as usize;
        let bytes = scratch.get_mut(..rest.min(limits::part(frame)));
        let bytes = bytes.unwrap_or_default();
        persist::fill(self.model_store.model, offset, bytes);
        Reply::Part {
            generation: self.model_store.generation(),
            len,
            bytes,
        }
    }

    fn identity<'s>(
        &'s self,
        board_status: &BoardStatus,
        scratch: &'s mut [u8],
        frame: usize,
    ) -> Reply<'s> {
        let texts = limits::texts(frame);
        let firmware = prefix(self.firmware, texts / 2);
        let room = scratch.get_mut(..texts - firmware.len());
        let mut shape = SliceWriter::new(room.unwrap_or_default());
        persist::describe(self.model_store.model, &mut |piece| {
            shape.push(piece.as_bytes())
        });
        Reply::Identity(Identity {
            schema: SCHEMA.to_le_bytes(),
            firmware,
            shape: core::str::from_utf8(shape.finish()).unwrap_or_default(),
            shape_hash: persist::shape(self.model_store.model),
            features: D as u16,
            classes: L::CLASSES as u16,
            model_bytes: size_of::<L>() as u32,
            store_bytes: self
                .model_store
                .store
                .as_ref()
                .map_or(0, SlotRing::capacity),
            frame: frame.saturating_sub(1) as u16,
            part: limits::part(frame) as u16,
            window: self.window,
            next: self.command_sequence.next(),
            fault: board_status.fault,
            permissions: self.access.permissions(),
            push_sequence: self.push_sequence(),
        })
    }

    /// Sequence number for which a pushed image must be signed, if it must be.
    fn push_sequence(&self) -> Option<u32> {
        let store = self.model_store.store.as_ref().ok()?;
        let requires_signature = self.model_store.push_check.requires_signature();
        requires_signature.then(|| store.next_sequence())
    }

    fn status(&self, board_status: &BoardStatus) -> DeviceStatus {
        let store = self.model_store.store.as_ref().ok().map(SlotRing::status);
        DeviceStatus {
            uptime_ms: board_status.now_ms,
            seen: self.counters.seen,
            mistakes: self.counters.mistakes,
            updates: self.counters.updates,
            evictions: self.counters.evictions,
            refused: self.counters.refused,
            generation: self.model_store.generation(),
            saved: self.model_store.newest().map(|image| image.sequence),
            saved_generation: self.model_store.saved_generation(),
            wear: store.map_or(0, |store| store.wear),
            passed_over: store.map_or(0, |store| store.passed_over),
            frames: self.frames,
            bad_frames: self.bad_frames,
            dropped_bytes: board_status.dropped_bytes,
            stack_used: board_status.stack_used,
            work: board_status.work,
            stack_size: board_status.stack_size,
            fault: board_status.fault,
            began_fresh: self.began_fresh,
            ready: self.model_store.model.is_ready(),
            saturated: self.model_store.model.is_saturated(),
            stuck: self.stuck,
            classes_seen: classes_seen(self.model_store.model),
        }
    }
}

/// Classes with an example, if the model counts them.
fn classes_seen<L: RemoteModel>(model: &L) -> Option<u16> {
    let mut count = 0;
    for class in 0..=u8::MAX {
        if usize::from(class) < L::CLASSES {
            count += u16::from(model.examples_of(Class(class))? > 0);
        }
    }
    Some(count)
}

/// The longest start of a text that has at most `limit` bytes and only whole characters.
fn prefix(text: &str, limit: usize) -> &str {
    let mut ends = (0..=limit.min(text.len())).rev();
    ends.find_map(|end| text.get(..end)).unwrap_or_default()
}

/// Something that no host sends by accident: another one each time.
fn token(number: u32, now: u64) -> u32 {
    let number = u64::from(number).rotate_right(16);
    checksum(&(number ^ now).to_le_bytes()).max(1)
}

/// Writes the frame of an answer.
fn write<'b, L, S: Sensor<L>>(
    number: u32,
    body: Result<Reply<'_>, ErrorReply>,
    reply_buffer: &'b mut [u8],
) -> Option<&'b [u8]> {
    let body = body.unwrap_or_else(Reply::Refused);
    // Said to the compiler, which leaves out what is never written: 1.6 KB of flash.
    if !S::IS_THERE
        && matches!(
            body,
            Reply::Sensor(_) | Reply::Samples(_) | Reply::State(_) | Reply::Playing { .. }
        )
    {
        return None;
    }
    encode(&Message { number, body }, reply_buffer).map(|frame| &*frame)
}
