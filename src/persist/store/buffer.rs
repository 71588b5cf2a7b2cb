//! Bytes on their way to and from flash.

/// Longest piece of a payload that is handled at a time, and the boundary that no
/// piece crosses: the page of most serial flashes.
pub(super) const CHUNK: usize = 256;

/// Smallest piece that is read or written, whatever the flash would allow.
pub(super) const UNIT: usize = 32;

/// Aligned, because some drivers hand the address to a DMA that insists on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(8))]
pub(super) struct Aligned<const SIZE: usize>(pub [u8; SIZE]);

impl<const SIZE: usize> Aligned<SIZE> {
    /// Value of an erased byte of flash.
    pub(super) const ERASED: Self = Aligned([0xFF; SIZE]);

    /// The first `len` bytes, rounded up to whole units.
    pub(super) fn padded(&mut self, len: usize) -> &mut [u8] {
        let len = len.saturating_add(UNIT - 1) & !(UNIT - 1);
        self.0.get_mut(..len).unwrap_or_default()
    }
}
