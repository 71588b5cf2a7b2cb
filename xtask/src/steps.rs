//! Every check that a change must pass, in order of cost.

use crate::{
    api, bench,
    board::{self, Board},
    boards, deny, device, examples, firmware, flash, guide, package, panic_free, parity, process,
    programs::{EXAMPLES, ON_TARGET},
    recording, row, setup,
    table::Table,
    toolchain::Toolchain,
    workspace,
};
use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    time::{Duration, Instant},
};

/// Runs all steps; the first failure ends the run.
pub fn test(skip_device: bool) -> Result<()> {
    let mut steps = Steps::default();
    let list = workspace::target_dir().join("skipped-tests");
    // It may not be there.
    let _ = fs::remove_file(&list);
    let outcome = run(&mut steps, skip_device, &list);
    print!("\n{}", steps.table());
    println!("{}", steps.counts());
    print!("{}", steps.not_run());
    if steps.done.iter().any(|step| step.name == TESTS) {
        print!(
            "{}",
            skipped(&fs::read_to_string(&list).unwrap_or_default())
        );
    }
    outcome
}

/// The step that needs data sets.
const TESTS: &str = "tests";

/// The variable that names the list of tests without their data; see `host-tests/tests/common/at_hand.rs`.
const SKIPPED: &str = "POCKETRON_SKIPPED";

/// Tests that had not all of their data: lines of a set and a test.
fn skipped(list: &str) -> String {
    let mut sets = BTreeMap::<&str, BTreeSet<&str>>::new();
    for (set, test) in list.lines().filter_map(|line| line.split_once('\t')) {
        sets.entry(set).or_default().insert(test);
    }
    if sets.is_empty() {
        return "no test was skipped for want of data\n".into();
    }
    let mut text = String::from("skipped for want of data, wholly or in part:\n");
    for (set, tests) in sets {
        text += &format!("  {set}\n");
        text.extend(tests.into_iter().map(|test| format!("    {test}\n")));
    }
    text + "`cargo pocketron data` says where these sets come from; $POCKETRON_DATA names their directory\n"
}

fn run(steps: &mut Steps, skip_device: bool, list: &Path) -> Result<()> {
    if !skip_device {
        steps.run("setup", setup::with_checks)?;
    }
    steps.run("format", || cargo("fmt", &["--all", "--check"]))?;
    steps.run("dependencies", deny::check)?;
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
    steps.run(TESTS, || {
        let mut tests = workspace::cargo("test");
        // One run shows all that fails.
        let all = ["--workspace", "--no-fail-fast"];
        process::run(tests.args(all).env(SKIPPED, list))
    })?;
    steps.run("documentation", documentation)?;
    steps.run("public API", || api::check(false))?;
    steps.run("package", || package::check(false, skip_device))?;
    if !skip_device {
        steps.run("examples", || examples::check(false))?;
        steps.run("parity", || parity::check(false))?;
        steps.run("panic-free", panic_free::check)?;
        steps.run("flash", || flash::check(false))?;
        steps.run("instructions", || bench::gate(false))?;
        steps.run("firmware", || firmware::check(None))?;
        steps.run("device", device::check)?;
        steps.run("boards", || boards::check(true))?;
        let mut skipped = Vec::new();
        steps.run("guide", || {
            skipped = guide::check()?;
            Ok(())
        })?;
        steps.skipped = skipped;
    }
    Ok(())
}

fn cargo(subcommand: &str, arguments: &[&str]) -> Result<()> {
    process::run(workspace::cargo(subcommand).args(arguments))
}

fn clippy_for_device() -> Result<()> {
    let library = ["--lib", "--examples", "--features", "device"];
    clippy(&board::M4F, EXAMPLES.package, &library)?;
    let programs = ["--bins", "--features", "device"];
    clippy(&board::M4F, ON_TARGET.package, &programs)?;
    for board in firmware::BOARDS {
        for features in [
            "_firmware",
            "_recorded-sensor",
            "_provoke-faults,_defmt-log",
        ] {
            clippy(board, "pocketron", &["--bins", "--features", features])?;
        }
    }
    Ok(())
}

