//! A named set of sparse rows, and what experiments do to it before learning starts.

use super::dense::DenseData;
use super::error::DatasetError;
use super::row::{Row, RowView};
use super::rows::Rows;
use super::shuffle::permutation;

/// The most values a dense matrix may have, 4 GiB in f64.
pub const DENSE_LIMIT: usize = 1 << 29;

/// A matrix of so many values, 64 MiB in f64, is made of any file.
const DENSE_ANYWAY: usize = 1 << 23;

/// Beyond that, values for each byte of the file, 512 bytes in f64: a stray index must not swallow the machine. The
/// sparsest set of the catalogue, Reuters, has 57.
const DENSE_PER_BYTE: usize = 64;

/// Rows of a data set with labels and values as the file gives them.
///
/// Operations consume the set and hand back the changed one, so that they chain:
///
/// ```
/// use pocketron_testkit::data::{Dataset, libsvm};
///
/// let text = "3 1:1\n8 2:1\n5 1:2\n8 1:4\n";
/// let digits = Dataset::new("digits", libsvm::read("digits".as_ref(), text.as_bytes())?);
/// let task = digits.with_dim(4)?.keep_labels(&[3.0, 8.0]).binary(Some(&[8.0]))?;
/// let dense = task.to_dense()?;
/// assert_eq!(dense.labels, [-1.0, 1.0, 1.0]);
/// assert_eq!(dense.row(1), [0.0, 1.0, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    name: String,
    dim: usize,
    /// Whether the dimension is known, and not only the highest index that occurs.
    exact: bool,
    rows: Rows,
}

impl Dataset {
    /// A set whose dimension is the highest index that occurs; see [`Dataset::with_dim`].
    pub fn new(name: impl Into<String>, rows: impl Into<Rows>) -> Self {
        let rows = rows.into();
        let dim = rows.iter().map(RowView::highest_index).max();
        let dim = dim.unwrap_or(0);
        Self {
            name: name.into(),
            dim,
            exact: false,
            rows,
        }
    }

    /// The same examples without their zeros; values are finite and there are fewer features than `u32` counts.
    pub fn from_dense(name: impl Into<String>, data: &DenseData) -> Self {
        let row = |(x, label): (&[f64], f64)| {
            let mut row = Row::new(vec![label]);
            for (index, value) in (1..).zip(x).filter(|(_, value)| **value != 0.0) {
                row.push(index, *value)
                    .expect("a finite value behind the last one");
            }
            row
        };
        Self {
            name: name.into(),
            dim: data.dim,
            exact: true,
            rows: data.iter().map(row).collect::<Vec<_>>().into(),
        }
    }

    /// The name, for tables and messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Features per row.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows in sparse form.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The labels that occur, ascending, each with the number of rows that carry it.
    pub fn classes(&self) -> Vec<(f64, usize)> {
        let mut labels: Vec<f64> = self
            .rows
            .iter()
            .flat_map(RowView::labels)
            .copied()
            .collect();
        labels.sort_by(f64::total_cmp);
        labels
            .chunk_by(|a, b| a == b)
            .map(|run| (run[0], run.len()))
            .collect()
    }

    /// Row `i` with its zeros written out.
    ///
    /// # Panics
    ///
    /// If there is no row `i`.
    pub fn dense_f64(&self, i: usize) -> Vec<f64> {
        let mut x = vec![0.0; self.dim];
        self.fill(i, &mut x);
        x
    }

    fn fill(&self, i: usize, x: &mut [f64]) {
        for (index, value) in self.rows.get(i).features() {
            x[index as usize - 1] = value;
        }
    }

    /// All rows as one row-major matrix, with one label each.
    ///
    /// # Errors
    ///
    /// A row has no label or several (make the set [`binary`](Self::binary) first), or the matrix
    /// would exceed [`DENSE_LIMIT`], or be out of proportion to the
    /// file: more than 64 MiB, and more than 512 bytes for each byte of its text.
    pub fn to_dense(&self) -> Result<DenseData, DatasetError> {
        let (len, dim) = (self.len(), self.dim);
        let limit = self.rows.text().map_or(DENSE_LIMIT, |text| {
            let proportionate = text.saturating_mul(DENSE_PER_BYTE);
            proportionate.clamp(DENSE_ANYWAY, DENSE_LIMIT)
        });
        let size = len.checked_mul(dim).filter(|&size| size <= limit);
        let size = size.ok_or(DatasetError::TooLarge { rows: len, dim })?;
        let labels = self.single_labels()?;
        let mut x = vec![0.0; size];
        for i in 0..len {
            self.fill(i, &mut x[i * dim..(i + 1) * dim]);
        }
        Ok(DenseData { dim, x, labels })
    }

