//! Recovery: a reply settles the requests on their way, and lost ones are sent again.

use std::io;

use pocketron::device::{
    frame::FrameError,
    message::{ErrorReply, Message, Reply, Request, SCHEMA},
};

use super::{InFlight, Session};
use crate::device::{
    Answer, LinkError,
    framing::{Frame, encode},
};

impl Session {
    /// Takes a frame for what it is.
    pub(super) fn hear(&mut self, mut frame: Frame) -> Result<(), LinkError> {
        self.statistics.received += 1;
        let mut copy = frame.clone();
        match frame.message() {
            Ok(message) => self.understand(message),
            Err(FrameError::Damaged) => {
                self.statistics.damaged += 1;
                // Of several answers the next one tells what this one was.
                match self.unanswered().count() {
                    1 => self.repeat_once(),
                    _ => Ok(()),
                }
            }
            Err(FrameError::Malformed) => match copy.schema() {
                Some(schema) if schema != SCHEMA => Err(LinkError::OtherProtocol(schema)),
                _ => Err(LinkError::Unexpected("a reply of this version")),
            },
        }
    }

    fn understand(&mut self, message: Message<Reply<'_>>) -> Result<(), LinkError> {
        match message.body {
            // Before the device has introduced itself its numbers mean nothing: ask again.
            Reply::Refused(ErrorReply::BadFrame { .. } | ErrorReply::OutOfOrder { .. })
                if !self.introduced =>
            {
                self.repeat_once()
            }
            Reply::Refused(ErrorReply::BadFrame { next } | ErrorReply::OutOfOrder { next }) => {
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

    /// Sends everything again, unless it is time to give up.
    pub(super) fn hear_nothing(&mut self) -> Result<(), LinkError> {
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
