//! A line that loses, doubles, damages and holds back bytes, by the dice of a seed.

use std::{collections::VecDeque, io, time::Duration};

use pocketron_cli::device::Transport;
use pocketron_testkit::data::shuffle::SplitMix64;

/// What happens to bytes, each in so many of 10,000 cases.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mischief {
    /// The byte is gone.
    pub drop: u64,
    /// A bit of it is turned over.
    pub flip: u64,
    /// It comes twice.
    pub double: u64,
    /// At the end of a frame: the whole frame is gone.
    pub drop_frame: u64,
    /// At the end of a frame: the whole frame comes twice.
    pub double_frame: u64,
    /// It and all that follows waits for the next time.
    pub hold: u64,
}

/// One direction of a line.
struct Way {
    rng: SplitMix64,
    mischief: Mischief,
    frame: Vec<u8>,
    out: VecDeque<u8>,
}

impl Way {
    fn happens(&mut self, cases: u64) -> bool {
        cases > 0 && self.rng.below(10_000) < cases
    }

    fn take(&mut self, bytes: &[u8]) {
        let Mischief {
            drop,
            flip,
            double,
            drop_frame,
            double_frame,
            ..
        } = self.mischief;
        for byte in bytes {
            let mut byte = *byte;
            if self.happens(flip) {
                byte ^= 1 << self.rng.below(8);
            }
            if !self.happens(drop) {
                self.frame.push(byte);
            }
            if self.happens(double) {
                self.frame.push(byte);
            }
            if byte == 0 {
                let frame = std::mem::take(&mut self.frame);
                if !self.happens(drop_frame) {
                    self.out.extend(&frame);
                }
                if self.happens(double_frame) {
                    self.out.extend(&frame);
                }
            }
        }
    }

    /// What gets through now.
    fn give(&mut self, most: usize) -> Vec<u8> {
        let hold = self.mischief.hold;
        let mut given = Vec::new();
        while given.len() < most && !self.out.is_empty() && !self.happens(hold) {
            given.extend(self.out.pop_front());
        }
        given
    }
}

/// Another line with mischief in both directions.
pub struct Lossy<T> {
    inner: T,
    there: Way,
    back: Way,
}

impl<T: Transport> Lossy<T> {
    /// Mischief on the way there and on the way back.
    pub fn new(inner: T, seed: u64, there: Mischief, back: Mischief) -> Self {
        let way = |seed, mischief| Way {
            rng: SplitMix64::new(seed),
            mischief,
            frame: Vec::new(),
            out: VecDeque::new(),
        };
        Lossy {
            inner,
            there: way(seed, there),
            back: way(!seed, back),
        }
    }
}

impl<T: Transport> Transport for Lossy<T> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.there.take(bytes);
        let bytes = self.there.give(usize::MAX);
        self.inner.send(&bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], within: Duration) -> io::Result<usize> {
        // What was held back moves on with time.
        let late = self.there.give(usize::MAX);
        self.inner.send(&late)?;
        let nothing_held = self.there.out.is_empty() && self.back.out.is_empty();
        let within = match nothing_held {
            true => within,
            false => Duration::from_millis(1),
        };
        let mut raw = [0; 512];
        let count = self.inner.receive(&mut raw, within)?;
        self.back.take(&raw[..count]);
        let given = self.back.give(buffer.len());
        buffer[..given.len()].copy_from_slice(&given);
        Ok(given.len())
    }
}
