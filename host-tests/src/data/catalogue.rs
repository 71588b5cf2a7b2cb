//! What is known about the sets of the papers: sizes, label conventions, origin, licence.
//!
//! A file cannot tell how many features its set has (trailing zeros are left out) or which class is
//! positive; this table can. [`Places`](super::Places) uses it for the true dimension, and to say
//! where a missing set is to be had.

mod sets;
mod tasks;

use super::{dataset::Dataset, error::DatasetError};

pub use sets::SETS;
pub use tasks::{BinaryTask, WANG_VUCETIC};

/// A paper whose experiments use a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// Freund and Schapire, Large Margin Classification Using the Perceptron Algorithm (voted
    /// perceptron).
    FreundSchapire,
    /// Li, Zaragoza, Herbrich, Shawe-Taylor and Kandola, The Perceptron Algorithm with Uneven
    /// Margins (PAUM).
    LiEtAl,
    /// Khardon and Wachman, Noise Tolerant Variants of the Perceptron Algorithm.
    KhardonWachman,
    /// Li and Lin, Optimizing 0/1 Loss for Perceptrons by Random Coordinate Descent (RCD).
    LiLin,
    /// Wang and Vucetic, Tighter Perceptron with Improved Dual Use of Cached Data (Tightest
    /// perceptron).
    WangVucetic,
}

impl Paper {
    /// All of them with their short names, as in those of their tables.
    const ALL: [(&'static str, Self); 5] = [
        ("fs", Paper::FreundSchapire),
        ("paum", Paper::LiEtAl),
        ("kw", Paper::KhardonWachman),
        ("ll", Paper::LiLin),
        ("wv", Paper::WangVucetic),
    ];

    /// The one of that short name.
    fn named(short: &str) -> Option<Self> {
        let found = Self::ALL.into_iter().find(|(name, _)| *name == short);
        Some(found?.1)
    }

    /// Its short name.
    pub fn short(self) -> &'static str {
        let found = Self::ALL.into_iter().find(|(_, paper)| *paper == self);
        found.map_or("", |(name, _)| name)
    }
}

/// One file of a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// The file's name without `.libsvm` or `.libsvm.gz`.
    pub file: &'static str,
    /// Examples in it.
    pub rows: usize,
    /// Examples labelled +1, for sets with labels -1 and +1.
    pub positives: Option<usize>,
}

impl Part {
    /// Refuses rows that are not those of the file: figures of a part would pass for figures of the whole.
    ///
    /// # Errors
    ///
    /// There are more or fewer of them, or of a class.
    pub fn check(&self, data: &Dataset) -> Result<(), DatasetError> {
        let (rows, expected) = (data.len(), self.rows);
        if rows != expected {
            return Err(DatasetError::OtherRows { rows, expected });
        }
        let Some(positives) = self.positives else {
            return Ok(());
        };
        let signs = [-1.0, 1.0].map(|sign| {
            let rows = data.rows().iter();
            rows.filter(|row| row.labels() == [sign]).count()
        });
        let expected = [rows - positives, positives];
        if signs != expected {
            return Err(DatasetError::OtherSigns { signs, expected });
        }
        Ok(())
    }
}

/// A known data set.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The set's name.
    pub name: &'static str,
    /// Its files: one, or a training and a test part in this order.
    pub parts: Vec<Part>,
    /// The official number of features; the highest index in a file can be lower.
    pub features: usize,
    /// What the labels mean and how features were coded.
    pub labels: &'static str,
    /// The papers that use it.
    pub papers: Vec<Paper>,
    /// For a single file: the first rows, as many as this, are for training, the rest for testing.
    pub train_rows: Option<usize>,
    /// Where the set comes from and which packages carry it.
    pub source: &'static str,
    /// On what terms, as far as they are stated.
    pub licence: &'static str,
}

/// The set of this name; `usps`, `usps.train` and `usps.test` all find `usps`.
///
/// ```
/// use pocketron_testkit::data::catalogue::lookup;
///
/// assert_eq!(lookup("mnist.test").map(|set| set.features), Some(784));
/// assert!(lookup("no such set").is_none());
/// ```
pub fn lookup(name: &str) -> Option<&'static Entry> {
    SETS.iter()
        .find(|set| set.name == name || set.parts.iter().any(|part| part.file == name))
}

/// How a paper made a two-class problem of this set; takes the same names as [`lookup`].
pub fn task(name: &str) -> Option<&'static BinaryTask> {
    let set = lookup(name)?;
    WANG_VUCETIC.iter().find(|task| task.set == set.name)
}
