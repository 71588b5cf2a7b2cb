//! A NOR flash that forgives nothing and can lose its power at any instant.
//!
//! It panics where a real one would quietly do something else: outside its range, off its grid, on setting a bit without
//! erasing, on writing into cells that were not cleanly erased, and, if asked to, on writing a word twice.
//! Errors are for what a driver does report: no power, a broken sector, a word whose error correction gives up.

use std::collections::BTreeSet;

use pocketron::persist::store::nor_flash::{
    ErrorType, NorFlash, NorFlashError, NorFlashErrorKind, ReadNorFlash,
};

use crate::data::shuffle::SplitMix64;

/// What the operation leaves behind during which the power fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tear {
    /// It had not begun.
    Nothing,
    /// It was complete, only nobody was told.
    Complete,
    /// The first words are done, the others untouched.
    Prefix,
    /// Any bits are done. An erase also leaves bits at 0, because it begins by programming all of them.
    Subset,
    /// As a subset, and some of the bits now read as they please, every time.
    Unstable,
    /// Looks untouched, until the next reset: then the bits that were on their way read as they please.
    WeakOld,
    /// Looks complete, until the next reset: then the bits that were on their way read as they please.
    WeakNew,
    /// The first words are done, and the next one cannot be read any more.
    Unreadable,
}

impl Tear {
    /// All of them.
    pub const ALL: [Tear; 8] = [
        Tear::Nothing,
        Tear::Complete,
        Tear::Prefix,
        Tear::Subset,
        Tear::Unstable,
        Tear::WeakOld,
        Tear::WeakNew,
        Tear::Unreadable,
    ];

    /// Whether two seeds can leave two different things.
    pub fn is_random(self) -> bool {
        !matches!(self, Tear::Nothing | Tear::Complete)
    }
}

/// What a flash reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The power is off.
    NoPower,
    /// The sector no longer takes anything.
    Broken,
    /// The error correction gave up.
    Unreadable,
}

impl NorFlashError for Failure {
    fn kind(&self) -> NorFlashErrorKind {
        NorFlashErrorKind::Other
    }
}

/// What was asked of a flash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Bytes read.
    pub read: u64,
    /// Calls to write.
    pub writes: u64,
    /// Bytes written.
    pub written: u64,
    /// Sectors erased.
    pub erases: u64,
}

/// A flash that is read in `READ`, written in `WRITE` and erased in `ERASE` bytes.
#[derive(Clone, Debug)]
pub struct SimFlash<const READ: usize, const WRITE: usize, const ERASE: usize> {
    cells: Vec<u8>,
    /// Words written since they were erased.
    used: Vec<bool>,
    /// Bits that read as they please; empty if there are none.
    unstable: Vec<u8>,
    /// Bits that join them at the next reset; empty if there are none.
    weak: Vec<u8>,
    unreadable: BTreeSet<usize>,
    /// Worn bits: address, mask, and whether they read as ones.
    stuck: Vec<(usize, u8, bool)>,
    broken: BTreeSet<usize>,
    /// Whether a word may be written twice, as long as that only clears bits.
    rewritable: bool,
    /// Whether each word of a write is an instant at which the power may fail, or only each call.
    word_by_word: bool,
    counts: Counts,
    steps: u64,
    cut: Option<(u64, Tear)>,
    powered: bool,
    random: SplitMix64,
}

impl<const READ: usize, const WRITE: usize, const ERASE: usize> SimFlash<READ, WRITE, ERASE> {
    /// Erased flash of this many sectors; each word takes one write.
    pub fn new(sectors: usize) -> Self {
        Self::holding(vec![0xFF; sectors * ERASE])
    }

    /// Flash that holds `bytes` from a former life, whole sectors of them.
    pub fn holding(bytes: Vec<u8>) -> Self {
        assert!(bytes.len().is_multiple_of(ERASE), "whole sectors");
        SimFlash {
            used: vec![true; bytes.len() / WRITE],
            cells: bytes,
            unstable: Vec::new(),
            weak: Vec::new(),
            unreadable: BTreeSet::new(),
            stuck: Vec::new(),
            broken: BTreeSet::new(),
            rewritable: false,
            word_by_word: false,
            counts: Counts::default(),
            steps: 0,
            cut: None,
            powered: true,
            random: SplitMix64::new(0),
        }
    }

    /// Lets words be written more than once, as long as that only clears bits.
    pub fn rewritable(mut self) -> Self {
        self.rewritable = true;
        self
    }

