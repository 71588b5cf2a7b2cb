//! Builds images and runs them on an emulated board.

use crate::{
    board::Board,
    image::{self, Footprint},
    process,
    toolchain::Toolchain,
};
use anyhow::Result;
use std::{
    path::Path,
    process::{Command, ExitCode},
    time::Duration,
};

/// Far above what any example needs, even with soft floating point.
const LIMIT: Duration = Duration::from_secs(120);

/// Builds examples in one go; an empty image is an error.
pub fn build(toolchain: Toolchain, board: &Board, examples: &[&str]) -> Result<Vec<Footprint>> {
    let mut cargo = toolchain.cargo("build", board);
    cargo.args(["--quiet", "--package", "pocketron", "--release"]);
    for name in examples {
        cargo.args(["--example", name]);
    }
    process::run(&mut cargo)?;
    let footprint = |name: &&str| image::footprint(&toolchain.example(name, board));
    examples.iter().map(footprint).collect()
}

/// What an image prints; a panic or fault on the board is an error.
pub fn output(board: &Board, image: &Path) -> Result<String> {
    process::capture_within(&mut emulator(board, image), LIMIT)
}

/// Builds an example and runs it, handing on its output and exit code.
pub fn show(example: &str, board: &Board) -> Result<ExitCode> {
    let toolchain = Toolchain::find()?;
    build(toolchain, board, &[example])?;
    let mut emulator = emulator(board, &toolchain.example(example, board));
    let status = process::status_within(&mut emulator, LIMIT)?;
    // Ended by a signal: no code to hand on.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

fn emulator(board: &Board, image: &Path) -> Command {
    let mut command = Command::new("qemu-system-arm");
    command
        .args(["-machine", board.machine])
        .args(["-display", "none", "-monitor", "none", "-serial", "none"])
        .args(["-semihosting-config", "enable=on,target=native"])
        .arg("-kernel")
        .arg(image);
    command
}
