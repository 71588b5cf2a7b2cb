//! The library as it would be published: its files are those committed, and it builds from them alone.

use crate::{board, process, toolchain::Toolchain, workspace};
use anyhow::{Context, Result, bail};
use std::{collections::BTreeSet, fs, path::PathBuf, process::Command};

/// Of the library only. What has been downloaded for the workspace suffices.
const OPTIONS: [&str; 4] = ["--package", "pocketron", "--allow-dirty", "--offline"];

/// Compares the list of files with the committed one, or records it, and builds the package.
pub fn check(bless: bool, skip_device: bool) -> Result<()> {
    let mut cargo = workspace::cargo("package");
    let listed = process::capture(cargo.args(["--quiet", "--list"]).args(OPTIONS))?;
    let listed = files(&listed);
    if bless {
        record(&listed)?;
    }
    let path = path();
    let recorded = fs::read_to_string(&path).with_context(|| {
        let path = path.display();
        format!("cannot read {path}; `cargo xtask package --bless` records it")
    })?;
    if let Some(difference) = difference(&files(&recorded), &listed) {
        bail!(
            "the package holds other files than {} says\n{difference}\
             if the change is meant: `cargo xtask package --bless`",
            path.display()
        );
    }
    println!("{} files, as committed", listed.len());
    build(workspace::cargo("package"))?;
    if !skip_device {
        // Its build script knows our boards, which are not in the package.
        build(Toolchain::find()?.cargo("package", &board::M4F))?;
    }
    Ok(())
}

fn build(mut cargo: Command) -> Result<()> {
    process::run(cargo.arg("--quiet").args(OPTIONS))
}

fn path() -> PathBuf {
    workspace::root().join("host-tests/expected/package.txt")
}

fn record(files: &BTreeSet<String>) -> Result<()> {
    let path = path();
    fs::create_dir_all(path.with_file_name(""))?;
    let text: String = files.iter().map(|file| format!("{file}\n")).collect();
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Without what only a clean checkout has.
fn files(list: &str) -> BTreeSet<String> {
    let lines = list.lines().map(|line| line.trim().replace('\\', "/"));
    lines
        .filter(|line| !line.is_empty() && line != ".cargo_vcs_info.json")
        .collect()
}

/// Files that only one of the two has, a line each.
fn difference(recorded: &BTreeSet<String>, listed: &BTreeSet<String>) -> Option<String> {
    let gone = recorded.difference(listed);
    let new = listed.difference(recorded);
    let text: String = gone
        .map(|file| format!("  gone  {file}\n"))
        .chain(new.map(|file| format!("  new   {file}\n")))
        .collect();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_appear_or_vanish_are_named() {
        let recorded = files("Cargo.toml\nsrc/lib.rs\n");
        assert_eq!(difference(&recorded, &recorded), None);
        let listed = files(".cargo_vcs_info.json\nCargo.toml\nsrc\\main.rs\n");
        let difference = difference(&recorded, &listed).unwrap();
        assert_eq!(difference, "  gone  src/lib.rs\n  new   src/main.rs\n");
    }
}
