//! A device in QEMU.

use std::{
    env,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use clap::ValueEnum;

#[cfg(unix)]
mod bound_child;
#[cfg(unix)]
mod emulator;
#[cfg(unix)]
mod flash_lock;
#[cfg(not(unix))]
mod unsupported;

#[cfg(unix)]
pub use emulator::{Emulator, end_all};
#[cfg(not(unix))]
pub use unsupported::{Emulator, end_all};

/// The emulated boards that the firmware knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Board {
    /// Cortex-M4F with much memory; its flash can be a file.
    #[default]
    #[value(name = "mps2-an386")]
    Mps2An386,
    /// Cortex-M0 with 16 KiB of RAM and the flash of an nRF51.
    #[value(name = "microbit")]
    Microbit,
}

impl Board {
    /// QEMU's name of it.
    pub fn machine(self) -> &'static str {
        match self {
            Board::Mps2An386 => "mps2-an386",
            Board::Microbit => "microbit",
        }
    }

    /// The program of `cargo xtask firmware`: the newest, if it was built in several ways.
    pub fn firmware(self) -> Result<PathBuf> {
        self.firmware_of("")
    }

    /// The same with a recorded accelerometer, as `cargo xtask firmware --sensor` builds it.
    pub fn sensor_firmware(self) -> Result<PathBuf> {
        self.firmware_of("-sensor")
    }

    fn firmware_of(self, kind: &str) -> Result<PathBuf> {
        let folder = target_dir();
        let machine = self.machine();
        let names = ["firmware", "debian/firmware"].map(|folder| {
            ["", "-plain"].map(|suffix| format!("{folder}/{machine}{kind}{suffix}.elf"))
        });
        let files = names.as_flattened().iter().map(|name| folder.join(name));
        let built = files.filter_map(|file| Some((file.metadata().ok()?.modified().ok()?, file)));
        match built.max() {
            Some((_, file)) => Ok(file),
            None => bail!(
                "no firmware in {}: `cargo xtask firmware --target {}{}` builds it",
                folder.join("firmware").display(),
                self.core(),
                if kind.is_empty() { "" } else { " --sensor" }
            ),
        }
    }

    /// Its name in `cargo xtask`.
    fn core(self) -> &'static str {
        match self {
            Board::Mps2An386 => "M4F",
            Board::Microbit => "M0",
        }
    }
}

/// An emulated machine.
#[derive(Clone, Copy, Debug)]
pub struct Machine<'a> {
    /// The board.
    pub board: Board,
    /// The program in its memory.
    pub program: &'a Path,
    /// A file for its flash, where the board takes one.
    pub flash: Option<&'a Path>,
    /// Whether its clocks run with its instructions, 128 ns each, and not with the world's time.
    pub count_instructions: bool,
}

/// Cargo's target folder.
fn target_dir() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => folder.into(),
        None => {
            // Asked of cargo at run time, since two checkouts may share a compiled program.
            let package = env::var_os("CARGO_MANIFEST_DIR");
            let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
            Path::new(&package).join("../../target")
        }
    }
}
