//! Committed lists, a line for each entry, that a check compares with what it finds.

use crate::workspace;
use anyhow::{Context, Result, bail};
use std::{collections::BTreeSet, fs};

/// A list in the repository.
pub struct Snapshot {
    /// From the root of the workspace.
    pub file: &'static str,
    /// Name of its lines.
    pub what: &'static str,
    /// The command that records it.
    pub bless: &'static str,
}

impl Snapshot {
    /// Compares the entries found with the committed ones, or records them. Their order does not count.
    pub fn compare(&self, found: &[String], bless: bool) -> Result<()> {
        let Self {
            file,
            what,
            bless: command,
        } = self;
        let path = workspace::root().join(file);
        if bless {
            let text: String = found.iter().map(|entry| format!("{entry}\n")).collect();
            fs::write(&path, text).with_context(|| format!("cannot write {file}"))?;
        }
        let recorded = fs::read_to_string(&path)
            .with_context(|| format!("cannot read {file}; `{command}` records it"))?;
        if let Some(difference) = difference(&recorded, found) {
            bail!(
                "the {what} differ from {file}\n{difference}if the change is meant: `{command}`, and commit the file"
            );
        }
        println!("{} {what}, as committed", found.len());
        Ok(())
    }
}

/// Entries that only one of the two has, a line each.
fn difference(recorded: &str, found: &[String]) -> Option<String> {
    let recorded: Vec<&str> = recorded.lines().collect();
    let found: Vec<&str> = found.iter().map(String::as_str).collect();
    let text = only_in(&recorded, &found, "gone") + &only_in(&found, &recorded, "new ");
    (!text.is_empty()).then_some(text)
}

fn only_in(list: &[&str], other: &[&str], mark: &str) -> String {
    let other: BTreeSet<_> = other.iter().collect();
    let entries = list.iter().filter(|entry| !other.contains(entry));
    entries
        .map(|entry| format!("  {mark}  {entry}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_that_appear_or_vanish_are_named() {
        let found = ["Cargo.toml", "src/main.rs"].map(String::from);
        assert_eq!(difference("src/main.rs\r\nCargo.toml\n", &found), None);
        assert_eq!(
            difference("Cargo.toml\nsrc/lib.rs\n", &found).unwrap(),
            "  gone  src/lib.rs\n  new   src/main.rs\n"
        );
    }
}
