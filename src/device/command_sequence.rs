//! Each command once, in order, whatever the line does.

/// Longest frame that answers a command: number, tag, [`Learned`](super::message::Learned)
/// with its counts at their largest, and what a frame adds.
const ANSWER: usize = super::frame::frame_len(5 + 1 + 19);

/// Half of all numbers lie behind, the others ahead: numbers wrap.
const HALF: u32 = 1 << 31;

/// Number of the next command, and the reply to the last one.
pub(super) struct CommandSequence {
    next: u32,
    /// Commands done since the start, as far as it can count.
    done: u32,
    answer: [u8; ANSWER],
    len: usize,
}

/// Treatment of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It is the next one.
    Now,
    /// It was the last one: its answer must have got lost.
    Again,
    /// It was carried out before that.
    Past,
    /// Others are missing before it, or it comes from before a restart.
    Early,
}

impl CommandSequence {
    pub(super) const fn new(next: u32) -> Self {
        CommandSequence {
            next,
            done: 0,
            answer: [0; ANSWER],
            len: 0,
        }
    }

    /// Number of the next command.
    pub(super) fn next(&self) -> u32 {
        self.next
    }

    /// Only commands executed since reset count as done: after a restart a host must learn that its commands are lost.
    pub(super) fn turn(&self, number: u32) -> Turn {
        let behind = self.next.wrapping_sub(number);
        match behind {
            0 => Turn::Now,
            _ if behind > self.done.min(HALF) => Turn::Early,
            1 => Turn::Again,
            _ => Turn::Past,
        }
    }

    /// The present command is done, whatever came of it, and this frame is its answer.
    pub(super) fn close(&mut self, answer: &[u8]) {
        self.next = self.next.wrapping_add(1);
        self.done = self.done.saturating_add(1);
        self.len = 0;
        for (to, from) in self.answer.iter_mut().zip(answer) {
            *to = *from;
            self.len += 1;
        }
    }

    /// The frame that answered the last command.
    pub(super) fn answer(&self) -> &[u8] {
        self.answer.get(..self.len).unwrap_or_default()
    }
}
