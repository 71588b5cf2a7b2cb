//! The memory that the map keeps for models.

unsafe extern "C" {
    static mut _store_start: u8;
    static _store_end: u8;
}

/// Bytes of it.
pub fn capacity() -> u32 {
    let start = &raw const _store_start as u32;
    (&raw const _store_end as u32).saturating_sub(start)
}

/// Address of byte `offset`.
pub fn cell(offset: u32) -> *mut u8 {
    (&raw mut _store_start).wrapping_add(offset as usize)
}

/// Copies what lies there from `offset` on; whether there is so much.
pub fn read(offset: u32, bytes: &mut [u8]) -> bool {
    let within = bytes.len() as u32 <= capacity().saturating_sub(offset);
    if within {
        for (offset, byte) in (offset..).zip(bytes) {
            // SAFETY: within the borders, where no reference leads; volatile since a flash
            // controller changes it behind Rust's back.
            *byte = unsafe { cell(offset).read_volatile() };
        }
    }
    within
}
