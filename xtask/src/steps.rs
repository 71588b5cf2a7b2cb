//! Every check that a change must pass, in order of cost.

use crate::{
    bench,
    board::{self, Board},
    boards, device, examples, firmware, panic_free, parity, process, row, setup, table,
    toolchain::Toolchain,
    workspace,
};
use anyhow::{Context, Result};
use std::time::{Duration, Instant};

/// Runs all steps; the first failure ends the run.
pub fn test(skip_device: bool) -> Result<()> {
    let mut steps = Steps::default();
    let outcome = run(&mut steps, skip_device);
    print!("\n{}", steps.table());
    println!("{}", steps.counts());
    outcome
}

fn run(steps: &mut Steps, skip_device: bool) -> Result<()> {
    if !skip_device {
        steps.run("setup", || setup::run().map(drop))?;
    }
    steps.run("format", || cargo("fmt", &["--all", "--check"]))?;
    steps.run("clippy", || {
        let whole = ["--workspace", "--all-targets", "--", "-D", "warnings"];
        cargo("clippy", &whole)
    })?;
    steps.run("clippy, all features", || {
        let library = ["--package", "pocketron", "--all-targets", "--all-features"];
        cargo(
            "clippy",
            &[&library[..], &["--", "-D", "warnings"]].concat(),
        )
    })?;
    if !skip_device {
        steps.run("clippy, device", clippy_for_device)?;
    }
    steps.run("tests", || cargo("test", &["--workspace"]))?;
    steps.run("documentation", documentation)?;
    if !skip_device {
        steps.run("examples", || examples::check(false))?;
        steps.run("parity", || parity::check(false))?;
        steps.run("panic-free", panic_free::check)?;
        steps.run("instructions", bench::gate)?;
        steps.run("firmware", || firmware::check(None))?;
        steps.run("device", device::check)?;
        steps.run("boards", || boards::check(false))?;
    }
    Ok(())
}

fn cargo(subcommand: &str, arguments: &[&str]) -> Result<()> {
    process::run(workspace::cargo(subcommand).args(arguments))
}

fn clippy_for_device() -> Result<()> {
    let library = ["--lib", "--examples", "--features", "device"];
    clippy(&board::M4F, &library)?;
    for board in firmware::BOARDS {
        for features in ["firmware", "provoke-faults,log"] {
            clippy(board, &["--bins", "--features", features])?;
        }
    }
    Ok(())
}

fn clippy(board: &Board, what: &[&str]) -> Result<()> {
    let mut clippy = Toolchain::find()?.cargo("clippy", board);
    clippy.args(["--package", "pocketron"]).args(what);
    process::run(clippy.args(["--", "-D", "warnings"]))
}

fn documentation() -> Result<()> {
    let mut doc = workspace::cargo("doc");
    doc.env("RUSTDOCFLAGS", "-D warnings");
    process::run(doc.args(["--no-deps", "--workspace"]))
}

/// What has been run so far.
#[derive(Default)]
struct Steps {
    done: Vec<Step>,
}

struct Step {
    name: &'static str,
    passed: bool,
    time: Duration,
}

impl Steps {
    fn run(&mut self, name: &'static str, check: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("\n== {name} ==");
        let start = Instant::now();
        let outcome = check();
        let time = start.elapsed();
        let passed = outcome.is_ok();
        println!("-- {name}: {:.1} s", time.as_secs_f64());
        self.done.push(Step { name, passed, time });
        outcome.with_context(|| format!("step `{name}` failed"))
    }

    fn table(&self) -> String {
        let line = |step: &Step| {
            let mark = if step.passed { "✓" } else { "✗" };
            row![
                mark,
                step.name,
                format!("{:6.1} s", step.time.as_secs_f64())
            ]
        };
        table::render(&self.done.iter().map(line).collect::<Vec<_>>())
    }

    fn counts(&self) -> String {
        let passed = self.done.iter().filter(|step| step.passed).count();
        let failed = self.done.len() - passed;
        format!("{passed} passed, {failed} failed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn a_failure_is_counted_named_and_handed_on() {
        let mut steps = Steps::default();
        steps.run("good", || Ok(())).unwrap();
        let error = steps.run("bad", || bail!("reason")).unwrap_err();
        assert_eq!(format!("{error:#}"), "step `bad` failed: reason");
        assert_eq!(steps.counts(), "1 passed, 1 failed");
        let table = steps.table();
        assert!(
            table.contains("✓  good") && table.contains("✗  bad"),
            "{table}"
        );
    }
}
