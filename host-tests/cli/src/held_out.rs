//! Division of a recording into windows to learn and to test.
//!
//! Windows overlap, and what a person does now is like what the same person did a second ago: windows drawn at random would test little but
//! memory. So a test has a later time, another person, or another recording.

use anyhow::{Context, Result, bail};
use clap::ValueEnum;

use crate::{
    data::{
        DenseData,
        recording::{Recording, Window},
    },
    windows::Windows,
};

/// Difference between test and training.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum HoldOut {
    /// A later time: the second half of what each person did of each class
    Time,
    /// Another person: each in turn, learned from all others
    Person,
}

/// The windows with a label.
#[derive(Clone, Debug)]
pub struct Labelled {
    recording: Recording,
    windows: Windows,
}

/// Positions of windows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fold {
    /// To learn from.
    pub train: Vec<usize>,
    /// To be tested.
    pub test: Vec<usize>,
}

impl Labelled {
    /// All windows with a label.
    ///
    /// # Errors
    ///
    /// There are none, or no front end of these sizes.
    pub fn new(recording: Recording, window: usize, hop: Option<usize>) -> Result<Self> {
        let mut windows = Windows::new(&recording, window, hop)?;
        windows
            .all
            .retain(|window| recording.segments[window.segment].class.is_some());
        if windows.all.is_empty() {
            bail!(
                "{}: no window of {window} samples has a label",
                recording.name
            );
        }
        Ok(Labelled { recording, windows })
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Its windows.
    pub fn windows(&self) -> &Windows {
        &self.windows
    }

    /// Of each class without a window: what it has, and what a window needs.
    pub fn windowless(&self) -> Vec<String> {
        let segments = &self.recording.segments;
        let has_window = |class| {
            let of = |window: &Window<_>| segments[window.segment].class == Some(class);
            self.windows.all.iter().any(of)
        };
        let names = self.recording.classes.iter().enumerate();
        let short = names.filter(|(class, _)| !has_window(*class));
        let says = |(class, name): (usize, &String)| {
            let own = segments
                .iter()
                .filter(|segment| segment.class == Some(class));
            let rows: usize = own.clone().map(|segment| segment.samples.len()).sum();
            let needed = self.windows.window;
            match own.count() {
                1 => format!("`{name}` has no window: {rows} rows, {needed} needed"),
                runs => format!(
                    "`{name}` has no window: {rows} rows in {runs} runs, {needed} in one run needed"
                ),
            }
        };
        short.map(says).collect()
    }

    /// Training and test, once or more often.
    ///
    /// # Errors
    ///
    /// There is nothing to test.
    pub fn folds(&self, by: Option<HoldOut>) -> Result<Vec<Fold>> {
        let people = self.recording.people.len();
        let by = by.unwrap_or(match people {
            0 | 1 => HoldOut::Time,
            _ => HoldOut::Person,
        });
        let folds = match by {
            HoldOut::Time => vec![self.later_halves()],
            HoldOut::Person if people < 2 => bail!(
                "{} has {people} people: --hold-out time",
                self.recording.name
            ),
            HoldOut::Person => (0..people).map(|person| self.without(person)).collect(),
        };
        // A person without windows of a label cannot be tested.
        let folds: Vec<Fold> = folds
            .into_iter()
            .filter(|fold| !fold.test.is_empty() && !fold.train.is_empty())
            .collect();
        if folds.is_empty() {
            bail!(
                "{}: a class needs two windows or more that do not overlap",
                self.recording.name
            );
        }
        Ok(folds)
    }

    /// All windows.
    pub fn all(&self) -> Vec<usize> {
        (0..self.windows.all.len()).collect()
    }

    fn later_halves(&self) -> Fold {
        let key = |at: usize| {
            let segment = &self.recording.segments[self.windows.all[at].segment];
            (segment.person, segment.class)
        };
        let mut keys: Vec<_> = (0..self.windows.all.len()).map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut fold = Fold::default();
        for one in keys {
            let (own, half): (Vec<usize>, _) = {
                let own: Vec<usize> = self
                    .all()
                    .into_iter()
                    .filter(|at| key(*at) == one)
                    .collect();
                let half = own.len().div_ceil(2);
                (own, half)
            };
            let (early, late) = own.split_at(half);
            fold.train.extend(early);
            let last = early.last();
            let is_apart = |at: &&usize| last.is_none_or(|last| !self.overlap(*last, **at));
            fold.test.extend(late.iter().filter(is_apart));
        }
        fold.train.sort_unstable();
        fold.test.sort_unstable();
        fold
    }

    /// Whether two windows have samples in common; `late` does not begin before `early`.
    fn overlap(&self, early: usize, late: usize) -> bool {
        let [early, late] = [early, late].map(|at| &self.windows.all[at]);
        early.segment == late.segment && late.last - early.last < self.windows.window
    }

    fn without(&self, person: usize) -> Fold {
        let is_theirs = |at: &usize| {
            let window = &self.windows.all[*at];
            self.recording.segments[window.segment].person == Some(person)
        };
        let (test, train) = self.all().into_iter().partition(is_theirs);
        Fold { train, test }
    }

    /// Features and classes of these windows. Classes have the numbers of `names`.
    ///
    /// # Errors
    ///
    /// A class has another name.
    pub fn rows(&self, positions: &[usize], names: &[String]) -> Result<DenseData> {
        let mut rows = DenseData {
            dim: self.windows.names.len(),
            x: Vec::new(),
            labels: Vec::new(),
        };
        for at in positions {
            let window = &self.windows.all[*at];
            let class = self.recording.segments[window.segment].class;
            let name = class.and_then(|class| self.recording.classes.get(class));
            let name = name.context("a window without a label")?;
            let number = names.iter().position(|known| known == name);
            let number = number.with_context(|| {
                let all = names.join(", ");
                format!(
                    "{}: {name} was not learned, only {all}",
                    self.recording.name
                )
            })?;
            rows.labels.push(number as f64);
            rows.x
                .extend(window.features.iter().copied().map(f64::from));
        }
        Ok(rows)
    }
}
