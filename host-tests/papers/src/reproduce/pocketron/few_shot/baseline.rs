//! Baselines that see all examples at once: neighbours, centroids and support vector machines.

use anyhow::Result;

use super::{percent, problem::Rows};
use crate::{
    data::{DenseData, Standardizer, shuffle::permutation},
    sparse::sparse,
    svm::{ClassSvm, SvmKernel},
};

/// `C` of the support vector machines.
const COST: f64 = 10.0;

/// Levels of a byte for one standard deviation: the learner stores vectors in the same steps.
const LEVELS: f32 = 127.0 / 4.0;

/// Examples and test rows, standardised on the examples.
#[derive(Debug)]
pub struct Batch {
    train: Vec<Vec<f32>>,
    classes: Vec<u8>,
    test: Vec<Vec<f32>>,
    answers: Vec<u8>,
    /// Features that are not the same in all examples.
    varying: usize,
}

impl Batch {
    /// Of some rows of a set; examples have the classes that they are said to have.
    pub fn new(rows: &Rows, examples: &[usize], classes: &[u8], test: &[usize]) -> Result<Self> {
        let raw = |numbers: &[usize]| -> Vec<&[f64]> {
            let numbers = numbers.iter();
            numbers.map(|row| rows.exact.row(*row)).collect()
        };
        let answers = test.iter().map(|row| rows.class(*row)).collect();
        Batch::of((raw(examples), classes.to_vec()), (raw(test), answers))
    }

    fn of(
        (examples, classes): (Vec<&[f64]>, Vec<u8>),
        (test, answers): (Vec<&[f64]>, Vec<u8>),
    ) -> Result<Self> {
        let scale = Standardizer::fit(&DenseData {
            dim: examples.first().map_or(0, |row| row.len()),
            x: examples.concat(),
            labels: vec![0.0; examples.len()],
        })?;
        let scaled = |rows: Vec<&[f64]>| -> Vec<Vec<f32>> {
            let row = |row: &[f64]| {
                let mut row = row.to_vec();
                scale.scale_row(&mut row);
                row.into_iter().map(|value| value as f32).collect()
            };
            rows.into_iter().map(row).collect()
        };
        Ok(Batch {
            train: scaled(examples),
            classes,
            test: scaled(test),
            answers,
            varying: scale.sd().iter().filter(|sd| **sd > 0.0).count(),
        })
    }

    /// Percent right of the class that most of the `count` nearest examples have; of several such classes, the one of
    /// the nearest example.
    pub fn neighbours(&self, count: usize) -> f64 {
        self.accuracy(|x| vote(&self.train, &self.classes, x, count))
    }

    /// Percent right of the class whose mean is nearest.
    pub fn centroid(&self) -> f64 {
        let (means, classes) = self.means();
        self.accuracy(|x| vote(&means, &classes, x, 1))
    }

    /// Percent right of support vector machines with a Gaussian kernel, one for each pair of classes. Its gamma is 1 over
    /// the number of features that vary, which is scikit-learn's `scale` on standardised features.
    pub fn svm(&self) -> Result<f64> {
        let rows: Vec<_> = self.train.iter().map(|x| sparse(x)).collect();
        let kernel = SvmKernel::Gaussian(1.0 / self.varying.max(1) as f64);
        let svm = ClassSvm::train(&rows, &self.classes, kernel, COST)?;
        Ok(self.accuracy(|x| svm.predict(&sparse(x))))
    }

    /// Percent right of the nearest of so many examples, which is what a reservoir holds after any stream: a uniform
    /// sample.
    pub fn reservoir(&self, vectors: usize, format: Format, seed: u64) -> f64 {
        let mut kept = permutation(self.train.len(), seed);
        kept.truncate(vectors);
        // The order of the examples decides between equal distances, as it does without a limit.
        kept.sort_unstable();
        let stored = |row: &usize| format.stored(&self.train[*row]);
        let rows: Vec<_> = kept.iter().map(stored).collect();
        let classes: Vec<_> = kept.iter().map(|row| self.classes[*row]).collect();
        self.accuracy(|x| vote(&rows, &classes, &format.stored(x), 1))
    }

    /// Of each test row: the mean distance to the `count` nearest examples.
    pub fn distances(&self, count: usize) -> Vec<f32> {
        let of = |x: &Vec<f32>| {
            let nearest = nearest(&self.train, &self.classes, x, count);
            let sum: f32 = nearest.iter().map(|(squared, _)| squared.sqrt()).sum();
            sum / nearest.len().max(1) as f32
        };
        self.test.iter().map(of).collect()
    }

    fn accuracy(&self, predict: impl Fn(&[f32]) -> u8) -> f64 {
        let pairs = self.test.iter().zip(&self.answers);
        let right = pairs.filter(|(x, class)| predict(x) == **class);
        percent(right.count(), self.test.len())
    }

    /// The mean of each class that there is.
    fn means(&self) -> (Vec<Vec<f32>>, Vec<u8>) {
        let mut known = self.classes.clone();
        known.sort_unstable();
        known.dedup();
        let mean = |class: &u8| {
            let examples = self.train.iter().zip(&self.classes);
            let own = examples.filter(|(_, other)| *other == class);
            let mut sum = vec![0.0; self.train[0].len()];
            let mut count = 0.0;
            for (x, _) in own {
                count += 1.0;
                sum.iter_mut().zip(x).for_each(|(sum, x)| *sum += x);
            }
            sum.into_iter().map(|sum| sum / count).collect()
        };
        (known.iter().map(mean).collect(), known)
    }
}

