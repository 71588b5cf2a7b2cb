//! Golden traces (`golden/README.md`) and the rows they were made from.

use std::{fs, path::Path};

use pocketron_host::data::DenseData;
use serde::Deserialize;

use super::at_hand;

/// A golden file; each kind of learner fills some of the fields.
#[derive(Deserialize)]
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
    pub mistakes: Option<usize>,
    /// Examples on which the rule fired.
    pub updates: Option<usize>,
    /// Rows of the support vectors, oldest first.
    pub sv: Vec<usize>,
    /// Their signed weights.
    #[serde(default)]
    pub alpha: Vec<f64>,
    /// Labels of `sv` (voted).
    #[serde(default)]
    pub sign: Vec<f64>,
    /// Votes (voted).
    #[serde(default)]
    pub counts: Vec<f64>,
    /// Positive labels seen around each vector (tightest).
    pub cplus: Option<Vec<f64>>,
    /// Negative labels seen around each vector (tightest).
    pub cminus: Option<Vec<f64>>,
}

impl Golden {
    /// Reads a file of `golden/`.
    pub fn read(name: &str) -> Self {
        let folder = Path::new(pocketron_host::FOLDER).join("golden");
        let text = fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// The rows that the trace was made from, if the set is there.
    pub fn data(&self) -> Option<DenseData> {
        let banana = at_hand::data("banana")?;
        let rows = banana.limit(self.rows).to_dense().expect("two features");
        assert_eq!((rows.len(), rows.dim), (self.rows, self.dim), "banana");
        Some(rows)
    }
}
