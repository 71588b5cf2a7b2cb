//! Requests that are carried out exactly once over a line that loses and repeats.
//!
//! Commands have consecutive numbers, and the device carries them out in that
//! order: it says which number it expects when one is missing. So up to a window
//! of requests is on its way, and when something is lost everything from the
//! oldest unanswered one is sent again (go-back-N). The device recognises what
//! it has done already.

use std::{
    collections::VecDeque,
    hash::{BuildHasher, RandomState},
    io,
    time::{Duration, Instant},
};

use pocketron::device::{
    frame::Garbled,
    message::{Message, Refusal, Reply, Request, SCHEMA},
};

use super::{
    Answer, LinkError, Patience, Transport,
    answer::Identity,
    framing::{Frame, Line, encode},
    pace::Pace,
};

/// What went over the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Requests that were answered.
    pub exchanges: u64,
    /// Frames sent, repetitions included.
    pub sent: u64,
    /// Frames that were sent again.
    pub repeated: u64,
    /// Frames received, damaged ones included.
    pub received: u64,
    /// Frames received that were damaged.
    pub damaged: u64,
    /// Frames received that nobody waited for any more.
    pub unexpected: u64,
    /// Commands whose answer was lost for good.
    pub forgotten: u64,
    /// Times that nothing came for too long.
    pub timeouts: u64,
}

/// A request on its way.
struct InFlight {
    number: u32,
    is_command: bool,
    frame: Vec<u8>,
    sent: Instant,
    repeated: bool,
    answer: Option<Answer>,
}

/// A conversation with a device.
pub struct Session {
    line: Line,
    pace: Pace,
    window: usize,
    longest_frame: usize,
    next_command: u32,
    next_question: u32,
    in_flight: VecDeque<InFlight>,
    /// The oldest unanswered request when everything was last sent again: one loss is
    /// reported by each frame that comes after it, and repeated once.
    repeated_from: Option<u32>,
    /// The question that shall tell whether the device has restarted.
    suspicion: Option<u32>,
    /// Whether we know who is there, and the number of its next command.
    introduced: bool,
    statistics: Statistics,
}

impl Session {
    /// Asks who is there.
    pub fn connect(
        transport: Box<dyn Transport>,
        patience: Patience,
    ) -> Result<(Self, Identity), LinkError> {
        let mut session = Session {
            line: Line::new(transport),
            pace: Pace::new(patience),
            window: 1,
            longest_frame: usize::MAX,
            next_command: 0,
            // Answers to an earlier host must not be taken for our own.
            next_question: RandomState::new().hash_one("questions") as u32,
            in_flight: VecDeque::new(),
            repeated_from: None,
            suspicion: None,
            introduced: false,
            statistics: Statistics::default(),
        };
        session.line.resynchronise()?;
        let Answer::Identity(identity) = session.ask(&Request::Identify)? else {
            return Err(LinkError::Unexpected("an identity"));
        };
        if identity.schema != SCHEMA {
            return Err(LinkError::OtherProtocol(identity.schema));
        }
        session.window = identity.window.max(1);
        session.longest_frame = identity.frame;
        session.next_command = identity.next;
        session.introduced = true;
        Ok((session, *identity))
    }

    /// Requests that may be on their way at a time.
    pub fn window(&self) -> usize {
        self.window
    }

    /// Changes the window; the device says how much it can take.
    pub fn set_window(&mut self, window: usize) {
        self.window = window.max(1);
    }

    /// What went over the line so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Whether another request may be sent now.
    pub fn has_room(&self) -> bool {
        self.in_flight.len() < self.window
    }

