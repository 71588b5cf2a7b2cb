//! Sets that had no part in the choice of the learner's constants.

use anyhow::{Context, Result};

use crate::{
    data::{Dataset, DenseData, catalogue, generate::Artificial},
    reproduce::Bench,
};

/// A two-class problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem {
    /// Its name.
    pub name: &'static str,
    source: Source,
}

/// Where the examples come from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    /// One file, of which four fifths, drawn in each run, are learned; labels above zero against the rest.
    File(&'static str),
    /// Training and test part, one label against the rest.
    Divided(&'static str, f64),
    /// 10,000 points to learn and 5,000 to test, drawn in each run.
    Drawn(Artificial),
}

const fn file(name: &'static str) -> Problem {
    Problem {
        name,
        source: Source::File(name),
    }
}

/// One label of a set in two parts against the rest.
pub const fn divided(name: &'static str, set: &'static str, label: f64) -> Problem {
    Problem {
        name,
        source: Source::Divided(set, label),
    }
}

const fn drawn(name: &'static str, set: Artificial) -> Problem {
    Problem {
        name,
        source: Source::Drawn(set),
    }
}

/// All of them.
pub const PROBLEMS: [Problem; 12] = [
    divided("covertype", "covertype", 2.0),
    divided("wisdm", "wisdm", WALKING),
    drawn("ringnorm", Artificial::RingNorm),
    drawn("threenorm", Artificial::ThreeNorm),
    drawn("yinyang", Artificial::YinYang),
    file("german"),
    file("pima"),
    file("wdbc"),
    file("ionosphere"),
    file("breast-cancer-wisconsin"),
    file("votes84"),
    file("australian"),
];

/// The label of walking among the activities of `wisdm`.
const WALKING: f64 = 1.0;

impl Problem {
    /// The files it needs.
    pub fn files(&self) -> Vec<String> {
        let (Source::File(set) | Source::Divided(set, _)) = self.source else {
            return Vec::new();
        };
        let parts = catalogue::lookup(set).map_or(&[][..], |entry| &entry.parts);
        parts.iter().map(|part| part.file.to_owned()).collect()
    }

    /// Training and test part of run `run`, as the features come.
    pub fn raw(&self, bench: &Bench, run: u64) -> Result<(DenseData, DenseData)> {
        let divided = |rows: &Dataset| -> Result<_> {
            let learned = rows.len() * 4 / 5;
            let (train, test) = rows.clone().permuted(run).split(learned)?;
            Ok((train.to_dense()?, test.to_dense()?))
        };
        let key = format!("further {}", self.name);
        match self.source {
            Source::Drawn(set) => Ok((set.draw(10_000, 2 * run), set.draw(5_000, 2 * run + 1))),
            Source::File(set) => {
                let rows = bench.prepared(&key, || Ok(bench.places.load(set)?.binary(None)?))?;
                divided(&rows).with_context(|| set.to_owned())
            }
            Source::Divided(set, positive) => {
                let parts = bench.prepared(&key, || {
                    let (train, test) = bench.places.load_split(set)?;
                    let dense = |rows: Dataset| rows.with_positive(&[positive]).to_dense();
                    Ok((dense(train)?, dense(test)?))
                })?;
                let (train, test) = &*parts;
                Ok((train.permuted(run), test.clone()))
            }
        }
    }
}
