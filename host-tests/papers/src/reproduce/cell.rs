//! A piece of work with a name, and the figures that came of it.

use std::{collections::BTreeMap, fmt::Display};

use anyhow::Result;

use super::{bench::Bench, progress::Watch};

/// Figures by name, such as `accuracy`.
pub type Figures = BTreeMap<String, f64>;

/// The figure that counts the folds in which a class had no example to learn or to test; there is none if all classes
/// had some.
pub const EMPTY_CLASSES: &str = "trainings with an empty class";

/// The figure that counts the support vector machines whose solver gave up before it arrived; there is none if all arrived.
pub const UNSOLVED: &str = "machines that were not solved";

/// Name of a cell: a family of experiments and everything that determines its figures.
///
/// The same name means the same figures, so that a finished cell is never computed again, whichever table
/// wants it.
///
/// ```
/// use pocketron_papers::reproduce::cell::Name;
///
/// let name = Name::new("wv").with("set", "banana").with("B", 20);
/// assert_eq!(name.to_string(), "wv set=banana B=20");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name(String);

impl Name {
    /// A name that so far says only to which experiments the cell belongs.
    pub fn new(family: &str) -> Self {
        Name(family.to_owned())
    }

    /// The name with one more thing settled.
    #[must_use]
    pub fn with(mut self, what: &str, value: impl Display) -> Self {
        self.0 += &format!(" {what}={value}");
        self
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The work itself: nothing but the cell's name and the data decide what it returns.
type Work = Box<dyn Fn(&Bench, &Watch<'_>) -> Result<Figures> + Send + Sync>;

/// A piece of work that can be done at any time, in any order, on any machine.
pub struct Cell {
    /// Its name.
    pub name: Name,
    /// The files it needs, by the names that [`Places`](crate::data::Places) knows.
    pub data: Vec<String>,
    /// Its approximate cost, in millions of multiplications: for the time left.
    pub cost: u64,
    work: Work,
}

impl Cell {
    /// Work under a name.
    pub fn new(
        name: Name,
        cost: u64,
        work: impl Fn(&Bench, &Watch<'_>) -> Result<Figures> + Send + Sync + 'static,
    ) -> Self {
        Cell {
            name,
            data: Vec::new(),
            cost: cost.max(1),
            work: Box::new(work),
        }
    }

    /// The cell with the files that it needs.
    #[must_use]
    pub fn needing(mut self, files: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.data.extend(files.into_iter().map(Into::into));
        self
    }

    /// Does the work.
    ///
    /// # Errors
    ///
    /// Data are missing or malformed, or a learner refuses them.
    pub fn run(&self, bench: &Bench, watch: &Watch<'_>) -> Result<Figures> {
        (self.work)(bench, watch)
    }
}