    /// Sends a request; [`next_answer`](Self::next_answer) gives the answers in the same order.
    pub fn submit(&mut self, request: &Request<'_>) -> Result<(), LinkError> {
        let number = if request.is_command() {
            self.next_command
        } else {
            self.question_number()
        };
        let frame = encode(number, request)?;
        // The final zero does not count.
        if frame.len() - 1 > self.longest_frame {
            return Err(LinkError::Oversized);
        }
        if request.is_command() {
            self.next_command = number.wrapping_add(1);
        }
        if self.in_flight.is_empty() {
            self.pace.begin();
        }
        self.line.send(&frame)?;
        self.statistics.sent += 1;
        self.in_flight.push_back(InFlight {
            number,
            is_command: request.is_command(),
            frame,
            sent: Instant::now(),
            repeated: false,
            answer: None,
        });
        Ok(())
    }

    /// Waits for the answer to the oldest request; `None` when nothing was asked.
    pub fn next_answer(&mut self) -> Result<Option<Answer>, LinkError> {
        while let Some(oldest) = self.in_flight.front_mut() {
            if let Some(answer) = oldest.answer.take() {
                self.in_flight.pop_front();
                self.statistics.exchanges += 1;
                return Ok(Some(answer));
            }
            match self.line.next_frame(self.pace.deadline())? {
                Some(frame) => self.hear(frame)?,
                None => self.hear_nothing()?,
            }
        }
        Ok(None)
    }

