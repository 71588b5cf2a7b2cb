//! The functions of a linked image: what they call, and how deep the stack is meanwhile.
//!
//! Read from the machine code of the very image that is measured, with no second build. The compiler's own numbers
//! (`-Z emit-stack-sizes`) need an unstable option, change what cargo has built, and leave out all of
//! `compiler-builtins`; `cargo-call-stack` rests on them and on one nightly compiler's notation of its intermediate code.

mod thumb;

use crate::image::Elf;
use anyhow::{Context, Result, ensure};
use object::{
    LittleEndian, Object, ObjectSection, ObjectSymbol, SymbolKind,
    elf::{SHF_ALLOC, SHF_EXECINSTR, SHT_PROGBITS},
    read::elf::SectionHeader,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    ops::Range,
    path::Path,
};
pub use thumb::Callee;

/// The functions of an image, by address.
pub struct Code {
    pub functions: BTreeMap<u32, Function>,
    /// Sizes of constants that have a name, by address.
    tables: BTreeMap<u32, u32>,
    /// Functions whose address lies in the image, so that they may be called by pointer.
    pub pointed_at: BTreeSet<u32>,
    /// Memory of the stack; it grows downwards.
    pub stack: Range<u32>,
    /// Entry point after reset.
    pub reset: u32,
    /// Handlers of faults, and of interrupts.
    pub faults: BTreeSet<u32>,
    pub interrupts: BTreeSet<u32>,
}

pub struct Function {
    pub name: String,
    pub size: u32,
    /// The deepest that its own frame gets.
    pub frame: u32,
    /// Functions that it calls, and the depth of its frame then.
    pub calls: Vec<(Callee, u32)>,
    /// Addresses of the tables that it refers to.
    tables: Vec<u32>,
    /// Functions whose address it takes, so that it may call them by pointer or have them called.
    pub refers: Vec<u32>,
}

/// Entries of the vector table before the faults, and before the interrupts.
const BEFORE_FAULTS: usize = 2;
const BEFORE_INTERRUPTS: usize = 7;

/// Bytes of the image, and where they lie on the device.
struct Part<'a> {
    address: u32,
    bytes: &'a [u8],
}

impl Part<'_> {
    fn contains(&self, address: u32) -> bool {
        let len = self.bytes.len() as u32;
        (self.address..self.address + len).contains(&address)
    }

    /// Its words, and where they lie.
    fn words(&self) -> impl Iterator<Item = (u32, u32)> {
        let words = self.bytes.as_chunks().0.iter();
        let addresses = (self.address..).step_by(4);
        addresses.zip(words.map(|word| u32::from_le_bytes(*word)))
    }
}

/// Reads an image.
pub fn read(path: &Path) -> Result<Code> {
    let elf = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    parse(&elf).with_context(|| format!("{} is odd", path.display()))
}

