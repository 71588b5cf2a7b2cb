//! The flash chip beside the RP2040, which also holds the program.

use core::{ops::Range, slice};

use pocketron::persist::store::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};

use crate::app;

/// Where the flash appears in memory; offsets count from here.
const BASE: u32 = 0x1000_0000;
/// Of the Pico; boards with other chips have more.
const CAPACITY: usize = 2 << 20;
/// The chip is programmed in whole pages.
const PAGE: usize = 256;

/// All of the chip: the store is a part of it.
pub struct Flash;

impl Flash {
    /// Where models lie.
    pub fn store() -> Range<u32> {
        let store = app::store();
        store.start - BASE..store.end - BASE
    }
}

impl ErrorType for Flash {
    type Error = NorFlashErrorKind;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        check_read(self, offset, bytes.len())?;
        let cells = (BASE + offset) as *const u8;
        // SAFETY: within the chip, and nothing changes it as long as the slice is in use.
        bytes.copy_from_slice(unsafe { slice::from_raw_parts(cells, bytes.len()) });
        Ok(())
    }

    fn capacity(&self) -> usize {
        CAPACITY
    }
}

impl NorFlash for Flash {
    /// Less than a page, since what is not to be written can be filled with ones, which
    /// change nothing.
    const WRITE_SIZE: usize = 1;
    const ERASE_SIZE: usize = 4096;

    /// Takes 45 ms for a sector, up to 400; interrupts wait, and the UART keeps 32 bytes.
    fn erase(&mut self, from: u32, to: u32) -> Result<(), Self::Error> {
        check_erase(self, from, to)?;
        // A sector at a time, so that interrupts are let in between two of them.
        for sector in (from..to).step_by(Self::ERASE_SIZE) {
            alone(|| {
                // SAFETY: as `alone` says, and the sector is one.
                unsafe {
                    rp2040_flash::flash::flash_range_erase(sector, Self::ERASE_SIZE as u32, true);
                }
            });
        }
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        check_write(self, offset, bytes.len())?;
        let mut rest = bytes;
        let mut place = offset as usize;
        while !rest.is_empty() {
            let start = place % PAGE;
            let (now, later) = rest.split_at(rest.len().min(PAGE - start));
            // In RAM in any case: the flash cannot be read while it is written.
            let mut page = [0xFF; PAGE];
            page[start..start + now.len()].copy_from_slice(now);
            alone(|| {
                // SAFETY: as `alone` says, and the page is a whole one.
                unsafe {
                    rp2040_flash::flash::flash_range_program((place - start) as u32, &page, true);
                }
            });
            rest = later;
            place += now.len();
        }
        Ok(())
    }
}

/// Does what needs the flash for itself: while it is written, nothing can be read from it,
/// the program included.
///
/// rp2040-flash keeps the code that runs meanwhile in RAM. Interrupt handlers do not lie
/// there, so none may come; the other core has not been started, and no DMA is in use.
fn alone(work: impl FnOnce()) {
    cortex_m::interrupt::free(|_| work());
}
