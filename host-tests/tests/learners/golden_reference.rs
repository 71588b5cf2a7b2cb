//! The reference against golden traces (`golden/README.md`).
//!
//! Those of a drawn set were written by the reference itself: run this with `POCKETRON_BLESS=1` to write them again.
//! Those of Banana come from another float64 implementation. They need the first 2000 rows of `banana.libsvm.gz`, looked
//! for in `$POCKETRON_DATA`, then in `data/` of the repository; `common/at_hand.rs` says what happens without them.

use pocketron_testkit::{
    data::DenseData,
    reference::{Algorithm, Kernel, Settings, Trace, paum, run, voted},
};

use crate::common::golden::{self, DRAWN, Golden};

fn kernel(golden: &Golden) -> Kernel {
    match golden.kernel.as_str() {
        "rbf" => Kernel::Gaussian {
            gamma: golden.param,
        },
        "poly" => Kernel::Polynomial {
            degree: golden.param as u32,
            scale: 1.0,
            offset: 1.0,
        },
        other => panic!("unknown kernel {other}"),
    }
}

const GAUSSIAN: (&str, f64) = ("rbf", 5.0);

/// What a run of the reference leaves behind, without the results.
fn golden_of(data: &DenseData, algo: &str, (kernel, param): (&str, f64)) -> Golden {
    Golden {
        rows: data.len(),
        dim: data.dim,
        algo: algo.into(),
        kernel: kernel.into(),
        param,
        budget: 20,
        ..Golden::default()
    }
}

/// The rows as the reference takes them.
fn rows(data: &DenseData) -> Vec<(Vec<f64>, f64)> {
    data.iter().map(|(x, label)| (x.to_vec(), label)).collect()
}

/// Holds the reference against all traces of a run; with `POCKETRON_BLESS=1` that of the drawn rows is written first.
fn matches_its_traces(name: &str, count: usize, traced: impl Fn(&DenseData) -> Golden) {
    if std::env::var_os("POCKETRON_BLESS").is_some_and(|value| value == "1") {
        let data = golden::rows(DRAWN, count).expect("a drawn set");
        traced(&data).write(&format!("{DRAWN}{count}_{name}.json"));
    }
    for (golden, data) in Golden::of(&format!("{count}_{name}")) {
        let ours = traced(&data);
        assert_eq!(
            (ours.algo, ours.kernel, ours.param),
            (golden.algo, golden.kernel, golden.param)
        );
        assert_eq!(ours.mistakes, golden.mistakes);
        assert_eq!(ours.updates, golden.updates);
        assert_eq!(ours.sv, golden.sv);
        assert_close("alpha", &ours.alpha, &golden.alpha);
        assert_eq!((ours.sign, ours.counts), (golden.sign, golden.counts));
        assert_eq!(ours.cplus.is_some(), golden.cplus.is_some());
        let lists = |plus: Option<Vec<f64>>, minus: Option<Vec<f64>>| {
            [plus, minus].map(Option::unwrap_or_default)
        };
        let ours = lists(ours.cplus, ours.cminus);
        for (ours, golden) in ours.iter().zip(lists(golden.cplus, golden.cminus)) {
            assert_close("counts", ours, &golden);
        }
    }
}

fn assert_close(what: &str, ours: &[f64], golden: &[f64]) {
    assert_eq!(ours.len(), golden.len(), "{what}");
    for (i, (a, b)) in ours.iter().zip(golden).enumerate() {
        assert!(
            (a - b).abs() <= 1e-9 * b.abs(),
            "{what} {i}: {a}, golden {b}"
        );
    }
}

fn matches_its_golden_trace(algorithm: Algorithm) {
    matches_its_traces(&format!("{algorithm}_B20"), 2000, |data| {
        let mut golden = golden_of(data, algorithm.name(), GAUSSIAN);
        let settings = Settings::usual(algorithm, golden.budget);
        let Trace {
            mistakes,
            updates,
            sv,
            alpha,
            cplus,
            cminus,
            scores,
            ..
        } = run(algorithm, kernel(&golden), settings, &rows(data), 1);
        assert_eq!((updates, scores.len()), (mistakes, golden.rows));
        golden.mistakes = Some(mistakes);
        (golden.sv, golden.alpha) = (sv, alpha);
        if algorithm == Algorithm::Tightest {
            (golden.cplus, golden.cminus) = (Some(cplus), Some(cminus));
        }
        golden
    });
}

#[test]
fn perceptron() {
    matches_its_golden_trace(Algorithm::Perceptron);
}

#[test]
fn stoptron() {
    matches_its_golden_trace(Algorithm::Stoptron);
}

#[test]
fn remove_oldest() {
    matches_its_golden_trace(Algorithm::RemoveOldest);
}

#[test]
fn fixed() {
    matches_its_golden_trace(Algorithm::Fixed);
}

#[test]
fn forgetron() {
    matches_its_golden_trace(Algorithm::Forgetron);
}

#[test]
fn tighter0() {
    matches_its_golden_trace(Algorithm::Tighter0);
}

#[test]
fn tighterfull() {
    matches_its_golden_trace(Algorithm::TighterFull);
}

#[test]
fn tightest() {
    matches_its_golden_trace(Algorithm::Tightest);
}

#[test]
fn projectron() {
    matches_its_golden_trace(Algorithm::Projectron);
}

#[test]
fn paum_in_kernel_form() {
    matches_its_traces("paum-kernel_tm0_tp1_T3_nobias", 500, |data| {
        let mut golden = golden_of(data, "paum-kernel", GAUSSIAN);
        let solution = paum::paum(kernel(&golden), [0.0, 1.0], 1.0, &rows(data), 3);
        golden.updates = Some(solution.updates);
        let moved = solution.alpha.into_iter().enumerate();
        (golden.sv, golden.alpha) = moved.filter(|(_, alpha)| *alpha != 0.0).unzip();
        golden
    });
}

#[test]
fn voted_perceptron() {
    matches_its_traces("voted_poly3_T2", 500, |data| {
        let mut golden = golden_of(data, "voted", ("poly", 3.0));
        let voted = voted::voted(kernel(&golden), &rows(data), 2);
        golden.mistakes = Some(voted.sv.len());
        (golden.sv, golden.sign, golden.counts) = (voted.sv, voted.sign, voted.counts);
        golden
    });
}
