//! Who learns, and in how many bytes.

use std::fmt;

use anyhow::Result;
use pocketron::{label::Class, rule::MarginRule};

use super::problem::{Parts, Problem};
use crate::{
    classes::{self, ClassSettings, UpdatedClasses, pocketron_bytes},
    data::{Dense, Standardizer},
    forest::Forest,
    learner::Algorithm,
    options::Name,
    reproduce::{Figures, Watch},
    sparse::sparse,
    svm::{ClassSvm, SvmKernel},
};

/// One of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// The default learner with so many vectors.
    BestWrongClass(usize),
    /// The same with steps of every class.
    AllViolating(usize),
    /// Support vector machines for all pairs of classes.
    Svm,
    /// The nearest of all training rows.
    Nearest,
    /// A random forest.
    Forest,
}

const TREES: u16 = 100;
/// Bytes of a node: a feature, a threshold, and where to go on.
const NODE: usize = 8;
/// Standard deviations at which features of batch machines end.
const CLIP: f64 = 3.0;
const COST: f64 = 10.0;

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Machine::BestWrongClass(budget) => write!(f, "top {budget}"),
            Machine::AllViolating(budget) => write!(f, "each {budget}"),
            Machine::Svm => f.write_str("svm"),
            Machine::Nearest => f.write_str("1-NN"),
            Machine::Forest => f.write_str("forest"),
        }
    }
}

impl Machine {
    /// Millions of multiplications, about.
    pub fn cost(self, problem: &Problem) -> u64 {
        let (rows, dim) = problem.size;
        let vectors = match self {
            Machine::BestWrongClass(budget) | Machine::AllViolating(budget) => 2 * budget,
            _ => rows.min(problem.batch),
        };
        (rows.min(problem.batch) * dim * vectors / 1_000_000) as u64
    }

    /// Learns and tests.
    pub fn run(
        self,
        problem: &Problem,
        parts: &Parts,
        run: u64,
        watch: &Watch<'_>,
    ) -> Result<Figures> {
        let (accuracy, bytes) = match self {
            Machine::BestWrongClass(budget) => {
                stream(parts, budget, UpdatedClasses::BestWrongClass, run, watch)?
            }
            Machine::AllViolating(budget) => {
                stream(parts, budget, UpdatedClasses::AllViolating, run, watch)?
            }
            Machine::Svm => svm(&Batch::of(parts)?, problem, parts.labels.len())?,
            Machine::Nearest => nearest(&Batch::of(parts)?, watch),
            Machine::Forest => forest(&Batch::of(parts)?, run)?,
        };
        Ok([
            ("accuracy".to_owned(), accuracy),
            ("bytes".to_owned(), bytes as f64),
        ]
        .into())
    }
}

/// One pass over raw features.
fn stream(
    parts: &Parts,
    budget: usize,
    updated: UpdatedClasses,
    run: u64,
    watch: &Watch<'_>,
) -> Result<(f64, usize)> {
    let (train, test) = (parts.train.permuted(run).to_f32()?, parts.test.to_f32()?);
    let settings = ClassSettings {
        kernel: None,
        budget: Some(budget),
        rule: MarginRule::new(1.0),
        updated,
    };
    let name = Name::Budget(Algorithm::Pocketron);
    let mut learner = classes::build(name, &settings, train.dim, (train.len(), 1))?;
    for (row, (x, label)) in train.iter().enumerate() {
        learner.learn(x, Class(parts.class(label)), row)?;
        watch.done(row + 1, train.len());
    }
    let mut right = 0;
    for (x, label) in test.iter() {
        right += usize::from(learner.predict(x)? == Class(parts.class(label)));
    }
    let bytes = pocketron_bytes(train.dim, parts.labels.len(), budget, updated);
    Ok((percent(right, test.len()), bytes))
}

fn percent(right: usize, of: usize) -> f64 {
    100.0 * right as f64 / of as f64
}

/// Standardised rows and their classes.
struct Batch {
    train: Vec<Vec<f32>>,
    classes: Vec<u8>,
    test: Vec<Vec<f32>>,
    answers: Vec<u8>,
}

impl Batch {
    fn of(parts: &Parts) -> Result<Self> {
        let scale = Standardizer::fit(&parts.train)?;
        let rows = |data: &Dense<f64>| -> Vec<Vec<f32>> {
            let row = |(x, _): (&[f64], f64)| {
                let mut x = x.to_vec();
                scale.scale_row(&mut x);
                x.iter().map(|x| x.clamp(-CLIP, CLIP) as f32).collect()
            };
            data.iter().map(row).collect()
        };
        let classes = |data: &Dense<f64>| {
            let labels = data.labels.iter();
            labels.map(|label| parts.class(*label)).collect()
        };
        Ok(Batch {
            train: rows(&parts.train),
            classes: classes(&parts.train),
            test: rows(&parts.test),
            answers: classes(&parts.test),
        })
    }

