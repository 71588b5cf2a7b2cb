//! A device to try the board out: it echoes, saves and tells how it is.
//!
//! A frame is any bytes but zero, ended by a zero; its first byte says what to do. Replies
//! are such frames too.
//!
//! | frame | reply |
//! |---|---|
//! | `e...` | the same |
//! | `v` | `v` and the board status as hexadecimal words: time, stack used, stack size, bytes dropped, fault, pc, examples of class 0 |
//! | `s...` | `s` when the rest has been saved, or `!` |
//! | `l` | `l` and what was saved last, or `!` |
//!
//! Further frames make it fail, see [`provoke`].

mod provoke;

use embedded_storage::nor_flash::NorFlash;
use heapless::Vec;
use pocketron::{
    device::{BoardStatus, RemoteModel as _, message::Fault},
    label::Class,
    persist::store::{SlotRing, StoreError},
};

use super::{Flash, learner::Learner};

const SHAPE: u32 = u32::from_le_bytes(*b"tria");
const LONGEST: usize = 200;

/// In place of [`device::start`](super::device).
pub fn start(
    learner: &'static mut Learner,
    store: Result<SlotRing<Flash>, StoreError>,
) -> FaultInjector<Flash> {
    FaultInjector {
        learner,
        store,
        frame: Vec::new(),
        reply: Vec::new(),
        overlong: false,
    }
}

pub struct FaultInjector<F> {
    learner: &'static mut Learner,
    store: Result<SlotRing<F>, StoreError>,
    frame: Vec<u8, LONGEST>,
    reply: Vec<u8, { LONGEST + 1 }>,
    overlong: bool,
}

impl<F: NorFlash> FaultInjector<F> {
    /// Takes one byte; the reply, when a frame is complete.
    pub fn receive(&mut self, byte: u8, board_status: &BoardStatus) -> Option<&[u8]> {
        if byte != 0 {
            self.overlong |= self.frame.push(byte).is_err();
            return None;
        }
        self.reply.clear();
        if core::mem::take(&mut self.overlong) || self.answer(board_status).is_none() {
            self.reply.clear();
            let _ = self.reply.push(b'!');
        }
        self.frame.clear();
        self.reply.push(0).ok()?;
        Some(&self.reply)
    }

    fn answer(&mut self, board_status: &BoardStatus) -> Option<()> {
        let (command, rest) = self.frame.split_first()?;
        match command {
            b'e' => self.reply.extend_from_slice(&self.frame).ok(),
            b'v' => self.tell(board_status),
            b's' => {
                self.store.as_mut().ok()?.save_slice(SHAPE, rest).ok()?;
                self.reply.push(b's').ok()
            }
            b'l' => self.load(),
            command => provoke::provoke(*command),
        }
    }

    fn tell(&mut self, board_status: &BoardStatus) -> Option<()> {
        let (fault, pc) = match board_status.fault {
            Fault::None => (0, 0),
            Fault::HardFault { pc } => (1, pc),
            Fault::StackOverflow => (2, 0),
            Fault::Watchdog => (3, 0),
            Fault::Panic => (4, 0),
            Fault::Unknown => (5, 0),
        };
        self.reply.push(b'v').ok()?;
        for number in [
            board_status.now_ms as u32,
            board_status.stack_used,
            board_status.stack_size,
            board_status.dropped_bytes,
            fault,
            pc,
            self.learner.examples_of(Class(0)).unwrap_or_default(),
        ] {
            self.reply.push(b' ').ok()?;
            for shift in (0..8).rev().map(|digit| 4 * digit) {
                let digit = (number >> shift) as u8 & 0xf;
                let letter = if digit < 10 { b'0' } else { b'a' - 10 };
                self.reply.push(letter + digit).ok()?;
            }
        }
        Some(())
    }

    fn load(&mut self) -> Option<()> {
        let mut bytes = [0; LONGEST];
        let len = self
            .store
            .as_mut()
            .ok()?
            .load_slice(SHAPE, &mut bytes)
            .ok()?;
        self.reply.push(b'l').ok()?;
        self.reply.extend_from_slice(bytes.get(..len)?).ok()
    }
}
