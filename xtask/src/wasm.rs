//! Programs of `host-tests/on-target` as WebAssembly, in the engine of Node.js and of the browsers built on Chromium.

use crate::{
    process,
    programs::{Home, ON_TARGET},
    setup,
    toolchain::Toolchain,
    workspace,
};
use anyhow::{Context, Result, ensure};
use std::{
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// WebAssembly 1.0 without `std`: the programs are built for it as for a microcontroller.
pub const TARGET: &str = "wasm32v1-none";

/// Heading in tables.
pub const NAME: &str = "wasm32";

/// Far above what any program needs.
const LIMIT: Duration = Duration::from_secs(300);

/// Hands a program the function by which it prints.
const RUNNER: &str = "host-tests/on-target/run-wasm.mjs";

/// Builds programs, all of one package.
pub fn build(toolchain: Toolchain, names: &[&str]) -> Result<()> {
    let mut cargo = toolchain.cargo_for(&[TARGET], &toolchain.target_dir(), "build");
    cargo.args(["--quiet", "--release"]);
    process::run(ON_TARGET.select(&mut cargo, names))
}

/// Output of a program; one that traps or reports failure is an error.
pub fn output(toolchain: Toolchain, name: &str) -> Result<String> {
    ensure!(
        Home::of(name).package == ON_TARGET.package,
        "{name} is not built for WebAssembly"
    );
    let mut node = Command::new("node");
    node.arg(workspace::root().join(RUNNER))
        .arg(image(toolchain, name));
    process::capture_within(&mut node, LIMIT).with_context(|| format!("{name} as WebAssembly"))
}

fn image(toolchain: Toolchain, name: &str) -> PathBuf {
    let folder = Path::new(TARGET).join("release");
    toolchain
        .target_dir()
        .join(folder)
        .join(name)
        .with_extension("wasm")
}

/// The version of Node.js, after installing it if need be.
pub fn install_node() -> Result<String> {
    if let Some(version) = node_version() {
        return Ok(version);
    }
    setup::apt_install(
        &["nodejs"],
        "compares the bits of every learner in WebAssembly",
    )
    .context(
        "Node.js is missing; install it by hand and see that `node` is on the PATH:
  Debian, Ubuntu   apt-get install nodejs
  Fedora           dnf install nodejs
  macOS            brew install node
  Windows          winget install OpenJS.NodeJS.LTS",
    )?;
    node_version().context("Node.js is installed, but `node` does not start")
}

fn node_version() -> Option<String> {
    let text = process::capture(Command::new("node").arg("--version")).ok()?;
    Some(format!("Node.js {}", text.trim()))
}
