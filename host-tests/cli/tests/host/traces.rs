//! `pocketron trace`: what it prints of which learner.

use pocketron::prelude::*;
use pocketron_testkit::data::Places;

use crate::{
    command::{POCKETRON, number, numbers, trace},
    common::{
        at_hand,
        golden::{DRAWN, Golden},
        program::COMMITTED,
    },
};

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
fn the_help_of_a_trace_says_what_an_update_is() {
    let help = POCKETRON.printed("trace --help");
    assert!(
        help.contains("updates        examples that moved the hypothesis"),
        "{help}"
    );
}
