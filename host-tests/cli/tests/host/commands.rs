//! The `pocketron` command as a user meets it: options, output, exit codes.

use std::process::{Command, Output};

use pocketron::{
    prelude::*,
    wrap::{
        confidence::{Calibrated, NoveltyDetector},
        drift::{DriftMonitor, Reset},
    },
};
use pocketron_cli::model::image_of;
use pocketron_host::data::Places;
use serde_json::Value;

use crate::common::{
    at_hand,
    files::Scratch,
    golden::{DRAWN, Golden},
};

fn pocketron(arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pocketron"));
    command.current_dir(pocketron_host::FOLDER);
    command
        .args(arguments.split(' '))
        .env("RUST_BACKTRACE", "1");
    command.output().expect("the command starts")
}

/// What a command that succeeds prints.
fn printed(arguments: &str) -> String {
    let output = pocketron(arguments);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {stderr}");
    String::from_utf8(output.stdout).expect("text")
}

fn trace(arguments: &str) -> Value {
    let text = printed(&format!("trace {arguments}"));
    assert_eq!(text.lines().count(), 1, "one JSON object on one line");
    serde_json::from_str(&text).expect("JSON")
}

/// Picks the sets that come along, whatever else is at hand.
const COMMITTED: &str = "--data-dir data";

fn number(trace: &Value, field: &str) -> u64 {
    trace[field]
        .as_u64()
        .unwrap_or_else(|| panic!("{field} of {trace}"))
}

fn numbers(trace: &Value, field: &str) -> Vec<f64> {
    let list = trace[field].as_array();
    let list = list.unwrap_or_else(|| panic!("{field} of {trace}"));
    list.iter()
        .map(|one| one.as_f64().expect("a number"))
        .collect()
}

#[test]
fn a_trace_of_every_kind_of_learner_has_its_fields() {
    let pima = COMMITTED.to_string() + " --data pima --limit 200 --standardize --learner";
    let kernel = "--kernel rbf:0.1 --budget 12";
    for learner in [
        "perceptron",
        "stoptron",
        "forgetron",
        "tightest",
        "bpa-s",
        "merge",
    ] {
        let trace = trace(&format!("{pima} {learner} {kernel}"));
        assert_eq!((number(&trace, "rows"), number(&trace, "dim")), (200, 8));
        let (sv, alpha) = (numbers(&trace, "sv"), numbers(&trace, "alpha"));
        assert_eq!(sv.len(), alpha.len(), "{learner}");
        assert!(
            sv.is_sorted_by(|a, b| a < b) && sv.iter().all(|row| *row < 200.0),
            "{learner}: {sv:?}"
        );
        assert!(
            alpha.iter().all(|alpha| *alpha != 0.0),
            "{learner}: {alpha:?}"
        );
        let (mistakes, updates) = (number(&trace, "mistakes"), number(&trace, "updates"));
        assert!((20..150).contains(&mistakes), "{learner}: {mistakes}");
        match learner {
            "perceptron" => assert_eq!((updates, sv.len() as u64), (mistakes, mistakes)),
            // What moved the hypothesis, not what fired.
            "stoptron" => assert_eq!((updates, sv.len()), (12, 12)),
            _ => assert!(updates > 12 && sv.len() == 12, "{learner}: {updates}"),
        }
        let counted = trace.get("cplus").is_some() && trace.get("cminus").is_some();
        assert_eq!(counted, learner == "tightest");
        if counted {
            let counts = numbers(&trace, "cplus").len() + numbers(&trace, "cminus").len();
            assert_eq!(counts, 24);
        }
    }
}

#[test]
fn a_trace_of_the_family_says_what_was_learned() {
    let pima =
        COMMITTED.to_string() + " --data pima --limit 200 --standardize --epochs 3 --learner";
    for (learner, fields) in [
        (
            "kw",
            &[
                "w",
                "theta",
                "errors_last",
                "errors_longest",
                "errors_voted",
            ][..],
        ),
        ("paum", &["w", "b", "errors"]),
        ("alma", &["w", "b", "errors"]),
        ("paum-kernel", &["sv", "alpha", "b"]),
        ("voted", &["sv", "sign", "counts"]),
    ] {
        let trace = trace(&format!("{pima} {learner}"));
        for field in fields {
            assert!(trace.get(field).is_some(), "{learner} lacks {field}");
        }
        assert_eq!(
            (number(&trace, "rows"), number(&trace, "epochs")),
            (200, 3),
            "{learner}"
        );
        if fields.contains(&"w") {
            assert_eq!(numbers(&trace, "w").len(), 8, "{learner}");
        }
        if learner == "voted" {
            let votes = numbers(&trace, "counts");
            assert_eq!(votes.len(), numbers(&trace, "sv").len() + 1);
            assert_eq!(
                votes.iter().sum::<f64>(),
                600.0,
                "one vote for each example"
            );
        }
    }
}