fn parse(bytes: &[u8]) -> Result<Code> {
    let elf = Elf::parse(bytes)?;
    let symbols = Symbols::read(&elf)?;
    let (mut texts, mut constants, mut vectors) = (Vec::new(), Vec::new(), Vec::new());
    for section in elf.sections() {
        let header = section.elf_section_header();
        let flags = header.sh_flags(LittleEndian);
        if header.sh_type(LittleEndian) != SHT_PROGBITS || flags & SHF_ALLOC == 0 {
            continue;
        }
        let part = Part {
            address: section.address() as u32,
            bytes: section.data()?,
        };
        if flags & SHF_EXECINSTR != 0 {
            texts.push(part);
        } else if part.contains(symbols.vector_table) {
            vectors.extend(part.words().map(|(_, word)| word & !1));
        } else {
            constants.push(part);
        }
    }
    let mut tables = symbols.objects.clone();
    tables.retain(|at, _| constants.iter().any(|part| part.contains(*at)));
    let mut functions = BTreeMap::new();
    let mut stored = BTreeSet::new();
    for (&address, (size, name)) in &symbols.functions {
        let mut function = Function {
            name: name.clone(),
            size: *size,
            frame: 0,
            calls: Vec::new(),
            tables: Vec::new(),
            refers: Vec::new(),
        };
        if let Some(text) = texts.iter().find(|text| text.contains(address)) {
            let from = (address - text.address) as usize;
            let walk = thumb::walk(&text.bytes[from..], address, *size, |address| {
                symbols.is_code(address)
            })?;
            let top = vectors.first().copied();
            let known = walk.restarts.iter().all(|at| Some(*at) == top);
            ensure!(known, "{} starts a stack of its own", function.name);
            function.frame = walk.deepest;
            function.calls = walk.calls;
            let referred = walk.constants.iter();
            function.tables = referred.filter_map(|at| table(&tables, *at)).collect();
            let addresses = walk.constants.iter().filter(|word| *word & 1 == 1);
            let addresses = addresses.map(|word| word & !1);
            function.refers = addresses
                .filter(|at| symbols.functions.contains_key(at))
                .collect();
            stored.extend(walk.constants);
        }
        functions.insert(address, function);
    }
    let literals = texts.iter().flat_map(Part::words);
    let literals = literals.filter(|(address, _)| !symbols.is_code(*address));
    stored.extend(literals.map(|(_, word)| word));
    stored.extend(constants.iter().flat_map(Part::words).map(|(_, word)| word));
    // The lowest bit tells a function from a number that happens to be its address.
    let pointers = stored.iter().filter(|word| *word & 1 == 1);
    let pointed_at = pointers.map(|pointer| pointer & !1);
    let handlers = |from: usize, to: usize| {
        let vectors = vectors.iter().take(to).skip(from).copied();
        vectors.filter(|vector| *vector != 0).collect()
    };
    Ok(Code {
        pointed_at: pointed_at.filter(|at| functions.contains_key(at)).collect(),
        stack: symbols.stack_end..vectors.first().copied().unwrap_or_default(),
        reset: vectors.get(1).copied().unwrap_or_default(),
        faults: handlers(BEFORE_FAULTS, BEFORE_INTERRUPTS),
        interrupts: handlers(BEFORE_INTERRUPTS, vectors.len()),
        functions,
        tables,
    })
}

/// Start of the table that an address lies in.
fn table(tables: &BTreeMap<u32, u32>, address: u32) -> Option<u32> {
    let (start, size) = tables.range(..=address).next_back()?;
    (address - start < *size).then_some(*start)
}

/// Symbols of the image.
#[derive(Default)]
struct Symbols {
    /// Size and name.
    functions: BTreeMap<u32, (u32, String)>,
    /// Sizes of constants and variables.
    objects: BTreeMap<u32, u32>,
    literals: BTreeSet<u32>,
    code_again: BTreeSet<u32>,
    vector_table: u32,
    stack_end: u32,
}

impl Symbols {
    fn read(elf: &Elf<'_>) -> Result<Self> {
        let mut all = Symbols::default();
        for symbol in elf.symbols() {
            let name = symbol.name()?;
            let (place, size) = (symbol.address() as u32, symbol.size() as u32);
            // The lowest bit of a function's address says that it is Thumb code.
            let address = place & !1;
            match (name, symbol.kind()) {
                (mark, _) if mark.starts_with("$d") => drop(all.literals.insert(address)),
                (mark, _) if mark.starts_with("$t") => drop(all.code_again.insert(address)),
                ("__vector_table", _) => all.vector_table = address,
                ("_stack_end", _) => all.stack_end = address,
                (_, SymbolKind::Text) if size > 0 => {
                    let name = format!("{:#}", rustc_demangle::demangle(name));
                    all.functions.insert(address, (size, name));
                }
                (_, SymbolKind::Data) if size > 0 => drop(all.objects.insert(place, size)),
                _ => {}
            }
        }
        Ok(all)
    }

    fn is_code(&self, address: u32) -> bool {
        let from = self.literals.range(..=address).next_back();
        let again = self.code_again.range(..=address).next_back();
        from < again || from.is_none()
    }
}

