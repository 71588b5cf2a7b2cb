//! The programs that run on boards: the examples, and those of `host-tests/on-target`.

use crate::workspace;
use std::{path::PathBuf, process::Command};

/// A package with such programs.
pub struct Home {
    /// Name of the package.
    pub package: &'static str,
    /// Option of cargo's command line that selects one of its programs.
    pub option: &'static str,
    /// Folder of its images, below the folder of the profile.
    pub images: &'static str,
    /// Folder of their sources, in a file each.
    sources: &'static str,
    /// Folder of their committed outputs.
    expected: &'static str,
}

pub static EXAMPLES: Home = Home {
    package: "pocketron",
    option: "--example",
    images: "examples",
    sources: "examples",
    expected: "examples/expected",
};

pub static ON_TARGET: Home = Home {
    package: "pocketron-on-target",
    option: "--bin",
    images: "",
    sources: "host-tests/on-target/src",
    expected: "host-tests/on-target/expected",
};

/// All there are.
pub static HOMES: [&Home; 2] = [&EXAMPLES, &ON_TARGET];

impl Home {
    /// The package of a program.
    pub fn of(name: &str) -> &'static Self {
        let source = EXAMPLES.sources().join(name).with_extension("rs");
        match source.is_file() {
            true => &EXAMPLES,
            false => &ON_TARGET,
        }
    }

    pub fn sources(&self) -> PathBuf {
        workspace::root().join(self.sources)
    }

    pub fn expected(&self) -> PathBuf {
        workspace::root().join(self.expected)
    }

    /// Adds the package and its programs to a command of cargo.
    pub fn select<'a>(&self, cargo: &'a mut Command, names: &[&str]) -> &'a mut Command {
        cargo.args(["--package", self.package]);
        cargo.args(names.iter().flat_map(|name| [self.option, name]))
    }
}

/// The programs by package, without packages that have none of them.
pub fn by_home<'a>(names: &[&'a str]) -> impl Iterator<Item = (&'static Home, Vec<&'a str>)> {
    let split = HOMES.map(|home| {
        let here = |name: &&&str| Home::of(name).package == home.package;
        (home, names.iter().filter(here).copied().collect::<Vec<_>>())
    });
    split.into_iter().filter(|(_, names)| !names.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_built_by_the_package_that_has_them() {
        let split: Vec<_> = by_home(&["quickstart", "parity", "drift"])
            .map(|(home, names)| (home.package, names))
            .collect();
        let (examples, on_target) = (vec!["quickstart", "drift"], vec!["parity"]);
        let expected = [("pocketron", examples), ("pocketron-on-target", on_target)];
        assert_eq!(split, expected);
        assert_eq!(by_home(&["parity"]).count(), 1);
    }
}