#[test]
fn a_trace_of_the_golden_rows_is_the_golden_trace() {
    let drawn = format!("{DRAWN}:2000");
    let mut runs: Vec<(&str, &str, &str)> = Vec::new();
    for learner in ["tightest", "perceptron"] {
        runs.push((DRAWN, &drawn, learner));
        if at_hand::data("banana").is_some() {
            runs.push(("banana", "banana --limit 2000", learner));
        }
    }
    for (set, data, learner) in runs {
        let golden = Golden::read(&format!("{set}2000_{learner}_B20.json"));
        let options = format!("--kernel rbf:5 --budget 20 --learner {learner}");
        let trace = trace(&format!("--data {data} {options}"));
        assert_eq!(number(&trace, "rows"), golden.rows as u64);
        assert_eq!(
            Some(number(&trace, "mistakes") as usize),
            golden.mistakes,
            "{learner}"
        );
        let sv: Vec<f64> = golden.sv.iter().map(|row| *row as f64).collect();
        assert_eq!(numbers(&trace, "sv"), sv, "{learner}");
        assert_eq!(numbers(&trace, "alpha"), golden.alpha, "{learner}");
        for (field, golden) in [("cplus", golden.cplus), ("cminus", golden.cminus)] {
            assert_eq!(golden.is_some(), trace.get(field).is_some(), "{learner}");
            for (ours, golden) in golden
                .iter()
                .flat_map(|golden| numbers(&trace, field).into_iter().zip(golden))
            {
                assert!(
                    (ours - golden).abs() <= 1e-4 * golden.abs(),
                    "{field}: {ours} {golden}"
                );
            }
        }
    }
}

#[test]
fn an_evaluation_prints_mean_and_deviation_of_three_figures() {
    let options = "--data pima --learner tightest --kernel rbf:0.1 --budget 10 --standardize";
    let command = format!(
        "evaluate {} {options} --train 500 --permutations 4",
        COMMITTED
    );
    let text = printed(&command);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert_eq!(
        lines[0],
        "pima: 500 rows to learn, 268 to test, 4 permutations"
    );
    assert_eq!(lines[1], "tightest, kernel exp(-0.1 d^2), budget 10");
    assert!(lines[2].split_whitespace().eq(["mean", "sd"]), "{text}");
    let figures = |line: &str, name: &str| {
        let numbers = line
            .strip_prefix(name)
            .unwrap_or_else(|| panic!("{name} in {line}"));
        let mut numbers = numbers
            .split_whitespace()
            .map(|word| word.parse().expect("a number"));
        let pair: (f64, f64) = (numbers.next().expect("mean"), numbers.next().expect("sd"));
        assert_eq!(numbers.next(), None, "{line}");
        pair
    };
    let (accuracy, sd) = figures(lines[3], "test accuracy %");
    assert!(
        (65.0..85.0).contains(&accuracy) && (0.01..6.0).contains(&sd),
        "{text}"
    );
    let (mistakes, sd) = figures(lines[4], "mistakes");
    assert!((100.0..250.0).contains(&mistakes) && sd > 0.0, "{text}");
    assert_eq!(figures(lines[5], "support vectors"), (10.0, 0.0));
    assert_eq!(printed(&command), text, "orders come from the seed");
    let other = printed(&format!("{command} --seed 100"));
    assert_ne!(other, text, "another seed, other orders");
}

