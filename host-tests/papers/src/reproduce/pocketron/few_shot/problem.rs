//! Sets with several classes, all their rows together.

use std::{io::Read, sync::Arc};

use anyhow::{Context, Result, ensure};
use flate2::read::MultiGzDecoder;

use super::features;
use crate::{
    data::{Dense, DenseData, catalogue},
    reproduce::{Bench, Scope},
};

/// Numbers of examples per class.
pub const SHOTS: [usize; 8] = [1, 2, 3, 5, 10, 20, 50, 100];

/// A set and its size.
#[derive(Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its name.
    pub name: &'static str,
    /// Features.
    pub dim: usize,
    /// Classes.
    pub classes: usize,
    /// Rows of all parts.
    pub rows: usize,
    /// Rows of the smallest class.
    smallest: usize,
}

/// All of them.
pub const PROBLEMS: [Problem; 8] = [
    set("uwave", 135, 8, 896, 100),
    set("digits", 64, 10, 1797, 174),
    set("wisdm", 43, 6, 5418, 246),
    set("pendigits", 16, 10, 10_992, 1055),
    set("usps", 256, 10, 9298, 708),
    set("letter", 16, 26, 20_000, 734),
    set("penguins", 2, 3, 342, 68),
    set("basicmotions", 6 * features::EACH, 4, 80, 20),
];

const fn set(
    name: &'static str,
    dim: usize,
    classes: usize,
    rows: usize,
    smallest: usize,
) -> Problem {
    Problem {
        name,
        dim,
        classes,
        rows,
        smallest,
    }
}

/// Samples of a channel of basicmotions, the only set of raw signals.
const SAMPLES: usize = 100;

/// Rows of a set with their classes.
pub struct Rows {
    /// Rows as the file has them; labels are the numbers of classes, from 0.
    pub exact: DenseData,
    /// The same in the precision of a device.
    pub device: Dense<f32>,
    /// How many of them are the training part, which comes first.
    pub training: usize,
}

impl Rows {
    /// The class of a row.
    pub fn class(&self, row: usize) -> u8 {
        self.exact.labels[row] as u8
    }
}

impl Problem {
    /// The set of this name.
    pub fn named(name: &str) -> Option<&'static Problem> {
        PROBLEMS.iter().find(|problem| problem.name == name)
    }

    /// Whether the repository carries it.
    pub fn is_at_hand(&self) -> bool {
        ["digits", "penguins"].contains(&self.name)
    }

    /// The files it needs.
    pub fn files(&self) -> Vec<String> {
        let parts = catalogue::lookup(self.name).map_or(&[][..], |entry| &entry.parts);
        parts.iter().map(|part| part.file.to_owned()).collect()
    }

    /// Numbers of examples per class that leave rows to test on.
    pub fn shots(&self) -> impl Iterator<Item = usize> {
        let enough = |shots: &usize| *shots <= self.smallest && shots * self.classes < self.rows;
        SHOTS.into_iter().filter(enough)
    }

    /// All rows, those of a training part first.
    pub fn load(&self, bench: &Bench) -> Result<Arc<Rows>> {
        bench.prepared(&format!("few-shot {}", self.name), || {
            let mut exact = DenseData {
                dim: 0,
                x: Vec::new(),
                labels: Vec::new(),
            };
            let mut training = 0;
            for file in self.files() {
                training = exact.len();
                let part = bench.places.load(&file)?.to_dense()?;
                exact.dim = part.dim;
                exact.x.extend(part.x);
                exact.labels.extend(part.labels);
            }
            if self.name == "basicmotions" {
                exact = features::of_channels(&exact, SAMPLES);
            }
            let sizes = number_classes(&mut exact.labels);
            let found = (exact.dim, sizes.len(), exact.len(), sizes.iter().min());
            let expected = (self.dim, self.classes, self.rows, Some(&self.smallest));
            ensure!(found == expected, "{}: {found:?}", self.name);
            Ok(Rows {
                device: exact.to_f32()?,
                exact,
                training,
            })
        })
    }
}

/// Sets that are wanted, in the usual order; in the quick form only those that the repository carries.
pub fn wanted(scope: &Scope, names: &[&str]) -> Vec<&'static Problem> {
    let problems = names.iter().filter_map(|name| Problem::named(name));
    let wanted = problems.filter(|problem| scope.wants_set(problem.name));
    let wanted = wanted.filter(|problem| !scope.quick || problem.is_at_hand());
    wanted.collect()
}

/// Replaces labels by their rank among those that occur, and counts the rows of each.
fn number_classes(labels: &mut [f64]) -> Vec<usize> {
    let mut known = labels.to_vec();
    known.sort_by(f64::total_cmp);
    known.dedup();
    let mut sizes = vec![0; known.len()];
    for label in labels {
        let class = known.partition_point(|other| other < label);
        sizes[class] += 1;
        *label = class as f64;
    }
    sizes
}

/// Who each row of a set comes from, in the order of [`Problem::load`]: one number a line, in files beside the rows.
pub fn persons(problem: &Problem, bench: &Bench) -> Result<Arc<Vec<u16>>> {
    bench.prepared(&format!("persons of {}", problem.name), || {
        let mut persons = Vec::new();
        for file in problem.files() {
            let path = bench.places.find(&file)?;
            let path = path.with_file_name(format!("{file}.users.txt.gz"));
            let read = || -> Result<Vec<u16>> {
                let mut text = String::new();
                MultiGzDecoder::new(std::fs::File::open(&path)?).read_to_string(&mut text)?;
                Ok(text.lines().map(str::parse).collect::<Result<_, _>>()?)
            };
            persons.extend(read().with_context(|| path.display().to_string())?);
        }
        ensure!(persons.len() == problem.rows, "a person for each row");
        Ok(persons)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_at_hand_have_the_sizes_that_are_written_here() {
        let bench = Bench::new(None);
        for problem in PROBLEMS.iter().filter(|problem| problem.is_at_hand()) {
            let rows = problem.load(&bench).unwrap();
            let last = rows.exact.labels.iter().copied().fold(0.0, f64::max);
            assert_eq!(last as usize + 1, problem.classes);
        }
    }

    #[test]
    fn a_set_is_never_taught_whole() {
        let shots = |name| Problem::named(name).unwrap().shots().max();
        assert_eq!(shots("basicmotions"), Some(10));
        assert_eq!(shots("penguins"), Some(50));
        assert_eq!(shots("uwave"), Some(100));
    }
}
