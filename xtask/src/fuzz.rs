//! Fuzz targets under libFuzzer, with cargo-fuzz: see `fuzz/src/lib.rs`.

use crate::{process, table::Table, tool::Tool, workspace};
use anyhow::{Context, Result, bail};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

/// Needs a few minutes to build.
pub const CARGO_FUZZ: Tool = Tool {
    name: "cargo-fuzz",
    version: "^0.13",
    why: "builds the fuzz targets with the instrumentation that libFuzzer follows",
};

/// Names of the targets, each a file of `fuzz/targets` and a module of `fuzz/src`.
pub const TARGETS: [&str; 8] = [
    "learners",
    "parameters",
    "images",
    "store",
    "device",
    "files",
    "models",
    "signal",
];

/// Seconds that every run of the checks gives each target.
pub const SHORT: u64 = 20;

/// Seconds for one input; the slowest of the corpora take a fiftieth of one.
const SLOWEST: u64 = 10;

/// Bytes of an input at most.
const LONGEST: usize = 2048;

/// What is given to the end of a run, after its time.
const GRACE: u64 = 120;

/// A run of a target.
struct Outcome {
    target: &'static str,
    executions: u64,
    finding: Option<String>,
}

/// Builds all targets and runs them, or one of them, for that many seconds each.
pub fn run(target: Option<&str>, seconds: u64) -> Result<()> {
    let wanted = TARGETS
        .iter()
        .filter(|name| target.is_none_or(|one| one == **name));
    let wanted: Vec<&'static str> = wanted.copied().collect();
    if wanted.is_empty() {
        bail!(
            "there is no target of that name; there are {}",
            TARGETS.join(", ")
        );
    }
    build()?;
    let mut outcomes = Vec::new();
    for target in wanted {
        println!("{target}, {seconds} s");
        outcomes.push(fuzz(target, seconds)?);
    }
    print!("\n{}", render(&outcomes));
    let findings: Vec<String> = outcomes.into_iter().filter_map(|one| one.finding).collect();
    if !findings.is_empty() {
        bail!("{}", findings.join("\n\n"));
    }
    Ok(())
}

/// The folder of the crate, which is a workspace of its own.
fn folder() -> PathBuf {
    workspace::root().join("fuzz")
}

/// The targets are built by a stable compiler: the instrumentation is one of its code generator, and no sanitizer is
/// asked for, since the library has no unsafe code but assembly of other machines.
fn build() -> Result<()> {
    CARGO_FUZZ.install()?;
    let mut cargo = workspace::cargo("fuzz");
    cargo.args(["build", "--sanitizer", "none", "--fuzz-dir"]);
    cargo.arg(folder()).arg("--target-dir").arg(target_dir());
    process::run(&mut cargo)
        .context("the fuzz targets do not build; a C++ compiler is needed for libFuzzer")
}

fn target_dir() -> PathBuf {
    workspace::target_dir().join("fuzz")
}

/// Where a target lies when it is built.
fn program(target: &str) -> Result<PathBuf> {
    let about = process::capture(Command::new("rustc").arg("-vV"))?;
    let host = about.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.context("rustc does not say for which machine it compiles")?;
    Ok(target_dir().join(host).join("release").join(target))
}

fn fuzz(target: &'static str, seconds: u64) -> Result<Outcome> {
    let program = program(target)?;
    // What is found on the way goes to a folder of its own: the committed corpus grows by hand.
    let found = target_dir().join("corpus").join(target);
    let artifacts = folder().join("artifacts").join(target);
    for folder in [&found, &artifacts] {
        fs::create_dir_all(folder)?;
    }
    let mut fuzzer = Command::new(program);
    fuzzer.arg(&found).arg(folder().join("corpus").join(target));
    fuzzer.args([
        format!("-max_total_time={seconds}"),
        format!("-timeout={SLOWEST}"),
        format!("-max_len={LONGEST}"),
        format!("-artifact_prefix={}/", artifacts.display()),
        "-print_final_stats=1".into(),
        "-rss_limit_mb=1024".into(),
    ]);
    let output = process::output_within(&mut fuzzer, Duration::from_secs(seconds + GRACE))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let finding = (!output.status.success()).then(|| finding(target, &text, &artifacts));
    Ok(Outcome {
        target,
        executions: executions(&text).unwrap_or(0),
        finding,
    })
}

/// What libFuzzer counted.
fn executions(text: &str) -> Option<u64> {
    let name = "stat::number_of_executed_units:";
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().parse().ok()
}

/// What went wrong, and how to see it again.
fn finding(target: &str, text: &str, artifacts: &Path) -> String {
    let from = text
        .find("panicked at")
        .or_else(|| text.find("ERROR: libFuzzer"));
    let lines = text[from.unwrap_or(0)..].lines().take(4);
    let lines: Vec<&str> = lines.collect();
    let input = text
        .lines()
        .find_map(|line| line.split("Test unit written to ").nth(1));
    let input = input.map_or_else(|| artifacts.display().to_string(), str::to_owned);
    format!(
        "{target} has a finding: {}\nits input: {input}\nagain: cargo xtask fuzz --input {input} {target}; \
         once it is mended, it belongs into fuzz/corpus/{target}",
        lines.join("\n")
    )
}

/// Runs one input, with the messages of the target.
pub fn reproduce(target: &str, input: &Path) -> Result<()> {
    if !TARGETS.contains(&target) {
        bail!(
            "there is no target {target}; there are {}",
            TARGETS.join(", ")
        );
    }
    build()?;
    let program = program(target)?;
    process::run(Command::new(program).arg(input).env("RUST_BACKTRACE", "1"))
}

fn render(outcomes: &[Outcome]) -> String {
    let mut table = Table::numbers(["target", "executions", "findings"]);
    for one in outcomes {
        let (executions, findings) = (one.executions, usize::from(one.finding.is_some()));
        table.row([
            one.target.to_owned(),
            executions.to_string(),
            findings.to_string(),
        ]);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target that is not in the list would never run.
    #[test]
    fn every_target_is_a_file_a_module_a_corpus_and_in_the_list() {
        let names = |folder: &str| {
            let entries = fs::read_dir(self::folder().join(folder)).unwrap();
            let name = |entry: std::io::Result<fs::DirEntry>| {
                let path = entry.unwrap().path();
                path.file_stem().unwrap().to_str().unwrap().to_owned()
            };
            let mut names: Vec<String> = entries.map(name).collect();
            names.sort();
            names
        };
        let mut targets = TARGETS.map(str::to_owned).to_vec();
        targets.sort();
        assert_eq!(names("targets"), targets);
        assert_eq!(names("corpus"), targets);
        let manifest = fs::read_to_string(folder().join("Cargo.toml")).unwrap();
        for target in TARGETS {
            assert!(folder().join(format!("src/{target}.rs")).is_file());
            assert!(manifest.contains(&format!("name = \"{target}\"")));
        }
    }

    #[test]
    fn executions_and_findings_are_read_from_what_libfuzzer_says() {
        let text = "#2 INITED\nthread '<unnamed>' panicked at src/store.rs:7:1:\nlost\nnote: run\n==1== ERROR: libFuzzer: deadly signal\n\
                    artifact_prefix='a/'; Test unit written to a/crash-12\nstat::number_of_executed_units: 1234\n";
        assert_eq!(executions(text), Some(1234));
        let said = finding("store", text, Path::new("a"));
        assert!(
            said.starts_with("store has a finding: panicked at src/store.rs:7:1:\nlost"),
            "{said}"
        );
        assert!(said.contains("its input: a/crash-12\n"), "{said}");
        assert_eq!(executions("nothing"), None);
    }
}
