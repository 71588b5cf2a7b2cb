//! A model in the flash of a device before its first start: the bytes of a store.

use anyhow::{Result, bail};
use pocketron::persist::store::SlotRing;
use pocketron_testkit::flash::SimFlash;

/// The bytes of a region with the image in its first slot.
///
/// # Errors
///
/// The region is too small or not made of whole sectors, or there is no flash of such sectors.
pub fn region(image: &[u8], shape: u32, sector: usize, bytes: usize) -> Result<Vec<u8>> {
    macro_rules! of_sectors {
        ($($sector:literal)*) => {
            match sector {
                $( $sector => filled::<$sector>(image, shape, bytes), )*
                _ => bail!("--sector {sector}: there are sectors of {} bytes", [$($sector.to_string()),*].join(", ")),
            }
        };
    }
    of_sectors!(128 256 512 1024 2048 4096 8192 16384 32768 65536 131072)
}

fn filled<const E: usize>(image: &[u8], shape: u32, bytes: usize) -> Result<Vec<u8>> {
    if !bytes.is_multiple_of(E) || bytes == 0 {
        bail!("--region {bytes} is not a whole number of sectors of {E} bytes");
    }
    let mut flash = SimFlash::<4, 4, E>::new(bytes / E);
    let mut ring: SlotRing<_> = SlotRing::mount(&mut flash, 0..bytes as u32)?;
    ring.save_slice(shape, image)?;
    Ok(flash.cells().to_vec())
}

/// Refuses an address at which no such region can lie.
///
/// # Errors
///
/// The address is inside of a sector, or the region ends behind the last address of 32 bits.
pub fn check_address(address: u32, sector: u32, bytes: usize) -> Result<()> {
    if !address.is_multiple_of(sector) {
        bail!("--address {address:#x} is not the start of a sector of {sector} bytes");
    }
    if u64::from(address) + bytes as u64 > 1 << 32 {
        bail!("--address {address:#x} and --region {bytes}: the region ends behind 0xffffffff");
    }
    Ok(())
}

/// Intel HEX of bytes at an address.
pub fn hex(address: u32, mut bytes: &[u8]) -> String {
    let mut text = String::new();
    let (mut at, mut upper) = (u64::from(address), None);
    while !bytes.is_empty() {
        if upper != Some(at >> 16) {
            upper = Some(at >> 16);
            record(&mut text, 0, 4, &((at >> 16) as u16).to_be_bytes());
        }
        // A record does not go beyond the 64 KB that its upper address names.
        let room = 0x1_0000 - (at as usize & 0xFFFF);
        let (line, behind) = bytes.split_at(bytes.len().min(16).min(room));
        record(&mut text, at as u16, 0, line);
        at += line.len() as u64;
        bytes = behind;
    }
    record(&mut text, 0, 1, &[]);
    text
}

fn record(text: &mut String, address: u16, kind: u8, bytes: &[u8]) {
    let [high, low] = address.to_be_bytes();
    let mut record = vec![bytes.len() as u8, high, low, kind];
    record.extend(bytes);
    let sum = record
        .iter()
        .fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    record.push(sum.wrapping_neg());
    text.push(':');
    for byte in record {
        text.push_str(&format!("{byte:02X}"));
    }
    text.push('\n');
}

/// UF2 of bytes at an address: blocks of 256 bytes. The family says which chips take it.
pub fn uf2(address: u32, bytes: &[u8], family: Option<u32>) -> Vec<u8> {
    const PAYLOAD: usize = 256;
    const HAS_FAMILY: u32 = 0x2000;
    let blocks = bytes.len().div_ceil(PAYLOAD) as u32;
    let mut file = Vec::new();
    for (number, piece) in (0_u32..).zip(bytes.chunks(PAYLOAD)) {
        let at = address + PAYLOAD as u32 * number;
        let flags = family.map_or(0, |_| HAS_FAMILY);
        let size = PAYLOAD as u32;
        let words = [
            0x0A32_4655,
            0x9E5D_5157,
            flags,
            at,
            size,
            number,
            blocks,
            family.unwrap_or(0),
        ];
        file.extend(words.into_iter().flat_map(u32::to_le_bytes));
        let mut payload = piece.to_vec();
        payload.resize(PAYLOAD, 0xFF);
        payload.resize(476, 0);
        file.extend(payload);
        file.extend(0x0AB1_6F30_u32.to_le_bytes());
    }
    file
}
