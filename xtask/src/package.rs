//! The library as it would be published: its files are those committed, and it builds from them alone.

use crate::{board, process, snapshot::Snapshot, toolchain::Toolchain, workspace};
use anyhow::Result;
use std::process::Command;

/// Of the library only. What has been downloaded for the workspace suffices.
const OPTIONS: [&str; 4] = ["--package", "pocketron", "--allow-dirty", "--offline"];

const LIST: Snapshot = Snapshot {
    file: "host-tests/expected/package.txt",
    what: "files of the package",
    bless: "cargo xtask package --bless",
};

/// Compares the list of files with the committed one, or records it, and builds the package.
pub fn check(bless: bool, skip_device: bool) -> Result<()> {
    let mut cargo = workspace::cargo("package");
    let listed = process::capture(cargo.args(["--quiet", "--list"]).args(OPTIONS))?;
    LIST.compare(&files(&listed), bless)?;
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

/// Without what only a clean checkout has.
fn files(list: &str) -> Vec<String> {
    let lines = list.lines().map(|line| line.trim().replace('\\', "/"));
    lines
        .filter(|line| !line.is_empty() && line != ".cargo_vcs_info.json")
        .collect()
}
