//! CRC-32 as in Ethernet and zip.

use crc::{CRC_32_ISO_HDLC, Crc, Digest, NoTable};

static CRC: Crc<u32, NoTable> = Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC);

/// A running checksum.
#[derive(Clone)]
pub(crate) struct Checksum(Digest<'static, u32, NoTable>);

impl Checksum {
    pub(crate) fn new() -> Self {
        Checksum(CRC.digest())
    }

    /// Kept out of line: the unrolled loop is worth having once.
    #[inline(never)]
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn finish(self) -> u32 {
        self.0.finalize()
    }
}

/// The checksum of `bytes`.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    let mut checksum = Checksum::new();
    checksum.update(bytes);
    checksum.finish()
}
