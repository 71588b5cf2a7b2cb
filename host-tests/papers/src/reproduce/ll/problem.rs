//! The paper's twelve sets: nine that are there, three that are drawn.

use std::sync::Arc;

use anyhow::Result;

use crate::{
    batch::Set,
    data::{Dataset, RowView, catalogue, generate::Artificial},
    reproduce::{Bench, Scope},
};

/// A two-class problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Problem {
    /// Its name in the paper's tables.
    pub name: &'static str,
    /// Examples to learn.
    pub learned: usize,
    source: Source,
}

/// Where the examples come from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    /// A file of that name, four fifths of which are learned.
    File(&'static str),
    /// The same without the rows in which a value was missing.
    Complete(&'static str),
    /// Drawn in each run.
    Drawn(Artificial),
}

const fn file(name: &'static str, set: &'static str, learned: usize) -> Problem {
    Problem {
        name,
        learned,
        source: Source::File(set),
    }
}

const fn drawn(name: &'static str, set: Artificial) -> Problem {
    Problem {
        name,
        learned: 600,
        source: Source::Drawn(set),
    }
}

/// All problems, in the order of the paper.
pub const PROBLEMS: [Problem; 12] = [
    file("australian", "australian", 552),
    Problem {
        name: "breast",
        learned: 546,
        source: Source::Complete("breast-cancer-wisconsin"),
    },
    file("cleveland", "cleveland", 242),
    file("german", "german", 800),
    file("heart", "heart", 216),
    file("ionosphere", "ionosphere", 281),
    file("pima", "pima", 614),
    drawn("ringnorm", Artificial::RingNorm),
    file("sonar", "sonar", 166),
    drawn("threenorm", Artificial::ThreeNorm),
    file("votes84", "votes84", 348),
    drawn("yinyang", Artificial::YinYang),
];

/// Those that need no download and are learned in no time.
const QUICK: [&str; 3] = ["pima", "votes84", "yinyang"];

impl Problem {
    /// The problem of that name.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn named(name: &str) -> &'static Problem {
        let found = PROBLEMS.iter().find(|problem| problem.name == name);
        found.unwrap_or_else(|| panic!("no set `{name}`"))
    }

    /// The names of all.
    pub fn names() -> Vec<&'static str> {
        PROBLEMS.iter().map(|problem| problem.name).collect()
    }

    /// Whether it is wanted.
    pub fn wanted(&self, scope: &Scope) -> bool {
        scope.wants_set(self.name) && (!scope.quick || QUICK.contains(&self.name))
    }

    /// Features.
    pub fn dim(&self) -> usize {
        match self.source {
            Source::File(set) | Source::Complete(set) => {
                catalogue::lookup(set).map_or(0, |entry| entry.features)
            }
            Source::Drawn(set) => set.dim(),
        }
    }

    /// The file it needs.
    pub fn file(&self) -> Option<&'static str> {
        match self.source {
            Source::File(set) | Source::Complete(set) => Some(set),
            Source::Drawn(_) => None,
        }
    }

    /// The examples.
    ///
    /// # Errors
    ///
    /// The file is not there, or not what it should be.
    pub fn set(&self, bench: &Bench) -> Result<Arc<Set>> {
        bench.prepared(&format!("ll {}", self.name), || match self.source {
            Source::File(set) => Ok(Set::Rows(bench.places.load(set)?.binary(None)?)),
            Source::Complete(set) => {
                let rows = complete(&bench.places.load(set)?);
                Ok(Set::Rows(rows.binary(None)?))
            }
            Source::Drawn(set) => Ok(Set::Drawn(set)),
        })
    }
}

/// The rows of integers: a missing value is the mean of its column, which is no integer.
fn complete(data: &Dataset) -> Dataset {
    let whole = |row: RowView<'_>| row.values().iter().all(|value| value.fract() == 0.0);
    data.clone().keep(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_fifths_are_learned_and_all_dimensions_are_known() {
        let bench = Bench::new(None);
        for problem in PROBLEMS {
            assert!(problem.dim() > 0, "{}", problem.name);
            if let Ok(set) = problem.set(&bench) {
                assert_eq!(set.learned(), problem.learned, "{}", problem.name);
            }
        }
        let Set::Rows(breast) = &*Problem::named("breast").set(&bench).unwrap() else {
            panic!("rows of a file");
        };
        assert_eq!((breast.len(), breast.dim()), (683, 9));
        for name in QUICK {
            assert!(Problem::named(name).set(&bench).is_ok(), "{name}");
        }
    }
}
