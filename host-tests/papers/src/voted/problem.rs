//! The training rows, laid out for speed.

use anyhow::{Result, ensure};

use super::panel::{Panel, WIDTH};
use crate::{
    data::{Dense, DenseData},
    sparse::{Feature, sparse},
};

/// A training set in the order of its visits, and a test set.
#[derive(Debug)]
pub struct Problem {
    /// The labels, in increasing order; a class is its position here.
    labels: Vec<f64>,
    pub(super) training: Rows,
    pub(super) test: Rows,
    /// The features of the training rows that are not zero.
    pub(super) sparse: Vec<Vec<Feature>>,
}

/// Rows of a set in panels, and their classes.
#[derive(Debug)]
pub(super) struct Rows {
    pub panels: Vec<Panel>,
    /// A label that the training set does not have is of the class beyond the last.
    pub classes: Vec<usize>,
}

impl Rows {
    fn new(data: &Dense<f32>, labels: &[f64]) -> Self {
        let starts = (0..data.len()).step_by(WIDTH);
        let panels = starts.map(|first| {
            let rows = first..data.len().min(first + WIDTH);
            Panel::new(data.dim, rows.map(|row| data.row(row)))
        });
        let class = |label: &f64| {
            let known = labels.iter().position(|known| known == label);
            known.unwrap_or(labels.len())
        };
        let classes = data.labels.iter().map(class);
        Rows {
            panels: panels.collect(),
            classes: classes.collect(),
        }
    }
}

impl Problem {
    /// Pixels from 0 to `white` become numbers from 0 to 1; the training rows are put in the order
    /// that `seed` names.
    ///
    /// # Errors
    ///
    /// A set has no rows, the sets differ in their features, there is one class only, or a value is
    /// not a finite f32.
    pub fn of_pixels(train: &DenseData, test: &DenseData, white: f64, seed: u64) -> Result<Self> {
        let scaled = |data: &DenseData| -> Result<Dense<f32>> {
            ensure!(!data.is_empty(), "a set without rows");
            let mut data = data.clone();
            data.x.iter_mut().for_each(|pixel| *pixel /= white);
            Ok(data.to_f32()?)
        };
        ensure!(
            train.dim == test.dim,
            "{} features to train on, {} to test",
            train.dim,
            test.dim
        );
        let mut labels = train.labels.clone();
        labels.sort_by(f64::total_cmp);
        labels.dedup();
        ensure!(
            labels.len() > 1,
            "one class only: there is nothing to tell apart"
        );
        let train = scaled(train)?.permuted(seed);
        Ok(Problem {
            training: Rows::new(&train, &labels),
            test: Rows::new(&scaled(test)?, &labels),
            sparse: train.iter().map(|(x, _)| sparse(x)).collect(),
            labels,
        })
    }

    /// The label of each class.
    pub fn labels(&self) -> &[f64] {
        &self.labels
    }

    /// Training rows: the visits of an epoch.
    pub fn rows(&self) -> usize {
        self.training.classes.len()
    }

    /// Visits in so many epochs, to the nearest.
    pub fn visits(&self, epochs: f64) -> usize {
        (epochs * self.rows() as f64).round() as usize
    }

    /// Test rows.
    pub fn tests(&self) -> usize {
        self.test.classes.len()
    }
}
