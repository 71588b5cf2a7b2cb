//! Flash and RAM of a linked image, read from its ELF section headers.
//!
//! By hand instead of by a dependency: the layout of a 32-bit little-endian
//! ELF file is fixed, and we need six fields of each section.

use anyhow::{Context, Result, bail};
use std::{fs, path::Path};

/// Bytes that an image occupies on the device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Code, constants and the initial values of variables.
    pub flash: u32,
    /// Variables with and without initial value; the stack comes on top.
    pub ram: u32,
}

/// Bytes of variables with an initial value (`.data`), which lie in flash and in RAM.
pub fn initialised(path: &Path) -> Result<u32> {
    let sections = read(path)?;
    let initialised = sections.iter().filter(|one| one.in_flash && one.in_ram);
    Ok(initialised.map(|one| one.size).sum())
}

/// Measures an image; an empty one is an error.
pub fn footprint(path: &Path) -> Result<Footprint> {
    let footprint = total(&read(path)?);
    if footprint.flash == 0 {
        bail!(
            "{} is empty: it was linked without link.x; build.rs gives the linker its arguments for thumb targets, so look at its output",
            path.display()
        );
    }
    Ok(footprint)
}

/// A part of the image that reaches the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Section {
    size: u32,
    in_flash: bool,
    in_ram: bool,
}

const NO_BITS: u32 = 8;
const WRITABLE: u32 = 1;
const ALLOCATED: u32 = 2;

fn read(path: &Path) -> Result<Vec<Section>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&bytes).with_context(|| format!("{} is odd", path.display()))
}

fn total(sections: &[Section]) -> Footprint {
    let sum = |place: fn(&Section) -> bool| {
        let there = sections.iter().filter(|section| place(section));
        there.map(|section| section.size).sum()
    };
    Footprint {
        flash: sum(|section| section.in_flash),
        ram: sum(|section| section.in_ram),
    }
}

fn parse(elf: &[u8]) -> Result<Vec<Section>> {
    let reaches_device = |header: &Header| {
        // Debug information stays on the host.
        (header.flags & ALLOCATED != 0).then_some(Section {
            size: header.size,
            in_flash: header.kind != NO_BITS,
            in_ram: header.flags & WRITABLE != 0,
        })
    };
    Ok(headers(elf)?.iter().filter_map(reaches_device).collect())
}

/// What an ELF file says of one section.
pub struct Header {
    pub kind: u32,
    pub flags: u32,
    pub address: u32,
    pub offset: u32,
    pub size: u32,
    /// Another section that belongs to it.
    pub link: u32,
}

/// The sections of a 32-bit little-endian ELF file.
pub fn headers(elf: &[u8]) -> Result<Vec<Header>> {
    if elf.get(..6) != Some(b"\x7fELF\x01\x01".as_slice()) {
        bail!("not a 32-bit little-endian ELF file");
    }
    let table = word(elf, 0x20)? as usize;
    let header_len = half(elf, 0x2e)? as usize;
    let count = half(elf, 0x30)? as usize;
    let header = |at: usize| {
        Ok(Header {
            kind: word(elf, at + 0x04)?,
            flags: word(elf, at + 0x08)?,
            address: word(elf, at + 0x0c)?,
            offset: word(elf, at + 0x10)?,
            size: word(elf, at + 0x14)?,
            link: word(elf, at + 0x18)?,
        })
    };
    let starts = (0..count).map(|index| table + index * header_len);
    starts.map(header).collect()
}

/// A number of 32 bits.
pub fn word(elf: &[u8], at: usize) -> Result<u32> {
    let bytes = elf.get(at..).and_then(|rest| rest.first_chunk());
    bytes
        .map(|bytes| u32::from_le_bytes(*bytes))
        .context("the file ends early")
}

/// A number of 16 bits.
pub fn half(elf: &[u8], at: usize) -> Result<u16> {
    let bytes = elf.get(at..).and_then(|rest| rest.first_chunk());
    bytes
        .map(|bytes| u16::from_le_bytes(*bytes))
        .context("the file ends early")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM_BITS: u32 = 1;
    const EXECUTABLE: u32 = 4;

    /// An ELF file of section headers only: (kind, flags, size).
    fn elf(sections: &[(u32, u32, u32)]) -> Vec<u8> {
        let mut file = vec![0; 52];
        file[..6].copy_from_slice(b"\x7fELF\x01\x01");
        file[0x20..0x24].copy_from_slice(&52_u32.to_le_bytes());
        file[0x2e..0x30].copy_from_slice(&40_u16.to_le_bytes());
        file[0x30..0x32].copy_from_slice(&(sections.len() as u16).to_le_bytes());
        for (kind, flags, size) in sections {
            let words = [0, *kind, *flags, 0, 0, *size, 0, 0, 0, 0];
            file.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        }
        file
    }

    #[test]
    fn initialised_data_counts_twice_and_debug_information_never() {
        let file = elf(&[
            (PROGRAM_BITS, ALLOCATED | EXECUTABLE, 1000), // .text
            (PROGRAM_BITS, ALLOCATED, 200),               // .rodata
            (PROGRAM_BITS, ALLOCATED | WRITABLE, 30),     // .data
            (NO_BITS, ALLOCATED | WRITABLE, 4),           // .bss
            (PROGRAM_BITS, 0, 99_999),                    // .debug_info
        ]);
        let expected = Footprint {
            flash: 1230,
            ram: 34,
        };
        assert_eq!(total(&parse(&file).unwrap()), expected);
    }

    #[test]
    fn only_variables_with_an_initial_value_are_initialised() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut sections = vec![
            (PROGRAM_BITS, ALLOCATED | EXECUTABLE, 1000),
            (PROGRAM_BITS, ALLOCATED, 200),
            (NO_BITS, ALLOCATED | WRITABLE, 4),
        ];
        for expected in [0, 30] {
            fs::write(file.path(), elf(&sections)).unwrap();
            assert_eq!(initialised(file.path()).unwrap(), expected);
            sections.push((PROGRAM_BITS, ALLOCATED | WRITABLE, 30));
        }
    }

    #[test]
    fn a_truncated_or_foreign_file_is_an_error_not_a_size() {
        let file = elf(&[(PROGRAM_BITS, ALLOCATED, 8)]);
        assert!(parse(&file[..file.len() - 20]).is_err());
        assert!(parse(b"\x7fELF\x02\x01 a 64-bit file").is_err());
        assert!(parse(&[]).is_err());
    }
}
