//! The firmware: built, started in QEMU, checked.

mod check;
mod emulated;

use crate::{
    board::{self, Board},
    flip_link,
    image::{self, Footprint},
    panic_free::{self, Product},
    process, qemu, recording,
    sizes::Size,
    toolchain::Toolchain,
};
use anyhow::{Context, Result, ensure};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Output},
};

pub use check::check;

/// Those that are checked. The drivers of the last one fit the board with the Cortex-M3 too.
pub static BOARDS: [&Board; 2] = [&board::M0, &board::M4F];

const BIN: &str = "pocketron-firmware";

/// Sizes of its learner; see `src/firmware/learner.rs`.
#[derive(Clone, Copy, Debug)]
pub struct Learner {
    /// Name of the image.
    pub name: &'static str,
    pub features: u32,
    pub budget: u32,
    pub classes: u32,
}

impl Learner {
    fn configure(&self, cargo: &mut Command) {
        cargo
            .env("POCKETRON_FEATURES", self.features.to_string())
            .env("POCKETRON_BUDGET", self.budget.to_string())
            .env("POCKETRON_CLASSES", self.classes.to_string());
    }
}

/// Options of a firmware build.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// With other sizes than the environment or the defaults say.
    pub learner: Option<Learner>,
    /// With a device that tries the board out, and fails on demand.
    pub fault_injection: bool,
    /// With messages for those who debug it.
    pub log: bool,
    /// With a recorded accelerometer.
    pub sensor: bool,
    /// With the stack above the variables, as without flip-link.
    pub plain_link: bool,
}

impl Options {
    fn features(self) -> String {
        let mut features = vec!["_firmware"];
        features.extend(self.fault_injection.then_some("_provoke-faults"));
        features.extend(self.log.then_some("_defmt-log"));
        features.extend(self.sensor.then_some("_recorded-sensor"));
        features.extend(has_key().then_some("auth"));
        features.join(",")
    }

    /// So that images of different options do not overwrite one another.
    fn file_name(self, board: &Board) -> String {
        let mut name = board.machine.to_string();
        if let Some(learner) = self.learner {
            name = name + "-" + learner.name;
        }
        let parts = [
            (self.fault_injection, "-fault-injection"),
            (self.log, "-log"),
            (self.sensor, "-sensor"),
            (self.plain_link, "-plain"),
        ];
        let parts = parts.iter().filter(|(chosen, _)| *chosen);
        name.extend(parts.map(|(_, part)| *part));
        name + ".elf"
    }
}

/// Builds an image and returns where it is. One that could panic does not link.
pub fn build(board: &Board, mut options: Options) -> Result<PathBuf> {
    let core = board.core_name;
    ensure!(
        board.core != board::M33.core,
        "the firmware has no drivers for the board with the {core}, see src/firmware/board.rs"
    );
    if !flip_link::is_wanted() {
        options.plain_link = true;
        // Not on the standard output, which may be the serial line.
        eprintln!("linked without flip-link: a stack overflow will overwrite variables");
    }
    let toolchain = Toolchain::find()?;
    let output = link(toolchain, board, options, &[])?;
    panic_free::must_link(&product(board, options), &output, board)?;
    // Warnings of the compiler.
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    let folder = toolchain.target_dir().join("firmware");
    let image = folder.join(options.file_name(board));
    fs::create_dir_all(&folder)?;
    let built = target_dir(toolchain, options).join(format!("{}/release/{BIN}", board.target));
    fs::copy(&built, &image).with_context(|| format!("cannot copy {}", built.display()))?;
    Ok(image)
}

/// Cargo keeps one build of each program; those of other sizes have folders of their own, so
/// that the second time is quick.
fn target_dir(toolchain: Toolchain, options: Options) -> PathBuf {
    let folder = toolchain.target_dir();
    match options.learner {
        Some(learner) => folder.join("firmware").join(learner.name),
        None if options.sensor => folder.join("firmware/sensor"),
        None if has_key() => folder.join("firmware/key"),
        None => folder,
    }
}

/// Whether the device is to have a key, so that it takes only signed images: see `src/firmware/device.rs`.
fn has_key() -> bool {
    std::env::var_os("POCKETRON_KEY").is_some()
}

fn link(toolchain: Toolchain, board: &Board, options: Options, flags: &[&str]) -> Result<Output> {
    let folder = target_dir(toolchain, options);
    let mut cargo = toolchain.cargo_for(&[board.target], &folder, "rustc");
    if let Some(learner) = options.learner {
        learner.configure(&mut cargo);
    }
    if has_key() {
        // SHA-256 as a loop: unrolled, it takes several KB more, and it runs for a push only.
        let compact = r#"rustflags = ["--cfg", 'sha2_backend_soft="compact"']"#;
        cargo
            .arg("--config")
            .arg(format!("target.{}.{compact}", board.target));
    }
    if options.sensor && std::env::var_os("POCKETRON_RECORDING").is_none() {
        cargo.env("POCKETRON_RECORDING", recording::write()?);
    }
    cargo
        .args(["--quiet", "--package", "pocketron", "--release"])
        .args(["--bin", BIN, "--features", &options.features()]);
    if options.log && std::env::var_os("DEFMT_LOG").is_none() {
        // By default nothing but errors is logged.
        cargo.env("DEFMT_LOG", "info");
    }
    // For the last step alone: cargo's own setting would rebuild everything.
    let linker = match options.plain_link {
        true => Vec::new(),
        false => flip_link::options(&mut cargo, toolchain)?.into(),
    };
    process::output(cargo.arg("--").args(linker).args(flags))
}

/// Its sizes on the boards that are checked.
pub fn sizes() -> Result<Vec<Size>> {
    let size = |board: &&Board| Size::of("firmware", board, &build(board, Options::default())?);
    BOARDS.iter().map(size).collect()
}

fn product(board: &Board, options: Options) -> Product {
    Product {
        selection: format!("--features {} --bin {BIN}", options.features()),
        path: format!("{}/release/{BIN}", board.target),
    }
}

/// Builds the firmware and says what it takes; `run` starts it.
pub fn show(board: &Board, options: Options, run: bool, flash: Option<&Path>) -> Result<ExitCode> {
    let image = build(board, options)?;
    let Footprint { flash: code, ram } = image::footprint(&image)?;
    eprintln!(
        "{}: {code} bytes of flash, {ram} of static RAM",
        image.display()
    );
    if !run {
        return Ok(ExitCode::SUCCESS);
    }
    let mut emulator = qemu::firmware(board, &image, flash);
    if options.log {
        // The messages take the standard output, so the serial line goes elsewhere.
        let socket = image.with_extension("uart");
        eprintln!("the serial line is the socket {}", socket.display());
        emulator.arg("-serial");
        emulator.arg(format!("unix:{},server=on,wait=off", socket.display()));
    } else {
        eprintln!("the serial line is the standard input and output; Ctrl-C ends it");
        emulator.args(["-serial", "stdio"]);
    }
    let status = emulator.status().context("cannot start the emulator")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_different_options_have_different_names() {
        let flags = [false, true];
        let mut names = Vec::new();
        for fault_injection in flags {
            for log in flags {
                for (plain_link, sensor) in
                    [(false, false), (true, false), (false, true), (true, true)]
                {
                    let options = Options {
                        learner: None,
                        fault_injection,
                        log,
                        sensor,
                        plain_link,
                    };
                    names.push(options.file_name(&board::M0));
                }
            }
        }
        names.push(Options::default().file_name(&board::M4F));
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "{names:?}");
    }
}
