//! A device in QEMU.

use std::{
    env,
    ffi::OsString,
    io,
    os::{
        fd::OwnedFd,
        unix::{net::UnixStream, process::CommandExt},
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use super::Transport;

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

    /// Where `cargo xtask firmware` has put the program: the newest, if it was built in several ways.
    pub fn firmware(self) -> Result<PathBuf> {
        let folder = target_dir();
        let machine = self.machine();
        let names = ["firmware", "debian/firmware"]
            .map(|folder| ["", "-plain"].map(|way| format!("{folder}/{machine}{way}.elf")));
        let files = names.as_flattened().iter().map(|name| folder.join(name));
        let built = files.filter_map(|file| Some((file.metadata().ok()?.modified().ok()?, file)));
        match built.max() {
            Some((_, file)) => Ok(file),
            None => bail!(
                "no firmware in {}: `cargo xtask firmware --target {}` builds it",
                folder.join("firmware").display(),
                self.core()
            ),
        }
    }

    /// What `cargo xtask` calls it.
    fn core(self) -> &'static str {
        match self {
            Board::Mps2An386 => "M4F",
            Board::Microbit => "M0",
        }
    }
}

/// Cargo's target folder.
fn target_dir() -> PathBuf {
    match env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => folder.into(),
        None => {
            // Asked of cargo at run time, since two checkouts may share a compiled program.
            let package = env::var_os("CARGO_MANIFEST_DIR");
            let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
            Path::new(&package).join("../target")
        }
    }
}

/// QEMU while it runs; it ends with this value.
#[derive(Debug)]
pub struct Emulator {
    child: Child,
    line: UnixStream,
}

/// What is to be emulated.
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

impl Emulator {
    /// Switches the board on.
    pub fn start(machine: &Machine<'_>) -> Result<Self> {
        let Machine { board, program, .. } = *machine;
        if !program.is_file() {
            bail!(
                "no firmware at {}: `cargo xtask firmware` builds one",
                program.display()
            );
        }
        // A pair of sockets needs no name or port that another emulator might have taken, and
        // leaves QEMU's own output alone.
        let (line, end) = UnixStream::pair()?;
        let mut command = Command::new("qemu-system-arm");
        if machine.count_instructions {
            command.args(["-icount", "shift=7"]);
        }
        let child = command
            .args(["-machine", board.machine()])
            .args(["-display", "none", "-monitor", "none"])
            .args(["-chardev", "socket,id=line,fd=0", "-serial", "chardev:line"])
            .arg("-semihosting-config")
            .arg(semihosting(machine.flash)?)
            .arg("-kernel")
            .arg(program)
            .stdin(OwnedFd::from(end))
            .stdout(Stdio::null())
            // Ctrl-C is for us: we end what is on its way before we end QEMU.
            .process_group(0)
            .spawn()
            .context("qemu-system-arm does not start: `cargo xtask setup` installs it")?;
        Ok(Emulator { child, line })
    }

    /// A line that failed because QEMU has ended says so.
    fn explain(&mut self, error: io::Error) -> io::Error {
        match self.child.try_wait() {
            Ok(Some(status)) => io::Error::other(format!("QEMU has ended ({status})")),
            _ => error,
        }
    }
}

/// QEMU splits the value at commas, unless they are doubled.
fn semihosting(flash: Option<&Path>) -> Result<OsString> {
    let mut value = String::from("enable=on,target=native,arg=pocketron");
    if let Some(flash) = flash {
        let flash = std::path::absolute(flash)?;
        let name = flash.to_str();
        let name = name.with_context(|| format!("{}: not UTF-8", flash.display()))?;
        value.push_str(",arg=");
        value.push_str(&name.replace(',', ",,"));
    }
    Ok(value.into())
}

impl Transport for Emulator {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.line.send(bytes).map_err(|error| self.explain(error))
    }

    fn receive(&mut self, buffer: &mut [u8], within: Duration) -> io::Result<usize> {
        let received = self.line.receive(buffer, within);
        received.map_err(|error| self.explain(error))
    }
}

impl Drop for Emulator {
    fn drop(&mut self) {
        // The firmware is made to be switched off at any time.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
