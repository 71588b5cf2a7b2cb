//! What was taken for what.

use std::fmt;

use crate::{examples::ClassMap, table::Table};

/// Predictions counted by true and predicted class.
#[derive(Clone, Debug)]
pub struct Confusion<'a> {
    map: &'a ClassMap,
    counts: Vec<Vec<u64>>,
}

impl<'a> Confusion<'a> {
    /// Nothing counted yet. A model may know more classes than the data.
    pub fn new(map: &'a ClassMap) -> Self {
        Confusion {
            map,
            counts: vec![vec![0; usize::from(u8::MAX) + 1]; map.len()],
        }
    }

    /// Counts one prediction.
    ///
    /// # Panics
    ///
    /// If the data have no class `truth`.
    pub fn count(&mut self, truth: u8, predicted: u8) {
        self.counts[usize::from(truth)][usize::from(predicted)] += 1;
    }

    /// Predictions so far.
    pub fn total(&self) -> u64 {
        self.counts.iter().flatten().sum()
    }

    /// Those that were right.
    pub fn right(&self) -> u64 {
        self.counts
            .iter()
            .enumerate()
            .map(|(class, row)| row[class])
            .sum()
    }

    /// Share of right predictions, in percent.
    pub fn accuracy(&self) -> f64 {
        percent(self.right(), self.total())
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// One row for each true label, one column for each that was predicted.
impl fmt::Display for Confusion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let classes = self.counts.first().map_or(0, Vec::len);
        // Classes that the data do not have are shown if they were predicted.
        let shown = |class: &usize| {
            *class < self.map.len() || self.counts.iter().any(|row| row[*class] > 0)
        };
        let shown: Vec<usize> = (0..classes).filter(shown).collect();
        let heading = shown.iter().map(|class| self.map.name(*class as u8));
        let heading = std::iter::once("label \\ taken for".into()).chain(heading);
        let mut table = Table::numbers(heading.chain(["right %".into()]));
        for (class, row) in self.counts.iter().enumerate() {
            let recall = percent(row[class], row.iter().sum());
            let cells = shown.iter().map(|class| row[*class].to_string());
            let cells = std::iter::once(self.map.name(class as u8)).chain(cells);
            table.row(cells.chain([format!("{recall:.1}")]));
        }
        write!(f, "{table}")?;
        writeln!(
            f,
            "{} of {} right: {:.2} %",
            self.right(),
            self.total(),
            self.accuracy()
        )
    }
}
