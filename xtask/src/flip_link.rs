//! flip-link, the linker that puts the stack below the variables.
//!
//! The other way round, which is the default, a stack that grows too far overwrites
//! variables, and the model is damaged in silence. With flip-link it reaches the end of
//! the memory, which is a fault that the firmware reports.

use crate::{tool::Tool, toolchain::Toolchain, workspace};
use anyhow::{Context, Result, bail};
use std::{env, fs, io::ErrorKind, path::Path, process::Command};

/// If set, the firmware is linked without it.
pub const OPT_OUT: &str = "POCKETRON_NO_FLIP_LINK";

pub const FLIP_LINK: Tool = Tool {
    name: "flip-link",
    version: "*",
    why: "makes a stack overflow of the firmware a fault",
};

/// Whether the user has not opted out.
pub fn is_wanted() -> bool {
    env::var_os(OPT_OUT).is_none_or(|value| value.is_empty())
}

/// Options of the compiler, and what `cargo` needs besides, to link with it.
pub fn options(cargo: &mut Command, toolchain: Toolchain) -> Result<[String; 2]> {
    let Some(program) = FLIP_LINK.find() else {
        bail!(
            "flip-link is missing; `cargo xtask setup` installs it, and with {OPT_OUT}=1 the \
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