    /// Makes each word of a write an instant at which the power may fail.
    pub fn word_by_word(mut self) -> Self {
        self.word_by_word = true;
        self
    }

    /// What is stored, without wear or instability.
    pub fn cells(&self) -> &[u8] {
        &self.cells
    }

    /// What was asked of it so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Instants so far at which the power could have failed: erased sectors, and writes or written words.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Cuts the power `steps` instants from now.
    pub fn cut_after(&mut self, steps: u64, tear: Tear, seed: u64) {
        self.random = SplitMix64::new(seed);
        self.cut = Some((self.steps + steps, tear));
    }

    /// Whether the power is on.
    pub fn is_powered(&self) -> bool {
        self.powered
    }

    /// Power on, with no cut in sight. Weak bits begin to waver, except those of a cut that has just happened.
    pub fn reboot(&mut self) {
        if self.powered {
            self.waver();
        }
        self.powered = true;
        self.cut = None;
    }

    /// Weak bits begin to waver.
    fn waver(&mut self) {
        let weak = std::mem::take(&mut self.weak);
        if weak.is_empty() {
            return;
        }
        if self.unstable.is_empty() {
            self.unstable = weak;
        } else {
            for (unstable, weak) in self.unstable.iter_mut().zip(weak) {
                *unstable |= weak;
            }
        }
    }

    /// Flips a bit of a cell at rest.
    pub fn flip(&mut self, address: usize, bit: usize) {
        self.cells[address] ^= 1 << bit;
    }

    /// Wears bits out: whatever is written or erased, they read as `ones` or as zeros.
    pub fn wear_out(&mut self, address: usize, mask: u8, ones: bool) {
        self.stuck.push((address, mask, ones));
    }

    /// Lets every write and erase of a sector fail.
    pub fn break_sector(&mut self, address: usize) {
        self.broken.insert(address / ERASE);
    }

    /// Whether this is the instant at which the power fails.
    fn torn(&mut self) -> Option<Tear> {
        let step = self.steps;
        self.steps += 1;
        let (_, tear) = self.cut.take_if(|(at, _)| *at == step)?;
        self.powered = false;
        Some(tear)
    }

    fn check(&self, offset: usize, len: usize, grid: usize) {
        assert!(
            offset.is_multiple_of(grid) && len.is_multiple_of(grid),
            "{len} bytes at {offset} are off the grid of {grid}"
        );
        assert!(
            offset + len <= self.cells.len(),
            "{len} bytes at {offset} leave the flash"
        );
    }

    fn is_broken(&self, offset: usize, len: usize) -> bool {
        let mut sectors = self.broken.iter();
        sectors.any(|sector| (offset / ERASE..(offset + len).div_ceil(ERASE)).contains(sector))
    }

    /// Moves the cells from `offset` on towards `target`, as far as the tear lets it.
    fn tear(&mut self, tear: Tear, offset: usize, target: &[u8], erasing: bool) {
        self.waver();
        let words = target.len() / WRITE;
        let done = match tear {
            Tear::Prefix => self.random.next_u64() as usize % (words + 1),
            Tear::Unreadable => self.random.next_u64() as usize % words,
            Tear::Complete | Tear::WeakNew => words,
            _ => 0,
        };
        if tear == Tear::Unreadable {
            self.unreadable.insert(offset / WRITE + done);
        }
        let size = self.cells.len();
        if matches!(tear, Tear::WeakOld | Tear::WeakNew) {
            self.weak.resize(size, 0);
        }
        if tear == Tear::Unstable {
            self.unstable.resize(size, 0);
        }
        for (position, new) in target.iter().enumerate() {
            let address = offset + position;
            let old = self.cells[address];
            let moving = if erasing { 0xFF } else { old ^ new };
            self.cells[address] = match tear {
                Tear::Subset | Tear::Unstable => {
                    let [moved, zeros, wavering, ..] = self.random.next_u64().to_le_bytes();
                    let zeros = if erasing { zeros } else { 0 };
                    if tear == Tear::Unstable {
                        self.unstable[address] |= moving & wavering;
                    }
                    ((old & !moved) | (new & moved)) & !(zeros & moving)
                }
                _ if position < done * WRITE => *new,
                _ => old,
            };
            if matches!(tear, Tear::WeakOld | Tear::WeakNew) {
                self.weak[address] |= old ^ new;
            }
        }
    }

