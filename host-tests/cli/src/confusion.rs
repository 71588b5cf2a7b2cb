//! Confusion matrices.

use std::fmt;

use pocketron::device::Confidence;

use crate::{examples::ClassMap, table::Table};

/// Predictions counted by true and predicted class.
#[derive(Clone, Debug)]
pub struct Confusion<'a> {
    map: &'a ClassMap,
    counts: Vec<Vec<u64>>,
    /// Of each class: probabilities, added up, and unknown rows, where the model tells them.
    sure: Vec<Option<f64>>,
    unknown: Vec<Option<u64>>,
}

impl<'a> Confusion<'a> {
    /// Nothing counted yet. A model may know more classes than the data.
    pub fn new(map: &'a ClassMap) -> Self {
        Confusion {
            map,
            counts: vec![vec![0; usize::from(u8::MAX) + 1]; map.len()],
            sure: vec![None; map.len()],
            unknown: vec![None; map.len()],
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

    /// Counts what else the model said about a row.
    ///
    /// # Panics
    ///
    /// If the data have no class `truth`.
    pub fn remark(&mut self, truth: u8, confidence: &Confidence) {
        let class = usize::from(truth);
        if let Some(probability) = confidence.probability {
            *self.sure[class].get_or_insert(0.0) += f64::from(probability);
        }
        if let Some(known) = confidence.known {
            *self.unknown[class].get_or_insert(0) += u64::from(!known);
        }
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
        100.0 * self.right() as f64 / self.total().max(1) as f64
    }
}

/// A share in percent as a cell of a table; a dash where nothing was asked.
pub fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "-".into(),
        _ => format!("{:.1}", 100.0 * part as f64 / whole as f64),
    }
}

/// One row for each true label, one column for each that was predicted; then the mean probability and the unknown rows of
/// models that tell them.
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
        let sure = self.sure.iter().any(Option::is_some);
        let unknown = self.unknown.iter().any(Option::is_some);
        let more = [(sure, "mean probability"), (unknown, "unknown")];
        let more = more.into_iter().filter(|(told, _)| *told);
        let heading = heading.chain(["right %".into()]);
        let heading = heading.chain(more.map(|(_, heading)| heading.into()));
        let mut table = Table::numbers(heading);
        for (class, row) in self.counts.iter().enumerate() {
            let asked: u64 = row.iter().sum();
            let recall = percent(row[class], asked);
            let mean = self.sure[class].map(|sum| format!("{:.3}", sum / asked.max(1) as f64));
            let mean = sure.then(|| mean.unwrap_or("-".into()));
            let strange = unknown.then(|| self.unknown[class].unwrap_or(0).to_string());
            let cells = shown.iter().map(|class| row[*class].to_string());
            let cells = std::iter::once(self.map.name(class as u8)).chain(cells);
            let cells = cells.chain([recall]);
            table.row(cells.chain(mean).chain(strange));
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
