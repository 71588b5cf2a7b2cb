//! Builds images and runs them on an emulated board.

use crate::{
    board::{self, Board},
    image, process, programs,
    toolchain::Toolchain,
};
use anyhow::Result;
use std::{
    ffi::OsString,
    path::Path,
    process::{Command, ExitCode},
    time::Duration,
};

/// Far above what any example needs, even with soft floating point.
pub const LIMIT: Duration = Duration::from_secs(300);

/// Builds programs, those of a package in one go; an empty image is an error.
pub fn build(toolchain: Toolchain, board: &Board, names: &[&str]) -> Result<()> {
    for (home, names) in programs::by_home(names) {
        let mut cargo = toolchain.cargo("build", board);
        cargo.args(["--quiet", "--release"]);
        process::run(home.select(&mut cargo, &names))?;
    }
    let not_empty = |name: &&str| image::footprint(&toolchain.image(name, board)).map(drop);
    names.iter().try_for_each(not_empty)
}

/// Output of an image; a panic or fault on the board is an error.
pub fn output(board: &Board, image: &Path) -> Result<String> {
    process::capture_within(&mut emulator(board, image), LIMIT)
}

/// Builds an example and runs it, handing on its output and exit code.
pub fn show(example: &str, board: &Board) -> Result<ExitCode> {
    let toolchain = Toolchain::find()?;
    build(toolchain, board, &[example])?;
    let mut emulator = emulator(board, &toolchain.image(example, board));
    let status = process::status_within(&mut emulator, LIMIT)?;
    // Ended by a signal: no code to hand on.
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

fn emulator(board: &Board, image: &Path) -> Command {
    semihosted(board, board.machine, image)
}

/// A machine, that of the board or a larger one, whose program prints by semihosting.
pub fn semihosted(board: &Board, name: &str, image: &Path) -> Command {
    let mut command = machine(board, name, image);
    command
        .args(["-serial", "none"])
        .args(["-semihosting-config", "enable=on,target=native"]);
    command
}

/// A board that waits for a debugger on the emulator's standard input, and prints by it.
pub fn debugged(board: &Board, image: &Path) -> Command {
    let mut command = machine(board, board.machine, image);
    command
        .args(["-serial", "none", "-S", "-gdb", "stdio"])
        .args(["-semihosting-config", "enable=on,target=gdb"]);
    command
}

/// The emulator for the firmware, to which the caller adds where the serial line goes.
pub fn firmware(board: &Board, image: &Path, flash: Option<&Path>) -> Command {
    let mut semihosting = OsString::from("enable=on,target=native");
    if let Some(file) = flash.filter(|_| has_flash_file(board)) {
        semihosting.push(",arg=pocketron,arg=");
        // A comma would end the argument; two are one.
        semihosting.push(file.to_string_lossy().replace(',', ",,"));
    }
    let mut command = machine(board, board.machine, image);
    command.arg("-semihosting-config").arg(semihosting);
    command
}

/// Whether a file stands for the board's flash; the others have flash of their own.
pub fn has_flash_file(board: &Board) -> bool {
    board.machine != board::M0.machine
}

fn machine(board: &Board, name: &str, image: &Path) -> Command {
    let mut command = Command::new(board.emulator.program);
    if board.machine == board::RV32.machine {
        // Otherwise it starts a boot loader of its own.
        command.args(["-bios", "none"]);
    }
    command
        .args(["-machine", name])
        .args(["-display", "none", "-monitor", "none"])
        .arg("-kernel")
        .arg(image);
    command
}
