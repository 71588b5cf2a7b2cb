//! A user's program: flash by function and crate, static RAM and the deepest stack of any ELF file.

use crate::{
    code::{self, Code},
    image, row, stack,
    table::Table,
};
use anyhow::Result;
use std::{collections::BTreeMap, path::Path};

/// Functions in the table, unless all are wanted.
const SHOWN: usize = 20;

/// Prints what an ELF file for a Cortex-M costs; `map` names all functions.
pub fn print(path: &Path, map: bool) -> Result<()> {
    let footprint = image::footprint(path)?;
    let code = code::read(path)?;
    println!(
        "{} bytes of flash, {} bytes of static RAM",
        footprint.flash, footprint.ram
    );
    match stack::bound_of(&code, image::has_float_arguments(path)?) {
        Ok(bound) if bound.circles.is_empty() => {
            println!("at most {} bytes of stack", bound.bytes);
        }
        Ok(bound) => {
            let circles = bound.circles.len();
            println!(
                "{} bytes of stack, if none of {circles} circles of calls is gone through twice",
                bound.bytes
            );
        }
        // Other linker scripts and hand-written code may set the stack up in ways that are not known.
        Err(error) => println!("the stack has no bound: {error:#}"),
    }
    print!("\n{}", by_crate(&code));
    print!("\n{}", by_function(&code, map));
    Ok(())
}

fn by_crate(code: &Code) -> String {
    let mut crates = BTreeMap::<&str, u32>::new();
    for function in code.functions.values() {
        *crates.entry(crate_of(&function.name)).or_default() += function.size;
    }
    let mut crates: Vec<_> = crates.into_iter().collect();
    crates.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    let mut rows = vec![row!["crate", "bytes of code"]];
    rows.extend(crates.iter().map(|(name, bytes)| row![name, bytes]));
    Table::from(rows).to_string()
}

fn by_function(code: &Code, all: bool) -> String {
    let mut functions: Vec<_> = code.functions.values().collect();
    functions.sort_by_key(|function| std::cmp::Reverse(function.size));
    let shown = if all { functions.len() } else { SHOWN };
    let mut rows = vec![row!["function", "bytes", "own stack"]];
    for function in functions.iter().take(shown) {
        rows.push(row![function.name, function.size, function.frame]);
    }
    let mut text = Table::from(rows).to_string();
    if functions.len() > shown {
        text += &format!(
            "{} smaller functions: --map names them\n",
            functions.len() - shown
        );
    }
    text
}

/// The crate that a function comes from, by its name: of `<a::B as c::D>::e` it is `a`.
fn crate_of(name: &str) -> &str {
    let start = name.trim_start_matches(['<', '&', '[', '(', '_', '$']);
    let start = start.strip_prefix("LT$").unwrap_or(start);
    // Names of methods of traits have two points in place of two colons.
    let end = [start.find("::"), start.find("..")]
        .into_iter()
        .flatten()
        .min();
    let first = end.and_then(|end| start.get(..end)).unwrap_or("no crate");
    // A method of a built-in type belongs to its trait.
    first.rsplit(" as ").next().unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_belongs_to_the_crate_of_its_type() {
        assert_eq!(crate_of("pocketron::num::exp"), "pocketron");
        assert_eq!(crate_of("<pocketron::A as core::B>::c"), "pocketron");
        assert_eq!(crate_of("_$LT$app..A$GT$::b"), "app");
        assert_eq!(crate_of("<[i8] as pocketron::B>::c"), "pocketron");
        assert_eq!(crate_of("__aeabi_fmul"), "no crate");
    }

    #[test]
    fn large_crates_come_first() {
        let mut code = code::tests::code(&[(0x10, 5, 8, &[]), (0x20, 70, 16, &[])]);
        code.functions.get_mut(&0x10).unwrap().name = "a::small".into();
        code.functions.get_mut(&0x20).unwrap().name = "b::large".into();
        let lines = by_crate(&code);
        let lines: Vec<_> = lines
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .collect();
        assert_eq!(lines[1..], [["b", "70"], ["a", "5"]]);
        assert!(by_function(&code, false).contains("b::large"));
    }
}
