//! The soft-margin support vector machine as a learner of planes, so that it can be boosted like the others.

use pocketron::{
    learners::batch::{Plane, Progress, Samples, WeightedLearner},
    persist::Blank,
};

use crate::{
    data::shuffle::SplitMix64,
    sparse::sparse,
    svm::{LinearSvm, Slack, choose_cost},
};

/// Costs among which a cross-validation chooses: those of the practical guide to LIBSVM, which Li and Lin name.
const COSTS: [f64; 11] = [
    0.03125, 0.125, 0.5, 2.0, 8.0, 32.0, 128.0, 512.0, 2048.0, 8192.0, 32768.0,
];

/// Parts of that cross-validation.
const FOLDS: usize = 5;

/// A linear machine that is trained to the end in one epoch.
///
/// `C` is chosen in the first one by a cross-validation, and kept. Example `i` of `n` costs `C n phi_i`, where its
/// weight is the share `phi_i` of all weights.
#[derive(Clone, Debug)]
pub struct SoftSvm<const D: usize> {
    plane: Plane<D>,
    cost: Option<f64>,
    epochs: u32,
    rng: SplitMix64,
}

impl<const D: usize> SoftSvm<D> {
    /// Folds are made out of `seed`.
    pub fn new(seed: u32) -> Self {
        SoftSvm {
            plane: Plane::BLANK,
            cost: None,
            epochs: 0,
            rng: SplitMix64::new(seed.into()),
        }
    }

    /// The best plane of the weighted examples; none if only one class has weight, or no cost works.
    fn train(&mut self, samples: &Samples<'_, D>) -> Option<Plane<D>> {
        let examples = samples.iter();
        let (labelled, weights): (Vec<_>, Vec<_>) = examples
            .map(|(x, label, weight)| ((sparse(x), label), f64::from(weight)))
            .unzip();
        let (rows, labels): (Vec<_>, Vec<_>) = labelled.into_iter().unzip();
        let cost = match self.cost {
            Some(cost) => cost,
            None => {
                let parts = (FOLDS, self.rng.next_u64());
                choose_cost(&rows, &labels, Slack::Linear, &COSTS, parts).ok()?
            }
        };
        self.cost = Some(cost);
        let scale = cost * weights.len() as f64 / weights.iter().sum::<f64>();
        let costs: Vec<f64> = weights.iter().map(|weight| scale * weight).collect();
        let svm = LinearSvm::train(&rows, &labels, &costs, Slack::Linear).ok()?;
        let (found, bias) = svm.plane();
        let mut weights = [0.0; D];
        for (weight, found) in weights.iter_mut().zip(found) {
            *weight = *found as f32;
        }
        let bias = bias as f32;
        Some(Plane { weights, bias })
    }
}

impl<const D: usize> WeightedLearner<D> for SoftSvm<D> {
    /// There is nothing to start from.
    fn restart(&mut self, _: &Plane<D>) {
        self.plane = Plane::BLANK;
        self.epochs = 0;
    }

    fn step(&mut self, samples: &mut Samples<'_, D>) -> Progress {
        self.plane = self.train(samples).unwrap_or(Plane::BLANK);
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

    /// Forty points on a line, the last one mislabelled, and the plane that is learned of them with these weights.
    fn plane(weights: &[f32; 40]) -> Plane<1> {
        let x: Vec<[f32; 1]> = (0..40).map(|i| [i as f32 / 20.0 - 0.975]).collect();
        let right = |x: &[f32; 1]| if x[0] > 0.0 { 1.0 } else { -1.0 };
        let mut signed: Vec<f32> = x.iter().zip(weights).map(|(x, w)| right(x) * w).collect();
        signed[39] *= -1.0;
        let mut scratch = vec![Breakpoint::BLANK; x.len()];
        let mut samples = Samples::new(&x, &mut signed, &mut scratch).unwrap();
        let mut learner = SoftSvm {
            cost: Some(1.0),
            ..SoftSvm::new(3)
        };
        assert_eq!(learner.step(&mut samples).epochs, 1);
        learner.plane()
    }

    #[test]
    fn a_weight_draws_the_plane_to_its_example() {
        let mut weights = [1.0; 40];
        let score = |plane: Plane<1>| plane.score(&[0.975]).unwrap();
        assert!(score(plane(&weights)) > 0.0, "outvoted");
        weights[39] = 40.0;
        assert!(score(plane(&weights)) < 0.0, "half of all weight");
    }

    #[test]
    fn only_shares_of_the_weight_count() {
        let weights = std::array::from_fn(|i| 1.0 + i as f32 / 10.0);
        let (one, other) = (plane(&weights), plane(&weights.map(|weight| 8.0 * weight)));
        let near = |a: f32, b: f32| assert!((a - b).abs() <= 1e-4 * a.abs(), "{a} {b}");
        near(one.weights[0], other.weights[0]);
        near(one.bias, other.bias);
    }
}
