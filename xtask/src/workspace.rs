//! Where things lie.

use std::{env, ffi::OsString, path::PathBuf, process::Command};

/// Root of the workspace: the folder above this package.
///
/// Asked of cargo at run time. The path at compile time may be that of another
/// checkout if two share a target folder, and the checks would pass over there.
pub fn root() -> PathBuf {
    let here =
        env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(here);
    root.pop();
    root
}

/// Cargo's target folder, which builds name explicitly so that we know where the image is.
pub fn target_dir() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Folder of the expected outputs and sizes.
pub fn expected() -> PathBuf {
    root().join("examples/expected")
}

/// The cargo that runs this program, in the workspace's root.
pub fn cargo(subcommand: &str) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.current_dir(root()).arg(subcommand);
    command
}