/// The learner of the core in fixed memory is the judge: raw rows, the same mistakes, the same coefficients.
#[test]
fn a_trace_of_the_default_learner_is_what_the_core_does() {
    let data = Places::new(Some("data".as_ref())).load("pima").unwrap();
    let data = data.binary(None).unwrap().to_dense().unwrap();
    let data = data.to_f32().unwrap();
    let traced = |model: &mut Pocketron<8, 68>, options: &str| {
        let (mut mistakes, mut updates) = (0, 0);
        for (x, label) in data.iter() {
            let x: &[f32; 8] = x.try_into().unwrap();
            let outcome = model.learn(x, Sign::of(label as f32)).unwrap();
            mistakes += u64::from(outcome.mistake);
            updates += u64::from(outcome.changed());
        }
        let trace = trace(&format!(
            "{COMMITTED} --data pima --learner pocketron {options}"
        ));
        assert_eq!(
            (number(&trace, "mistakes"), number(&trace, "updates")),
            (mistakes, updates),
            "{options}"
        );
        // A trace has them by age; the core in the order of its slots.
        let sorted = |mut alphas: Vec<f32>| {
            alphas.sort_by(f32::total_cmp);
            alphas
        };
        let ours = numbers(&trace, "alpha").into_iter();
        let ours = sorted(ours.map(|alpha| alpha as f32).collect());
        let theirs = model.vectors().rows().iter().map(|row| row.coefficient(0));
        assert_eq!(ours, sorted(theirs.collect()), "{options}");
        mistakes
    };
    // 20 (4 * 8 + 13) bytes are 68 vectors of 11 bytes, and what else there is.
    let usual = traced(&mut Pocketron::new(), "--vectors 20");
    assert_eq!(usual, traced(&mut Pocketron::new(), "--budget 68"));
    let mut narrow = Pocketron::with_gamma(2.0).unwrap();
    let other = traced(&mut narrow, "--vectors 20 --kernel rbf:2");
    assert_ne!(usual, other, "a width to start from is heard");
}

#[test]
fn an_evaluation_of_several_classes_says_the_budget_that_it_uses() {
    let line = format!("evaluate {COMMITTED} --data digits --multiclass --learner pocketron");
    let line = format!("{line} --train 1400 --permutations 1 --vectors 10");
    // 10 (4 * 64 + 13) bytes are vectors of 64 + 10 + 2 bytes, and what else there is.
    for (options, kernel) in [
        ("", "weighted kernel"),
        (
            " --kernel rbf:0.1",
            "weighted kernel, starting from exp(-0.1 d^2)",
        ),
    ] {
        let text = printed(&format!("{line}{options}"));
        let told = format!("pocketron, {kernel}, budget 24 in the bytes of 10 vectors of Tightest");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], told);
        let stored = lines[5].split_whitespace().nth(2);
        assert_eq!(stored, Some("24.00"), "{text}");
        // The confusion matrix has every test row, and the accuracy above.
        let matrix = &lines[lines.len() - 13..];
        assert_eq!(matrix[0], "test rows of all permutations:", "{text}");
        assert!(matrix[1].ends_with("9  right %"), "{text}");
        let cells = matrix[2..12].iter().map(|line| {
            let cells = line.split_whitespace().map(|cell| cell.parse::<f64>());
            cells.collect::<Result<Vec<_>, _>>().expect("numbers")
        });
        let cells: Vec<Vec<f64>> = cells.collect();
        assert_eq!(cells.iter().flat_map(|row| &row[1..11]).sum::<f64>(), 397.0);
        let right: f64 = (0..10).map(|class| cells[class][class + 1]).sum();
        let accuracy = lines[3].split_whitespace().nth(3).expect("a mean");
        assert_eq!(accuracy, format!("{:.2}", 100.0 * right / 397.0), "{text}");
    }
}

#[test]
fn a_budget_in_bytes_is_the_size_of_the_model() {
    let two = size_of::<Pocketron<8, 20>>();
    let many = size_of::<PocketronMulti<64, 20, 10>>();
    let line = "--learner pocketron --train 300 --permutations 1";
    for (set, bytes) in [("pima", two), ("digits --multiclass", many)] {
        for (bytes, budget) in [(bytes, 20), (bytes + 3, 20), (bytes - 1, 19)] {
            let options = format!("{COMMITTED} --data {set} {line} --bytes {bytes}");
            let text = printed(&format!("evaluate {options}"));
            let told = format!("budget {budget} in {bytes} bytes");
            assert!(text.contains(&told), "{told}: {text}");
        }
    }
}

#[test]
fn a_header_is_announced_and_a_byte_order_mark_is_no_header() {
    let scratch = Scratch::new("header");
    let rows = "1,0.5,0\n-1,0.25,2\n";
    for (text, rows, noted) in [
        (format!("label,x,y\n{rows}"), 2, true),
        (format!("\u{feff}label,x,y\n{rows}"), 2, true),
        (format!("\u{feff}{rows}"), 2, false),
        (rows.to_owned(), 2, false),
    ] {
        let path = scratch.put("own.csv", text.as_bytes());
        let line = format!("trace --learner perceptron --data {}", path.display());
        let output = pocketron(&line);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            stderr.contains("own.csv:1: `label,x,y` is a header"),
            noted,
            "{text}: {stderr}"
        );
        assert_eq!(number(&trace(&line["trace ".len()..]), "rows"), rows);
    }
    let path = scratch.put("own.libsvm", "\u{feff}1 1:2\n-1 2:1\n".as_bytes());
    let line = format!("--learner perceptron --data {}", path.display());
    assert_eq!(number(&trace(&line), "rows"), 2);
}

