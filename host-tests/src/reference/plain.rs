//! Unit steps, and the four simplest answers to a full memory: ignore it, stop, forget anyone,
//! forget the oldest.
//!
//! When y f <= margin, f += y k(x, .). With the margin at 0 this is the kernel perceptron; the
//! answers are known as Perceptron, Stoptron, Random (budget) Perceptron, and, for the last, as the
//! shift or "least recent" budget.

use super::generator::Xorshift32;
use super::{Example, Model, Step};

/// No budget: every update is kept.
pub struct Perceptron {
    /// The rule fires while y f is at most this.
    pub margin: f64,
}

impl Step for Perceptron {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        let fires = example.y * f <= self.margin;
        if fires {
            model.insert(example, example.y);
        }
        fires
    }
}

/// Learns until the budget is full and never again.
pub struct Stoptron {
    /// The rule fires while y f is at most this.
    pub margin: f64,
    /// B.
    pub budget: usize,
}

impl Step for Stoptron {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        let fires = example.y * f <= self.margin;
        if fires && model.vectors.len() < self.budget {
            model.insert(example, example.y);
        }
        fires
    }
}

/// Puts the new vector in the place of one of the B old ones, drawn evenly.
pub struct Random {
    margin: f64,
    budget: usize,
    generator: Xorshift32,
}

impl Random {
    /// The generator is drawn from only when the budget is full.
    pub fn new(margin: f64, budget: usize, seed: u32) -> Self {
        Self {
            margin,
            budget,
            generator: Xorshift32::new(seed),
        }
    }
}

impl Step for Random {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        let fires = example.y * f <= self.margin;
        if fires && model.vectors.len() < self.budget {
            model.insert(example, example.y);
        } else if fires {
            let victim = self.generator.below(self.budget);
            model.vectors[victim] = model.born(example, example.y);
        }
        fires
    }
}

/// Forgets the oldest vector.
pub struct RemoveOldest {
    /// The rule fires while y f is at most this.
    pub margin: f64,
    /// B.
    pub budget: usize,
}

impl Step for RemoveOldest {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        let fires = example.y * f <= self.margin;
        if fires {
            model.insert(example, example.y);
            if model.vectors.len() > self.budget {
                model.vectors.remove(0);
            }
        }
        fires
    }
}
