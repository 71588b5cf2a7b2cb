//! Sets of several classes.

use std::sync::Arc;

use anyhow::Result;

use super::machine::Machine;
use crate::{
    data::{Dataset, DenseData, catalogue},
    reproduce::Bench,
};

/// A set, and how it is divided.
#[derive(Debug)]
pub struct Problem {
    /// Its name.
    pub name: &'static str,
    /// Orders in which it is learned.
    pub orders: u64,
    /// LIBSVM's gamma, times the number of features.
    pub width: f64,
    /// Rows to learn, if the file does not say.
    learned: Option<usize>,
    /// Rows that batch machines learn at most.
    pub batch: usize,
    /// Examples and features, about: for the time left.
    pub size: (usize, usize),
}

/// All of them.
pub const PROBLEMS: [Problem; 7] = [
    set("pendigits", 2.0, (7494, 16)),
    set("letter", 1.0, (16_000, 16)).dividing(16_000),
    set("usps", 1.0, (7291, 256)),
    Problem {
        orders: 3,
        batch: 10_000,
        ..set("mnist", 2.0, (60_000, 784))
    },
    set("wisdm", 1.0, (4075, 43)),
    set("uwave", 2.0, (716, 135)).dividing(716),
    set("digits", 2.0, (1437, 64)).dividing(1437),
];

const fn set(name: &'static str, width: f64, size: (usize, usize)) -> Problem {
    Problem {
        name,
        orders: 5,
        width,
        learned: None,
        batch: usize::MAX,
        size,
    }
}

/// Training and test part, and the labels that stand for classes.
pub struct Parts {
    /// Rows to learn.
    pub train: DenseData,
    /// Rows to answer.
    pub test: DenseData,
    /// Labels of the training part, in order.
    pub labels: Vec<f64>,
}

impl Problem {
    const fn dividing(self, learned: usize) -> Self {
        Problem {
            learned: Some(learned),
            ..self
        }
    }

    /// Whether the repository has it.
    pub fn is_at_hand(&self) -> bool {
        self.name == "digits"
    }

    /// The files it needs.
    pub fn files(&self) -> Vec<String> {
        let parts = catalogue::lookup(self.name).map_or(&[][..], |entry| &entry.parts);
        parts.iter().map(|part| part.file.to_owned()).collect()
    }

    /// Training and test part as the features come; batch machines get as many rows as they can do with.
    pub fn parts(&self, bench: &Bench, machine: Machine) -> Result<Arc<Parts>> {
        let rows = match machine {
            Machine::BestWrongClass(_) | Machine::AllViolating(_) => usize::MAX,
            _ => self.batch,
        };
        let key = format!("classes {} {rows}", self.name);
        bench.prepared(&key, || {
            let (train, test) = match self.learned {
                None => bench.places.load_split(self.name)?,
                // Letter is in the order of the original, whose first rows are learned by custom.
                Some(learned) if self.name == "letter" => {
                    bench.places.load(self.name)?.split(learned)?
                }
                Some(learned) => bench.places.load(self.name)?.permuted(1).split(learned)?,
            };
            let dim = train.dim().max(test.dim());
            let dense = |rows: Dataset| rows.with_dim(dim)?.to_dense();
            let (train, test) = (dense(train.limit(rows))?, dense(test)?);
            let mut labels = train.labels.clone();
            labels.sort_by(f64::total_cmp);
            labels.dedup();
            Ok(Parts {
                train,
                test,
                labels,
            })
        })
    }
}

impl Parts {
    /// The number of a label's class; one that was not learned gets a number that is never predicted.
    pub fn class(&self, label: f64) -> u8 {
        let place = self
            .labels
            .binary_search_by(|known| known.total_cmp(&label));
        place.map_or(u8::MAX, |place| place as u8)
    }
}