    fn program(&mut self, offset: usize, bytes: &[u8]) -> Result<(), Failure> {
        let range = offset..offset + bytes.len();
        let clean = |mask: &Vec<u8>| mask.is_empty() || mask[range.clone()].iter().all(|m| *m == 0);
        assert!(
            clean(&self.unstable) && clean(&self.weak),
            "writes at {offset} into cells that were never cleanly erased"
        );
        let words = offset / WRITE..(offset + bytes.len()) / WRITE;
        assert!(
            !words.clone().any(|word| self.unreadable.contains(&word)),
            "writes at {offset} into words that cannot be read"
        );
        for (cell, byte) in self.cells[range.clone()].iter().zip(bytes) {
            assert!(
                cell & byte == *byte,
                "sets bits at {offset} without erasing"
            );
        }
        let used = &mut self.used[words];
        assert!(
            self.rewritable || !used.contains(&true),
            "writes a word at {offset} twice"
        );
        used.fill(true);
        if let Some(tear) = self.torn() {
            self.tear(tear, offset, bytes, false);
            return Err(Failure::NoPower);
        }
        self.cells[range].copy_from_slice(bytes);
        Ok(())
    }

    fn erase_sector(&mut self, offset: usize) -> Result<(), Failure> {
        self.counts.erases += 1;
        if let Some(tear) = self.torn() {
            self.tear(tear, offset, &vec![0xFF; ERASE], true);
            if tear != Tear::Nothing {
                // Nobody may write here before another erase.
                self.used[offset / WRITE..(offset + ERASE) / WRITE].fill(true);
            }
            return Err(Failure::NoPower);
        }
        let range = offset..offset + ERASE;
        self.cells[range.clone()].fill(0xFF);
        for mask in [&mut self.unstable, &mut self.weak] {
            if !mask.is_empty() {
                mask[range.clone()].fill(0);
            }
        }
        let words = offset / WRITE..(offset + ERASE) / WRITE;
        self.unreadable.retain(|word| !words.contains(word));
        self.used[words].fill(false);
        Ok(())
    }
}

impl<const READ: usize, const WRITE: usize, const ERASE: usize> ErrorType
    for SimFlash<READ, WRITE, ERASE>
{
    type Error = Failure;
}

impl<const READ: usize, const WRITE: usize, const ERASE: usize> ReadNorFlash
    for SimFlash<READ, WRITE, ERASE>
{
    const READ_SIZE: usize = READ;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Failure> {
        let offset = offset as usize;
        self.check(offset, bytes.len(), READ);
        if !self.powered {
            return Err(Failure::NoPower);
        }
        self.counts.read += bytes.len() as u64;
        let range = offset..offset + bytes.len();
        let words = offset / WRITE..(offset + bytes.len()).div_ceil(WRITE);
        if self.unreadable.range(words).next().is_some() {
            return Err(Failure::Unreadable);
        }
        bytes.copy_from_slice(&self.cells[range.clone()]);
        if !self.unstable.is_empty() {
            for (byte, mask) in bytes.iter_mut().zip(&self.unstable[range.clone()]) {
                if *mask != 0 {
                    *byte ^= self.random.next_u64() as u8 & mask;
                }
            }
        }
        for (address, mask, ones) in &self.stuck {
            if range.contains(address) {
                let byte = &mut bytes[address - offset];
                *byte = if *ones { *byte | mask } else { *byte & !mask };
            }
        }
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.cells.len()
    }
}

impl<const READ: usize, const WRITE: usize, const ERASE: usize> NorFlash
    for SimFlash<READ, WRITE, ERASE>
{
    const WRITE_SIZE: usize = WRITE;
    const ERASE_SIZE: usize = ERASE;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Failure> {
        let (from, to) = (from as usize, to as usize);
        assert!(from < to, "erases {from} to {to}");
        self.check(from, to - from, ERASE);
        if !self.powered {
            return Err(Failure::NoPower);
        }
        if self.is_broken(from, to - from) {
            return Err(Failure::Broken);
        }
        (from..to)
            .step_by(ERASE)
            .try_for_each(|offset| self.erase_sector(offset))
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Failure> {
        let offset = offset as usize;
        self.check(offset, bytes.len(), WRITE);
        assert!(!bytes.is_empty(), "writes nothing at {offset}");
        if !self.powered {
            return Err(Failure::NoPower);
        }
        if self.is_broken(offset, bytes.len()) {
            return Err(Failure::Broken);
        }
        self.counts.writes += 1;
        self.counts.written += bytes.len() as u64;
        let step = if self.word_by_word {
            WRITE
        } else {
            bytes.len()
        };
        let mut words = (offset..).step_by(step).zip(bytes.chunks(step));
        words.try_for_each(|(offset, word)| self.program(offset, word))
    }
}
