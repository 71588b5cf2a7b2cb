//! Weights on the heap.

use pocketron::{
    error::InputError,
    hypothesis::Weights,
    num::{Base, saturate},
    persist::{ImageError, Persist, Reader, Restart, Shape, Writer},
    storage::point::is_finite,
};

/// As many weights as there are features.
#[derive(Clone, Debug, PartialEq)]
pub struct HeapWeights(Vec<f32>);

impl HeapWeights {
    /// Zero weights for `dim` features.
    pub fn new(dim: usize) -> Self {
        HeapWeights(vec![0.0; dim])
    }
}

impl Weights for HeapWeights {
    type Input = [f32];

    fn dim(&self) -> usize {
        self.0.len()
    }

    fn check(&self, x: &[f32]) -> Result<(), InputError> {
        if x.len() != self.0.len() {
            Err(InputError::WrongDimension)
        } else if !is_finite(x) {
            Err(InputError::NonFinite)
        } else {
            Ok(())
        }
    }

    fn dot(&self, x: &[f32]) -> f32 {
        Base::Product.of_pair(&self.0, x)
    }

    fn add(&mut self, x: &[f32], factor: f32) {
        for (weight, x) in self.0.iter_mut().zip(x) {
            *weight += factor * x;
        }
    }

    fn add_weights(&mut self, other: &Self, factor: f32) {
        self.add(&other.0, factor);
    }

    fn scale(&mut self, factor: f32) {
        for weight in &mut self.0 {
            *weight *= factor;
        }
    }

    fn is_saturated(&self) -> bool {
        self.0.iter().any(|weight| weight.abs() == f32::MAX)
    }

    fn saturate(&mut self) {
        saturate(&mut self.0);
    }

    fn norm_squared(x: &[f32]) -> f32 {
        Base::Product.of_pair(x, x)
    }
}

impl Restart for HeapWeights {
    fn restart(&mut self) {
        self.0.fill(0.0);
    }
}

impl Persist for HeapWeights {
    fn shape(&self, _: &mut Shape<'_>) {}

    fn save(&self, writer: &mut Writer<'_>) {
        writer.column(&self.0);
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.column(&mut self.0)
    }
}
