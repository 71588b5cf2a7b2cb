//! Bad options and outputs that nobody takes: one line, an exit code, no panic.

use std::process::Command;

use crate::{command::POCKETRON, common::program::COMMITTED};

#[test]
fn a_bad_option_is_refused_with_one_clear_line_and_no_backtrace() {
    for (arguments, words) in [
        (
            "trace --data pima --learner nobody",
            "invalid value 'nobody' for '--learner",
        ),
        (
            "trace --data pima --learner fixed --kernel rbf:0",
            "width gamma must be positive",
        ),
        (
            "trace --data pima --learner fixed --epochs 0",
            "'--epochs <T>': there must be at least one",
        ),
        (
            "trace --data pima --learner voted --epochs 0",
            "'--epochs <T>': there must be at least one",
        ),
        (
            "trace --data pima --learner fixed --limit 0",
            "--limit 0 leaves no rows",
        ),
        (
            "trace --data pima --learner fixed --budget 0",
            "'--budget <B>': there must be at least one",
        ),
        (
            "trace --data nowhere --learner fixed",
            "no data set `nowhere`",
        ),
        (
            "trace --data no/where --learner fixed",
            "no file `no/where`, nor `no/where.libsvm.gz`",
        ),
        (
            "trace --data pima --learner merge --kernel poly:3",
            "merging needs a Gaussian kernel",
        ),
        (
            "trace --data pima --learner pocketron --kernel poly:3",
            "pocketron has a kernel of its own; rbf:GAMMA is the width",
        ),
        (
            "trace --data pima --learner pocketron --beta 1",
            "pocketron has a margin of its own",
        ),
        (
            "trace --data pima --learner pocketron --format i16",
            "pocketron keeps its features as bytes",
        ),
        (
            "evaluate --data digits --train 99 --multiclass --learner pocketron --kernel poly:3",
            "pocketron has a kernel of its own; rbf:GAMMA is the width",
        ),
        (
            "evaluate --data digits --train 99 --multiclass --learner pocketron --beta 1",
            "pocketron has a margin of its own",
        ),
        (
            "evaluate --data digits --train 99 --multiclass --learner pocketron --tau-pos 1",
            "pocketron has a rule of its own",
        ),
        (
            "evaluate --data digits --train 99 --multiclass --learner pocketron --format i16",
            "pocketron keeps its features as bytes",
        ),
        (
            "evaluate --data digits --train 99 --multiclass --learner stoptron --format i8",
            "--format is for two classes",
        ),
        (
            "evaluate --data digits --train 99 --multiclass --learner stoptron --beta 1",
            "--beta is for two classes",
        ),
        (
            "evaluate --data digits --train 99 --multiclass --learner stoptron --vectors 20",
            "--vectors is for pocketron",
        ),
        (
            "evaluate --data digits --train 99 --multiclass --learner stoptron --each",
            "--each is for pocketron",
        ),
        (
            "trace --data pima --learner tightest --vectors 20",
            "--vectors is for pocketron",
        ),
        (
            "trace --data pima --learner paum --vectors 20",
            "--vectors is for pocketron",
        ),
        (
            "trace --data pima --learner pocketron --vectors 2",
            "--vectors 2 holds no support vector of 8 features; the least is 4",
        ),
        (
            "trace --data pima --learner pocketron --vectors 20 --budget 9",
            "'--vectors <N>' cannot be used with '--budget <B>'",
        ),
        (
            "evaluate --data pima --learner tightest --vectors 20 --train 500",
            "--vectors is for pocketron",
        ),
        (
            "evaluate --data pima --learner tightest --bytes 900 --train 500",
            "--bytes is for pocketron",
        ),
        (
            "evaluate --data pima --learner pocketron --bytes 100 --train 500",
            "--bytes 100 holds no support vector of 8 features; the least is 164",
        ),
        (
            "trace --data pima --learner pocketron --vectors 20 --bytes 900",
            "'--vectors <N>' cannot be used with '--bytes <N>'",
        ),
        (
            "evaluate --data nosuch.csv --learner pocketron --train 5",
            "no file `nosuch.csv`",
        ),
        (
            "evaluate --data pima --learner fixed --train 769",
            "--train 769: pima has 768 rows",
        ),
        (
            "evaluate --data pima --learner fixed --train 768",
            "no rows are left to test on",
        ),
        (
            "evaluate --data pima --learner fixed",
            "required arguments were not provided",
        ),
    ] {
        let output = POCKETRON.run(&format!("{arguments} {}", COMMITTED));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{arguments}");
        assert!(output.stdout.is_empty(), "{arguments}");
        let mut lines = stderr.lines();
        let first = lines.next().unwrap_or_default();
        assert!(
            first.starts_with("error: ") && first.contains(words),
            "{arguments}: {stderr}"
        );
        for noise in ["panicked", "backtrace", "src/"] {
            assert!(!stderr.contains(noise), "{arguments}: {stderr}");
        }
        // The parser of options adds where to read on; a missing set, where it was looked for.
        let explained = output.status.code() == Some(2) || words.starts_with("no data set");
        assert_eq!(lines.next().is_some(), explained, "{arguments}: {stderr}");
    }
}

#[test]
fn a_reader_who_has_enough_is_no_failure() {
    let mut command = Command::new(POCKETRON.0);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = command.arg("data").stdout(writer).output();
    let output = output.expect("the command starts");
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    // A full disk is a failure, but no panic.
    let full = || std::fs::File::options().write(true).open("/dev/full").ok();
    if let Some(device) = full() {
        let mut command = Command::new(POCKETRON.0);
        let output = command.arg("data").stdout(device).output();
        let output = output.expect("the command starts");
        assert_eq!(output.status.code(), Some(1));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.starts_with("error: no output to stdout: "),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
    if let Some(device) = full() {
        let mut command = Command::new(POCKETRON.0);
        let words = "trace --data no.csv --learner perceptron".split(' ');
        let status = command.args(words).stderr(device).status();
        let status = status.expect("the command starts");
        assert_eq!(status.code(), Some(1), "a panic has another");
    }
}
