//! One example in sparse form, as a line of a LIBSVM file has it.

use std::error::Error;
use std::fmt;

/// Labels and non-zero features of one example; indices are 1-based and increase.
///
/// Most sets have one label a row. Text collections have several, or none (an example of no class
/// at all). [`fmt::Display`] writes the row as a LIBSVM line, with every digit needed to read the
/// same numbers back.
///
/// ```
/// use pocketron_testkit::data::Row;
///
/// let mut row = Row::new(vec![-1.0]);
/// row.push(2, 0.5)?;
/// assert_eq!(row.to_string(), "-1 2:0.5");
/// assert!(row.push(2, 0.7).is_err(), "indices increase");
/// # Ok::<(), pocketron_testkit::data::RowError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    labels: Vec<f64>,
    indices: Vec<u32>,
    values: Vec<f64>,
}

impl Row {
    /// A row with these labels and no features yet.
    ///
    /// # Panics
    ///
    /// If a label is not finite.
    pub fn new(labels: Vec<f64>) -> Self {
        assert!(
            labels.iter().all(|label| label.is_finite()),
            "labels are finite numbers"
        );
        Self {
            labels,
            ..Self::default()
        }
    }

    /// Appends a feature; its index must exceed the last one. An explicit zero is kept: it may mark
    /// the dimension.
    ///
    /// # Errors
    ///
    /// Index 0, an index that does not increase, a value that is not finite.
    pub fn push(&mut self, index: u32, value: f64) -> Result<(), RowError> {
        if index == 0 {
            return Err(RowError::ZeroIndex);
        }
        if let Some(&previous) = self.indices.last()
            && index <= previous
        {
            return Err(RowError::NotIncreasing { previous, index });
        }
        if !value.is_finite() {
            return Err(RowError::NonFinite { index, value });
        }
        self.indices.push(index);
        self.values.push(value);
        Ok(())
    }

    /// The row, to be read.
    pub fn view(&self) -> RowView<'_> {
        RowView::new(&self.labels, Some(&self.indices), &self.values)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

/// A row, to be read, wherever it is kept.
#[derive(Debug, Clone, Copy)]
pub struct RowView<'a> {
    labels: &'a [f64],
    /// `None` if they count 1, 2, 3 and so on.
    indices: Option<&'a [u32]>,
    values: &'a [f64],
}

impl<'a> RowView<'a> {
    pub(super) fn new(labels: &'a [f64], indices: Option<&'a [u32]>, values: &'a [f64]) -> Self {
        Self {
            labels,
            indices,
            values,
        }
    }

    /// All labels, in the order given.
    pub fn labels(self) -> &'a [f64] {
        self.labels
    }

    /// The label, if there is exactly one.
    pub fn label(self) -> Option<f64> {
        match self.labels {
            [label] => Some(*label),
            _ => None,
        }
    }

    /// The values, without their indices.
    pub fn values(self) -> &'a [f64] {
        self.values
    }

    /// Pairs of 1-based index and value.
    pub fn features(self) -> impl Iterator<Item = (u32, f64)> + 'a {
        let index = move |at: usize| match self.indices {
            Some(indices) => indices[at],
            None => at as u32 + 1,
        };
        let values = self.values.iter().enumerate();
        values.map(move |(at, value)| (index(at), *value))
    }

    /// The highest index, 0 for a row without features.
    pub fn highest_index(self) -> usize {
        match self.indices {
            Some(indices) => indices.last().map_or(0, |index| *index as usize),
            None => self.values.len(),
        }
    }

    /// Whether the indices are 1, 2, 3 and so on, without a gap.
    pub fn counts_up(self) -> bool {
        self.highest_index() == self.values.len()
    }

    /// Whether any of the labels is one of `wanted`.
    pub fn has_any(self, wanted: &[f64]) -> bool {
        self.labels.iter().any(|label| wanted.contains(label))
    }
}

impl PartialEq for RowView<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.labels == other.labels && self.features().eq(other.features())
    }
}

impl fmt::Display for RowView<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, label) in self.labels.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{label}")?;
        }
        for (index, value) in self.features() {
            write!(f, " {index}:{value}")?;
        }
        Ok(())
    }
}

/// Why a feature cannot join a row.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum RowError {
    /// Index 0: indices count from 1.
    ZeroIndex,
    /// The index repeats or precedes an earlier one.
    NotIncreasing {
        /// The last index so far.
        previous: u32,
        /// The index refused.
        index: u32,
    },
    /// NaN or an infinity.
    NonFinite {
        /// The feature's index.
        index: u32,
        /// Its value.
        value: f64,
    },
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroIndex => write!(f, "index 0: indices count from 1"),
            Self::NotIncreasing { previous, index } if previous == index => {
                write!(f, "index {index} is repeated")
            }
            Self::NotIncreasing { previous, index } => {
                write!(f, "index {index} follows {previous}: indices must increase")
            }
            Self::NonFinite { index, value } => {
                write!(f, "feature {index} is not finite: {value}")
            }
        }
    }
}

impl Error for RowError {}
