//! A register of a peripheral.

/// One word that the hardware reads and writes too.
#[derive(Clone, Copy)]
pub struct Register(*mut u32);

impl Register {
    /// # Safety
    ///
    /// At `address` lies a register that may be read and written at any time without
    /// harm to what Rust knows of memory.
    pub const unsafe fn at(address: usize) -> Self {
        Register(address as *mut u32)
    }

    pub fn read(self) -> u32 {
        // SAFETY: promised to `at`.
        unsafe { self.0.read_volatile() }
    }

    pub fn write(self, value: u32) {
        // SAFETY: promised to `at`.
        unsafe { self.0.write_volatile(value) }
    }
}
