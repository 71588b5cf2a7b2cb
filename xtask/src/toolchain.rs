//! The compiler for the device.

use crate::{
    board::{self, Board},
    process,
    programs::Home,
    wasm, workspace,
};
use anyhow::{Context, Result, bail};
use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

/// Settles the choice: `rustup` or `debian`.
pub const VARIABLE: &str = "POCKETRON_TOOLCHAIN";

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_CLIPPY: &str = "/usr/bin/cargo-clippy";
const DEBIAN_LINKER: &str = "/usr/bin/ld.lld";
const DEBIAN_WASM_LINKER: &str = "/usr/bin/wasm-ld";

/// Source of the `core` library for device code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toolchain {
    /// The thumb targets are installed for the compiler in use.
    Rustup,
    /// Debian's compiler builds `core` from Debian's source package, since no
    /// Debian package carries it ready-made.
    DebianSource,
}

impl Toolchain {
    /// The toolchain that [`VARIABLE`] asks for, if any.
    pub fn asked_for() -> Result<Option<Self>> {
        match env::var(VARIABLE).as_deref() {
            Err(env::VarError::NotPresent) | Ok("") => Ok(None),
            Ok("rustup") => Ok(Some(Self::Rustup)),
            Ok("debian") => Ok(Some(Self::DebianSource)),
            other => bail!("{VARIABLE} must be `rustup` or `debian`, not {other:?}"),
        }
    }

    /// The one to use on this machine, without installing anything.
    pub fn find() -> Result<Self> {
        let candidates = match Self::asked_for()? {
            Some(one) => vec![one],
            None => vec![Self::Rustup, Self::DebianSource],
        };
        for candidate in candidates {
            if candidate.missing()?.is_empty() {
                return Ok(candidate);
            }
        }
        bail!("no compiler for the device is ready; `cargo xtask setup` installs one")
    }

    /// Parts that have yet to be installed; empty means ready.
    ///
    /// Asked afresh each time: a note of an earlier set-up can be out of date.
    pub fn missing(self) -> Result<Vec<String>> {
        match self {
            Self::Rustup => missing_targets(),
            Self::DebianSource => missing_in_debian(),
        }
    }

    /// The cargo command for a device build, to which the caller adds what to build.
    pub fn cargo(self, subcommand: &str, board: &Board) -> Command {
        self.cargo_for(&[board.target], &self.target_dir(), subcommand)
    }

    /// The same for several targets at once, or with another target folder, for builds that differ in more
    /// than cargo keeps apart.
    pub fn cargo_for(self, targets: &[&str], target_dir: &Path, subcommand: &str) -> Command {
        let mut command = match self {
            Self::Rustup => workspace::cargo(subcommand),
            Self::DebianSource => debian_cargo(subcommand, targets),
        };
        let targets = targets.iter().flat_map(|target| ["--target", target]);
        command
            .args(targets)
            .arg("--target-dir")
            .arg(target_dir)
            // These replace the flags in .cargo/config.toml, in examples/boards the linker script:
            // the build succeeds and the image is empty. Elsewhere they would make other code than was measured.
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            // The memory map must be that of the board that QEMU emulates.
            .env_remove("POCKETRON_BOARD");
        command
    }

    /// Path of a program after a release build.
    pub fn image(self, name: &str, board: &Board) -> PathBuf {
        let home = Home::of(name);
        let folder = format!("{}/release/{}", board.target, home.images);
        self.target_dir().join(folder).join(name)
    }

    /// The linker, if the compiler does not bring its own.
    pub fn linker(self) -> Option<&'static str> {
        match self {
            Self::Rustup => None,
            Self::DebianSource => Some(DEBIAN_LINKER),
        }
    }

    /// Compiler and origin of `core`: what sizes depend on besides our source.
    pub fn describe(self) -> Result<String> {
        let (rustc, core) = match self {
            Self::Rustup => (rustc(), "prebuilt core"),
            Self::DebianSource => (DEBIAN_RUSTC.into(), "core from source"),
        };
        Ok(format!("rustc {}, {core}", version(&rustc)?))
    }

    /// Apart for each, or every change of compiler would rebuild everything.
    pub fn target_dir(self) -> PathBuf {
        match self {
            Self::Rustup => workspace::target_dir(),
            Self::DebianSource => workspace::target_dir().join("debian"),
        }
    }
}

fn rustc() -> String {
    env::var("RUSTC").unwrap_or_else(|_| "rustc".into())
}

