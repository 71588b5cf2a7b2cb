//! Paths of the workspace.

use std::{env, ffi::OsString, path::PathBuf, process::Command};

/// Cargo's variable for its target folder.
const TARGET_DIR: &str = "CARGO_TARGET_DIR";

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
    chosen_target_dir().unwrap_or_else(|| root().join("target"))
}

/// The folder that [`TARGET_DIR`] asks for, absolute.
///
/// Cargo takes a relative one from where it is started: this program from the user's folder, the
/// builds below from the root.
fn chosen_target_dir() -> Option<PathBuf> {
    let here = env::current_dir().unwrap_or_else(|_| root());
    env::var_os(TARGET_DIR).map(|folder| here.join(folder))
}

/// The cargo that runs this program, in the workspace's root.
pub fn cargo(subcommand: &str) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.current_dir(root()).arg(subcommand);
    if let Some(folder) = chosen_target_dir() {
        command.env(TARGET_DIR, folder);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{board, toolchain::Toolchain};

    /// Runs itself with the variable set, since a test must not set it for its neighbours.
    #[test]
    fn a_relative_target_folder_is_taken_from_where_the_user_stands() {
        let name = "workspace::tests::a_relative_target_folder_is_taken_from_where_the_user_stands";
        let Some(folder) = env::var_os("POCKETRON_TEST_FOLDER").map(PathBuf::from) else {
            let here = env::temp_dir();
            let mut again = Command::new(env::current_exe().unwrap());
            again.current_dir(&here).args(["--exact", name]);
            again.env(TARGET_DIR, "some/folder");
            again.env("POCKETRON_TEST_FOLDER", here.join("some/folder"));
            let output = again.output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(
                output.status.success() && text.contains("1 passed"),
                "{text}"
            );
            return;
        };
        assert_eq!(target_dir(), folder);
        let image = Toolchain::Rustup.image("policies", &board::M0);
        assert!(image.starts_with(&folder), "{}", image.display());
        let command = cargo("build");
        let mut variables = command.get_envs();
        let handed_on = variables.find(|(key, _)| *key == TARGET_DIR);
        assert_eq!(
            handed_on.and_then(|(_, value)| value),
            Some(folder.as_os_str())
        );
    }
}
