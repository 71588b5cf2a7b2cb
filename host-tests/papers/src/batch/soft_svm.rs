//! The soft-margin support vector machine as a learner of planes, so that it can be boosted like the others.

use pocketron::{
    label::Sign,
    learners::batch::{Plane, Progress, Samples, WeightedLearner},
    persist::Blank,
};

use crate::{
    data::shuffle::SplitMix64,
    sparse::{Feature, sparse},
    svm::{Svm, SvmKernel, SvmSettings, choose_cost},
};

/// Costs among which a cross-validation chooses.
const COSTS: [f64; 5] = [0.03125, 0.125, 0.5, 2.0, 8.0];

/// Parts of that cross-validation.
const FOLDS: usize = 5;

/// A linear machine that is trained to the end in one epoch.
///
/// Its cost is chosen in the first one by a cross-validation, and kept. LIBSVM knows no weights of single examples:
/// when they differ, it learns as many examples as there are, drawn by their weights.
#[derive(Clone, Debug)]
pub struct SoftSvm<const D: usize> {
    plane: Plane<D>,
    cost: Option<f64>,
    epochs: u32,
    rng: SplitMix64,
}

impl<const D: usize> SoftSvm<D> {
    /// Examples are drawn, and folds made, out of `seed`.
    pub fn new(seed: u32) -> Self {
        SoftSvm {
            plane: Plane::BLANK,
            cost: None,
            epochs: 0,
            rng: SplitMix64::new(seed.into()),
        }
    }

    /// The best plane that the machine finds; none if only one class is left, or no cost works.
    fn train(&mut self, rows: &[Vec<Feature>], labels: &[Sign]) -> Option<Plane<D>> {
        let settings = SvmSettings::new(SvmKernel::Linear, 1.0);
        let cost = match self.cost {
            Some(cost) => cost,
            None => {
                let parts = (FOLDS, self.rng.next_u64());
                choose_cost(rows, labels, &settings, &COSTS, parts).ok()?
            }
        };
        self.cost = Some(cost);
        let svm = Svm::train(rows, labels, &settings.with_cost(cost)).ok()?;
        let (found, bias) = svm.plane()?;
        let mut weights = [0.0; D];
        for (weight, found) in weights.iter_mut().zip(found) {
            *weight = *found as f32;
        }
        let bias = bias as f32;
        Some(Plane { weights, bias })
    }

    /// The examples themselves, or as many drawn by their weights.
    fn drawn(&mut self, samples: &Samples<'_, D>) -> (Vec<Vec<Feature>>, Vec<Sign>) {
        let (mut examples, mut sums, mut total) = (Vec::new(), Vec::new(), 0.0);
        let mut even = true;
        for (x, label, weight) in samples.iter() {
            even &= weight == 1.0;
            total += f64::from(weight);
            sums.push(total);
            examples.push((sparse(x), label));
        }
        if even {
            return examples.into_iter().unzip();
        }
        let draw = |_| {
            let share = (self.rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            let slot = sums.partition_point(|sum| *sum <= share * total);
            examples[slot.min(examples.len() - 1)].clone()
        };
        (0..examples.len()).map(draw).unzip()
    }
}

impl<const D: usize> WeightedLearner<D> for SoftSvm<D> {
    /// There is nothing to start from.
    fn restart(&mut self, _: &Plane<D>) {
        self.plane = Plane::BLANK;
        self.epochs = 0;
    }

    fn step(&mut self, samples: &mut Samples<'_, D>) -> Progress {
        let (rows, labels) = self.drawn(samples);
        self.plane = self.train(&rows, &labels).unwrap_or(Plane::BLANK);
        self.epochs += 1;
        Progress {
            epochs: self.epochs,
            error: samples.error(&self.plane),
        }
    }

    fn plane(&self) -> Plane<D> {
        self.plane
    }

    fn epochs(&self) -> u32 {
        self.epochs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pocketron::learners::batch::Breakpoint;

    /// A mislabelled example among forty is outvoted, unless it has half of all weight.
    #[test]
    fn a_weight_draws_the_plane_to_its_example() {
        let x: Vec<[f32; 1]> = (0..40).map(|i| [i as f32 / 20.0 - 0.975]).collect();
        let right = |x: &[f32; 1]| if x[0] > 0.0 { 1.0 } else { -1.0 };
        let mut weights: Vec<f32> = x.iter().map(right).collect();
        weights[39] = -1.0;
        let mut scratch = vec![Breakpoint::BLANK; x.len()];
        let side = |weights: &mut [f32], scratch: &mut [Breakpoint]| {
            let mut samples = Samples::new(&x, weights, scratch).unwrap();
            let mut learner = SoftSvm::new(3);
            let progress = learner.step(&mut samples);
            assert_eq!(progress.epochs, 1);
            learner.plane().score(&x[39]).unwrap()
        };
        assert!(side(&mut weights, &mut scratch) > 0.0);
        weights[39] = -40.0;
        assert!(side(&mut weights, &mut scratch) < 0.0);
    }
}
