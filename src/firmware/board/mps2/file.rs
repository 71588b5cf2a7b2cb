//! A file that behaves as NOR flash.

use core::ffi::CStr;

use super::semihosting::{File, Mode};
use crate::firmware::board::store;

/// Bytes that are copied at a time.
const PIECE: usize = 256;

/// Erased cells.
static ERASED: [u8; PIECE] = [0xff; PIECE];

/// A file as long as the memory that the map keeps for models.
#[derive(Clone, Copy)]
pub struct FileFlash(File);

impl FileFlash {
    /// Opens the file, or makes an erased one when there is none.
    ///
    /// Nothing when it cannot be made, or when it is no flash of ours: another file's contents
    /// must not be erased because its name was typed by mistake.
    pub fn open(name: &CStr) -> Option<Self> {
        let file = File::open(name, Mode::Change).or_else(|| File::open(name, Mode::Create))?;
        let flash = FileFlash(file);
        let (len, capacity) = (file.len()?, store::capacity());
        // One that is too short is ours if the emulator was killed while it was being made.
        let ours = len == capacity || (len < capacity && flash.is_erased(0, len));
        (ours && flash.erase(len, capacity)).then_some(flash)
    }

    /// Copies cells; whether it could.
    pub fn read(self, offset: u32, bytes: &mut [u8]) -> bool {
        self.0.read(offset, bytes)
    }

    /// Clears the bits that are clear in `bytes`; whether it could.
    pub fn write(self, offset: u32, bytes: &[u8]) -> bool {
        let offsets = (offset..).step_by(PIECE);
        offsets.zip(bytes.chunks(PIECE)).all(|(offset, new)| {
            let mut old = [0; PIECE];
            let Some(cells) = old.get_mut(..new.len()) else {
                return false;
            };
            self.0.read(offset, cells) && {
                let cells = cells.iter_mut().zip(new);
                cells.for_each(|(cell, new)| *cell &= new);
                self.0.write(offset, old.get(..new.len()).unwrap_or_default())
            }
        })
    }

    /// Sets all bits from `from` to `to`; whether it could.
    pub fn erase(self, from: u32, to: u32) -> bool {
        pieces(from, to).all(|(offset, blank)| self.0.write(offset, blank))
    }

    fn is_erased(self, from: u32, to: u32) -> bool {
        pieces(from, to).all(|(offset, blank)| {
            let mut bytes = [0; PIECE];
            let bytes = bytes.get_mut(..blank.len()).unwrap_or_default();
            self.0.read(offset, bytes) && *bytes == *blank
        })
    }
}

/// Offsets, and as many erased cells as belong there.
fn pieces(from: u32, to: u32) -> impl Iterator<Item = (u32, &'static [u8])> {
    (from..to).step_by(PIECE).map(move |offset| {
        let len = PIECE.min((to - offset) as usize);
        (offset, ERASED.get(..len).unwrap_or_default())
    })
}