    fn single_labels(&self) -> Result<Vec<f64>, DatasetError> {
        let label = |(row, r): (usize, RowView<'_>)| {
            r.label().ok_or(DatasetError::LabelCount {
                row,
                count: r.labels().len(),
            })
        };
        self.rows.iter().enumerate().map(label).collect()
    }

    /// The same rows with `dim` features: files leave trailing zeros out, so they do not know.
    ///
    /// # Errors
    ///
    /// A row has an index above `dim`.
    pub fn with_dim(self, dim: usize) -> Result<Self, DatasetError> {
        let mut highest = self.rows.iter().map(RowView::highest_index).enumerate();
        let beyond = highest.find(|(_, highest)| *highest > dim);
        drop(highest);
        match beyond {
            Some((row, index)) => Err(DatasetError::DimTooSmall { dim, row, index }),
            None => Ok(Self {
                dim,
                exact: true,
                ..self
            }),
        }
    }

    /// The dimension of a model that learns one set and answers the other. Rows in LIBSVM form leave
    /// trailing zeros out: such a set may have more features than occur in it.
    ///
    /// # Errors
    ///
    /// One of them has features that the other cannot have.
    pub fn common_dim(&self, other: &Self) -> Result<usize, DatasetError> {
        let (fewer, more) = match self.dim <= other.dim {
            true => (self, other),
            false => (other, self),
        };
        if fewer.exact && fewer.dim < more.dim {
            return Err(DatasetError::DifferentDims {
                dims: [self.dim, other.dim],
            });
        }
        Ok(more.dim)
    }

    /// Labels -1 and +1: [`with_positive`](Self::with_positive) if the positive labels are named;
    /// otherwise a label above 0 becomes +1.
    ///
    /// # Errors
    ///
    /// Without `positive`: a row that has not exactly one label.
    pub fn binary(self, positive: Option<&[f64]>) -> Result<Self, DatasetError> {
        if let Some(positive) = positive {
            return Ok(self.with_positive(positive));
        }
        self.single_labels()?;
        Ok(self.relabelled(|row| row.label().is_some_and(|label| label > 0.0)))
    }

    /// Rows with any of these labels become +1, all others -1, rows without a label included.
    #[must_use]
    pub fn with_positive(self, positive: &[f64]) -> Self {
        self.relabelled(|row| row.has_any(positive))
    }

    fn relabelled(self, is_positive: impl Fn(RowView<'_>) -> bool) -> Self {
        let sign = |row: RowView<'_>| if is_positive(row) { 1.0 } else { -1.0 };
        Self {
            rows: self.rows.relabelled(sign),
            ..self
        }
    }

    /// Only some of the rows.
    #[must_use]
    pub fn keep(self, wanted: impl Fn(RowView<'_>) -> bool) -> Self {
        let rows = &self.rows;
        let kept = rows.select((0..rows.len()).filter(|row| wanted(rows.get(*row))));
        Self { rows: kept, ..self }
    }

    /// Only the rows that carry one of these labels.
    #[must_use]
    pub fn keep_labels(self, labels: &[f64]) -> Self {
        self.keep(|row| row.has_any(labels))
    }

    /// At most the first `n` rows.
    #[must_use]
    pub fn limit(self, n: usize) -> Self {
        match n < self.len() {
            true => self.part(0..n),
            false => self,
        }
    }

    fn part(&self, rows: std::ops::Range<usize>) -> Self {
        Self {
            name: self.name.clone(),
            dim: self.dim,
            exact: self.exact,
            rows: self.rows.select(rows),
        }
    }

    /// The first `n` rows and the rest, both with this set's dimension.
    ///
    /// # Errors
    ///
    /// There are fewer than `n` rows.
    pub fn split(self, n: usize) -> Result<(Self, Self), DatasetError> {
        if n > self.len() {
            return Err(DatasetError::TooFewRows {
                rows: self.len(),
                wanted: n,
            });
        }
        Ok((self.part(0..n), self.part(n..self.len())))
    }

    /// The rows in the order that `seed` names, the same on every machine (see [`permutation`]).
    #[must_use]
    pub fn permuted(self, seed: u64) -> Self {
        let rows = self.rows.select(permutation(self.len(), seed));
        Self { rows, ..self }
    }
}
