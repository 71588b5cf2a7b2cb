//! Programs that cargo installs.

use crate::{process, workspace};
use anyhow::{Context, Result};
use std::{env, path::PathBuf, process::Command, time::Duration};

/// For fetching and building one on a slow machine.
const INSTALL_LIMIT: Duration = Duration::from_secs(1200);

/// A program that the checks call.
pub struct Tool {
    /// Of the package and of the program.
    pub name: &'static str,
    /// Versions that will do, as cargo writes it.
    pub version: &'static str,
    /// Its purpose.
    pub why: &'static str,
}

impl Tool {
    /// Its path, if it is installed. Cargo's folder need not be on the PATH.
    pub fn find(&self) -> Option<PathBuf> {
        // Without arguments each of them prints its help.
        let works = |program: &PathBuf| process::output(&mut Command::new(program)).is_ok();
        let installed = cargo_home().map(|home| home.join("bin").join(self.name));
        [Some(PathBuf::from(self.name)), installed]
            .into_iter()
            .flatten()
            .find(works)
    }

    /// Installs it if it is missing, and says where it is.
    pub fn install(&self) -> Result<PathBuf> {
        if let Some(program) = self.find() {
            return Ok(program);
        }
        let Self { name, version, why } = self;
        println!("installing {name} with cargo: {why}");
        let mut cargo = workspace::cargo("install");
        cargo.args([name, "--locked", "--version", version]);
        process::run_within(&mut cargo, INSTALL_LIMIT).with_context(|| {
            format!("{name} is missing; install it by hand: `cargo install {name} --locked --version '{version}'`")
        })?;
        self.find()
            .with_context(|| format!("{name} is installed but cannot be started"))
    }
}

/// Folder of the programs that cargo installs.
pub fn cargo_home() -> Option<PathBuf> {
    let home = || Some(PathBuf::from(env::var_os("HOME")?).join(".cargo"));
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(home)
}
