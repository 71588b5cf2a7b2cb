//! `pocketron evaluate`: figures, budgets and confusions.

use pocketron::prelude::*;

use crate::{command::POCKETRON, common::program::COMMITTED};

#[test]
fn an_evaluation_prints_mean_and_deviation_of_three_figures() {
    let options = "--data pima --learner tightest --kernel rbf:0.1 --budget 10 --standardize";
    let command = format!(
        "evaluate {} {options} --train 500 --permutations 4",
        COMMITTED
    );
    let text = POCKETRON.printed(&command);
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
    assert_eq!(
        POCKETRON.printed(&command),
        text,
        "orders come from the seed"
    );
    let other = POCKETRON.printed(&format!("{command} --seed 100"));
    assert_ne!(other, text, "another seed, other orders");
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
        let text = POCKETRON.printed(&format!("{line}{options}"));
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
            let text = POCKETRON.printed(&format!("evaluate {options}"));
            let told = format!("budget {budget} in {bytes} bytes");
            assert!(text.contains(&told), "{told}: {text}");
        }
    }
}

#[test]
fn an_evaluation_of_the_default_learner_needs_no_kernel() {
    let line = format!("evaluate {COMMITTED} --data pima --train 500 --permutations 3");
    let text = POCKETRON.printed(&format!("{line} --learner pocketron --vectors 20"));
    let lines: Vec<&str> = text.lines().collect();
    let told = "pocketron, weighted kernel, budget 68 in the bytes of 20 vectors of Tightest";
    assert_eq!(lines[1], told);
    let accuracy = lines[3].split_whitespace().nth(3).expect("a mean");
    let accuracy: f64 = accuracy.parse().expect("a number");
    assert!((68.0..85.0).contains(&accuracy), "{text}");
    let started = POCKETRON.printed(&format!(
        "{line} --learner pocketron --budget 68 --kernel rbf:0.375"
    ));
    let told = "pocketron, weighted kernel, starting from exp(-0.375 d^2), budget 68";
    assert_eq!(started.lines().nth(1), Some(told));
    // 0.375 is 3 / 8, and 68 what fits.
    assert!(started.lines().skip(2).eq(lines[2..].iter().copied()));
}
