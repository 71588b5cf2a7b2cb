//! Requests that are carried out exactly once over a line that loses and repeats.
//!
//! Commands have consecutive numbers, and the device carries them out in that
//! order: it says which number it expects when one is missing. So up to a window
//! of requests is on its way, and when something is lost everything from the
//! oldest unanswered one is sent again (go-back-N). The device recognises what
//! it has done already.

mod recovery;

use std::{
    collections::VecDeque,
    hash::{BuildHasher, RandomState},
    time::{Duration, Instant},
};

use pocketron::device::message::{Request, SCHEMA};

use super::{
    Answer, LinkError, Statistics, Timeouts, Transport,
    answer::Identity,
    framing::{Line, encode},
    pace::Pace,
};

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
        timeouts: Timeouts,
    ) -> Result<(Self, Identity), LinkError> {
        let mut session = Session {
            line: Line::new(transport),
            pace: Pace::new(timeouts),
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

    /// Statistics of the line so far.
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
        // A host may have left in the middle.
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
}
