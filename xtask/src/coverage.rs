//! Lines of the library that the tests on the host execute.
//!
//! The compiler instruments the packages of this workspace alone, as cargo's wrapper of the compiler: dependencies are
//! those of usual builds. The tools that read the counts come with the compiler, since their format is its own.

use crate::{process, setup, table::Table, workspace};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::Duration,
};

/// Set where this program is called in place of the compiler.
const WRAPPER: &str = "POCKETRON_INSTRUMENT";

/// Building and running all tests with instrumentation, on a slow machine.
const LIMIT: Duration = Duration::from_secs(7200);

/// Least shares of lines, in percent: of everything, and of files that were once far below.
const LEAST: [(&str, f64); 4] = [
    ("", 96.0),
    ("src/storage/point", 90.0),
    ("src/wrap/confidence", 90.0),
    ("src/wrap/drift", 90.0),
];

/// Not the library: it runs in QEMU.
const FIRMWARE: [&str; 2] = ["src/firmware", "src/main.rs"];

/// Calls the compiler with instrumentation, if this program was started in its place.
pub fn as_compiler() -> Option<ExitCode> {
    env::var_os(WRAPPER)?;
    let mut arguments = env::args_os().skip(1);
    let mut compiler = Command::new(arguments.next()?);
    compiler.args(arguments).arg("-Cinstrument-coverage");
    let status = compiler.status().ok()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Some(ExitCode::from(code.unwrap_or(1)))
}

/// Runs the tests with instrumentation, and holds the shares against the least.
pub fn check() -> Result<()> {
    let tools = tools()?;
    let folder = workspace::target_dir().join("coverage");
    // Counts of an earlier run would be added.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    let programs = programs(&folder)?;
    let merged = folder.join("all.profdata");
    let counts = files(&folder, "profraw")?;
    let mut merge = Command::new(tools.join("llvm-profdata"));
    merge.args(["merge", "--sparse", "--output"]).arg(&merged);
    process::run(merge.args(counts))?;
    let mut export = Command::new(tools.join("llvm-cov"));
    export.args(["export", "--format=lcov", "--skip-functions"]);
    export.arg("--instr-profile").arg(&merged);
    for program in &programs {
        export.arg("--object").arg(program);
    }
    let lines = lines(
        &process::capture_within(&mut export, LIMIT)?,
        &workspace::root(),
    );
    print!("{}", render(&lines));
    for (place, least) in LEAST {
        let share = share(&lines, place).with_context(|| format!("no line of {place}"))?;
        if share < least {
            bail!("{share:.1} % of the lines of src, {place}: at least {least} % are wanted");
        }
    }
    Ok(())
}

/// Folder of the compiler's own tools.
fn tools() -> Result<PathBuf> {
    let mut rustc = Command::new("rustc");
    let libraries = process::capture(rustc.args(["--print", "target-libdir"]))?;
    let tools = Path::new(libraries.trim()).with_file_name("bin");
    if !tools.join("llvm-cov").exists() {
        println!(
            "installing llvm-tools with rustup: they read the counts of instrumented programs"
        );
        setup::rustup(["component", "add"], &["llvm-tools".into()]).context(
            "llvm-tools are missing; install them by hand: `rustup component add llvm-tools`",
        )?;
    }
    Ok(tools)
}

/// Builds and runs the tests; the programs that were run.
fn programs(folder: &Path) -> Result<Vec<PathBuf>> {
    let tests = || -> Result<Command> {
        let mut cargo = workspace::cargo("test");
        cargo.args(["--package", "pocketron", "--package", "pocketron-testkit"]);
        cargo.args(["--lib", "--tests", "--no-fail-fast"]);
        cargo.env("RUSTC_WORKSPACE_WRAPPER", env::current_exe()?);
        cargo.env(WRAPPER, "1");
        cargo.env("LLVM_PROFILE_FILE", folder.join("%p-%m.profraw"));
        Ok(cargo)
    };
    let mut listed = tests()?;
    listed.args(["--no-run", "--message-format", "json"]);
    let built = process::capture_within(&mut listed, LIMIT)?;
    process::run_within(&mut tests()?, LIMIT)?;
    Ok(executables(&built))
}

