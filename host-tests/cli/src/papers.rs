//! The commands of the package `pocketron-papers`, which is built when one of them is wanted.
//!
//! It brings support vector machines, random forests and pictures along. Whoever talks to a device need not compile them.

use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result};
use clap::Args;

/// Arguments that are passed on as they are, `--help` included.
#[derive(Args, Debug)]
pub struct PapersOptions {
    /// As `--help` lists them
    #[arg(
        value_name = "OPTIONS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    arguments: Vec<OsString>,
}

/// Builds the package if need be and becomes its program. The user's working directory stays.
pub fn command(name: &str, options: &PapersOptions) -> Result<()> {
    let mut cargo = cargo(name, options);
    replace(&mut cargo).context("cannot start cargo, which builds the package pocketron-papers")
}

fn cargo(name: &str, options: &PapersOptions) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo
        .args(["run", "--profile", "host", "--manifest-path"])
        .arg(manifest())
        .args(["--", name])
        .args(&options.arguments);
    cargo
}

fn manifest() -> PathBuf {
    // Asked of cargo at run time, since two checkouts may share a compiled program.
    let package = env::var_os("CARGO_MANIFEST_DIR");
    let package = package.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&package).join("../papers/Cargo.toml")
}

/// In the same process, so that an interruption reaches the program and not us.
#[cfg(unix)]
fn replace(command: &mut Command) -> Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec().into())
}

#[cfg(not(unix))]
fn replace(command: &mut Command) -> Result<()> {
    let status = command.status()?;
    std::process::exit(status.code().unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    #[command(disable_help_flag = true)]
    struct Line {
        #[command(flatten)]
        options: PapersOptions,
    }

    #[test]
    fn every_argument_is_handed_on_and_the_package_is_there() {
        let line = ["pocketron", "ll2", "--sets", "a,b", "--quick", "--help"];
        let cargo = cargo("reproduce", &Line::parse_from(line).options);
        let words: Vec<_> = cargo.get_args().collect();
        let at = words.iter().position(|word| *word == "--").expect("a --");
        assert_eq!(words[at + 1], "reproduce");
        assert_eq!(words[at + 2..], line[1..]);
        assert!(manifest().is_file());
    }
}
