//! Rows of a set and their similarities, many at a time.

use std::ops::Range;

use anyhow::{Result, ensure};
use pocketron::{
    kernel::{Kernel, Polynomial},
    num::Base,
    storage::point::Feature as _,
};

use super::products::Member;
use crate::{
    data::DenseData,
    sparse::{Feature, sparse},
};

/// Rows side by side: enough independent sums to hide the latency of an addition.
const WIDTH: usize = 64;

/// Rows with their classes, in an order.
#[derive(Clone, Debug)]
pub struct Rows {
    dim: usize,
    features: Vec<Vec<Feature>>,
    classes: Vec<usize>,
    /// How many classes there are.
    pub class_count: usize,
}

impl Rows {
    /// Rows of a set; its labels in increasing order are the classes.
    ///
    /// # Errors
    ///
    /// A value is not a finite f32, or there are fewer than two classes.
    pub fn new(data: &DenseData) -> Result<Self> {
        let data = data.to_f32()?;
        let mut labels = data.labels.clone();
        labels.sort_by(f64::total_cmp);
        labels.dedup();
        ensure!(labels.len() > 1, "there is only one class");
        let class = |label: &f64| labels.partition_point(|known| known < label);
        Ok(Rows {
            dim: data.dim,
            features: data.iter().map(|(x, _)| sparse(x)).collect(),
            classes: data.labels.iter().map(class).collect(),
            class_count: labels.len(),
        })
    }

    /// Number of features.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// The class of each row.
    pub fn classes(&self) -> &[usize] {
        &self.classes
    }

    /// The features of each row that are not zero.
    pub fn features(&self) -> &[Vec<Feature>] {
        &self.features
    }

    /// Some of the rows, in a given order.
    #[must_use]
    pub fn pick(&self, positions: impl IntoIterator<Item = usize> + Clone) -> Self {
        let features = positions.clone().into_iter();
        Rows {
            dim: self.dim,
            features: features.map(|row| self.features[row].clone()).collect(),
            classes: positions.into_iter().map(|row| self.classes[row]).collect(),
            class_count: self.class_count,
        }
    }
}

/// Rows laid out for similarities with all of them: `WIDTH` neighbours feature by feature.
///
/// A pair is summed over its features in order, as the core does.
pub struct Panels<'a> {
    rows: &'a Rows,
    kernel: Option<Polynomial>,
    panels: Vec<Vec<[f32; WIDTH]>>,
}

impl<'a> Panels<'a> {
    /// Similarity is the inner product, or `(1 + a . b)^degree` for a degree above 1.
    ///
    /// # Errors
    ///
    /// The core has no kernel of that degree.
    pub fn new(rows: &'a Rows, degree: u32) -> Result<Self> {
        let kernel = match degree {
            1 => None,
            degree => Some(Polynomial::new(degree, 1.0, 1.0)?),
        };
        let panel = |rows_of_panel: &[Vec<Feature>]| {
            let mut panel = vec![[0.0; WIDTH]; rows.dim];
            for (lane, row) in rows_of_panel.iter().enumerate() {
                for (feature, value) in row {
                    panel[*feature as usize][lane] = *value;
                }
            }
            panel
        };
        Ok(Panels {
            rows,
            kernel,
            panels: rows.features.chunks(WIDTH).map(panel).collect(),
        })
    }

    fn similarity(&self, product: f32) -> f32 {
        self.kernel.map_or(product, |kernel| kernel.of(product))
    }

    /// Row `position` without its similarities to others.
    pub fn alone(&self, position: usize) -> Member {
        let mut square = 0.0;
        for (_, value) in &self.rows.features[position] {
            f32::accumulate(Base::Product, &mut square, *value, *value);
        }
        Member {
            position,
            own: self.similarity(square),
            ..Member::default()
        }
    }

    /// Rows at `positions` with their similarities to all rows from about `first` on.
    ///
    /// A panel stays in the cache while all of them look at it: of thousands of rows, fetching panels is what costs.
    pub fn members(&self, positions: Range<usize>, first: usize) -> Vec<Member> {
        let skipped = first / WIDTH;
        let count = self.rows.len() - skipped * WIDTH;
        let member = |position| Member {
            first: skipped * WIDTH,
            similarities: Vec::with_capacity(count.next_multiple_of(WIDTH)),
            ..self.alone(position)
        };
        let mut members: Vec<Member> = positions.map(member).collect();
        for panel in &self.panels[skipped..] {
            for member in &mut members {
                let mut products = [0.0; WIDTH];
                for (feature, x) in &self.rows.features[member.position] {
                    for (sum, other) in products.iter_mut().zip(&panel[*feature as usize]) {
                        f32::accumulate(Base::Product, sum, *x, *other);
                    }
                }
                let similarities = products.map(|product| self.similarity(product));
                member.similarities.extend(similarities);
            }
        }
        for member in &mut members {
            member.similarities.truncate(count);
        }
        members
    }
}
