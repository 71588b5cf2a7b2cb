//! Licences, sources and duplicate versions of the dependencies, checked with cargo-deny against `deny.toml`.

use crate::{boards, process, tool::Tool, workspace};
use anyhow::{Context, Result};
use std::{path::Path, process::Command};

/// Needs a few minutes to build.
pub const CARGO_DENY: Tool = Tool {
    name: "cargo-deny",
    version: "^0.20",
    why: "checks licences, sources and duplicate versions of the dependencies",
};

/// Checks the workspace, and the programs for real boards, whose lock files are their own.
pub fn check() -> Result<()> {
    let program = CARGO_DENY.install()?;
    check_in(&program, "Cargo.toml", &["bans", "licenses", "sources"])?;
    for manifest in boards::manifests() {
        // Their HALs settle which versions there are.
        check_in(&program, &manifest, &["licenses", "sources"])?;
    }
    Ok(())
}

fn check_in(program: &Path, manifest: &str, what: &[&str]) -> Result<()> {
    println!("{manifest}:");
    let mut deny = Command::new(program);
    deny.current_dir(workspace::root());
    deny.args(["--workspace", "--locked", "--config", "deny.toml"]);
    deny.args(["--manifest-path", manifest, "check"]).args(what);
    process::run(&mut deny).with_context(|| {
        format!("the dependencies of {manifest} are not what deny.toml allows; choose another dependency, or allow it there and say why")
    })
}
