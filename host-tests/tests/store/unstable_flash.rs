//! Flash in which a cut write or erase reads well at one start and badly at the next, as an adversary chooses.
//!
//! Header, mark and payload that a cut operation has touched are unstable: at each start, each of them reads as it did before that operation or as it
//! would after it, as a whole. An operation that is not cut makes them stable. If a second operation on an unstable part is cut, too, the
//! part reads from then on as in the life of that second operation, or as after it: what else it could have read as before is not modelled,
//! nor are mixtures within a part. Mixtures are those of `SimFlash`, at random.

use pocketron::persist::store::nor_flash::{ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash};

/// Bytes of a sector, which is a slot here, and of the pieces in which a header, a mark and a payload are written.
pub const SECTOR: usize = 256;
const UNIT: usize = 32;

/// Parts of a slot: header, mark, payload. Each is unstable as a whole.
const PARTS: [std::ops::Range<usize>; 3] = [0..UNIT, UNIT..2 * UNIT, 2 * UNIT..SECTOR];

/// A part of a slot that reads as before the cut operation or as after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct UnstablePart {
    start: usize,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// The flash. In a life, from one start to the next cut, every cell reads the same each time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct UnstableFlash {
    cells: Vec<u8>,
    unstable: Vec<UnstablePart>,
    /// Operations until the power fails.
    left: Option<u32>,
    /// Sectors whose erase does nothing, and does not say so.
    unerasable: Vec<usize>,
}

impl UnstableFlash {
    /// Erased flash of this many slots.
    pub fn new(slots: usize) -> Self {
        UnstableFlash {
            cells: vec![0xFF; slots * SECTOR],
            unstable: Vec::new(),
            left: None,
            unerasable: Vec::new(),
        }
    }

    /// Lets the erases of a sector do nothing from now on.
    pub fn stop_erasing(&mut self, sector: usize) {
        self.unerasable.push(sector);
    }

    /// Ways in which it can read after the next start.
    pub fn readings(&self) -> u32 {
        1 << self.unstable.len()
    }

    /// Switches the power on; `reading` says which unstable parts read as after their operation.
    pub fn start(&mut self, reading: u32) {
        self.left = None;
        for (part, bit) in self.unstable.iter().zip(0..) {
            let bytes = match reading >> bit & 1 {
                0 => &part.before,
                _ => &part.after,
            };
            self.cells[part.start..][..bytes.len()].copy_from_slice(bytes);
        }
    }

    /// Cuts the power in the operation that comes after `whole` ones.
    pub fn cut_after(&mut self, whole: u32) {
        self.left = Some(whole);
    }

    /// Whether the power is still on.
    pub fn is_powered(&self) -> bool {
        self.left != Some(u32::MAX)
    }

    /// Changes cells, wholly or, if the power fails, for an adversary to choose.
    fn change(&mut self, start: usize, after: &[u8]) -> Result<(), NorFlashErrorKind> {
        match &mut self.left {
            Some(u32::MAX) => return Err(NorFlashErrorKind::Other),
            Some(0) => {
                self.left = Some(u32::MAX);
                self.tear(start, after);
                return Err(NorFlashErrorKind::Other);
            }
            Some(left) => *left -= 1,
            None => {}
        }
        let end = start + after.len();
        self.unstable
            .retain(|part| part.start < start || part.start >= end);
        self.cells[start..end].copy_from_slice(after);
        Ok(())
    }

    fn tear(&mut self, start: usize, after: &[u8]) {
        let end = start + after.len();
        let sector = start / SECTOR * SECTOR;
        for part in PARTS {
            let (from, to) = (
                (sector + part.start).max(start),
                (sector + part.end).min(end),
            );
            if from >= to {
                continue;
            }
            let before = self.cells[from..to].to_vec();
            let after = after[from - start..to - start].to_vec();
            // Of a part that was unstable already, only the present reading goes on.
            self.unstable
                .retain(|part| part.start < from || part.start >= to);
            if before != after {
                self.unstable.push(UnstablePart {
                    start: from,
                    before,
                    after,
                });
            }
        }
    }
}

impl ErrorType for UnstableFlash {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for UnstableFlash {
    const READ_SIZE: usize = 4;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), NorFlashErrorKind> {
        if !self.is_powered() {
            return Err(NorFlashErrorKind::Other);
        }
        bytes.copy_from_slice(&self.cells[offset as usize..][..bytes.len()]);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.cells.len()
    }
}

impl NorFlash for UnstableFlash {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = SECTOR;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), NorFlashErrorKind> {
        let sectors = (from as usize..to as usize).step_by(SECTOR);
        for start in sectors {
            if !self.unerasable.contains(&(start / SECTOR)) {
                self.change(start, &[0xFF; SECTOR])?;
            }
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), NorFlashErrorKind> {
        let start = offset as usize;
        let cells = self.cells[start..].iter().zip(bytes);
        let after: Vec<u8> = cells.map(|(cell, byte)| cell & byte).collect();
        self.change(start, &after)
    }
}
