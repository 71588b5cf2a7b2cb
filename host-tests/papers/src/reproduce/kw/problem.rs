//! The paper's sets and how it learns each of them.

use std::sync::Arc;

use anyhow::{Result, ensure};
use crc::{CRC_32_ISO_HDLC, Crc};

use super::{lesson::TrainingPlan, rows::Rows};
use crate::{
    data::{DenseData, catalogue, halfspace::HalfSpace, shuffle::permutation},
    reproduce::Bench,
};

/// Where rows come from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    /// The first file of a set, or the only one.
    First,
    /// All files of a set together.
    Joined,
    /// The files of a set: what is learned and what is tested at the end.
    Divided,
    /// 600 points, others for every run.
    Drawn(HalfSpace),
}

/// A set with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem {
    /// The set's name.
    pub set: &'static str,
    /// Epochs, step size, kernel.
    pub plan: TrainingPlan,
    source: Source,
}

/// How most sets are learned.
pub const USUAL: TrainingPlan = TrainingPlan {
    epochs: 100,
    eta: 0.1,
    degree: 1,
};

/// How Adult is learned.
pub const ADULT: TrainingPlan = TrainingPlan {
    epochs: 5,
    eta: 0.4,
    degree: 1,
};

/// How MNIST is learned.
pub const ONCE: TrainingPlan = TrainingPlan {
    epochs: 1,
    eta: 1.0,
    degree: 1,
};

/// Two-class sets in the order of the paper.
pub const SMALL: [&str; 8] = [
    "breast-cancer-wisconsin",
    "bupa",
    "wdbc",
    "crx",
    "promoters",
    "ionosphere",
    "wpbc",
    "sonar",
];

/// Rows in random order. Those from `stock` on are only tested.
#[derive(Debug)]
pub struct Prepared {
    /// All rows.
    pub rows: Rows,
    /// How many of them are learned or divided into folds.
    pub stock: usize,
}

impl Problem {
    /// A set that is cross-validated, learned as usual.
    pub const fn whole(set: &'static str) -> Self {
        Problem {
            set,
            plan: USUAL,
            source: Source::Joined,
        }
    }

    /// A set that is tested on a file of its own.
    pub const fn divided(set: &'static str, plan: TrainingPlan) -> Self {
        Problem {
            set,
            plan,
            source: Source::Divided,
        }
    }

    /// The same problem learned in another way.
    #[must_use]
    pub const fn learned_by(self, plan: TrainingPlan) -> Self {
        Problem { plan, ..self }
    }

    /// The same problem on the first file of its set alone.
    #[must_use]
    pub const fn first_file(self) -> Self {
        Problem {
            source: Source::First,
            ..self
        }
    }

    /// An artificial set.
    pub const fn drawn(set: HalfSpace) -> Self {
        Problem {
            set: "artificial",
            plan: USUAL,
            source: Source::Drawn(set),
        }
    }

    /// Name of its rows.
    pub fn rows_name(&self) -> String {
        let set = self.set;
        match self.source {
            Source::First => format!("{set}.train"),
            Source::Joined => set.into(),
            Source::Divided => format!("{set}.train+test"),
            Source::Drawn(HalfSpace { dim, margin, noise }) => {
                format!("{set}-f{dim}-M{margin}-N{noise}")
            }
        }
    }

    /// The files it needs.
    pub fn files(&self) -> Vec<String> {
        let parts = catalogue::lookup(self.set).map_or(&[][..], |entry| &entry.parts);
        let parts = match self.source {
            Source::First => &parts[..1],
            _ => parts,
        };
        parts.iter().map(|part| part.file.to_owned()).collect()
    }

    /// About how many rows it has, of how many features that are not zero.
    pub fn size(&self) -> (usize, usize) {
        match (self.source, self.set) {
            (Source::Drawn(set), _) => (600, set.dim),
            (_, "mnist") => (70_000, 150),
            (_, "usps") => (9298, 256),
            (_, "adult") => (40_000, 14),
            _ => (500, 30),
        }
    }

    /// The rows in the order of run `run`.
    ///
    /// # Errors
    ///
    /// A file is missing or malformed.
    pub fn prepare(&self, bench: &Bench, run: u64) -> Result<Arc<Prepared>> {
        let name = format!("kw {} {run}", self.rows_name());
        bench.prepared(&name, || self.load(bench, run))
    }

    fn load(&self, bench: &Bench, run: u64) -> Result<Prepared> {
        let mut data = match self.source {
            Source::Drawn(set) => {
                // A seed of its own for each kind of set: otherwise sets of any margin and noise would share a plane.
                let kind = Crc::<u32>::new(&CRC_32_ISO_HDLC).checksum(self.rows_name().as_bytes());
                vec![set.draw(600, u64::from(kind) << 32 | run)]
            }
            _ => {
                let files = self.files();
                let read = |file: &String| Ok(bench.places.load(file)?.to_dense()?);
                files.iter().map(read).collect::<Result<Vec<_>>>()?
            }
        };
        let tested = match self.source {
            Source::Divided => data.pop(),
            _ => None,
        };
        let mut data = joined(data)?;
        let stock = data.len();
        let mut order = permutation(stock, run);
        if let Some(tested) = tested {
            order.extend(stock..stock + tested.len());
            data = joined(vec![data, tested])?;
        }
        match self.set {
            // The paper does not say how it scales these two; see the remarks on Tables 5 and 7.
            "adult" => stretch(&mut data, stock),
            "mnist" => data.x.iter_mut().for_each(|pixel| *pixel /= 255.0),
            _ => {}
        }
        Ok(Prepared {
            rows: Rows::new(&data)?.pick(order),
            stock,
        })
    }
}

fn joined(parts: Vec<DenseData>) -> Result<DenseData> {
    let dim = parts.first().map_or(0, |part| part.dim);
    ensure!(
        parts.iter().all(|part| part.dim == dim),
        "files of different features"
    );
    Ok(DenseData {
        dim,
        labels: parts.iter().flat_map(|part| part.labels.clone()).collect(),
        x: parts.into_iter().flat_map(|part| part.x).collect(),
    })
}

/// Brings every feature to the range from 0 to 1, which it has on the first `stock` rows.
fn stretch(data: &mut DenseData, stock: usize) {
    for feature in 0..data.dim {
        let column = || data.x.iter().skip(feature).step_by(data.dim).take(stock);
        let low = column().copied().fold(f64::INFINITY, f64::min);
        let high = column().copied().fold(f64::NEG_INFINITY, f64::max);
        let width = if high > low { high - low } else { 1.0 };
        let dim = data.dim;
        for value in data.x.iter_mut().skip(feature).step_by(dim) {
            *value = (*value - low) / width;
        }
    }
}