/// Targets for which the compiler has no `core`.
fn missing_targets() -> Result<Vec<String>> {
    let mut command = Command::new(rustc());
    command.current_dir(workspace::root());
    let sysroot = process::capture(command.args(["--print", "sysroot"]))?;
    let libraries = Path::new(sysroot.trim()).join("lib/rustlib");
    let boards = board::ALL.iter().map(|board| board.target);
    let missing = boards
        .chain([wasm::TARGET])
        .filter(|target| !holds_core(&libraries.join(target).join("lib")));
    Ok(missing.map(str::to_string).collect())
}

/// An empty folder can outlast a removed target, so look for the library itself.
fn holds_core(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    let mut names = entries.flatten().map(|entry| entry.file_name());
    names.any(|name| name.to_string_lossy().starts_with("libcore-"))
}

fn missing_in_debian() -> Result<Vec<String>> {
    let core_source = "/usr/lib/rustlib/src/rust/library/core/Cargo.toml";
    let needed = [
        DEBIAN_RUSTC,
        DEBIAN_CARGO,
        DEBIAN_CLIPPY,
        DEBIAN_LINKER,
        DEBIAN_WASM_LINKER,
        core_source,
    ];
    let absent = needed.iter().filter(|file| !Path::new(file).exists());
    let mut missing: Vec<String> = absent.map(|file| file.to_string()).collect();
    if Path::new(DEBIAN_RUSTC).exists() {
        // Cargo has checked the version of the compiler in use, not of this one.
        let needed = env!("CARGO_PKG_RUST_VERSION");
        let found = version(DEBIAN_RUSTC)?;
        if minor(&found) < minor(needed) {
            missing.push(format!("rustc {needed} (Debian's is {found})"));
        }
    }
    Ok(missing)
}

fn debian_cargo(subcommand: &str, targets: &[&str]) -> Command {
    // By its own path: as `cargo clippy` it would be looked up in ~/.cargo/bin first.
    let program = match subcommand {
        "clippy" => DEBIAN_CLIPPY,
        _ => DEBIAN_CARGO,
    };
    let mut command = Command::new(program);
    command
        .current_dir(workspace::root())
        .args([subcommand, "-Zbuild-std=core"])
        .env("CARGO", DEBIAN_CARGO)
        .env("RUSTC", DEBIAN_RUSTC)
        // `build-std` is not a stable option yet.
        .env("RUSTC_BOOTSTRAP", "1")
        .env_remove("RUSTUP_TOOLCHAIN");
    for target in targets {
        // Debian has no rust-lld, the linker that these targets name.
        let linker = match *target {
            wasm::TARGET => DEBIAN_WASM_LINKER,
            _ => DEBIAN_LINKER,
        };
        command.env(linker_variable(target), linker);
    }
    command
}

/// Cargo's variable for the linker of a target.
fn linker_variable(target: &str) -> String {
    let name = target.to_uppercase().replace(['-', '.'], "_");
    format!("CARGO_TARGET_{name}_LINKER")
}

/// As in `1.95.0`.
fn version(rustc: &str) -> Result<String> {
    let text = process::capture(Command::new(rustc).arg("--version"))?;
    let number = text.split_whitespace().nth(1);
    number.map(str::to_string).context("rustc has no version")
}

/// The number after `1.`.
fn minor(version: &str) -> Option<u32> {
    version.split('.').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_builds_ignore_flags_that_would_empty_the_image() {
        for toolchain in [Toolchain::Rustup, Toolchain::DebianSource] {
            let command = toolchain.cargo("build", &board::M0);
            let removed = |name: &str| {
                let mut variables = command.get_envs();
                variables.any(|(key, value)| key == name && value.is_none())
            };
            assert!(removed("RUSTFLAGS") && removed("CARGO_ENCODED_RUSTFLAGS"));
        }
    }

    #[test]
    fn the_two_toolchains_do_not_share_a_target_folder() {
        let image = |toolchain: Toolchain| toolchain.image("policies", &board::M4F);
        assert_ne!(image(Toolchain::Rustup), image(Toolchain::DebianSource));
    }

    #[test]
    fn the_linker_variable_is_spelt_as_cargo_wants_it() {
        assert_eq!(
            linker_variable("thumbv8m.main-none-eabihf"),
            "CARGO_TARGET_THUMBV8M_MAIN_NONE_EABIHF_LINKER"
        );
    }

    #[test]
    fn versions_compare_as_numbers() {
        assert!(minor("1.100.0") > minor("1.95"));
        assert_eq!(minor("nightly"), None);
    }
}
