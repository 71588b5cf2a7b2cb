//! The programs for real boards in `examples/boards`: they must build; they do not run here.

use crate::{
    board::{self, Board},
    image, process,
    toolchain::Toolchain,
    workspace,
};
use anyhow::{Context, Result};
use std::path::PathBuf;

/// Folder of the programs, in a folder each.
const FOLDER: &str = "examples/boards";

/// A program for a real board.
struct Program {
    /// Its folder.
    name: &'static str,
    /// The emulated board with the same core, which says how to build for it.
    like: &'static Board,
    /// Its images.
    images: &'static [&'static str],
}

static PROGRAMS: [Program; 4] = [
    Program {
        name: "microbit",
        like: &board::M4F,
        images: &["pocketron-microbit"],
    },
    Program {
        name: "nrf52840",
        like: &board::M4F,
        images: &["pocketron-nrf52840", "teach"],
    },
    Program {
        name: "rp2040",
        like: &board::M0,
        images: &["pocketron-rp2040", "teach"],
    },
    Program {
        name: "stm32f4",
        like: &board::M4F,
        images: &["pocketron-stm32f4"],
    },
];

/// The manifest of every program, from the root of the workspace.
pub fn manifests() -> impl Iterator<Item = String> {
    PROGRAMS
        .iter()
        .map(|program| format!("{FOLDER}/{}/Cargo.toml", program.name))
}

/// Checks every program with its own lock file; builds images if they are asked for.
///
/// Clippy checks all that `cargo check` does. What only shows when code is generated, such as
/// an assertion in a `const` block or a program that reaches into the store, shows in an image.
pub fn check(image: bool) -> Result<()> {
    let toolchain = Toolchain::find()?;
    for program in &PROGRAMS {
        let name = program.name;
        println!("{name}:");
        program
            .check(toolchain, image)
            .with_context(|| format!("the program for {name}"))?;
    }
    Ok(())
}

impl Program {
    fn folder(&self) -> PathBuf {
        workspace::root().join(FOLDER).join(self.name)
    }

    fn check(&self, toolchain: Toolchain, image: bool) -> Result<()> {
        let mut format = workspace::cargo("fmt");
        process::run(format.current_dir(self.folder()).arg("--check"))?;
        let mut clippy = toolchain.cargo("clippy", self.like);
        clippy.current_dir(self.folder());
        process::run(clippy.args(["--locked", "--", "-D", "warnings"]))?;
        if image {
            let mut build = toolchain.cargo("build", self.like);
            build.current_dir(self.folder());
            process::run(build.args(["--locked", "--release"]))?;
            let folder = format!("{}/release", self.like.target);
            for name in self.images {
                let path = toolchain.target_dir().join(&folder).join(name);
                let size = image::footprint(&path)?;
                println!(
                    "{name}: {} bytes of flash, {} of static RAM",
                    size.flash, size.ram
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn every_folder_with_a_program_is_checked() {
        let folder = workspace::root().join(FOLDER);
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut found: Vec<String> = entries
            .filter(|entry| entry.path().join("Cargo.toml").is_file())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        found.sort();
        assert_eq!(found, PROGRAMS.each_ref().map(|program| program.name));
    }

    #[test]
    fn every_program_is_built_for_the_target_that_it_names() {
        for program in &PROGRAMS {
            let config = program.folder().join(".cargo/config.toml");
            let config = fs::read_to_string(config).unwrap();
            let target = format!("target = \"{}\"", program.like.target);
            assert!(config.contains(&target), "{}", program.name);
        }
    }

    /// The maps say it twice, as the end of the one and as the beginning of the other.
    #[test]
    fn no_program_can_reach_into_its_store() {
        for program in &PROGRAMS {
            let map = fs::read_to_string(program.folder().join("memory.x")).unwrap();
            let (flash, store) = (region(&map, "FLASH"), region(&map, "STORE"));
            assert!(flash.0 + flash.1 <= store.0, "{}", program.name);
        }
    }

    /// Beginning and length of a region; lengths may be sums of terms such as `16K` or `0x100`.
    fn region(map: &str, name: &str) -> (i64, i64) {
        let mut lines = map.lines().map(str::trim);
        let is_it = |line: &&str| line.starts_with(name) && line.contains("ORIGIN = ");
        let line = lines.find(is_it).unwrap();
        let (origin, length) = line.split_once("LENGTH = ").unwrap();
        let (_, origin) = origin.split_once("ORIGIN = ").unwrap();
        let length = length
            .split(" - ")
            .map(number)
            .reduce(|sum, term| sum - term);
        (number(origin.trim_end_matches([' ', ','])), length.unwrap())
    }

    fn number(text: &str) -> i64 {
        if let Some(digits) = text.strip_prefix("0x") {
            return i64::from_str_radix(digits, 16).unwrap();
        }
        let kilobytes = text.strip_suffix('K').unwrap();
        1024 * kilobytes.parse::<i64>().unwrap()
    }

    #[test]
    fn a_region_may_be_written_as_a_difference() {
        let map = "FLASH : ORIGIN = 0x10000100, LENGTH = 2K - 1K - 0x100";
        assert_eq!(region(map, "FLASH"), (0x1000_0100, 768));
    }
}
