//! `cargo xtask bench host`: how fast this computer predicts and learns.
//!
//! The `pocketron` program times itself and the peers (`host-tests/papers/src/speed`), which are installed here; besides,
//! instructions are counted, which no neighbour on the machine disturbs.

mod programs;

use crate::{process, row, table::Table, workspace};
use anyhow::{Context, Result, bail};
use programs::Programs;
use std::{fs, path::Path, process::Command};

const FEATURES: [&str; 3] = ["16", "123", "784"];
const SUBJECTS: [&str; 3] = ["ceiling", "predict", "libsvm-rs"];

/// Valgrind knows no later instructions than these, which is what most computers have.
const PROCESSOR: &str = "x86-64-v3";

/// Times, counts, and draws; everything goes to `target/bench`.
pub fn run(without_peers: bool) -> Result<()> {
    let out = workspace::target_dir().join("bench");
    let programs = if without_peers {
        Programs::default()
    } else {
        Programs::install()
    };
    println!(
        "building, then timing on one core: some minutes, and rates mean little on a busy computer ..."
    );
    let mut speed = workspace::cargo("run");
    speed
        .args(["--quiet", "--release", "--package", "pocketron-papers"])
        .args(["--bin", "pocketron-papers", "--", "speed", "--out"])
        .arg(&out);
    programs.hand_to(&mut speed);
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
    count(&out, &programs)
}

/// Instructions under callgrind, in a build for a processor that it knows.
fn count(out: &Path, programs: &Programs) -> Result<()> {
    println!("\nbuilding for callgrind ...");
    let target = out.join("callgrind");
    let mut build = workspace::cargo("build");
    build
        .args([
            "--quiet",
            "--release",
            "--package",
            "pocketron-papers",
            "--bin",
            "pocketron-papers",
        ])
        .arg("--target-dir")
        .arg(&target)
        .env("RUSTFLAGS", format!("-C target-cpu={PROCESSOR}"));
    process::run(&mut build)?;
    let program = target.join("release/pocketron-papers");
    let mut heading = row![format!("instructions per evaluation, {PROCESSOR}")];
    heading.extend(FEATURES.map(|features| format!("D = {features}")));
    let mut lines = vec![heading];
    let mut json = Vec::new();
    let mut add = |subject: &str, count: &dyn Fn(&str) -> Result<f64>| -> Result<()> {
        let mut line = row![subject];
        for features in FEATURES {
            let each = count(features)?;
            line.push(format!("{each:.1}"));
            json.push(format!(
                "{{\"subject\":\"{subject}\",\"features\":{features},\"instructions\":{each}}}"
            ));
        }
        lines.push(line);
        Ok(())
    };
    for subject in SUBJECTS {
        add(subject, &|features| {
            instructions(&program, subject, features)
        })?;
    }
    if programs.have_libsvm() {
        let program = programs::libsvm(PROCESSOR)?;
        add("libsvm", &|features| {
            let expansion = out.join(format!("expansion-{features}.bin"));
            instructions_of_libsvm(&program, &expansion)
        })?;
    }
    print!("{}", Table::from(lines));
    let path = out.join("host-instructions.json");
    fs::write(&path, format!("[\n{}\n]\n", json.join(",\n")))?;
    println!("written to {}", path.display());
    Ok(())
}

/// Instructions of the function that does the work, for an evaluation.
fn instructions(program: &Path, subject: &str, features: &str) -> Result<f64> {
    let mut counted = callgrind("*speed::counted*", program);
    counted.args(["speed", "--count", features, "--subject", subject]);
    let (counted, text) = collect(&mut counted)?;
    let evaluations = evaluations(&text).with_context(|| format!("of how many? {text}"))?;
    Ok(counted as f64 / evaluations as f64)
}

/// The same of LIBSVM, which prints a line for each example and then finds no questions.
fn instructions_of_libsvm(program: &Path, expansion: &Path) -> Result<f64> {
    let mut counted = callgrind("svm_predict_values", program);
    let (counted, scores) = collect(counted.arg(expansion).arg("16"))?;
    let bytes = fs::read(expansion).with_context(|| expansion.display().to_string())?;
    let vectors = vectors(&bytes).context("an expansion of no vectors")?;
    Ok(counted as f64 / (scores.lines().count() as f64 * f64::from(vectors)))
}

/// A program in which one function, with all that it calls, is counted.
fn callgrind(function: &str, program: &Path) -> Command {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(format!("--toggle-collect={function}"))
        .arg(program);
    valgrind
}

/// Its count, and what it printed.
fn collect(valgrind: &mut Command) -> Result<(u64, String)> {
    let output = process::output(valgrind)?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{}\n{log}", process::shown(valgrind));
    }
    let counted = collected(&log).with_context(|| format!("callgrind said no number:\n{log}"))?;
    Ok((counted, String::from_utf8_lossy(&output.stdout).into()))
}

/// The second number in the file of an expansion: see `host-tests/papers/peers/libsvm.cpp`.
fn vectors(expansion: &[u8]) -> Option<u32> {
    let number = u32::from_le_bytes(*expansion.get(4..)?.first_chunk()?);
    Some(number).filter(|number| *number > 0)
}

/// The number in callgrind's last words: `==1== Collected : 12345`.
fn collected(log: &str) -> Option<u64> {
    let line = log.lines().find(|line| line.contains("Collected :"))?;
    let number = line.rsplit(' ').next()?.parse().ok();
    number.filter(|number| *number > 0)
}

/// The number in the program's only words: `50000 evaluations, sum 1.5`.
fn evaluations(text: &str) -> Option<u64> {
    let number = text.split_once(" evaluations")?.0.parse().ok();
    number.filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::{collected, evaluations, vectors};

    #[test]
    fn callgrinds_number_is_found_and_none_is_no_number() {
        let log = "==7== \n==7== Events    : Ir\n==7== Collected : 123456\n==7== \n";
        assert_eq!(collected(log), Some(123_456));
        assert_eq!(collected("==7== Collected : 0\n"), None);
        assert_eq!(collected("Illegal instruction"), None);
    }

    #[test]
    fn the_program_says_how_many_evaluations_were_counted() {
        assert_eq!(evaluations("50000 evaluations, sum -1.5\n"), Some(50_000));
        assert_eq!(evaluations("0 evaluations, sum 0\n"), None);
        assert_eq!(evaluations("-1.5\n"), None);
    }

    #[test]
    fn the_vectors_of_an_expansion_stand_in_its_file() {
        assert_eq!(vectors(&[16, 0, 0, 0, 244, 1, 0, 0, 9, 9]), Some(500));
        assert_eq!(vectors(&[16, 0, 0, 0, 0, 0, 0, 0]), None);
        assert_eq!(vectors(&[16, 0, 0, 0, 244]), None);
    }
}