/// A row in LIBSVM form may leave zeros out; a row in columns may not.
#[test]
fn training_and_test_sets_of_different_features_are_refused() {
    let scratch = Scratch::new("different-features");
    scratch.put("two.csv", b"1,1,2\n-1,2,1\n");
    scratch.put("three.csv", b"1,1,2,3\n-1,2,1,3\n");
    scratch.put("two.libsvm", b"1 1:1 2:2\n-1 1:2\n");
    scratch.put("three.libsvm", b"1 1:1 3:2\n-1 1:2\n");
    let evaluate = |train: &str, test: &str| {
        let path = |name: &str| scratch.0.join(name).display().to_string();
        let (train, test) = (path(train), path(test));
        pocketron(&format!(
            "evaluate --learner perceptron --data {train} --test {test}"
        ))
    };
    for (train, test, fits) in [
        ("two.csv", "two.csv", true),
        ("two.csv", "three.csv", false),
        ("three.csv", "two.csv", false),
        ("two.csv", "three.libsvm", false),
        ("three.libsvm", "two.csv", false),
        ("three.csv", "two.libsvm", true),
        ("two.libsvm", "three.libsvm", true),
    ] {
        let output = evaluate(train, test);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), fits, "{train} {test}: {stderr}");
        assert_eq!(stderr.contains("different numbers of features"), !fits);
    }
    let stderr = evaluate("two.csv", "three.csv").stderr;
    let stderr = String::from_utf8_lossy(&stderr);
    assert!(
        stderr.ends_with(": 2 features and 3 features\n"),
        "{stderr}"
    );
}

#[test]
fn an_evaluation_of_the_default_learner_needs_no_kernel() {
    let line = format!("evaluate {COMMITTED} --data pima --train 500 --permutations 3");
    let text = printed(&format!("{line} --learner pocketron --vectors 20"));
    let lines: Vec<&str> = text.lines().collect();
    let told = "pocketron, weighted kernel, budget 68 in the bytes of 20 vectors of Tightest";
    assert_eq!(lines[1], told);
    let accuracy = lines[3].split_whitespace().nth(3).expect("a mean");
    let accuracy: f64 = accuracy.parse().expect("a number");
    assert!((68.0..85.0).contains(&accuracy), "{text}");
    let started = printed(&format!(
        "{line} --learner pocketron --budget 68 --kernel rbf:0.375"
    ));
    let told = "pocketron, weighted kernel, starting from exp(-0.375 d^2), budget 68";
    assert_eq!(started.lines().nth(1), Some(told));
    // 0.375 is 3 / 8, and 68 what fits.
    assert!(started.lines().skip(2).eq(lines[2..].iter().copied()));
}

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
        let output = pocketron(&format!("{arguments} {}", COMMITTED));
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

/// Mean 3 and mean square deviation 6 over the first three rows, so that the first becomes `-3 / sqrt(6)`; with a
/// divisor of `N - 1` it would become -1, and with the fourth row something else again.
#[test]
fn standardizing_divides_by_the_deviation_of_the_rows_that_are_kept() {
    let scratch = Scratch::new("standardize");
    let path = scratch.put("tiny.libsvm", b"-1 1:0\n-1 1:3\n+1 1:6\n-1 1:1000\n");
    let options = format!("--data {} --limit 3 --standardize", path.display());
    let trace = trace(&format!("{options} --learner paum --no-bias"));
    // The second row is zero and the third is on the right side: the first alone made w.
    assert_eq!(numbers(&trace, "w").len(), 1);
    let (w, expected) = (numbers(&trace, "w")[0], 3.0 / 6_f64.sqrt());
    assert!((w - expected).abs() <= 1e-6, "{w} {expected}");
    assert_eq!(
        (number(&trace, "rows"), number(&trace, "errors")),
        (3, 1),
        "a score of 0 is an error"
    );
}