impl Code {
    /// Bytes of the functions at the entries, of all that they call, and of the tables that these refer to.
    ///
    /// A function whose address is taken counts as called. Calls by pointers that lie in constants are missed, and constants
    /// without a name: numbers of 4 to 16 bytes that the linker has merged.
    pub fn flash(&self, entries: &[u64]) -> u64 {
        let reached = self.reached(entries);
        let functions: Vec<&Function> = reached.iter().map(|at| &self.functions[at]).collect();
        let tables: BTreeSet<u32> = functions
            .iter()
            .flat_map(|one| one.tables.clone())
            .collect();
        let sizes = functions.iter().map(|one| one.size);
        let sizes = sizes.chain(tables.iter().map(|at| self.tables[at]));
        sizes.map(u64::from).sum()
    }

    /// Functions that are called from the entries, or whose address is taken there.
    pub fn reached(&self, entries: &[u64]) -> BTreeSet<u32> {
        let mut reached = BTreeSet::new();
        let mut next: Vec<u32> = entries.iter().map(|entry| *entry as u32).collect();
        while let Some(address) = next.pop() {
            if let Some(function) = self.functions.get(&address)
                && reached.insert(address)
            {
                let called = function
                    .calls
                    .iter()
                    .filter_map(|(callee, _)| match callee {
                        Callee::At(address) => Some(*address),
                        Callee::Pointer => None,
                    });
                next.extend(called.chain(function.refers.iter().copied()));
            }
        }
        reached
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Address, size, frame, and calls with the depth at each.
    type Sketch<'a> = (u32, u32, u32, &'a [(Callee, u32)]);

    /// A program of functions.
    pub fn code(functions: &[Sketch<'_>]) -> Code {
        let function = |(address, size, frame, calls): &Sketch<'_>| {
            let function = Function {
                name: format!("f{address:x}"),
                size: *size,
                frame: *frame,
                calls: calls.to_vec(),
                tables: Vec::new(),
                refers: Vec::new(),
            };
            (*address, function)
        };
        Code {
            functions: functions.iter().map(function).collect(),
            tables: BTreeMap::new(),
            pointed_at: BTreeSet::new(),
            stack: 0..0,
            reset: 0x10,
            faults: BTreeSet::new(),
            interrupts: BTreeSet::new(),
        }
    }

    #[test]
    fn what_is_called_twice_or_in_a_circle_counts_once() {
        let at = |address| (Callee::At(address), 0);
        let code = code(&[
            (0x10, 100, 0, &[at(0x20), at(0x30), at(0x14)]),
            (0x20, 10, 0, &[at(0x30)]),
            (0x30, 1, 0, &[at(0x20), (Callee::Pointer, 0)]),
            (0x40, 1000, 0, &[]),
        ]);
        assert_eq!(code.flash(&[0x10]), 111);
        assert_eq!(code.flash(&[0x20, 0x40]), 1011);
    }

    #[test]
    fn a_function_whose_address_is_taken_counts_as_called() {
        let mut code = code(&[(0x10, 100, 0, &[]), (0x20, 10, 0, &[]), (0x30, 1, 0, &[])]);
        code.functions.get_mut(&0x10).unwrap().refers = vec![0x20];
        assert_eq!(code.flash(&[0x10]), 110);
    }

    #[test]
    fn a_table_counts_once_with_those_who_refer_to_it() {
        let at = |address| (Callee::At(address), 0);
        let mut code = code(&[
            (0x10, 100, 0, &[at(0x20)]),
            (0x20, 10, 0, &[]),
            (0x30, 1, 0, &[]),
        ]);
        code.tables = BTreeMap::from([(0x100, 2000), (0x900, 5000)]);
        for function in [0x10, 0x20] {
            code.functions.get_mut(&function).unwrap().tables = vec![0x100];
        }
        assert_eq!([code.flash(&[0x10]), code.flash(&[0x30])], [2110, 1]);
        // Its last byte belongs to it, what lies behind does not.
        assert_eq!(table(&code.tables, 0x8cf), Some(0x100));
        assert_eq!(table(&code.tables, 0x8d0), None);
        assert_eq!(table(&code.tables, 0xff), None);
    }
}
