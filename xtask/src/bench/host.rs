//! `cargo xtask bench host`: how fast this computer predicts and learns.
//!
//! The `pocketron` program times itself (`host-tests/src/speed`); here its instructions are counted besides, which no
//! neighbour on the machine disturbs.

use crate::{process, row, table, workspace};
use anyhow::{Context, Result, bail};
use std::{fs, path::Path, process::Command};

/// Examples and support vectors of what is counted, as `host-tests/src/speed.rs` has them.
const EXAMPLES: u64 = 100;
const BUDGET: u64 = 500;

const FEATURES: [&str; 3] = ["16", "123", "784"];
const SUBJECTS: [&str; 3] = ["ceiling", "predict", "libsvm"];

/// Valgrind knows no later instructions than these, which is what most computers have.
const PROCESSOR: &str = "x86-64-v3";

/// Times, counts, and draws; everything goes to `target/bench`.
pub fn run() -> Result<()> {
    let out = workspace::target_dir().join("bench");
    println!(
        "building, then timing on one core: some minutes, and rates mean little on a busy computer ..."
    );
    let mut speed = workspace::cargo("run");
    speed
        .args(["--quiet", "--release", "--package", "pocketron-host"])
        .args(["--bin", "pocketron", "--", "speed", "--out"])
        .arg(&out);
    process::run(&mut speed)?;
    println!("\nfigures and pictures written to {}", out.display());
    if !cfg!(target_arch = "x86_64") {
        println!("instructions are not counted: that is settled for x86-64 only");
        return Ok(());
    }
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!(
            "instructions are not counted: there is no valgrind (on Debian: apt-get install valgrind)"
        );
        return Ok(());
    }
    count(&out)
}

/// Instructions under callgrind, in a build for a processor that it knows.
fn count(out: &Path) -> Result<()> {
    println!("\nbuilding for callgrind ...");
    let target = out.join("callgrind");
    let mut build = workspace::cargo("build");
    build
        .args([
            "--quiet",
            "--release",
            "--package",
            "pocketron-host",
            "--bin",
            "pocketron",
        ])
        .arg("--target-dir")
        .arg(&target)
        .env("RUSTFLAGS", format!("-C target-cpu={PROCESSOR}"));
    process::run(&mut build)?;
    let program = target.join("release/pocketron");
    let mut heading = row![format!("instructions per evaluation, {PROCESSOR}")];
    heading.extend(FEATURES.map(|features| format!("D = {features}")));
    let mut lines = vec![heading];
    let mut json = Vec::new();
    for subject in SUBJECTS {
        let mut line = row![subject];
        for features in FEATURES {
            let counted = instructions(&program, subject, features)?;
            let each = counted as f64 / (EXAMPLES * BUDGET) as f64;
            line.push(format!("{each:.1}"));
            json.push(format!(
                "{{\"subject\":\"{subject}\",\"features\":{features},\"instructions\":{each}}}"
            ));
        }
        lines.push(line);
    }
    print!("{}", table::render(&lines));
    let path = out.join("host-instructions.json");
    fs::write(&path, format!("[\n{}\n]\n", json.join(",\n")))?;
    println!("written to {}", path.display());
    Ok(())
}

/// What the function that does the work executes.
fn instructions(program: &Path, subject: &str, features: &str) -> Result<u64> {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--toggle-collect=*speed::counted*")
        .arg(program)
        .args(["speed", "--count", features, "--subject", subject]);
    let output = process::output(&mut valgrind)?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{}\n{log}", process::shown(&valgrind));
    }
    collected(&log).with_context(|| format!("callgrind said no number:\n{log}"))
}

/// The number in callgrind's last words: `==1== Collected : 12345`.
fn collected(log: &str) -> Option<u64> {
    let line = log.lines().find(|line| line.contains("Collected :"))?;
    let number = line.rsplit(' ').next()?.parse().ok();
    number.filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::collected;

    #[test]
    fn callgrinds_number_is_found_and_none_is_no_number() {
        let log = "==7== \n==7== Events    : Ir\n==7== Collected : 123456\n==7== \n";
        assert_eq!(collected(log), Some(123_456));
        assert_eq!(collected("==7== Collected : 0\n"), None);
        assert_eq!(collected("Illegal instruction"), None);
    }
}