    fn dim(&self) -> usize {
        self.train.first().map_or(0, Vec::len)
    }

    fn accuracy(&self, answer: impl Fn(&[f32]) -> u8) -> f64 {
        let pairs = self.test.iter().zip(&self.answers);
        let right = pairs.filter(|(x, class)| answer(x) == **class);
        percent(right.count(), self.test.len())
    }
}

fn svm(batch: &Batch, problem: &Problem, classes: usize) -> Result<(f64, usize)> {
    let rows: Vec<_> = batch.train.iter().map(|x| sparse(x)).collect();
    let kernel = SvmKernel::Gaussian(problem.width / batch.dim() as f64);
    let svm = ClassSvm::train(&rows, &batch.classes, kernel, COST)?;
    let bytes = svm.support_vectors() * 4 * (batch.dim() + classes - 1);
    Ok((batch.accuracy(|x| svm.predict(&sparse(x))), bytes))
}

fn nearest(batch: &Batch, watch: &Watch<'_>) -> (f64, usize) {
    let done = std::cell::Cell::new(0);
    let answer = |x: &[f32]| {
        done.set(done.get() + 1);
        watch.done(done.get(), batch.test.len());
        let distance = |row: &[f32]| {
            // By eights, so that it becomes vector instructions.
            let (own, rest) = row.as_chunks::<8>();
            let (other, other_rest) = x.as_chunks::<8>();
            let mut sums = [0.0_f32; 8];
            for (own, other) in own.iter().zip(other) {
                for (sum, (a, b)) in sums.iter_mut().zip(own.iter().zip(other)) {
                    *sum += (a - b) * (a - b);
                }
            }
            let rest = rest.iter().zip(other_rest).map(|(a, b)| (a - b) * (a - b));
            sums.iter().sum::<f32>() + rest.sum::<f32>()
        };
        let distances = batch.train.iter().map(|row| distance(row));
        let pairs = distances.zip(&batch.classes);
        let least = pairs.min_by(|(a, _), (b, _)| a.total_cmp(b));
        least.map_or(u8::MAX, |(_, class)| *class)
    };
    let bytes = batch.train.len() * (4 * batch.dim() + 1);
    (batch.accuracy(answer), bytes)
}

fn forest(batch: &Batch, seed: u64) -> Result<(f64, usize)> {
    let classes: Vec<u32> = batch
        .classes
        .iter()
        .map(|class| u32::from(*class))
        .collect();
    let forest = Forest::grow(&batch.train, &classes, TREES, seed)?;
    let answers = forest.predict(&batch.test)?;
    let pairs = answers.iter().zip(&batch.answers);
    let right = pairs.filter(|(answer, class)| **answer == u32::from(**class));
    let accuracy = percent(right.count(), batch.test.len());
    Ok((accuracy, NODE * forest.nodes()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pocketron::learners::{
        PocketronMulti,
        continual::{AllViolating, AnnealedSteps},
    };

    #[test]
    fn bytes_are_those_of_the_types() {
        type Alone<const D: usize, const B: usize, const C: usize> =
            PocketronMulti<D, B, C, AllViolating<AnnealedSteps<35, 3>, C>>;
        assert_eq!(
            size_of::<PocketronMulti<16, 50, 10>>(),
            pocketron_bytes(16, 10, 50, UpdatedClasses::BestWrongClass)
        );
        assert_eq!(
            size_of::<PocketronMulti<3, 7, 5>>(),
            pocketron_bytes(3, 5, 7, UpdatedClasses::BestWrongClass)
        );
        assert_eq!(
            size_of::<Alone<16, 50, 26>>(),
            pocketron_bytes(16, 26, 50, UpdatedClasses::AllViolating)
        );
        let budget = classes::pocketron_budget(16, 10, 20, UpdatedClasses::BestWrongClass);
        assert!(
            pocketron_bytes(16, 10, budget, UpdatedClasses::BestWrongClass) <= 20 * (4 * 16 + 13)
        );
        assert!(
            pocketron_bytes(16, 10, budget + 1, UpdatedClasses::BestWrongClass)
                > 20 * (4 * 16 + 13)
        );
    }
}