/// How a reservoir stores a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A byte.
    I8,
    /// Four bytes, as Arduino_KNN does.
    F32,
}

impl Format {
    /// Vectors with their classes that fit into so many bytes.
    pub fn vectors(self, dim: usize, bytes: usize) -> usize {
        let feature = match self {
            Format::I8 => 1,
            Format::F32 => 4,
        };
        bytes / (feature * dim + 1)
    }

    fn stored(self, x: &[f32]) -> Vec<f32> {
        let level = |x: &f32| (x * LEVELS).round().clamp(-127.0, 127.0);
        match self {
            Format::I8 => x.iter().map(level).collect(),
            Format::F32 => x.to_vec(),
        }
    }
}

/// Squared distance and class of the `count` rows nearest to `x`.
fn nearest(rows: &[Vec<f32>], classes: &[u8], x: &[f32], count: usize) -> Vec<(f32, u8)> {
    let squared = |row: &Vec<f32>| -> f32 {
        let differences = row.iter().zip(x).map(|(a, b)| a - b);
        differences.map(|difference| difference * difference).sum()
    };
    let mut nearest: Vec<(f32, u8)> = Vec::with_capacity(count + 1);
    for (row, class) in rows.iter().zip(classes) {
        let distance = squared(row);
        let place = nearest.partition_point(|(other, _)| *other <= distance);
        if place < count {
            nearest.insert(place, (distance, *class));
            nearest.truncate(count);
        }
    }
    nearest
}

/// The class of most of the `count` rows nearest to `x`.
fn vote(rows: &[Vec<f32>], classes: &[u8], x: &[f32], count: usize) -> u8 {
    let nearest = nearest(rows, classes, x, count);
    let votes = |class: u8| nearest.iter().filter(|(_, other)| *other == class).count();
    // The last of several maxima is taken: from behind, that is the nearest.
    let winner = nearest.iter().rev().max_by_key(|(_, class)| votes(*class));
    winner.map_or(u8::MAX, |(_, class)| *class)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Classes 0 at 0, 1 and 7, and 1 at 4, 5 and 6, with a second feature that never varies.
    const EXAMPLES: [[f64; 2]; 6] = [
        [0.0, 3.0],
        [1.0, 3.0],
        [7.0, 3.0],
        [4.0, 3.0],
        [5.0, 3.0],
        [6.0, 3.0],
    ];

    fn batch(test: &[([f64; 2], u8)]) -> Batch {
        let examples = EXAMPLES.iter().map(|row| &row[..]).collect();
        let rows = test.iter().map(|(row, _)| &row[..]).collect();
        let answers = test.iter().map(|(_, class)| *class).collect();
        Batch::of((examples, vec![0, 0, 0, 1, 1, 1]), (rows, answers)).unwrap()
    }

    #[test]
    fn each_baseline_answers_as_computed_by_hand() {
        // Nearest to 6.8 is 7 (class 0), but 6 and 5 outvote it; the means are 8/3 and 5, halfway 23/6 = 3.83.
        let near_seven = batch(&[([6.8, 9.0], 0)]);
        assert_eq!(near_seven.neighbours(1), 100.0);
        assert_eq!(near_seven.neighbours(3), 0.0);
        assert_eq!(near_seven.centroid(), 0.0);
        let around_the_middle = batch(&[([3.8, 3.0], 0), ([3.9, 3.0], 1)]);
        assert_eq!(around_the_middle.centroid(), 100.0);
        assert_eq!(around_the_middle.neighbours(1), 50.0);
        let clear = batch(&[([0.5, 3.0], 0), ([5.0, 3.0], 1)]);
        assert_eq!(clear.svm().unwrap(), 100.0);
        assert_eq!(clear.varying, 1);
        // Examples are at 0, 1, 4, 5, 6 and 7: deviations of 2.54.
        let far = batch(&[([9.0, 3.0], 0)]);
        let [one, three] = [1, 3].map(|count| far.distances(count)[0] * 6.472_f32.sqrt());
        assert!((one - 2.0).abs() < 0.01 && (three - 3.0).abs() < 0.01);
    }

    #[test]
    fn a_tie_goes_to_the_nearest() {
        let rows = [vec![0.0], vec![1.0], vec![3.0]];
        assert_eq!(vote(&rows, &[2, 1, 0], &[0.9], 3), 1);
        assert_eq!(vote(&rows, &[2, 1, 2], &[0.9], 3), 2);
        assert_eq!(
            vote(&rows, &[2, 1, 0], &[0.5], 1),
            2,
            "the first of two as near"
        );
    }

    #[test]
    fn a_reservoir_with_room_for_all_is_the_nearest_neighbour() {
        let test = [([0.4, 3.0], 0), ([6.8, 3.0], 0), ([4.4, 3.0], 1)];
        for format in [Format::I8, Format::F32] {
            assert_eq!(batch(&test).reservoir(6, format, 1), 100.0);
        }
        // One vector knows one class.
        let one = batch(&test).reservoir(1, Format::F32, 1);
        assert!([100.0 / 3.0, 200.0 / 3.0].contains(&one), "{one}");
        assert_eq!(Format::I8.vectors(16, 170), 10);
        assert_eq!(Format::F32.vectors(16, 170), 2);
    }
}
