//! The paper's Table 1: eleven two-class problems and the widths of their kernels.

use anyhow::{Context, Result};
use pocketron::kernel::Gaussian;

use crate::{
    data::{Dataset, Dense, DenseData, catalogue, generate::Artificial},
    kernel::AnyKernel,
    reproduce::Bench,
};

/// Where the examples come from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    /// The division of the catalogue.
    Divided(&'static str),
    /// One file, divided anew in each run after so many rows.
    Drawn(&'static str, usize),
    /// 10,000 points to learn and 5,000 to test, drawn anew in each run.
    Generated {
        learned: Artificial,
        tested: Artificial,
    },
}

/// A two-class problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem {
    /// Its name in the paper's tables.
    pub name: &'static str,
    /// Features.
    pub dim: usize,
    /// Examples to learn.
    pub learned: usize,
    /// Examples to test on.
    pub tested: usize,
    /// The kernel is `exp(-d^2 / (2 delta^2))`.
    pub delta_squared: f64,
    source: Source,
}

/// All problems, in the order of the paper.
pub const PROBLEMS: &[Problem] = &[
    Problem {
        name: "adult9",
        dim: 123,
        learned: 30162,
        tested: 15060,
        delta_squared: 25.0,
        source: Source::Divided("adult9"),
    },
    Problem {
        name: "banana",
        dim: 2,
        learned: 4300,
        tested: 1000,
        delta_squared: 0.1,
        source: Source::Drawn("banana", 4300),
    },
    Problem {
        name: "ncheckerboard",
        source: Source::Generated {
            learned: Artificial::NoisyCheckerboard,
            tested: Artificial::Checkerboard,
        },
        ..PLANE
    },
    Problem {
        name: "covertype",
        dim: 54,
        learned: 46481,
        tested: 46481,
        delta_squared: 27.0,
        source: Source::Divided("covertype"),
    },
    Problem {
        name: "gauss",
        source: Source::Generated {
            learned: Artificial::Gauss,
            tested: Artificial::Gauss,
        },
        ..PLANE
    },
    Problem {
        name: "ijcnn",
        dim: 22,
        learned: 49990,
        tested: 91701,
        delta_squared: 11.0,
        source: Source::Divided("ijcnn1"),
    },
    Problem {
        name: "letter",
        dim: 16,
        learned: 16000,
        tested: 4000,
        delta_squared: 1.0,
        source: Source::Divided("letter"),
    },
    Problem {
        name: "mnist",
        dim: 784,
        learned: 11982,
        tested: 1984,
        delta_squared: 392.0,
        source: Source::Divided("mnist"),
    },
    Problem {
        name: "pendigits",
        dim: 16,
        learned: 7494,
        tested: 3498,
        delta_squared: 8.0,
        source: Source::Divided("pendigits"),
    },
    Problem {
        name: "usps",
        dim: 256,
        learned: 7291,
        tested: 2007,
        delta_squared: 128.0,
        source: Source::Divided("usps"),
    },
    Problem {
        name: "waveform",
        dim: 21,
        delta_squared: 3.17,
        source: Source::Generated {
            learned: Artificial::Waveform,
            tested: Artificial::Waveform,
        },
        ..PLANE
    },
];

/// Common values of the generated problems in the plane.
const PLANE: Problem = Problem {
    name: "",
    dim: 2,
    learned: 10_000,
    tested: 5_000,
    delta_squared: 0.1,
    source: Source::Generated {
        learned: Artificial::Gauss,
        tested: Artificial::Gauss,
    },
};

/// Examples of a problem that are the same in all runs, before they are put in order.
enum PreparedData {
    Divided(DenseData, DenseData),
    Whole(Dataset),
}

impl Problem {
    /// The problem of that name.
    pub fn named(name: &str) -> Option<&'static Problem> {
        PROBLEMS.iter().find(|problem| problem.name == name)
    }

    /// The paper's kernel.
    ///
    /// # Panics
    ///
    /// Never: all widths of the table are good ones.
    pub fn kernel(&self) -> AnyKernel {
        let gamma = (0.5 / self.delta_squared) as f32;
        AnyKernel::Gaussian(Gaussian::new(gamma).expect("a positive width"))
    }

    /// The files it needs.
    pub fn files(&self) -> Vec<String> {
        let files = |set: &str| -> Vec<String> {
            let parts = catalogue::lookup(set).map_or(&[][..], |entry| &entry.parts);
            parts.iter().map(|part| part.file.to_owned()).collect()
        };
        match self.source {
            Source::Divided(set) | Source::Drawn(set, _) => files(set),
            Source::Generated { .. } => Vec::new(),
        }
    }

    /// Training and test part of run `run`: the training part in an order of its own, both scaled to mean 0 and
    /// deviation 1 of the training part.
    pub fn run(&self, bench: &Bench, run: u64) -> Result<(Dense<f32>, Dense<f32>)> {
        let (train, test) = self.raw(bench, run)?;
        let (train, scale) = train.standardize()?;
        Ok((train.to_f32()?, scale.apply(&test)?.to_f32()?))
    }

    /// The same as the features come.
    pub fn raw(&self, bench: &Bench, run: u64) -> Result<(DenseData, DenseData)> {
        Ok(match self.source {
            Source::Generated { learned, tested } => (
                learned.draw(self.learned, 2 * run),
                tested.draw(self.tested, 2 * run + 1),
            ),
            Source::Divided(_) | Source::Drawn(..) => match &*self.prepared(bench)? {
                PreparedData::Divided(train, test) => (train.permuted(run), test.clone()),
                PreparedData::Whole(rows) => {
                    let (train, test) = rows.clone().permuted(run).split(self.learned)?;
                    (train.to_dense()?, test.to_dense()?)
                }
            },
        })
    }

    fn prepared(&self, bench: &Bench) -> Result<std::sync::Arc<PreparedData>> {
        bench.prepared(&format!("wv {}", self.name), || {
            let (Source::Divided(set) | Source::Drawn(set, _)) = self.source else {
                anyhow::bail!("{} is drawn", self.name);
            };
            let task = catalogue::task(set).with_context(|| format!("no task for {set}"))?;
            Ok(match self.source {
                Source::Drawn(..) => PreparedData::Whole(task.apply(bench.places.load(set)?)),
                _ => {
                    let (train, test) = bench.places.load_split(set)?;
                    PreparedData::Divided(
                        task.apply(train).to_dense()?,
                        task.apply(test).to_dense()?,
                    )
                }
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_problems_have_the_sizes_of_the_paper_and_unit_deviation() {
        let bench = Bench::new(None);
        for name in ["ncheckerboard", "gauss", "waveform"] {
            let problem = Problem::named(name).unwrap();
            let (train, test) = problem.run(&bench, 3).unwrap();
            assert_eq!((train.len(), test.len()), (10_000, 5_000));
            assert_eq!((train.dim, test.dim), (problem.dim, problem.dim));
            let mean = train.iter().map(|(x, _)| f64::from(x[0])).sum::<f64>() / 10_000.0;
            let square = train
                .iter()
                .map(|(x, _)| f64::from(x[0]).powi(2))
                .sum::<f64>()
                / 10_000.0;
            assert!(mean.abs() < 1e-5 && (square - 1.0).abs() < 1e-4, "{name}");
            assert_eq!(problem.run(&bench, 3).unwrap().0, train);
            assert_ne!(problem.run(&bench, 4).unwrap().0, train);
        }
    }
}
