//! One pass of the default learner over raw features.

use anyhow::Result;

use crate::{
    data::{DenseData, shuffle::SplitMix64},
    evaluate,
    learner::{self, Algorithm, Settings},
    reproduce::{Figures, Name, Scope, Watch},
};

/// The ten sets of Wang and Vucetic without Covertype, which no prototype of the learner saw.
pub const TEN_SETS: [&str; 10] = [
    "adult9",
    "banana",
    "ncheckerboard",
    "gauss",
    "ijcnn",
    "letter",
    "mnist",
    "pendigits",
    "usps",
    "waveform",
];

/// How much memory: the bytes of so many support vectors of Tightest.
pub const VECTORS: [usize; 2] = [20, 100];

/// Those of them that are wanted, where a quick run does with the small one.
pub fn memories(scope: &Scope) -> impl Iterator<Item = usize> {
    let wanted = |vectors: &usize| scope.wants_budget(*vectors) && (!scope.quick || *vectors == 20);
    VECTORS.into_iter().filter(wanted)
}

/// How much memory, and how many wrong labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The bytes of so many support vectors of Tightest.
    pub vectors: usize,
    /// Percentage of training labels that are turned round.
    pub flipped: u64,
}

impl Task {
    /// Name of a run.
    pub fn name(self, set: &str, run: u64) -> Name {
        let name = Name::new("pocketron").with("set", set);
        let name = name.with("vectors", self.vectors);
        name.with("flipped", self.flipped).with("run", run)
    }

    /// Learns and tests.
    pub fn run(
        self,
        train: DenseData,
        test: &DenseData,
        run: u64,
        watch: &Watch<'_>,
    ) -> Result<Figures> {
        let (mut train, test) = (train.to_f32()?, test.to_f32()?);
        let mut rng = SplitMix64::new(run);
        for label in &mut train.labels {
            if rng.below(100) < self.flipped {
                *label = -*label;
            }
        }
        let settings = Settings {
            kernel: None,
            budget: Some(learner::pocketron_budget(train.dim, self.vectors)),
            margin: 1.0,
            seed: 1,
            tolerance: 0.0,
            aggressiveness: 1.0,
            lambda: None,
        };
        let mut learner = learner::build(Algorithm::Pocketron, &settings, train.dim, train.len())?;
        let learned = std::cell::Cell::new(0);
        let tick = |more| {
            learned.set(learned.get() + more);
            watch.done(learned.get() as usize, train.len());
        };
        let run = evaluate::run_learner(&mut *learner, &train, &test, 1, tick)?;
        Ok([("accuracy".to_owned(), run.accuracy)].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pocketron::learners::Pocketron;

    #[test]
    fn a_model_fits_into_the_bytes_and_one_more_vector_would_not() {
        let budget = |vectors, dim| learner::pocketron_budget(dim, vectors);
        assert_eq!((budget(20, 2), budget(100, 16)), (68, 392));
        assert!(size_of::<Pocketron<2, 68>>() <= 20 * (4 * 2 + 13));
        assert!(size_of::<Pocketron<2, 69>>() > 20 * (4 * 2 + 13));
        assert!(size_of::<Pocketron<16, 392>>() <= 100 * (4 * 16 + 13));
        assert!(size_of::<Pocketron<16, 393>>() > 100 * (4 * 16 + 13));
    }
}
