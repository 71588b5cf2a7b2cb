//! Dense matrices of examples, standardisation in f64, and the last step to f32.

use super::error::DatasetError;
use super::shuffle::permutation;

/// Examples as a row-major matrix with one label a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense<T> {
    /// Features per example.
    pub dim: usize,
    /// `labels.len() * dim` values, example after example.
    pub x: Vec<T>,
    /// One label an example.
    pub labels: Vec<f64>,
}

/// A matrix before rounding to f32: what scaling and references work on.
pub type DenseData = Dense<f64>;

impl<T: Copy> Dense<T> {
    /// Number of examples.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are no examples.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The features of example `i`.
    ///
    /// # Panics
    ///
    /// If there is no example `i`.
    pub fn row(&self, i: usize) -> &[T] {
        &self.x[i * self.dim..(i + 1) * self.dim]
    }

    /// Examples in order: features and label.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[T], f64)> {
        self.labels
            .iter()
            .enumerate()
            .map(|(i, &label)| (self.row(i), label))
    }

    /// The examples in the order that `seed` names; the same order as
    /// [`Dataset::permuted`](super::Dataset::permuted).
    #[must_use]
    pub fn permuted(&self, seed: u64) -> Self {
        let order = permutation(self.len(), seed);
        let x = order.iter().flat_map(|&i| self.row(i)).copied().collect();
        let labels = order.iter().map(|&i| self.labels[i]).collect();
        Self {
            dim: self.dim,
            x,
            labels,
        }
    }
}

impl Dense<f64> {
    /// Mean 0 and standard deviation 1 for every feature, and the scales for the test set.
    ///
    /// # Errors
    ///
    /// A feature has no finite mean and deviation: there are no rows, or values near the end of
    /// f64.
    pub fn standardize(&self) -> Result<(Self, Standardizer), DatasetError> {
        let scale = Standardizer::fit(self)?;
        Ok((scale.apply(self)?, scale))
    }

    /// The values rounded to f32, once, at the end.
    ///
    /// # Errors
    ///
    /// A value is not a finite f32.
    pub fn to_f32(&self) -> Result<Dense<f32>, DatasetError> {
        let x: Vec<f32> = self.x.iter().map(|&value| value as f32).collect();
        if let Some(at) = x.iter().position(|value| !value.is_finite()) {
            let (row, feature) = (at / self.dim, at % self.dim);
            return Err(DatasetError::BeyondF32 {
                row,
                feature,
                value: self.x[at],
            });
        }
        Ok(Dense {
            dim: self.dim,
            x,
            labels: self.labels.clone(),
        })
    }
}

/// Mean and standard deviation of each feature of a training set: `(x - mean) / sd`.
///
/// The deviation is that of the population (divisor N), sums run over the rows in order, all in
/// f64. A feature that is constant in the training set becomes 0, in the test set too, whatever its
/// values there.
///
/// ```
/// use pocketron_testkit::data::DenseData;
///
/// let train = DenseData { dim: 2, x: vec![1.0, 0.1, 3.0, 0.1], labels: vec![-1.0, 1.0] };
/// let (train, scale) = train.standardize()?;
/// assert_eq!(train.x, [-1.0, 0.0, 1.0, 0.0]);
/// let test = DenseData { dim: 2, x: vec![5.0, 0.7], labels: vec![1.0] };
/// assert_eq!(scale.apply(&test)?.x, [3.0, 0.0]);
/// # Ok::<(), pocketron_testkit::data::DatasetError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Standardizer {
    mean: Vec<f64>,
    sd: Vec<f64>,
}

impl Standardizer {
    /// Measures the features of a training set.
    ///
    /// # Errors
    ///
    /// A feature has no finite mean and deviation.
    pub fn fit(train: &DenseData) -> Result<Self, DatasetError> {
        let n = train.len() as f64;
        let mut mean = vec![0.0; train.dim];
        for (x, _) in train.iter() {
            mean.iter_mut()
                .zip(x)
                .for_each(|(sum, value)| *sum += value);
        }
        mean.iter_mut().for_each(|sum| *sum /= n);

        let mut sd = vec![0.0; train.dim];
        // Rounding of the mean would give a constant feature a tiny deviation, so it is recognised
        // by its values.
        let mut varies = vec![false; train.dim];
        for (x, _) in train.iter() {
            for (feature, value) in x.iter().enumerate() {
                sd[feature] += (value - mean[feature]).powi(2);
                varies[feature] |= *value != train.x[feature];
            }
        }
        for (sum, varies) in sd.iter_mut().zip(varies) {
            *sum = if varies { (*sum / n).sqrt() } else { 0.0 };
        }

        let finite = |(mean, sd): (&f64, &f64)| mean.is_finite() && sd.is_finite();
        if let Some(feature) = mean.iter().zip(&sd).position(|scale| !finite(scale)) {
            return Err(DatasetError::NoScale { feature });
        }
        Ok(Self { mean, sd })
    }

    /// The mean of each feature.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// The standard deviation of each feature; 0 marks a constant one.
    pub fn sd(&self) -> &[f64] {
        &self.sd
    }

    /// Scales one example.
    ///
    /// # Panics
    ///
    /// If `x` has another number of features than the training set.
    pub fn scale_row(&self, x: &mut [f64]) {
        assert_eq!(
            x.len(),
            self.mean.len(),
            "as many features as the training set"
        );
        for ((value, mean), &sd) in x.iter_mut().zip(&self.mean).zip(&self.sd) {
            *value = if sd > 0.0 { (*value - mean) / sd } else { 0.0 };
        }
    }

    /// A scaled copy of any set with the same features.
    ///
    /// # Errors
    ///
    /// The set has another number of features.
    pub fn apply(&self, data: &DenseData) -> Result<DenseData, DatasetError> {
        if data.dim != self.mean.len() {
            return Err(DatasetError::OtherDim {
                dim: data.dim,
                expected: self.mean.len(),
            });
        }
        let mut scaled = data.clone();
        for i in 0..data.len() {
            self.scale_row(&mut scaled.x[i * data.dim..(i + 1) * data.dim]);
        }
        Ok(scaled)
    }
}
