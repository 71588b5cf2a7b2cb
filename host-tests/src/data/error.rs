//! What can be wrong with a set that was read without fault.

use std::error::Error;
use std::fmt;

/// Why an operation on a set is refused; `row` and `feature` count from 0 here and from 1 in the
/// message.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum DatasetError {
    /// A row has an index above the dimension asked for.
    DimTooSmall {
        /// The dimension asked for.
        dim: usize,
        /// The first such row.
        row: usize,
        /// Its highest index, from 1.
        index: usize,
    },
    /// A row does not have exactly one label.
    LabelCount {
        /// The first such row.
        row: usize,
        /// How many labels it has.
        count: usize,
    },
    /// There are fewer rows than asked for.
    TooFewRows {
        /// Rows there are.
        rows: usize,
        /// Rows asked for.
        wanted: usize,
    },
    /// A known set has another number of rows.
    OtherRows {
        /// Rows there are.
        rows: usize,
        /// Rows of the set.
        expected: usize,
    },
    /// A known set with labels -1 and +1 has other numbers of them.
    OtherSigns {
        /// Rows labelled -1 and +1 that there are.
        signs: [usize; 2],
        /// Those of the set.
        expected: [usize; 2],
    },
    /// The dense matrix would exceed [`DENSE_LIMIT`](super::dataset::DENSE_LIMIT), or be out of proportion to its file.
    TooLarge {
        /// Rows of the matrix.
        rows: usize,
        /// Its columns.
        dim: usize,
    },
    /// The scales were measured on a set with other features.
    OtherDim {
        /// Features of the set.
        dim: usize,
        /// Features of the scales.
        expected: usize,
    },
    /// Two sets have different numbers of features.
    DifferentDims {
        /// Features of each.
        dims: [usize; 2],
    },
    /// A feature has no finite mean and deviation: there are no rows, or its values are near the
    /// end of f64.
    NoScale {
        /// The first such feature.
        feature: usize,
    },
    /// A value does not fit f32.
    BeyondF32 {
        /// The example.
        row: usize,
        /// The feature.
        feature: usize,
        /// The value.
        value: f64,
    },
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::DimTooSmall { dim, row, index } => {
                write!(
                    f,
                    "example {} has feature {index}, but the set has {dim} features",
                    row + 1
                )
            }
            Self::LabelCount { row, count } => {
                write!(f, "example {} has {count} labels instead of one", row + 1)
            }
            Self::TooFewRows { rows, wanted } => {
                write!(f, "{wanted} examples wanted, there are {rows}")
            }
            Self::OtherRows { rows, expected } => {
                write!(f, "{rows} examples, the set has {expected}")
            }
            Self::OtherSigns {
                signs: [negative, positive],
                expected: [negatives, positives],
            } => write!(
                f,
                "{negative} examples labelled -1 and {positive} labelled +1, the set has {negatives} and {positives}"
            ),
            Self::TooLarge { rows, dim } => write!(
                f,
                "{rows} examples of {dim} features are too many in dense form, for so short a file or for any"
            ),
            Self::OtherDim { dim, expected } => write!(
                f,
                "the set has {dim} features, the scales are for {expected}"
            ),
            Self::DifferentDims {
                dims: [first, second],
            } => write!(f, "{first} features and {second} features"),
            Self::NoScale { feature } => write!(
                f,
                "feature {} has no finite mean and deviation",
                feature + 1
            ),
            Self::BeyondF32 {
                row,
                feature,
                value,
            } => {
                write!(
                    f,
                    "example {}, feature {}: {value} does not fit a 32-bit number",
                    row + 1,
                    feature + 1
                )
            }
        }
    }
}

impl Error for DatasetError {}
