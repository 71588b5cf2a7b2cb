//! The flash of the nRF51, behind the program.

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};

use crate::firmware::{board::store, register::Register};

// SAFETY (all): the flash controller is ours alone. What it changes in memory is the part that
// the memory map keeps for the store, and no reference leads there.
const READY: Register = unsafe { Register::at(0x4001_e400) };
const CONFIGURATION: Register = unsafe { Register::at(0x4001_e504) };
const ERASE_PAGE: Register = unsafe { Register::at(0x4001_e508) };

const READ_ONLY: u32 = 0;
const WRITABLE: u32 = 1;
const ERASABLE: u32 = 2;

/// Questions until the controller counts as broken. An erased page takes 22 ms; while the core
/// waits for its next instruction out of the same flash, it cannot even ask.
const TIMEOUT: u32 = 100_000;

const PAGE: u32 = 1024;

/// The pages that the memory map keeps for the store.
#[derive(Clone, Copy)]
pub struct Flash;

impl ErrorType for Flash {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        check_read(self, offset, bytes.len())?;
        outcome(store::read(offset, bytes))
    }

    fn capacity(&self) -> usize {
        store::capacity() as usize
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = PAGE as usize;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Self::Error> {
        check_erase(self, from, to)?;
        allowing(ERASABLE, || {
            (from..to).step_by(PAGE as usize).all(|page| {
                ERASE_PAGE.write(store::cell(page) as u32);
                is_ready()
            })
        })
    }

    /// A word at a time; the cells themselves see to it that bits are only cleared.
    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        check_write(self, offset, bytes.len())?;
        let (words, _) = bytes.as_chunks();
        allowing(WRITABLE, || {
            (offset..).step_by(4).zip(words).all(|(offset, word)| {
                let cell = store::cell(offset).cast::<u32>();
                // SAFETY: a word of the store, aligned and in a range that was checked.
                unsafe { cell.write_volatile(u32::from_le_bytes(*word)) };
                is_ready()
            })
        })
    }
}

/// Does what needs `permission`, which ends with it.
fn allowing(permission: u32, work: impl FnOnce() -> bool) -> Result<(), NorFlashErrorKind> {
    CONFIGURATION.write(permission);
    let done = is_ready() && work();
    CONFIGURATION.write(READ_ONLY);
    outcome(is_ready() && done)
}

fn outcome(done: bool) -> Result<(), NorFlashErrorKind> {
    done.then_some(()).ok_or(NorFlashErrorKind::Other)
}

/// Waits, but not for ever.
fn is_ready() -> bool {
    (0..TIMEOUT).any(|_| READY.read() != 0)
}
