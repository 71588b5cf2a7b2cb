//! flip-link, the linker that puts the stack below the variables.
//!
//! The other way round, which is the default, a stack that grows too far overwrites
//! variables, and the model is damaged in silence. With flip-link it reaches the end of
//! the memory, which is a fault that the firmware reports.

use crate::{process, toolchain::Toolchain, workspace};
use anyhow::{Context, Result, bail};
use std::{
    env, fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// If set, the firmware is linked without it.
pub const OPT_OUT: &str = "POCKETRON_NO_FLIP_LINK";

const NAME: &str = "flip-link";

/// For fetching and building it on a slow machine.
const INSTALL_LIMIT: Duration = Duration::from_secs(600);

/// Whether the user has not opted out.
pub fn is_wanted() -> bool {
    env::var_os(OPT_OUT).is_none_or(|value| value.is_empty())
}

/// Where it is, if it is installed.
pub fn find() -> Option<PathBuf> {
    // Without arguments it prints its help. Cargo's folder need not be on the PATH.
    let works = |program: &PathBuf| process::output(&mut Command::new(program)).is_ok();
    let installed = cargo_home().map(|home| home.join("bin").join(NAME));
    [Some(PathBuf::from(NAME)), installed]
        .into_iter()
        .flatten()
        .find(works)
}

/// Installs it if it is missing, and says where it is.
pub fn install() -> Result<PathBuf> {
    if let Some(program) = find() {
        return Ok(program);
    }
    println!("installing {NAME} with cargo: makes a stack overflow of the firmware a fault");
    let mut cargo = workspace::cargo("install");
    process::run_within(cargo.args([NAME, "--locked"]), INSTALL_LIMIT)?;
    find().context("flip-link is installed but cannot be started")
}

/// Options of the compiler, and what `cargo` needs besides, to link with it.
pub fn options(cargo: &mut Command, toolchain: Toolchain) -> Result<[String; 2]> {
    let Some(program) = find() else {
        bail!(
            "{NAME} is missing; `cargo xtask setup` installs it, and with {OPT_OUT}=1 the \
             firmware is linked without it"
        );
    };
    if let Some(linker) = toolchain.linker() {
        call_it_rust_lld(cargo, linker)?;
    }
    let program = program.to_str().context("flip-link lies at an odd place")?;
    Ok(["-C".into(), format!("linker={program}")])
}

/// The program that does the work is looked up under the name that it has in rustup's
/// toolchains; Debian's gets that name too.
fn call_it_rust_lld(cargo: &mut Command, linker: &str) -> Result<()> {
    let folder = workspace::target_dir().join("rust-lld");
    let link = folder.join("rust-lld");
    fs::create_dir_all(&folder)?;
    match symlink(linker, &link) {
        // By an earlier build, or by one for another board that runs beside this one.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        made => made.with_context(|| format!("cannot make {}", link.display()))?,
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder).chain(env::split_paths(&path));
    cargo.env("PATH", env::join_paths(folders)?);
    Ok(())
}

#[cfg(unix)]
fn symlink(original: &str, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(original, link)
}

#[cfg(not(unix))]
fn symlink(original: &str, link: &Path) -> std::io::Result<()> {
    fs::copy(original, link).map(drop)
}

fn cargo_home() -> Option<PathBuf> {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".cargo"));
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home)
}
