//! Makes the machine ready for device builds.

use crate::{
    deny::CARGO_DENY, emulator, flip_link::FLIP_LINK, process, toolchain::Toolchain, wasm,
    workspace,
};
use anyhow::{Context, Result, bail};
use std::{fmt, path::Path, process::Command, time::Duration};

/// Enough for a slow line; a blocked one should not hold anybody up for longer.
const RUSTUP_LIMIT: Duration = Duration::from_secs(90);
pub const APT_LIMIT: Duration = Duration::from_secs(900);

/// Compiler, source of `core`, linker, and the tools that the checks call.
const DEBIAN_PACKAGES: [&str; 6] = [
    "rustc-web",
    "cargo-web",
    "rust-web-src",
    "lld",
    "rust-web-clippy",
    "rustfmt-web",
];

/// Installs what is missing and returns the compiler for the device.
pub fn run() -> Result<Toolchain> {
    let toolchain = device_compiler()?;
    println!("compiler for the device: {}", toolchain.describe()?);
    println!("emulator: {}", emulator::ARM.install()?);
    match FLIP_LINK.install() {
        Ok(program) => println!("linker of the firmware: {}", program.display()),
        // The firmware alone wants it.
        Err(error) => println!("going on without flip-link: {error:#}"),
    }
    component("rustfmt", "fmt")?;
    component("clippy", "clippy")?;
    println!("rustfmt and clippy: present");
    Ok(toolchain)
}

/// As [`run`], with what only the checks need: it takes minutes to build, and the demonstration works without it.
pub fn with_checks() -> Result<()> {
    run()?;
    println!("emulator: {}", emulator::RISCV.install()?);
    println!("WebAssembly: {}", wasm::install_node()?);
    let program = CARGO_DENY.install()?;
    println!("check of the dependencies: {}", program.display());
    Ok(())
}

fn device_compiler() -> Result<Toolchain> {
    match Toolchain::asked_for()? {
        Some(Toolchain::Rustup) => from_rustup(),
        Some(Toolchain::DebianSource) => from_debian(),
        None => {
            if let Ok(ready) = Toolchain::find() {
                return Ok(ready);
            }
            from_rustup().or_else(|error| {
                println!("rustup cannot deliver the thumb targets: {error:#}");
                from_debian().context("no compiler for the device; install the thumb targets with rustup, or Debian's packages, by hand")
            })
        }
    }
}

fn from_rustup() -> Result<Toolchain> {
    let missing = Toolchain::Rustup.missing()?;
    if !missing.is_empty() {
        println!(
            "installing {} with rustup: the core library for each kind of microcontroller",
            missing.join(", ")
        );
        rustup(["target", "add"], &missing)?;
    }
    ready(Toolchain::Rustup)
}

fn from_debian() -> Result<Toolchain> {
    if !Toolchain::DebianSource.missing()?.is_empty() {
        let why = "a compiler that builds the core library for microcontrollers from source";
        apt_install(&DEBIAN_PACKAGES, why)?;
    }
    ready(Toolchain::DebianSource)
}

fn ready(toolchain: Toolchain) -> Result<Toolchain> {
    let missing = toolchain.missing()?;
    if !missing.is_empty() {
        bail!("still missing: {}", missing.join(", "));
    }
    Ok(toolchain)
}

/// Lets rustup do something, for as long as a slow line takes.
pub fn rustup(verb: [&str; 2], what: &[String]) -> Result<()> {
    let mut command = Command::new("rustup");
    command.current_dir(workspace::root()).args(verb).args(what);
    process::run_within(&mut command, RUSTUP_LIMIT)
}

/// Sees to it that `cargo SUBCOMMAND` works.
fn component(name: &str, subcommand: &str) -> Result<()> {
    let works = || process::capture(workspace::cargo(subcommand).arg("--version")).is_ok();
    if works() {
        return Ok(());
    }
    println!("installing {name} with rustup: one of the checks");
    rustup(["component", "add"], &[name.to_string()])
        .with_context(|| format!("`cargo {subcommand}` does not work; install {name} by hand"))?;
    if !works() {
        bail!("`cargo {subcommand}` does not work although {name} is installed");
    }
    Ok(())
}

/// Installs packages of Debian, and says why. Removes none: where apt-get would, nothing is changed.
pub fn apt_install(packages: &[&str], why: &str) -> Result<()> {
    if !Path::new("/usr/bin/apt-get").exists() {
        bail!("there is no apt-get to install {}", packages.join(" "));
    }
    println!("installing {} with apt-get: {why}", packages.join(" "));
    // A fresh machine has no package lists. One broken source must not stop the rest.
    if let Err(error) = apt_get(&["update"]) {
        println!("going on without fresh package lists: {error:#}");
    }
    let install = [
        &["install", "-y", "--no-remove", "--no-install-recommends"],
        packages,
    ]
    .concat();
    // The simulation needs no rights, and without the option it names what would be removed.
    let mut simulation = Command::new("apt-get");
    let options = install.iter().filter(|word| **word != "--no-remove");
    simulation
        .arg("--simulate")
        .args(options)
        .env("LC_ALL", "C");
    refuse_removals(packages, &process::capture(&mut simulation)?)?;
    apt_get(&install)
}

/// An installation that would remove packages of the user's.
#[derive(Debug)]
pub struct WouldRemove {
    removed: String,
    packages: String,
}

impl fmt::Display for WouldRemove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { removed, packages } = self;
        write!(
            f,
            "apt-get would remove {removed} to install {packages}. Nothing was installed or removed"
        )
    }
}

impl std::error::Error for WouldRemove {}

/// Refuses what a simulation of apt-get says would be removed.
fn refuse_removals(packages: &[&str], simulation: &str) -> Result<()> {
    let removals = simulation
        .lines()
        .filter_map(|line| line.strip_prefix("Remv "));
    let names = removals.filter_map(|removal| removal.split_whitespace().next());
    let (removed, packages) = (names.collect::<Vec<_>>().join(" "), packages.join(" "));
    if removed.is_empty() {
        return Ok(());
    }
    Err(WouldRemove { removed, packages }.into())
}

fn apt_get(arguments: &[&str]) -> Result<()> {
    let user = process::capture(Command::new("id").arg("-u"))?;
    // The limit lies inside of sudo: from outside only root may end its child.
    let limit = APT_LIMIT.as_secs().to_string();
    let words = ["sudo", "timeout", "--kill-after=10", &limit, "apt-get"];
    let words = &words[usize::from(user.trim() == "0")..];
    let mut command = Command::new(words[0]);
    command
        .args(&words[1..])
        .args(["-qq", "-o", "DPkg::Lock::Timeout=120"])
        .args(arguments)
        .env("DEBIAN_FRONTEND", "noninteractive");
    process::run(&mut command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_that_would_remove_packages_is_refused() {
        let harmless = "NOTE: This is only a simulation!\nInst qemu-system-arm (1:8.2 stable [amd64])\n\
                        Conf qemu-system-arm (1:8.2 stable [amd64])\n";
        assert!(refuse_removals(&["qemu-system-arm"], harmless).is_ok());
        let simulation =
            format!("Remv qemu-utils [1:9.1]\nRemv qemu-img [1:9.1] [a:amd64 ]\n{harmless}");
        let error = refuse_removals(&["qemu-system-arm"], &simulation).unwrap_err();
        assert!(error.is::<WouldRemove>());
        let error = error.to_string();
        assert!(
            error.starts_with(
                "apt-get would remove qemu-utils qemu-img to install qemu-system-arm."
            ),
            "{error}"
        );
    }
}
