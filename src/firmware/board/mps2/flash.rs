//! The board's flash is not modelled: a file takes its place, or memory.
//!
//! The file is named on the command line of the emulator, behind our own name:
//! `-semihosting-config enable=on,target=native,arg=pocketron,arg=FILE`. It holds what was
//! written before, whenever the emulator ends. Without a file, models are kept in the
//! board's PSRAM: they outlive a reset, but not the emulator.

use core::ffi::CStr;

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};

use super::{file::FileFlash, semihosting};
use crate::firmware::board::store;

/// NOR flash: erasing sets the bits of whole sectors, writing only clears bits.
#[derive(Clone, Copy)]
pub enum Flash {
    File(FileFlash),
    Memory(Psram),
}

impl Flash {
    /// The file, if one is named; a file that cannot be used ends the emulation.
    pub fn open() -> Self {
        let mut text = [0; 512];
        let Some(command_line) = semihosting::command_line(&mut text) else {
            // Half a name is not taken for none: the model would be gone with the emulator.
            semihosting::give_up(
                c"pocketron: the command line with the name of the flash file has more than 511 bytes\n",
            )
        };
        let Some(name) = file_name(command_line) else {
            return Flash::Memory(Psram);
        };
        match FileFlash::open(name) {
            Some(file) => Flash::File(file),
            None => semihosting::give_up(
                c"pocketron: the flash file cannot be made, or it was not made by pocketron\n",
            ),
        }
    }
}

/// Everything behind `pocketron` and a space, spaces included.
fn file_name(command_line: &CStr) -> Option<&CStr> {
    let name = command_line.to_bytes_with_nul().strip_prefix(b"pocketron ")?;
    CStr::from_bytes_with_nul(name).ok()
}

impl ErrorType for Flash {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        check_read(self, offset, bytes.len())?;
        outcome(match self {
            Flash::File(file) => file.read(offset, bytes),
            Flash::Memory(_) => store::read(offset, bytes),
        })
    }

    fn capacity(&self) -> usize {
        store::capacity() as usize
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = 4096;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Self::Error> {
        check_erase(self, from, to)?;
        outcome(match self {
            Flash::File(file) => file.erase(from, to),
            Flash::Memory(psram) => psram.erase(from, to),
        })
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        check_write(self, offset, bytes.len())?;
        outcome(match self {
            Flash::File(file) => file.write(offset, bytes),
            Flash::Memory(psram) => psram.write(offset, bytes),
        })
    }
}

fn outcome(done: bool) -> Result<(), NorFlashErrorKind> {
    done.then_some(()).ok_or(NorFlashErrorKind::Other)
}

/// Memory that behaves as flash.
#[derive(Clone, Copy)]
pub struct Psram;

impl Psram {
    fn write(self, offset: u32, bytes: &[u8]) -> bool {
        for (offset, byte) in (offset..).zip(bytes) {
            let cell = store::cell(offset);
            // SAFETY: the caller has checked the range, and no reference leads there.
            unsafe { cell.write_volatile(cell.read_volatile() & byte) };
        }
        true
    }

    fn erase(self, from: u32, to: u32) -> bool {
        // SAFETY: as above.
        unsafe { store::cell(from).write_bytes(0xff, (to - from) as usize) };
        true
    }
}
