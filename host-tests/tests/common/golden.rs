//! Golden traces (`golden/README.md`) and the rows they were made from.

use std::{
    fs,
    path::{Path, PathBuf},
};

use pocketron_testkit::data::{DenseData, generate::Sample};
use serde::{Deserialize, Serialize};

use super::at_hand;

/// The set that is drawn and not read: its traces are checked in every clone.
pub const DRAWN: &str = "checkerboard";

/// A golden file; each kind of learner fills some of the fields.
#[derive(Default, Deserialize, Serialize)]
pub struct Golden {
    /// Rows of the data set that were learned.
    pub rows: usize,
    /// Features of a row.
    pub dim: usize,
    /// Algorithm, as the command line names it.
    pub algo: String,
    /// `rbf` or `poly`.
    pub kernel: String,
    /// Width or degree.
    pub param: f64,
    /// Support vectors at most.
    pub budget: usize,
    /// Examples with `y f <= 0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistakes: Option<usize>,
    /// Examples on which the rule fired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updates: Option<usize>,
    /// Rows of the support vectors, oldest first.
    pub sv: Vec<usize>,
    /// Their signed weights.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alpha: Vec<f64>,
    /// Labels of `sv` (voted).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sign: Vec<f64>,
    /// Votes (voted).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<f64>,
    /// Positive labels seen around each vector (tightest).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cplus: Option<Vec<f64>>,
    /// Negative labels seen around each vector (tightest).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cminus: Option<Vec<f64>>,
}

impl Golden {
    /// Reads a file of `golden/`.
    pub fn read(name: &str) -> Self {
        let text = fs::read_to_string(path(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Writes a file of `golden/`.
    pub fn write(&self, name: &str) {
        let text = serde_json::to_string(self).expect("finite numbers");
        fs::write(path(name), text + "\n").unwrap_or_else(|e| panic!("{name}: {e}"));
    }

    /// The traces of a run such as `2000_fixed_B20` with the rows they were made from: those of the drawn set, and
    /// those of Banana if it is there.
    pub fn of(run: &str) -> Vec<(Self, DenseData)> {
        let drawn = Self::read(&format!("{DRAWN}{run}.json"));
        let banana = Self::read(&format!("banana{run}.json"));
        let mut pairs = vec![(drawn, DRAWN), (banana, "banana")];
        let with_rows = |(golden, set): (Self, &str)| {
            let rows = rows(set, golden.rows)?;
            assert_eq!((rows.len(), rows.dim), (golden.rows, golden.dim), "{set}");
            Some((golden, rows))
        };
        pairs.drain(..).filter_map(with_rows).collect()
    }
}

/// The first rows of a set, if it is there; the drawn set is.
pub fn rows(set: &str, count: usize) -> Option<DenseData> {
    if set == DRAWN {
        let sample = Sample::parse(&format!("{set}:{count}"));
        return Some(sample.expect("a drawn set").expect("few rows").draw());
    }
    let rows = at_hand::data(set)?.limit(count);
    Some(rows.to_dense().expect("two features"))
}

fn path(name: &str) -> PathBuf {
    Path::new(pocketron_testkit::FOLDER)
        .join("golden")
        .join(name)
}