    /// The answer to the oldest request if it comes within some time; nothing is repeated.
    pub fn answer_within(&mut self, time: Duration) -> Result<Option<Answer>, LinkError> {
        let deadline = Instant::now() + time;
        while let Some(oldest) = self.in_flight.front_mut() {
            if let Some(answer) = oldest.answer.take() {
                self.in_flight.pop_front();
                self.statistics.exchanges += 1;
                return Ok(Some(answer));
            }
            match self.line.next_frame(deadline)? {
                Some(frame) => self.hear(frame)?,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// One request and its answer, with nothing else on the way.
    pub fn ask(&mut self, request: &Request<'_>) -> Result<Answer, LinkError> {
        // Somebody may have left in the middle.
        while self.next_answer()?.is_some() {}
        self.submit(request)?;
        let answer = self.next_answer()?;
        answer.ok_or(LinkError::Unexpected("an answer"))
    }

    /// A number that no command in sight has.
    fn question_number(&mut self) -> u32 {
        const NEAR: u32 = 1 << 16;
        let number = self.next_question;
        let number = match number.wrapping_sub(self.next_command).wrapping_add(NEAR) {
            distance if distance < 2 * NEAR => number.wrapping_add(2 * NEAR),
            _ => number,
        };
        self.next_question = number.wrapping_add(1);
        number
    }

    fn hear(&mut self, mut frame: Frame) -> Result<(), LinkError> {
        self.statistics.received += 1;
        let mut copy = frame.clone();
        match frame.message() {
            Ok(message) => self.understand(message),
            Err(Garbled::Damaged) => {
                self.statistics.damaged += 1;
                // Of several answers the next one tells what this one was.
                match self.unanswered().count() {
                    1 => self.repeat_once(),
                    _ => Ok(()),
                }
            }
            Err(Garbled::Nonsense) => match copy.schema() {
                Some(schema) if schema != SCHEMA => Err(LinkError::OtherProtocol(schema)),
                _ => Err(LinkError::Unexpected("a reply of this version")),
            },
        }
    }

    fn understand(&mut self, message: Message<Reply<'_>>) -> Result<(), LinkError> {
        match message.body {
            // Before the device has introduced itself its numbers mean nothing: ask again.
            Reply::Refused(Refusal::Garbled { .. } | Refusal::OutOfOrder { .. })
                if !self.introduced =>
            {
                self.repeat_once()
            }
            Reply::Refused(Refusal::Garbled { next } | Refusal::OutOfOrder { next }) => {
                self.catch_up(next)
            }
            Reply::Identity(identity) if self.suspicion == Some(message.number) => {
                self.suspicion = None;
                if self.is_in_sight(identity.next) {
                    self.catch_up(identity.next)
                } else {
                    Err(LinkError::Restarted(identity.fault))
                }
            }
            reply => self.settle(message.number, reply.into()),
        }
    }

    /// A request was answered; so all that came before it was received or lost.
    fn settle(&mut self, number: u32, answer: Answer) -> Result<(), LinkError> {
        let waiting = |one: &InFlight| one.number == number && one.answer.is_none();
        let Some(at) = self.in_flight.iter().position(waiting) else {
            self.statistics.unexpected += 1;
            return Ok(());
        };
        let settled = &mut self.in_flight[at];
        settled.answer = Some(answer);
        self.pace.progressed();
        if !settled.repeated {
            self.pace.measured(settled.sent.elapsed());
        }
        if settled.is_command {
            // Commands are carried out in order, so the earlier ones are done as well.
            self.forget_before(number);
        }
        let earlier = self.in_flight.range(..at);
        if earlier.clone().any(|one| one.answer.is_none()) {
            self.repeat_once()?;
        }
        Ok(())
    }

    /// The device expects this number: everything before is done, everything from there
    /// on is missing. Its very last answer it would give again.
    fn catch_up(&mut self, next: u32) -> Result<(), LinkError> {
        if self.is_in_sight(next) {
            self.forget_before(next.wrapping_sub(1));
            self.repeat_once()
        } else {
            self.suspect_restart()
        }
    }

    /// Whether a device that expects this number has done what it has answered, and no more
    /// than it was asked.
    fn is_in_sight(&self, next: u32) -> bool {
        let oldest = self.unanswered().find(|one| one.is_command);
        let oldest = oldest.map_or(self.next_command, |one| one.number);
        next.wrapping_sub(oldest) <= self.next_command.wrapping_sub(oldest)
    }

    fn unanswered(&self) -> impl Iterator<Item = &InFlight> {
        self.in_flight.iter().filter(|one| one.answer.is_none())
    }

    fn oldest_unanswered(&self) -> Option<u32> {
        self.unanswered().next().map(|one| one.number)
    }

    /// Answers to commands before this number will never come.
    fn forget_before(&mut self, number: u32) {
        for one in &mut self.in_flight {
            let earlier = number.wrapping_sub(one.number) as i32 > 0;
            if one.is_command && earlier && one.answer.is_none() {
                one.answer = Some(Answer::Forgotten);
                self.statistics.forgotten += 1;
                self.pace.progressed();
            }
        }
    }

    /// Sends all unanswered requests again, unless that was done for the oldest of them before.
    fn repeat_once(&mut self) -> Result<(), LinkError> {
        let oldest = self.oldest_unanswered();
        if oldest == self.repeated_from {
            return Ok(());
        }
        self.repeated_from = oldest;
        Ok(self.repeat()?)
    }

    fn repeat(&mut self) -> io::Result<()> {
        let mut frames = Vec::new();
        for one in &mut self.in_flight {
            if one.answer.is_none() {
                frames.extend_from_slice(&one.frame);
                one.repeated = true;
                self.statistics.sent += 1;
                self.statistics.repeated += 1;
            }
        }
        self.line.send(&frames)
    }

    /// The number does not fit: either the device has restarted, or an old reply came late.
    fn suspect_restart(&mut self) -> Result<(), LinkError> {
        if self.suspicion.is_none() {
            let number = self.question_number();
            self.suspicion = Some(number);
            self.line.send(&encode(number, &Request::Identify)?)?;
            self.statistics.sent += 1;
        }
        Ok(())
    }

    fn hear_nothing(&mut self) -> Result<(), LinkError> {
        self.statistics.timeouts += 1;
        self.pace
            .again()
            .ok_or(LinkError::Silent(self.pace.waited()))?;
        self.line.resynchronise()?;
        if self.suspicion.take().is_some() {
            return self.suspect_restart();
        }
        self.repeated_from = self.oldest_unanswered();
        Ok(self.repeat()?)
    }
}
