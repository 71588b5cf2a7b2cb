//! Flash of a function together with everything that it calls.
//!
//! A program for one learner is what a user builds, but one image for each of a hundred would take hours. So the calls are
//! followed in the big image: from `predict` and `learn` of a learner along all direct branches to other functions. Calls by
//! pointer would be missed; there are none in these functions.

use crate::image::{self, half, word};
use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// The functions of an image, by address.
pub struct Code {
    functions: BTreeMap<u32, Function>,
}

struct Function {
    size: u32,
    /// Where its branches go.
    targets: Vec<u32>,
}

const PROGRAM_BITS: u32 = 1;
const SYMBOL_TABLE: u32 = 2;
const EXECUTABLE: u32 = 4;
const FUNCTION: u8 = 2;
const SYMBOL_LEN: usize = 16;

/// A part of a section with code.
struct Text<'a> {
    address: u32,
    bytes: &'a [u8],
}

/// Reads an image.
pub fn read(path: &Path) -> Result<Code> {
    let elf = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&elf).with_context(|| format!("{} is odd", path.display()))
}

fn parse(elf: &[u8]) -> Result<Code> {
    let headers = image::headers(elf)?;
    let bytes = |header: &image::Header| {
        let start = header.offset as usize;
        let bytes = elf.get(start..start + header.size as usize);
        bytes.context("a section ends early")
    };
    let mut texts = Vec::new();
    let mut sizes = BTreeMap::new();
    let mut literals = BTreeSet::new();
    let mut code_again = BTreeSet::new();
    for header in &headers {
        if header.kind == PROGRAM_BITS && header.flags & EXECUTABLE != 0 {
            texts.push(Text {
                address: header.address,
                bytes: bytes(header)?,
            });
        }
        if header.kind == SYMBOL_TABLE {
            let names = bytes(headers.get(header.link as usize).context("no names")?)?;
            for symbol in bytes(header)?.chunks_exact(SYMBOL_LEN) {
                let name = names.get(word(symbol, 0)? as usize..).unwrap_or_default();
                let address = word(symbol, 4)? & !1;
                if name.starts_with(b"$d") {
                    literals.insert(address);
                } else if name.starts_with(b"$t") {
                    code_again.insert(address);
                } else if symbol[12] & 15 == FUNCTION && word(symbol, 8)? > 0 {
                    sizes.insert(address, word(symbol, 8)?);
                }
            }
        }
    }
    let is_code = |address: u32| {
        let from = literals.range(..=address).next_back();
        let again = code_again.range(..=address).next_back();
        from < again || from.is_none()
    };
    let function = |(&address, &size): (&u32, &u32)| -> Result<(u32, Function)> {
        let text = texts
            .iter()
            .find(|text| (text.address..text.address + text.bytes.len() as u32).contains(&address));
        let targets = match text {
            Some(text) => targets(text, address, size, is_code)?,
            None => Vec::new(),
        };
        Ok((address, Function { size, targets }))
    };
    Ok(Code {
        functions: sizes.iter().map(function).collect::<Result<_>>()?,
    })
}

fn targets(
    text: &Text<'_>,
    start: u32,
    size: u32,
    is_code: impl Fn(u32) -> bool,
) -> Result<Vec<u32>> {
    let mut targets = Vec::new();
    let mut at = start;
    while at < start + size {
        let first = half(text.bytes, (at - text.address) as usize)?;
        let long = first >> 11 > 0b11100;
        if is_code(at) {
            if long {
                let second = half(text.bytes, (at - text.address) as usize + 2)?;
                targets.extend(long_branch(at, first, second));
            } else if first >> 11 == 0b11100 {
                // Eleven bits, in halves, with their sign.
                let distance = (i32::from(first) << 21) >> 20;
                targets.push((at + 4).wrapping_add_signed(distance));
            }
        }
        at += if long && is_code(at) { 4 } else { 2 };
    }
    Ok(targets)
}

/// Where `bl` and `b.w` go.
fn long_branch(at: u32, first: u16, second: u16) -> Option<u32> {
    let always = first >> 11 == 0b11110 && second & 0x9000 == 0x9000;
    if !always {
        return None;
    }
    let (first, second) = (u32::from(first), u32::from(second));
    let sign = first >> 10 & 1;
    let i1 = !(second >> 13 ^ sign) & 1;
    let i2 = !(second >> 11 ^ sign) & 1;
    let distance = sign << 24 | i1 << 23 | i2 << 22 | (first & 0x3ff) << 12 | (second & 0x7ff) << 1;
    let distance = (distance << 7) as i32 >> 7;
    Some((at + 4).wrapping_add_signed(distance))
}

impl Code {
    /// Bytes of the functions at the entries and of all that they call.
    pub fn flash(&self, entries: &[u64]) -> u64 {
        let mut reached = BTreeSet::new();
        let mut next: Vec<u32> = entries.iter().map(|entry| *entry as u32).collect();
        while let Some(address) = next.pop() {
            if let Some(function) = self.functions.get(&address)
                && reached.insert(address)
            {
                next.extend(&function.targets);
            }
        }
        let sizes = reached.iter().map(|address| self.functions[address].size);
        sizes.map(u64::from).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_go_where_the_disassembler_says() {
        // 13510: f00b f93f  bl 1e792, and 24: f7ff fffe  bl 24: itself.
        assert_eq!(long_branch(0x13510, 0xf00b, 0xf93f), Some(0x1e792));
        assert_eq!(long_branch(0x24, 0xf7ff, 0xfffe), Some(0x24));
        // A conditional branch stays inside of its function.
        assert_eq!(long_branch(0x180cc, 0xf000, 0x8055), None);
    }

    #[test]
    fn what_is_called_twice_or_in_a_circle_counts_once() {
        let function = |size, targets: &[u32]| Function {
            size,
            targets: targets.to_vec(),
        };
        let functions = BTreeMap::from([
            (0x10, function(100, &[0x20, 0x30, 0x14])),
            (0x20, function(10, &[0x30])),
            (0x30, function(1, &[0x20])),
            (0x40, function(1000, &[])),
        ]);
        let code = Code { functions };
        assert_eq!(code.flash(&[0x10]), 111);
        assert_eq!(code.flash(&[0x20, 0x40]), 1011);
    }
}
