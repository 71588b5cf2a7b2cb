//! The commands of the guide for newcomers: they are run as they stand there, from a copy of the repository.

use crate::{process, toolchain::Toolchain, workspace};
use anyhow::{Context, Result, ensure};
use std::{fs, path::Path, process::Command};

const GUIDE: &str = "docs/first-sensor.md";

/// A block of commands.
#[derive(Debug, PartialEq, Eq)]
struct Block<'a> {
    needs: Needs,
    commands: &'a str,
    /// The text block that follows, if one does: what is printed.
    shown: Option<&'a str>,
}

/// Condition behind `sh` at the beginning of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    /// Nothing: a computer.
    Nothing,
    /// `target`: a toolchain that builds for microcontrollers.
    Target,
    /// `board`: hardware. It is not run.
    Board,
}

/// Runs all commands that need no board. What a page shows as their output must be it. Returns what was not run, and why.
pub fn check() -> Result<Vec<String>> {
    let page = read()?;
    // Debian's compiler needs options to build for a microcontroller, which the guide does not name.
    let has_targets = Toolchain::find()?.linker().is_none();
    let scratch = tempfile::tempdir()?;
    let clone = scratch.path().join("pocketron");
    copy_repository(&clone)?;
    let mut skipped = Vec::new();
    for block in blocks(&page) {
        if let Some(reason) = block.needs.missing(has_targets) {
            println!("not run, {reason}:\n{}", block.commands);
            skipped.push(block.skipped(reason));
            continue;
        }
        println!("{}", block.commands);
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", block.commands]).current_dir(&clone);
        // Dependencies are built once for all runs.
        shell.env("CARGO_TARGET_DIR", workspace::target_dir().join("guide"));
        shell.env_remove("RUSTFLAGS");
        let printed = process::capture(&mut shell)?;
        if let Some(shown) = block.shown {
            ensure!(
                printed == shown,
                "{GUIDE} shows another output of\n{}it is\n{printed}",
                block.commands
            );
        }
    }
    Ok(skipped)
}

impl Needs {
    /// Why such commands cannot be run here, if so.
    fn missing(self, has_targets: bool) -> Option<&'static str> {
        match self {
            Needs::Target if !has_targets => Some("Debian's compiler needs options for a target"),
            Needs::Board => Some("it needs a board"),
            Needs::Nothing | Needs::Target => None,
        }
    }
}

impl Block<'_> {
    /// A line for the list of what was not run.
    fn skipped(&self, reason: &str) -> String {
        let commands: Vec<&str> = self.commands.lines().collect();
        format!("{GUIDE}: {} ({reason})", commands.join("; "))
    }
}

fn read() -> Result<String> {
    let page = fs::read_to_string(workspace::root().join(GUIDE)).context(GUIDE)?;
    Ok(page.replace("\r\n", "\n"))
}

/// Copies the files that a fresh clone would have, changes that are not committed included.
fn copy_repository(to: &Path) -> Result<()> {
    let mut list = Command::new("git");
    list.args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let list = process::capture(list.current_dir(workspace::root()))?;
    for name in list.lines() {
        let (from, to) = (workspace::root().join(name), to.join(name));
        // A file that was removed is listed until that is committed.
        if from.is_file() {
            fs::create_dir_all(to.with_file_name(""))?;
            fs::copy(&from, &to).with_context(|| format!("cannot copy {name}"))?;
        }
    }
    Ok(())
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    // Outside and inside of fences take turns.
    let mut after_commands = false;
    for (number, part) in page.split("```").enumerate() {
        if number % 2 == 0 {
            // A line of prose between them keeps them together, a heading does not.
            after_commands &= !part.contains("\n#");
            continue;
        }
        let (kind, text) = part.split_once('\n').unwrap_or((part, ""));
        let needs = match kind {
            "sh" => Some(Needs::Nothing),
            "sh target" => Some(Needs::Target),
            "sh board" => Some(Needs::Board),
            _ => None,
        };
        if let Some(needs) = needs {
            blocks.push(Block {
                needs,
                commands: text,
                shown: None,
            });
        } else if kind == "text"
            && after_commands
            && let Some(block) = blocks.last_mut()
        {
            block.shown = Some(text);
        }
        after_commands = needs.is_some();
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::examples;

    #[test]
    fn blocks_are_commands_and_what_they_print() {
        let page = "Run\n```sh\na\nb\n```\nprints\n```text\nc\n```\n```rust\nd\n```\n```sh board\ne\n```\n\n# f\n```text\ng\n```\n";
        let first = Block {
            needs: Needs::Nothing,
            commands: "a\nb\n",
            shown: Some("c\n"),
        };
        let second = Block {
            needs: Needs::Board,
            commands: "e\n",
            shown: None,
        };
        assert_eq!(blocks(page), [first, second]);
    }

    #[test]
    fn the_guide_shows_what_the_example_prints() {
        let page = read().unwrap();
        let expected = examples::expected("gesture").unwrap();
        let blocks = blocks(&page);
        let first = &blocks[0];
        assert_eq!(
            (first.needs, first.shown),
            (Needs::Nothing, Some(&*expected))
        );
        assert!(blocks.iter().any(|block| block.needs == Needs::Target));
    }

    #[test]
    fn what_is_not_run_is_named_with_the_reason() {
        assert_eq!(Needs::Nothing.missing(false), None);
        assert_eq!(Needs::Target.missing(true), None);
        let block = Block {
            needs: Needs::Target,
            commands: "cp a b\ncargo build\n",
            shown: None,
        };
        let reason = block.needs.missing(false).unwrap();
        assert_eq!(
            block.skipped(reason),
            "docs/first-sensor.md: cp a b; cargo build (Debian's compiler needs options for a target)"
        );
    }

    const TEMPLATE: &str = "examples/boards/microbit";

    /// The result of cargo-generate for a file of the template: it knows these two, and no other brackets may be there.
    fn generated(text: &str, name: &str, path: &str) -> String {
        let text = text.replace("{{project-name}}", name);
        let text = text.replace("{{pocketron}}", path);
        assert!(!text.contains("{{") && !text.contains("{%"), "{text}");
        text
    }

    /// So what is built of the one is built of the other: cargo-generate takes a `.liquid` file instead of the one without.
    #[test]
    fn a_generated_project_is_the_plain_copy() {
        let folder = workspace::root().join(TEMPLATE);
        let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
        let template = read("Cargo.toml.liquid");
        let original = generated(&template, "pocketron-microbit", "../../..");
        assert_eq!(original, read("Cargo.toml"));
        // As `cargo generate --name my-sensor --define pocketron=../pocketron` does.
        let own = generated(&template, "my-sensor", "../pocketron");
        assert!(own.contains("name = \"my-sensor\""), "{own}");
        assert!(own.contains("path = \"../pocketron\""), "{own}");
        assert!(read("cargo-generate.toml").contains("[placeholders.pocketron]"));
    }

    #[test]
    fn nothing_else_of_the_template_is_replaced() {
        let mut list = Command::new("git");
        list.args([
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            TEMPLATE,
        ]);
        let list = process::capture(list.current_dir(workspace::root())).unwrap();
        let files = list.lines().filter(|name| !name.ends_with(".liquid"));
        let mut count = 0;
        for name in files {
            let text = fs::read_to_string(workspace::root().join(name)).unwrap();
            assert_eq!(generated(&text, "", ""), text, "{name}");
            count += 1;
        }
        assert!(count > 7, "{count} files");
    }
}
