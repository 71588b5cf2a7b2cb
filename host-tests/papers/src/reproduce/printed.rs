//! The papers' figures, transcribed into `host-tests/papers/printed`, one figure a line.
//!
//! The first line names the columns; `value` is the figure with the digits of the paper, `spread` what stands behind
//! the plus-minus or nothing (a standard deviation; a standard error if the column is called `standard_error`, half of a
//! 95 % interval if it is `half_interval`), all others say which figure it is. The number in brackets, as in `spread(10)`,
//! is the number of runs behind each figure; without it the paper does not say.

use super::line::{Measure, Printed};

/// A figure of a paper.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The columns that say which figure it is.
    labels: Vec<(&'static str, &'static str)>,
    /// The printed figure.
    pub printed: Printed,
    /// Digits behind the point.
    pub digits: usize,
}

impl Figure {
    /// Values of a column.
    ///
    /// # Panics
    ///
    /// If there is no such column.
    pub fn label(&self, column: &str) -> &'static str {
        let found = self.labels.iter().find(|(name, _)| *name == column);
        found.unwrap_or_else(|| panic!("no column `{column}`")).1
    }
}

/// The figures of a table that is compiled in.
///
/// # Panics
///
/// If it is malformed, which a test finds for all of them.
pub fn figures(text: &'static str) -> Vec<Figure> {
    let mut lines = text.lines();
    let columns: Vec<_> = lines.next().unwrap_or_default().split(',').collect();
    let figure = |line: &'static str| {
        let fields: Vec<_> = line.split(',').collect();
        assert_eq!(fields.len(), columns.len(), "{line}");
        let number = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("{line}"));
        let mut labels = Vec::new();
        let (mut value, mut spread, mut runs) = (None, None, None);
        let mut measure = Measure::Deviation;
        for (column, field) in columns.iter().zip(fields) {
            let (name, count) = with_runs(column);
            match Measure::named(name) {
                _ if name == "value" => value = Some(field),
                None => labels.push((*column, field)),
                Some(named) => {
                    spread = (!field.is_empty()).then(|| number(field));
                    (measure, runs) = (named, count);
                }
            }
        }
        let value = value.unwrap_or_default();
        Figure {
            labels,
            printed: Printed {
                value: number(value),
                spread,
                measure,
                runs,
            },
            digits: value.split_once('.').map_or(0, |(_, digits)| digits.len()),
        }
    };
    lines.map(figure).collect()
}

/// The name of a column, and the number of runs in brackets behind it.
fn with_runs(column: &str) -> (&str, Option<usize>) {
    match column.strip_suffix(')').and_then(|it| it.split_once('(')) {
        Some((name, runs)) => (name, runs.parse().ok()),
        None => (column, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_says_how_many_runs_are_behind_its_figures() {
        let runs = |text| figures(text)[0].printed.runs;
        assert_eq!(runs("value,spread(10)\n1,2\n"), Some(10));
        assert_eq!(runs("value,standard_error(500)\n1,2\n"), Some(500));
        assert_eq!(runs("value,spread\n1,2\n"), None);
        assert_eq!(runs("value\n1\n"), None);
    }

    #[test]
    fn a_column_says_what_its_spreads_are() {
        let measure = |text| figures(text)[0].printed.measure;
        assert_eq!(measure("value,spread\n1,2\n"), Measure::Deviation);
        assert_eq!(
            measure("value,standard_error\n1,2\n"),
            Measure::StandardError
        );
        assert_eq!(measure("value,half_interval\n1,2\n"), Measure::HalfInterval);
    }

    #[test]
    fn a_figure_keeps_its_digits() {
        let table = figures("set,value,spread\nbanana,86.70,1.2\ngauss,5,\n");
        assert_eq!(table[0].label("set"), "banana");
        assert_eq!((table[0].digits, table[1].digits), (2, 0));
        let printed = [(86.7, Some(1.2)), (5.0, None)];
        assert_eq!(
            table
                .iter()
                .map(|figure| (figure.printed.value, figure.printed.spread))
                .collect::<Vec<_>>(),
            printed
        );
    }
}
