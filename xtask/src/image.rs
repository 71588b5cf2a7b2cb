//! Flash and RAM of a linked image, from its ELF section headers.

use anyhow::{Context, Result, bail};
use object::{
    LittleEndian, Object,
    elf::{EF_ARM_ABI_FLOAT_HARD, SHF_ALLOC, SHF_WRITE, SHT_NOBITS},
    read::elf::{ElfFile32, SectionHeader},
};
use std::{fs, path::Path};

/// A linked image: all emulated boards are 32-bit and little-endian.
pub type Elf<'a> = ElfFile32<'a, LittleEndian>;

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

/// Whether functions take numbers in the registers of a floating-point unit.
pub fn has_float_arguments(path: &Path) -> Result<bool> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let elf = Elf::parse(&*bytes)?;
    Ok(elf.elf_header().e_flags.get(LittleEndian) & EF_ARM_ABI_FLOAT_HARD != 0)
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

fn parse(bytes: &[u8]) -> Result<Vec<Section>> {
    let sections = Elf::parse(bytes)?;
    let headers = sections.sections().map(|one| one.elf_section_header());
    // Debug information stays on the host.
    let on_device = headers.filter(|header| header.sh_flags(LittleEndian) & SHF_ALLOC != 0);
    let section = |header: &object::elf::SectionHeader32<LittleEndian>| Section {
        size: header.sh_size(LittleEndian),
        in_flash: header.sh_type(LittleEndian) != SHT_NOBITS,
        in_ram: header.sh_flags(LittleEndian) & SHF_WRITE != 0,
    };
    Ok(on_device.map(section).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::{
        Architecture, BinaryFormat, Endianness, SectionKind,
        write::{Object, StandardSection},
    };

    const TEXT: (StandardSection, u32) = (StandardSection::Text, 1000);
    const CONSTANTS: (StandardSection, u32) = (StandardSection::ReadOnlyData, 200);
    const INITIALISED: (StandardSection, u32) = (StandardSection::Data, 30);
    const ZEROED: (StandardSection, u32) = (StandardSection::UninitializedData, 4);

    /// An ELF file of such sections, with debug information.
    fn elf(sections: &[(StandardSection, u32)]) -> Vec<u8> {
        let mut file = Object::new(BinaryFormat::Elf, Architecture::Arm, Endianness::Little);
        for (kind, size) in sections {
            let section = file.section_id(*kind);
            if *kind == StandardSection::UninitializedData {
                file.append_section_bss(section, u64::from(*size), 1);
            } else {
                file.append_section_data(section, &vec![0; *size as usize], 1);
            }
        }
        let debug = file.add_section(Vec::new(), b".debug_info".to_vec(), SectionKind::Debug);
        file.append_section_data(debug, &[0; 9999], 1);
        file.write().unwrap()
    }

    #[test]
    fn initialised_data_counts_twice_and_debug_information_never() {
        let file = elf(&[TEXT, CONSTANTS, INITIALISED, ZEROED]);
        let expected = Footprint {
            flash: 1230,
            ram: 34,
        };
        assert_eq!(total(&parse(&file).unwrap()), expected);
    }

    #[test]
    fn only_variables_with_an_initial_value_are_initialised() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut sections = vec![TEXT, CONSTANTS, ZEROED];
        for expected in [0, 30] {
            fs::write(file.path(), elf(&sections)).unwrap();
            assert_eq!(initialised(file.path()).unwrap(), expected);
            sections.push(INITIALISED);
        }
    }

    #[test]
    fn a_truncated_or_foreign_file_is_an_error_not_a_size() {
        let file = elf(&[TEXT]);
        assert!(parse(&file[..file.len() - 20]).is_err());
        let foreign = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
        assert!(parse(&foreign.write().unwrap()).is_err(), "64 bits");
        assert!(parse(&[]).is_err());
    }
}
