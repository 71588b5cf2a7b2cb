//! Tighter-Full as the host runs it: similarities are kept between removals.

use pocketron::{
    budget::{Admission, Counts, EvaluatedIn, Policy, first_least},
    classifier::{OnlineClassifier, Outcome, Scorer},
    error::InputError,
    kernel::Uniform,
    label::Sign,
    learners::perceptron::KernelPerceptron,
    rule::Rule,
    storage::SupportSet,
};

use super::Learner;
use crate::{
    heap::{Heap, HeapPoints},
    kernel::AnyKernel,
};

/// Evicts the vector without which the fewest of all seen points are misclassified: the core's `FewestErrors` over
/// `Everything`, to the bit.
///
/// The core computes a row of similarities for every seen point whenever it gives one up. Here the rows are kept, four
/// bytes for each seen point and support vector, and a removal costs one new column: at 30,000 examples of 123 features
/// that is what makes the paper's table a matter of minutes.
#[derive(Clone, Debug)]
pub struct Recalled {
    /// Everything seen; the coefficients are the labels.
    seen: SupportSet<Heap>,
    /// Similarities of each seen point with the support vectors; none before the first removal.
    rows: Vec<Vec<f32>>,
    /// Similarities of each seen point with the newest one.
    column: Vec<f32>,
}

impl Recalled {
    /// Has seen nothing of `dim` features.
    pub fn new(dim: usize) -> Self {
        Recalled {
            seen: SupportSet::with_points(HeapPoints::new(dim, usize::MAX)),
            rows: Vec::new(),
            column: Vec::new(),
        }
    }

    fn see(&mut self, candidate: &EvaluatedIn<'_, Heap>) {
        self.seen.push(candidate.x, candidate.label.value());
        if !self.rows.is_empty() {
            self.rows.push(candidate.row.to_vec());
        }
    }

    /// Computes what is missing before a removal.
    fn recall<K: Uniform>(&mut self, kernel: &K, set: &SupportSet<Heap>, newest: &[f32]) {
        if self.rows.is_empty() {
            let row = |slot| {
                let mut row = vec![0.0; set.len()];
                set.row(kernel, &self.seen.point(slot), &mut row);
                row
            };
            self.rows = (0..self.seen.len()).map(row).collect();
        }
        self.column.resize(self.seen.len(), 0.0);
        self.seen.row(kernel, newest, &mut self.column);
    }

    /// How many of the seen points are misclassified without each support vector, and without the newest one.
    fn errors(&self, set: &SupportSet<Heap>, coefficient: f32) -> Vec<u32> {
        let alphas: Vec<f32> = set.coefficients().collect();
        let mut errors = vec![0; alphas.len()];
        let mut without_newest = 0;
        let points = self
            .rows
            .iter()
            .zip(&self.column)
            .zip(self.seen.coefficients());
        for ((row, newest), label) in points {
            let (y, before) = (Sign::of(label).value(), set.score_of_row(row));
            let score = before + coefficient * newest;
            for (errors, (alpha, near)) in errors.iter_mut().zip(alphas.iter().zip(row)) {
                *errors += u32::from(y * (score - alpha * near) <= 0.0);
            }
            without_newest += u32::from(y * before <= 0.0);
        }
        errors.push(without_newest);
        errors
    }
}

impl<K: Uniform> Policy<K, Heap> for Recalled {
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<Heap>,
        candidate: &EvaluatedIn<'_, Heap>,
        coefficient: f32,
    ) -> Admission {
        self.see(candidate);
        if set.push(candidate.x, coefficient) {
            return Admission::Inserted;
        }
        self.recall(kernel, set, candidate.x);
        let errors = self.errors(set, coefficient);
        let victim = first_least(errors.iter().map(|errors| *errors as f32));
        if victim == set.len() {
            return Admission::Refused;
        }
        for (row, newest) in self.rows.iter_mut().zip(&self.column) {
            row.remove(victim);
            row.push(*newest);
        }
        set.remove(victim);
        set.push(candidate.x, coefficient);
        Admission::Shifted(victim)
    }

    fn passed(&mut self, _: &K, _: &SupportSet<Heap>, candidate: &EvaluatedIn<'_, Heap>) {
        self.see(candidate);
    }
}

/// The only learner by name that cannot be saved: images have no rows of similarities.
impl<R: Rule> Learner for KernelPerceptron<AnyKernel, Recalled, Heap, R> {
    fn learn(&mut self, x: &[f32], label: Sign) -> Result<Outcome<Sign>, InputError> {
        OnlineClassifier::learn(self, x, label)
    }

    fn score(&self, x: &[f32]) -> Result<f32, InputError> {
        Scorer::score(self, x)
    }

    fn alphas(&self) -> Vec<f32> {
        self.support().coefficients().collect()
    }

    fn counts(&self) -> Option<&[Counts]> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::generate::Artificial;
    use pocketron::{
        budget::{Everything, FewestErrors},
        hypothesis::Expansion,
        kernel::Gaussian,
        learners::perceptron::Perceptron,
        rule::MarginRule,
    };

    fn learner<P: Policy<Gaussian, Heap>>(
        policy: P,
        budget: usize,
    ) -> KernelPerceptron<Gaussian, P, Heap, MarginRule> {
        let kernel = Gaussian::new(5.0).unwrap();
        let points = HeapPoints::new(2, budget);
        let expansion = Expansion::with_points(kernel, policy, points);
        Perceptron::from_parts(expansion, MarginRule::new(1.0))
    }

    #[test]
    fn what_is_recalled_is_what_the_core_computes_again() {
        let data = Artificial::NoisyCheckerboard.draw(700, 3).to_f32().unwrap();
        for budget in [1, 2, 9, 40] {
            let everything = Everything::<Heap>::with_points(HeapPoints::new(2, data.len()), 1);
            let mut core = learner(FewestErrors::new(everything), budget);
            let mut host = learner(Recalled::new(2), budget);
            let mut refused = 0;
            for (x, label) in data.iter() {
                let label = if label > 0.0 { Sign::Pos } else { Sign::Neg };
                let (one, other) = (core.learn(x, label).unwrap(), host.learn(x, label).unwrap());
                assert_eq!(one, other);
                refused += usize::from(one.mistake && !one.changed());
                assert_eq!(core.support().alphas(), host.support().alphas());
                assert_eq!(
                    core.score(x).unwrap().to_bits(),
                    host.score(x).unwrap().to_bits()
                );
            }
            assert!(
                budget < 9 || refused > 0,
                "no removal left the newest one out"
            );
        }
    }
}
