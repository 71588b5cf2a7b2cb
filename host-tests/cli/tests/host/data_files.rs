//! Files of a user's own: how they are found, read and prepared.

use crate::{
    command::{POCKETRON, number, numbers, trace},
    common::files::Scratch,
};

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
        let output = POCKETRON.run(&line);
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
        POCKETRON.run(&format!(
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
fn features_of_a_recording_are_rows_that_can_be_learned() {
    let scratch = Scratch::new("features");
    let text = POCKETRON.printed("features watch --person 3");
    let out = scratch.put("windows.csv", text.as_bytes());
    let mut lines = text.lines();
    assert!(
        lines
            .next()
            .is_some_and(|line| line.starts_with("label,x mean,x level,"))
    );
    assert!(lines.all(|line| line.split(',').count() == 13));
    let learned = format!(
        "evaluate --data {} --multiclass --learner pocketron --budget 40 --train 150 --permutations 1",
        out.display()
    );
    assert!(POCKETRON.printed(&learned).contains('%'), "an accuracy");

    let two = scratch.put("two.csv", b"a,b\n1,2\n");
    for (arguments, message) in [
        ("features watch --window 100", "not of 100"),
        ("features watch --person Ann", "nobody is called Ann"),
        ("features nowhere.csv", "nowhere.csv"),
        (&format!("features {}", two.display()), "2 channels (a, b)"),
    ] {
        let output = POCKETRON.run(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && stderr.contains(message),
            "{arguments}: {stderr}"
        );
    }
}
