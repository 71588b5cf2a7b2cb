//! The reference against traces that another float64 implementation left behind
//! (`golden/README.md`).
//!
//! Needs the first 2000 rows of `banana.libsvm.gz`, looked for in `$POCKETRON_DATA`, then in
//! `data/` of the repository; what happens without them says `common/at_hand.rs`.

use pocketron_host::reference::{Algorithm, Kernel, Settings, Trace, paum, run, voted};

use crate::common::golden::Golden;

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

/// The rows as the reference takes them, or nothing when the set is not there.
fn rows(golden: &Golden) -> Option<Vec<(Vec<f64>, f64)>> {
    let data = golden.data()?;
    Some(data.iter().map(|(x, label)| (x.to_vec(), label)).collect())
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
    let golden = Golden::read(&format!("banana2000_{algorithm}_B20.json"));
    assert_eq!(golden.algo, algorithm.name());
    let Some(data) = rows(&golden) else { return };
    let Trace {
        mistakes,
        updates,
        sv,
        alpha,
        cplus,
        cminus,
        scores,
        ..
    } = run(
        algorithm,
        kernel(&golden),
        Settings::usual(algorithm, golden.budget),
        &data,
        1,
    );
    assert_eq!(Some(mistakes), golden.mistakes);
    assert_eq!((updates, scores.len()), (mistakes, golden.rows));
    assert_eq!(sv, golden.sv);
    assert_close("alpha", &alpha, &golden.alpha);
    if let (Some(golden_cplus), Some(golden_cminus)) = (&golden.cplus, &golden.cminus) {
        assert_close("c+", &cplus, golden_cplus);
        assert_close("c-", &cminus, golden_cminus);
    }
    assert_eq!(
        golden.cplus.is_some(),
        algorithm == Algorithm::Tightest,
        "counts are recorded for tightest alone"
    );
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
    let golden = Golden::read("banana500_paum-kernel_tm0_tp1_T3_nobias.json");
    let Some(data) = rows(&golden) else { return };
    let solution = paum::paum(kernel(&golden), [0.0, 1.0], 1.0, &data, 3);
    let (sv, alpha): (Vec<usize>, Vec<f64>) = solution
        .alpha
        .into_iter()
        .enumerate()
        .filter(|(_, a)| *a != 0.0)
        .unzip();
    assert_eq!(
        (Some(solution.updates), sv, alpha),
        (golden.updates, golden.sv, golden.alpha)
    );
}

#[test]
fn voted_perceptron() {
    let golden = Golden::read("banana500_voted_poly3_T2.json");
    let Some(data) = rows(&golden) else { return };
    let voted = voted::voted(kernel(&golden), &data, 2);
    assert_eq!(Some(voted.sv.len()), golden.mistakes);
    assert_eq!(
        (voted.sv, voted.sign, voted.counts),
        (golden.sv, golden.sign, golden.counts)
    );
}
