//! Linear hypotheses over sparse rows with thousands of features.

use pocketron::{error::InputError, hypothesis::Weights};

/// A feature that is not zero: its position from 0, and its value.
pub type Feature = (u32, f32);

/// The features of a dense row that are not zero.
///
/// Zeros add nothing to a sum, so that sparse and dense rows give the same bits.
pub fn sparse(row: &[f32]) -> Vec<Feature> {
    let features = row.iter().enumerate();
    let features = features.map(|(position, value)| (position as u32, *value));
    features.filter(|(_, value)| *value != 0.0).collect()
}

/// Weights on the heap for sparse inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseWeights(Vec<f32>);

impl SparseWeights {
    /// Zero weights for `dim` features.
    pub fn new(dim: usize) -> Self {
        SparseWeights(vec![0.0; dim])
    }

    /// The weights of all features.
    pub fn as_slice(&self) -> &[f32] {
        &self.0
    }
}

impl Weights for SparseWeights {
    type Input = [Feature];

    fn dim(&self) -> usize {
        self.0.len()
    }

    fn check(&self, x: &[Feature]) -> Result<(), InputError> {
        let inside = |(position, _): &Feature| (*position as usize) < self.0.len();
        if !x.iter().all(inside) {
            Err(InputError::WrongDimension)
        } else if !x.iter().all(|(_, value)| value.is_finite()) {
            Err(InputError::NonFinite)
        } else {
            Ok(())
        }
    }

    fn dot(&self, x: &[Feature]) -> f32 {
        x.iter().fold(0.0, |sum, (position, value)| {
            sum + self.0[*position as usize] * value
        })
    }

    fn add(&mut self, x: &[Feature], factor: f32) {
        for (position, value) in x {
            self.0[*position as usize] += factor * value;
        }
    }

    fn add_weights(&mut self, other: &Self, factor: f32) {
        for (weight, other) in self.0.iter_mut().zip(&other.0) {
            *weight += factor * other;
        }
    }

    fn scale(&mut self, factor: f32) {
        for weight in &mut self.0 {
            *weight *= factor;
        }
    }

    fn norm_squared(x: &[Feature]) -> f32 {
        x.iter().fold(0.0, |sum, (_, value)| sum + value * value)
    }
}
