//! NOR flash without a chip.

use embedded_storage::nor_flash::{
    ErrorType, NorFlash, NorFlashErrorKind, ReadNorFlash, check_erase, check_read, check_write,
};

/// NOR flash in RAM, to try a store out: it forgets when the power goes.
///
/// As in a chip, erasing sets the bits of whole sectors, and writing can only clear bits.
#[derive(Clone, Debug)]
pub struct RamFlash<const SECTORS: usize, const SECTOR: usize = 1024>([[u8; SECTOR]; SECTORS]);

impl<const SECTORS: usize, const SECTOR: usize> RamFlash<SECTORS, SECTOR> {
    /// Erased flash; usable in a `static`.
    pub const fn new() -> Self {
        RamFlash([[0xFF; SECTOR]; SECTORS])
    }
}

impl<const SECTORS: usize, const SECTOR: usize> Default for RamFlash<SECTORS, SECTOR> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const SECTORS: usize, const SECTOR: usize> ErrorType for RamFlash<SECTORS, SECTOR> {
    type Error = NorFlashErrorKind;
}

impl<const SECTORS: usize, const SECTOR: usize> ReadNorFlash for RamFlash<SECTORS, SECTOR> {
    const READ_SIZE: usize = 1;

    fn read(&mut self, offset: u32, bytes: &mut [u8]) -> Result<(), Self::Error> {
        check_read(self, offset, bytes.len())?;
        let cells = self.0.as_flattened().iter().skip(offset as usize);
        bytes
            .iter_mut()
            .zip(cells)
            .for_each(|(to, from)| *to = *from);
        Ok(())
    }

    fn capacity(&self) -> usize {
        self.0.as_flattened().len()
    }
}

impl<const SECTORS: usize, const SECTOR: usize> NorFlash for RamFlash<SECTORS, SECTOR> {
    const WRITE_SIZE: usize = 4;
    const ERASE_SIZE: usize = SECTOR;

    fn erase(&mut self, from: u32, to: u32) -> Result<(), Self::Error> {
        check_erase(self, from, to)?;
        let cells = self.0.as_flattened_mut().iter_mut().skip(from as usize);
        cells
            .take((to - from) as usize)
            .for_each(|cell| *cell = 0xFF);
        Ok(())
    }

    fn write(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        check_write(self, offset, bytes.len())?;
        let cells = self.0.as_flattened_mut().iter_mut().skip(offset as usize);
        cells.zip(bytes).for_each(|(cell, byte)| *cell &= *byte);
        Ok(())
    }
}
