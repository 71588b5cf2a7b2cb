//! Proves by linking that the library cannot panic.
//!
//! Three programs have a panic handler that calls a function that does not exist,
//! see `host-tests/on-target/src/platform/refuse_to_panic.rs`. A check that always passes would
//! look the same, so each build is repeated with a deliberate panic, and that
//! one must not link.

use crate::{
    board::{self, Board},
    image, process,
    programs::ON_TARGET,
    toolchain::Toolchain,
};
use anyhow::{Context, Result, bail};
use std::{
    path::PathBuf,
    process::{Command, Output},
};

/// Programs that link only if nothing in them can panic.
static PROOFS: [&str; 3] = ["panic_free", "panic_free_device", "panic_free_signal"];

/// Features of the second one. The others have them too, since they are built together; and no build is in
/// the way of the other programs, which have no features and another memory map.
const FEATURES: &str = "device";

const MISSING_SYMBOL: &str = "pocketron_a_panic_path_survives";

/// Goals of the optimiser: speed, as the workspace builds; and size, as the programs in `examples/boards` do.
/// A panic that the one proves away may survive in the other.
const LEVELS: [&str; 2] = ["3", "s"];

/// With and without a floating-point unit: the soft routines must not panic either.
static BOARDS: [&Board; 3] = [&board::M0, &board::M4F, &board::RV32];

/// A linked product, for messages.
pub struct Product {
    /// In the words of cargo's command line.
    pub selection: String,
    /// Path in the target folder.
    pub path: String,
}

/// Names of the programs, which are not there to be run.
pub fn examples() -> impl Iterator<Item = &'static str> {
    PROOFS.into_iter()
}

/// Checks all programs for both boards, optimised for speed and for size.
pub fn check() -> Result<()> {
    let toolchain = Toolchain::find()?;
    for level in LEVELS {
        check_at(level, toolchain).with_context(|| format!("opt-level {level}"))?;
    }
    Ok(())
}

fn check_at(level: &str, toolchain: Toolchain) -> Result<()> {
    // All at once, on all processors. If one fails, it says so when it is linked alone.
    let mut cargo = cargo(toolchain, &BOARDS, "build", level);
    process::output(ON_TARGET.select(&mut cargo, &PROOFS))?;
    for board in BOARDS {
        for example in PROOFS {
            let target = board.target;
            let folder = target_dir(toolchain, level);
            let path = format!("{target}/release/{example}");
            let product = Product {
                selection: format!(
                    "--package {} --features {FEATURES} --bin {example} --config 'profile.release.opt-level=\"{level}\"'",
                    ON_TARGET.package
                ),
                path: path.clone(),
            };
            let link = |flags| link(toolchain, board, example, level, flags);
            must_link(&product, &link(&[])?, board)?;
            let flash = image::footprint(&folder.join(&path))?.flash;
            must_not_link(&link(&["--cfg", "must_not_link"])?)
                .with_context(|| format!("{example} with a deliberate panic on {target}"))?;
            println!(
                "{target}, opt-level {level}: no panic path in {example} ({flash} bytes of flash); a deliberate one is refused"
            );
        }
    }
    Ok(())
}

/// Apart for each level but the usual one, or every run would build all of it twice.
fn target_dir(toolchain: Toolchain, level: &str) -> PathBuf {
    let folder = toolchain.target_dir();
    match level {
        "3" => folder,
        level => folder.join(format!("opt-level-{level}")),
    }
}

fn link(
    toolchain: Toolchain,
    board: &'static Board,
    example: &str,
    level: &str,
    flags: &[&str],
) -> Result<Output> {
    let mut cargo = cargo(toolchain, &[board], "rustc", level);
    let cargo = ON_TARGET.select(&mut cargo, &[example]);
    process::output(cargo.arg("--").args(flags))
}

fn cargo(toolchain: Toolchain, boards: &[&Board], subcommand: &str, level: &str) -> Command {
    let targets: Vec<&str> = boards.iter().map(|board| board.target).collect();
    let mut cargo = toolchain.cargo_for(&targets, &target_dir(toolchain, level), subcommand);
    // Only if it is another one: with the variable set, cargo would build the usual level again.
    if level != "3" {
        cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", level);
    }
    // Every learner at once is too much for a small board; the image is linked, not run.
    cargo.env("POCKETRON_BOARD", "mps2-an385");
    cargo
        .args(["--quiet", "--release"])
        .args(["--features", FEATURES]);
    cargo
}

/// Fails if a build with a deliberate panic links, or fails for another reason.
pub fn must_not_link(output: &Output) -> Result<()> {
    if output.status.success() {
        bail!("the image links, so the check is blind");
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !stderr.contains(MISSING_SYMBOL) {
        bail!("the build fails, but not for the missing symbol\n{stderr}");
    }
    Ok(())
}

/// Fails if the build has, and says how to find the panic if that is the reason.
pub fn must_link(product: &Product, output: &Output, board: &Board) -> Result<()> {
    let Product { selection, path } = product;
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let target = board.target;
    if !stderr.contains(MISSING_SYMBOL) {
        bail!("{selection} does not build for {target}\n{stderr}");
    }
    let message: String = stderr
        .lines()
        .filter(|line| {
            line.contains("rust-lld:") || line.contains("ld.lld:") || line.contains(">>>")
        })
        .map(|line| format!("{}\n", line.trim()))
        .collect();
    bail!(
        "a panic path survives on {target}\n{message}
To find it, link with the symbol defined and look for the callers:
  cargo rustc --release {selection} --target {target} -- -C link-arg=--defsym={MISSING_SYMBOL}=0
  llvm-objdump --demangle -d target/{path} | grep -E '>:$|bl.*(panic|fail|unwrap|expect)'
The function named above each such call is the culprit. Usual causes: indexing, slicing,
unwrap, division by a variable, copy_from_slice."
    )
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::{os::unix::process::ExitStatusExt, process::ExitStatus};

    fn linked(code: i32, stderr: &str) -> Output {
        Output {
            status: ExitStatus::from_raw(code << 8),
            stdout: Vec::new(),
            stderr: stderr.into(),
        }
    }

    #[test]
    fn only_the_missing_symbol_counts_as_a_refusal() {
        let refusal = format!("rust-lld: error: undefined symbol: {MISSING_SYMBOL}");
        assert!(must_not_link(&linked(1, &refusal)).is_ok());
        assert!(must_not_link(&linked(1, "error: no space left")).is_err());
        assert!(must_not_link(&linked(0, "")).is_err());
    }

    #[test]
    fn a_surviving_panic_is_told_from_a_broken_build() {
        let refusal = format!("  rust-lld: error: undefined symbol: {MISSING_SYMBOL}");
        let product = Product {
            selection: "--example this".into(),
            path: "there".into(),
        };
        let message = |stderr: &str| {
            let error = must_link(&product, &linked(1, stderr), &board::M0).unwrap_err();
            error.to_string()
        };
        assert!(message(&refusal).starts_with("a panic path survives"));
        assert!(message("error[E0425]").contains("does not build"));
        assert!(must_link(&product, &linked(0, ""), &board::M0).is_ok());
    }
}
