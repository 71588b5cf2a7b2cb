//! The flash of the STM32F4: the driver of its HAL, unlocked only when something changes.
//!
//! The HAL calls all sectors 128 KB long and erases several smaller ones for the first such
//! piece. Where the sectors really have that length, and only there, it is exact.

use core::ops::Range;

use pocketron::persist::store::nor_flash::{ErrorType, NorFlash, ReadNorFlash};
use stm32f4xx_hal::{
    flash::{Error, FlashExt, LockedFlash, UnlockedFlash},
    pac::FLASH,
};

use crate::app;

/// Where the flash appears in memory; offsets count from here.
const BASE: u32 = 0x0800_0000;

/// All of the flash: the store is a part of it.
pub struct Flash(LockedFlash);

impl Flash {
    pub fn new(controller: FLASH) -> Self {
        // Errors stay until somebody clears them, for example those of a debugger that has
        // written the program; the HAL would report them after our first write.
        controller.sr().write(|w| {
            let w = w.pgserr().clear_bit_by_one().pgperr().clear_bit_by_one();
            let w = w.pgaerr().clear_bit_by_one().wrperr().clear_bit_by_one();
            w.operr().clear_bit_by_one()
        });
        Flash(LockedFlash::new(controller))
    }

    /// Where models lie.
    pub fn store() -> Range<u32> {
        let store = app::store();
        store.start - BASE..store.end - BASE
    }
}

impl ErrorType for Flash {
    type Error = Error;
}

impl ReadNorFlash for Flash {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Error> {
        ReadNorFlash::read(&mut self.0, offset, bytes)
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }
}

impl NorFlash for Flash {
    const WRITE_SIZE: usize = <UnlockedFlash<'_> as NorFlash>::WRITE_SIZE;
    const ERASE_SIZE: usize = <UnlockedFlash<'_> as NorFlash>::ERASE_SIZE;

    /// Takes two seconds for a sector, up to four: the core stands still, since its program
    /// lies in the same flash.
    fn erase(&mut self, from: u32, to: u32) -> Result<(), Error> {
        let erased = NorFlash::erase(&mut self.0.unlocked(), from, to);
        forget_cached_data();
        erased
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Error> {
        NorFlash::write(&mut self.0.unlocked(), offset, bytes)
    }
}

/// Erasing does not reach the data cache, which the HAL turns on: what was read before
/// would be read again, by the store's checks as well. Writing does reach it. Reference manual
/// RM0383, "Programming and caches".
fn forget_cached_data() {
    // SAFETY: the driver that owns the controller does not use this register.
    let control = unsafe { &*FLASH::ptr() }.acr();
    control.modify(|_, w| w.dcen().clear_bit());
    control.modify(|_, w| w.dcrst().set_bit());
    control.modify(|_, w| w.dcrst().clear_bit().dcen().set_bit());
}
