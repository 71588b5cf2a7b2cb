//! The reference against traces that another float64 implementation left behind
//! (`golden/README.md`).
//!
//! Needs the first 2000 rows of `banana.libsvm.gz`, looked for in `$POCKETRON_DATA`, then in
//! `data/` of the repository. Without them each test says so and passes.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use pocketron_host::reference::{Algorithm, Kernel, Settings, Trace, paum, run, voted};
use serde::Deserialize;

/// A golden file; each kind of learner fills some of the fields.
#[derive(Deserialize)]
struct Golden {
    rows: usize,
    dim: usize,
    algo: String,
    kernel: String,
    param: f64,
    budget: usize,
    mistakes: Option<usize>,
    updates: Option<usize>,
    sv: Vec<usize>,
    #[serde(default)]
    alpha: Vec<f64>,
    #[serde(default)]
    sign: Vec<f64>,
    #[serde(default)]
    counts: Vec<f64>,
    cplus: Option<Vec<f64>>,
    cminus: Option<Vec<f64>>,
}

impl Golden {
    fn read(name: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("golden")
            .join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn kernel(&self) -> Kernel {
        match self.kernel.as_str() {
            "rbf" => Kernel::Gaussian { gamma: self.param },
            "poly" => Kernel::Polynomial {
                degree: self.param as u32,
                scale: 1.0,
                offset: 1.0,
            },
            other => panic!("unknown kernel {other}"),
        }
    }

    /// The rows the trace was made from, or nothing (and a line that says why) when the file is not
    /// there.
    fn data(&self) -> Option<Vec<(Vec<f64>, f64)>> {
        let Some(path) = banana() else {
            // Past the test harness, which hides what a passing test prints.
            let why = "no banana.libsvm.gz in $POCKETRON_DATA or in data/ of the repository";
            let _ = writeln!(std::io::stderr(), "skipped {}: {why}", self.algo);
            return None;
        };
        let mut text = String::new();
        let file = fs::File::open(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        GzDecoder::new(file)
            .read_to_string(&mut text)
            .expect("gzipped text");
        let data: Vec<_> = text
            .lines()
            .take(self.rows)
            .map(|line| libsvm(line, self.dim))
            .collect();
        assert_eq!(data.len(), self.rows, "rows of {}", path.display());
        Some(data)
    }
}

fn banana() -> Option<PathBuf> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    let folders = std::env::var_os("POCKETRON_DATA")
        .map(PathBuf::from)
        .into_iter()
        .chain([repository]);
    folders
        .map(|folder| folder.join("banana.libsvm.gz"))
        .find(|path| path.is_file())
}

/// `label index:value ...`, indices from 1, what is not named is 0.
fn libsvm(line: &str, dim: usize) -> (Vec<f64>, f64) {
    let mut words = line.split_whitespace();
    let y = words.next().expect("a label").parse().expect("a number");
    let mut x = vec![0.0; dim];
    for word in words {
        let (index, value) = word.split_once(':').expect("index:value");
        x[index.parse::<usize>().expect("an index") - 1] = value.parse().expect("a number");
    }
    (x, y)
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
    let Some(data) = golden.data() else { return };
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
        golden.kernel(),
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
    let Some(data) = golden.data() else { return };
    let ledger = paum::paum(golden.kernel(), [0.0, 1.0], 1.0, &data, 3);
    let (sv, alpha): (Vec<usize>, Vec<f64>) = ledger
        .alpha
        .into_iter()
        .enumerate()
        .filter(|(_, a)| *a != 0.0)
        .unzip();
    assert_eq!(
        (Some(ledger.updates), sv, alpha),
        (golden.updates, golden.sv, golden.alpha)
    );
}

#[test]
fn voted_perceptron() {
    let golden = Golden::read("banana500_voted_poly3_T2.json");
    let Some(data) = golden.data() else { return };
    let voted = voted::voted(golden.kernel(), &data, 2);
    assert_eq!(Some(voted.sv.len()), golden.mistakes);
    assert_eq!(
        (voted.sv, voted.sign, voted.counts),
        (golden.sv, golden.sign, golden.counts)
    );
}