fn clippy(board: &Board, package: &str, what: &[&str]) -> Result<()> {
    let mut clippy = Toolchain::find()?.cargo("clippy", board);
    // Only the firmware with a recorded sensor reads it.
    clippy.env("POCKETRON_RECORDING", recording::write()?);
    clippy.args(["--package", package]).args(what);
    process::run(clippy.args(["--", "-D", "warnings"]))
}

fn documentation() -> Result<()> {
    let mut doc = workspace::cargo("doc");
    doc.env("RUSTDOCFLAGS", "-D warnings");
    process::run(doc.args(["--no-deps", "--workspace"]))
}

/// Steps that have been run so far.
#[derive(Default)]
struct Steps {
    done: Vec<Step>,
    /// Commands of the guide that were not run.
    skipped: Vec<String>,
}

struct Step {
    name: &'static str,
    passed: bool,
    took: Took,
}

/// Time of a step.
#[derive(Clone, Copy, Default)]
struct Took {
    time: Duration,
    /// Of all processors, as far as the system tells: what is left of the time if nothing else runs on them.
    work: Duration,
}

impl Steps {
    fn run(&mut self, name: &'static str, check: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("\n== {name} ==");
        let (start, before) = (Instant::now(), process::work_of_children());
        let outcome = check();
        let took = Took {
            time: start.elapsed(),
            work: process::work_of_children() - before,
        };
        println!("-- {name}: {}", took.to_row().join(", "));
        let passed = outcome.is_ok();
        self.done.push(Step { name, passed, took });
        outcome.with_context(|| format!("step `{name}` failed"))
    }

    fn table(&self) -> String {
        let mut all = Took::default();
        let mut rows = Vec::new();
        for Step { name, passed, took } in &self.done {
            let mark = if *passed { "✓" } else { "✗" };
            rows.push([row![mark, name], took.to_row()].concat());
            all.time += took.time;
            all.work += took.work;
        }
        rows.push([row!["", "all"], all.to_row()].concat());
        Table::from(rows).to_string()
    }

    fn not_run(&self) -> String {
        if self.skipped.is_empty() {
            return String::new();
        }
        let lines: String = self
            .skipped
            .iter()
            .map(|line| format!("  {line}\n"))
            .collect();
        format!("commands that were not run:\n{lines}")
    }

    fn counts(&self) -> String {
        let passed = self.done.iter().filter(|step| step.passed).count();
        let failed = self.done.len() - passed;
        format!("{passed} passed, {failed} failed")
    }
}

impl Took {
    fn to_row(self) -> Vec<String> {
        let [time, work] = [self.time, self.work].map(|span| span.as_secs_f64());
        row![
            format!("{time:6.1} s"),
            format!("{work:6.1} s of processors")
        ]
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

    #[test]
    fn tests_without_their_data_are_named_once_for_each_set() {
        let text = skipped("mnist\ta::one\nbanana\tb::two\nbanana\ta::one\nbanana\tb::two\n");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("skipped for want of data"), "{text}");
        let listed = [
            "  banana",
            "    a::one",
            "    b::two",
            "  mnist",
            "    a::one",
        ];
        assert_eq!(lines[1..6], listed, "{text}");
        assert_eq!(skipped(""), "no test was skipped for want of data\n");
    }

    #[test]
    fn commands_that_were_not_run_are_named() {
        let mut steps = Steps::default();
        assert_eq!(steps.not_run(), "");
        steps.skipped = vec!["page: cargo run (it needs a board)".into()];
        assert_eq!(
            steps.not_run(),
            "commands that were not run:\n  page: cargo run (it needs a board)\n"
        );
    }

    #[test]
    fn times_add_up() {
        let step = |seconds: u64| Step {
            name: "some",
            passed: true,
            took: Took {
                time: Duration::from_millis(1000 * seconds),
                work: Duration::from_millis(1500 * seconds),
            },
        };
        let steps = Steps {
            done: vec![step(1), step(20)],
            ..Steps::default()
        };
        let table = steps.table();
        let last = table.lines().last().unwrap();
        assert_eq!(last, "   all     21.0 s    31.5 s of processors");
    }
}