/// The programs in cargo's messages, one a line.
fn executables(messages: &str) -> Vec<PathBuf> {
    let program = |line: &str| {
        let (_, rest) = line.split_once("\"executable\":\"")?;
        Some(PathBuf::from(rest.split('"').next()?))
    };
    messages.lines().filter_map(program).collect()
}

fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let mut paths: Vec<PathBuf> = paths.collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|own| own == extension));
    Ok(paths)
}

/// Lines that were executed, and all that there are, of each file.
type Lines = BTreeMap<String, (u32, u32)>;

/// The library's files in a list of lines and counts.
fn lines(lcov: &str, root: &Path) -> Lines {
    let root = format!("{}/", root.display());
    let mut all = Lines::new();
    let mut file = None;
    for line in lcov.lines() {
        if let Some(path) = line.strip_prefix("SF:") {
            let own = path
                .strip_prefix(&root)
                .filter(|own| own.starts_with("src/"));
            file = own.filter(|own| !FIRMWARE.iter().any(|part| own.starts_with(part)));
        } else if let (Some(file), Some(counted)) = (file, line.strip_prefix("DA:")) {
            let executed = counted.rsplit(',').next().is_some_and(|count| count != "0");
            let (done, there) = all.entry(file.to_owned()).or_default();
            *done += u32::from(executed);
            *there += 1;
        }
    }
    all
}

/// Share of the lines of all files whose path begins so, in percent.
fn share(lines: &Lines, place: &str) -> Option<f64> {
    let own = lines.iter().filter(|(file, _)| file.starts_with(place));
    let (done, all) = own.fold((0, 0), |sum, (_, file)| (sum.0 + file.0, sum.1 + file.1));
    (all > 0).then(|| 100.0 * f64::from(done) / f64::from(all))
}

/// The files with most lines that no test executes, and the shares that are promised.
fn render(lines: &Lines) -> String {
    let mut files: Vec<_> = lines.iter().collect();
    files.sort_by_key(|(_, (done, all))| done.abs_diff(*all));
    let mut table = Table::numbers(["", "lines", "executed", "%"]);
    for (file, (done, all)) in files.iter().rev().take(20) {
        let share = 100.0 * f64::from(*done) / f64::from(*all);
        table.row([
            (*file).clone(),
            all.to_string(),
            done.to_string(),
            format!("{share:.1}"),
        ]);
    }
    for (place, _) in LEAST {
        let own = lines.iter().filter(|(file, _)| file.starts_with(place));
        let (done, all) = own.fold((0, 0), |sum, (_, file)| (sum.0 + file.0, sum.1 + file.1));
        let share = share(lines, place).unwrap_or(0.0);
        let name = if place.is_empty() { "src" } else { place };
        table.row([
            name.to_owned(),
            all.to_string(),
            done.to_string(),
            format!("{share:.1}"),
        ]);
    }
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LCOV: &str = "SF:/r/src/wrap/drift.rs\nDA:1,5\nDA:2,0\nDA:3,10\nend_of_record\nSF:/r/src/firmware/log.rs\nDA:1,0\n\
                        SF:/r/host-tests/src/heap.rs\nDA:1,0\nend_of_record\nSF:/r/src/num.rs\nDA:7,1\n";

    #[test]
    fn only_lines_of_the_library_count() {
        let lines = lines(LCOV, Path::new("/r"));
        assert_eq!(lines.len(), 2);
        assert_eq!(share(&lines, "src/num"), Some(100.0));
        assert_eq!(share(&lines, ""), Some(75.0));
        assert_eq!(share(&lines, "src/wrap/confidence"), None);
        let table = render(&lines);
        let row = table
            .lines()
            .find(|row| row.starts_with("src/wrap/drift.rs"));
        let cells: Vec<&str> = row.unwrap_or_default().split_whitespace().collect();
        assert_eq!(cells, ["src/wrap/drift.rs", "3", "2", "66.7"], "{table}");
    }

    #[test]
    fn programs_are_found_in_the_messages_of_cargo() {
        let messages = "{\"reason\":\"compiler-artifact\",\"executable\":\"/t/deps/store-1\",\"fresh\":true}\n\
                        {\"reason\":\"compiler-artifact\",\"executable\":null}\n";
        assert_eq!(executables(messages), [PathBuf::from("/t/deps/store-1")]);
    }
}
