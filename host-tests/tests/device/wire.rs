//! Frames made from `docs/protocol.md` alone, with another program's CRC-32.

use flate2::Crc;

/// CRC-32 as in Ethernet and zip.
pub fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// A frame around any bytes, with a right checksum.
pub fn framed(message: &[u8]) -> Vec<u8> {
    let mut inner = message.to_vec();
    inner.extend(crc(message).to_le_bytes());
    let mut frame = stuffed(&inner);
    frame.push(0);
    frame
}

/// COBS as the paper tells it: the stretches between the zeros, each with its length in front.
pub fn stuffed(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for stretch in bytes.split(|byte| *byte == 0) {
        let blocks = stretch.chunks_exact(254);
        let rest = blocks.remainder();
        for block in blocks {
            out.push(255);
            out.extend(block);
        }
        out.push(rest.len() as u8 + 1);
        out.extend(rest);
    }
    out
}

/// The bytes in a frame with its final zero; nothing if its checksum is wrong.
pub fn unframed(frame: &[u8]) -> Option<Vec<u8>> {
    let frame = frame.strip_suffix(&[0])?;
    let (mut inner, mut rest) = (Vec::new(), frame);
    while let [length, after @ ..] = rest {
        let (block, next) = after.split_at_checked(usize::from(*length).checked_sub(1)?)?;
        inner.extend(block);
        if *length != 255 && !next.is_empty() {
            inner.push(0);
        }
        rest = next;
    }
    let (message, sum) = inner.split_last_chunk::<4>()?;
    (crc(message).to_le_bytes() == *sum).then(|| message.to_vec())
}
