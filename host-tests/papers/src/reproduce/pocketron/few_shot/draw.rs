//! Examples and test rows of one run.

use super::{problem::Rows, seed};
use crate::data::shuffle::{SplitMix64, permutation};

/// Rows to test on at most.
const TESTED: usize = 800;

/// Rows to teach with the classes that are taught, and rows to test on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Rows to teach, in random order.
    pub examples: Vec<usize>,
    /// The class that each of them is said to have.
    pub classes: Vec<u8>,
    /// Rows to test on.
    pub test: Vec<usize>,
}

impl Draw {
    /// The first `shots` of each class in the order of the run, and the first others. More shots add examples and keep
    /// those of fewer.
    pub fn new(rows: &Rows, shots: usize, run: u64) -> Self {
        let mut taken = [0; 256];
        let order = permutation(rows.exact.len(), seed(run, 0)).into_iter();
        let (examples, mut test): (Vec<_>, Vec<_>) = order.partition(|row| {
            let taken = &mut taken[usize::from(rows.class(*row))];
            *taken += 1;
            *taken <= shots
        });
        test.truncate(TESTED);
        let classes = examples.iter().map(|row| rows.class(*row)).collect();
        Draw {
            examples,
            classes,
            test,
        }
    }

    /// The same with another class for so many percent of the examples, drawn at random.
    #[must_use]
    pub fn with_wrong_labels(mut self, percent: usize, classes: usize, run: u64) -> Self {
        let wrong = (percent * self.examples.len()).div_ceil(100);
        let mut generator = SplitMix64::new(seed(run, 1));
        for example in &permutation(self.examples.len(), seed(run, 2))[..wrong] {
            let other = 1 + generator.below(classes as u64 - 1) as u8;
            let class = &mut self.classes[*example];
            *class = (*class + other) % classes as u8;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::{Bench, pocketron::few_shot::problem::Problem};

    #[test]
    fn a_draw_has_its_examples_of_each_class_and_tests_none_of_them() {
        let rows = Problem::named("digits").unwrap();
        let rows = rows.load(&Bench::new(None)).unwrap();
        let [few, more] = [5, 20].map(|shots| Draw::new(&rows, shots, 3));
        for class in 0..10 {
            let count = few.classes.iter().filter(|own| **own == class).count();
            assert_eq!(count, 5);
        }
        assert_eq!((few.examples.len(), few.test.len()), (50, TESTED));
        assert!(few.test.iter().all(|row| !few.examples.contains(row)));
        assert!(few.examples.iter().all(|row| more.examples.contains(row)));
        assert_ne!(few, Draw::new(&rows, 5, 4));
    }

    #[test]
    fn wrong_labels_are_wrong_and_as_many_as_asked_for() {
        let rows = Problem::named("penguins").unwrap();
        let rows = rows.load(&Bench::new(None)).unwrap();
        for run in 0..10 {
            let right = Draw::new(&rows, 10, run);
            let wrong = right.clone().with_wrong_labels(20, 3, run);
            assert_eq!(right.examples, wrong.examples);
            let pairs = right.classes.iter().zip(&wrong.classes);
            assert_eq!(pairs.filter(|(a, b)| a != b).count(), 6);
            assert!(wrong.classes.iter().all(|class| *class < 3));
        }
    }
}