#[test]
fn the_named_labels_are_positive_and_all_others_negative() {
    let scratch = Scratch::new("positive");
    scratch.put("classes.libsvm", b"3 1:1\n5 2:1\n8 3:1\n0 4:1\n");
    let options = format!(
        "--data classes --data-dir {} --learner perceptron",
        scratch.0.display()
    );
    for (positive, alpha) in [
        ("", [1.0, 1.0, 1.0, -1.0]),
        (" --positive 5,8", [-1.0, 1.0, 1.0, -1.0]),
        (" --positive 0", [-1.0, -1.0, -1.0, 1.0]),
    ] {
        let trace = trace(&format!("{options}{positive}"));
        assert_eq!(numbers(&trace, "alpha"), alpha, "{positive}");
    }
}

#[test]
fn a_set_is_found_by_its_name_and_by_its_path_with_or_without_ending() {
    let scratch = Scratch::new("names");
    let path = scratch.put("own.libsvm", b"+1 1:1\n-1 2:1\n");
    let folder = scratch.0.display();
    for data in [
        format!("own --data-dir {folder}"),
        format!("{folder}/own"),
        format!("{}", path.display()),
    ] {
        let trace = trace(&format!("--data {data} --learner perceptron"));
        assert_eq!(
            (number(&trace, "rows"), number(&trace, "dim")),
            (2, 2),
            "{data}"
        );
    }
}

#[test]
fn the_help_of_a_trace_says_what_an_update_is() {
    let help = printed("trace --help");
    assert!(
        help.contains("updates        examples that moved the hypothesis"),
        "{help}"
    );
}

#[test]
fn a_reader_who_has_enough_is_no_failure() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pocketron"));
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let output = command.arg("data").stdout(writer).output();
    let output = output.expect("the command starts");
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    // A full disk is a failure, but no panic.
    let full = || std::fs::File::options().write(true).open("/dev/full").ok();
    if let Some(device) = full() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pocketron"));
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
        let mut command = Command::new(env!("CARGO_BIN_EXE_pocketron"));
        let words = "trace --data no.csv --learner perceptron".split(' ');
        let status = command.args(words).stderr(device).status();
        let status = status.expect("the command starts");
        assert_eq!(status.code(), Some(1), "a panic has another");
    }
}

/// A model that knows its confidence: its wrappers by name, and what they say about rows.
#[test]
fn a_model_in_wrappers_is_shown_and_asked() {
    let mut model = Calibrated::<NoveltyDetector<DriftMonitor<Pocketron<1, 8>, Reset>, 10>>::new();
    let mut rows = String::from("label,x\n");
    for n in 0..300_u32 {
        let (x, hot) = ((n * 37 % 40) as f32, n * 37 % 40 >= 20);
        let label = if hot { Sign::Pos } else { Sign::Neg };
        model.learn(&[x], label).expect("a good example");
        if n < 40 {
            rows += &format!("{},{x}\n", i32::from(hot));
        }
    }
    let scratch = Scratch::new("model-wrapped");
    let image = scratch.put("a.pktn", &image_of(&model));
    let file = scratch.put("some.csv", rows.as_bytes());
    let (image, file) = (image.display(), file.display());

    let shown = printed(&format!("model show {image}"));
    let fact = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("no `{name}` in {text}"))
            .to_string()
    };
    assert!(fact(&shown, "calibrated").contains("probability of class 1"));
    assert!(fact(&shown, "familiar").contains("10 % of the examples"));
    assert!(fact(&shown, "watched").contains("on alarm: forget and learn anew"));
    assert!(fact(&shown, "class ").ends_with("examples  vectors  at most  recalled"));
    assert!(fact(&shown, "recalled:").contains("leave-one-out on stored vectors"));
    let words = |line: String| -> Vec<String> { line.split_whitespace().map(Into::into).collect() };
    let seen = model.learner().learner().learner().seen(Class(1));
    assert_eq!(words(fact(&shown, "1 "))[1], seen.to_string(), "{shown}");

    let asked = printed(&format!("model ask {image} {file} --rows --labels 0,1"));
    let heading = [
        "row",
        "label",
        "taken",
        "for",
        "score",
        "probability",
        "known",
    ];
    assert_eq!(words(fact(&asked, "row")), heading);
    let first = words(fact(&asked, "1 "));
    let probability = model.confidence(&[0.0]).expect("good");
    assert_eq!(first[4], format!("{probability:.3}"), "{asked}");
    let summary = fact(&asked, "label ");
    assert!(summary.ends_with("mean probability  unknown"), "{asked}");
    assert!(fact(&asked, "class ").ends_with("recalled"), "{asked}");
    let short = printed(&format!("model ask {image} {file}"));
    assert!(asked.contains(&short), "{short}");
}
