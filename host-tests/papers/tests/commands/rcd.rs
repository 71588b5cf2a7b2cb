//! `pocketron rcd` as a user meets it.

use crate::program::{COMMITTED, Program};

const PAPERS: Program = Program(env!("CARGO_BIN_EXE_pocketron-papers"));

#[test]
fn rcd_prints_a_line_for_each_learner() {
    let line = format!("rcd {COMMITTED} --set pima --runs 2 --epochs 20");
    let text = PAPERS.printed(&format!("{line} --learner rcd-bias,pocket,ave-perc"));
    assert!(
        text.starts_with("pima: 2 runs, 614 examples to learn"),
        "{text}"
    );
    for learner in ["rcd-bias", "pocket", "ave-perc"] {
        let row = text.lines().find(|line| line.starts_with(learner));
        let row = row.unwrap_or_else(|| panic!("{learner} in {text}"));
        let figures: Vec<f64> = row
            .split_whitespace()
            .skip(1)
            .flat_map(str::parse)
            .collect();
        let [training, _, test, _, planes] = figures[..] else {
            panic!("{row}");
        };
        assert!((15.0..30.0).contains(&training) && (15.0..35.0).contains(&test));
        assert_eq!(planes, 1.0);
    }
    // The same again, bit for bit.
    let once = PAPERS.printed(&format!("{line} --learner rcd-plain --directions gaussian"));
    assert_eq!(
        once,
        PAPERS.printed(&format!("{line} --learner rcd-plain --directions gaussian"))
    );
    let boosted = "rcd --set yinyang --runs 2 --epochs 10 --boost 7 --seed-with zero";
    let text = PAPERS.printed(&format!("{boosted} --learner rcd-plain"));
    assert!(text.trim_end().ends_with("7.0"), "{text}");
}

#[test]
fn rcd_refuses_what_it_cannot_do() {
    for (arguments, complaint) in [
        (
            "--set pima --learner rcd-bias --runs 0",
            "nothing to measure",
        ),
        ("--set pima --learner rcd-bias --boost 201", "1 to 200"),
        ("--set no-such-set --learner rcd-bias", "no-such-set"),
        ("--set pima --learner sorcery", "sorcery"),
        ("--set pima", "--learner"),
    ] {
        let output = PAPERS.run(&format!("rcd {COMMITTED} {arguments}"));
        assert!(!output.status.success(), "{arguments}");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(complaint), "{arguments}: {stderr}");
    }
}
