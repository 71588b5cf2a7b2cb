//! The rows of a set, in a few long columns: a row of its own each would take several times the memory of its text.

use super::row::{Row, RowView};

/// Rows in sparse form, one behind the other.
///
/// ```
/// use pocketron_testkit::data::{Row, Rows};
///
/// let mut row = Row::new(vec![-1.0]);
/// row.push(2, 0.5)?;
/// let rows = Rows::from(vec![Row::new(vec![1.0]), row]);
/// assert_eq!((rows.len(), rows.get(1).to_string()), (2, "-1 2:0.5".into()));
/// # Ok::<(), pocketron_testkit::data::RowError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Rows {
    labels: Vec<f64>,
    /// Where the labels of each row end; empty while every row has exactly one.
    label_ends: Vec<usize>,
    /// Indices of the values; empty while each row counts 1, 2, 3 and so on, as columns do.
    indices: Vec<u32>,
    values: Vec<f64>,
    /// Where the values of each row end.
    ends: Vec<usize>,
    text: Option<usize>,
}

impl Rows {
    /// Appends a row.
    pub fn push(&mut self, row: RowView<'_>) {
        if self.label_ends.is_empty() && row.labels().len() != 1 {
            self.label_ends = (1..=self.len()).collect();
        }
        let labels_are_single = self.label_ends.is_empty() && row.labels().len() == 1;
        self.labels.extend(row.labels());
        if !labels_are_single {
            self.label_ends.push(self.labels.len());
        }
        if self.indices.is_empty() && !row.counts_up() {
            let count = |row: RowView<'_>| 1..=row.highest_index() as u32;
            let indices = self.iter().flat_map(count).collect();
            self.indices = indices;
        }
        if !self.indices.is_empty() || !row.counts_up() {
            self.indices.extend(row.features().map(|(index, _)| index));
        }
        self.values.extend(row.values());
        self.ends.push(self.values.len());
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn get(&self, row: usize) -> RowView<'_> {
        let range = |ends: &[usize]| {
            let start = row.checked_sub(1).map_or(0, |before| ends[before]);
            start..ends[row]
        };
        let labels = match self.label_ends.is_empty() {
            true => row..row + 1,
            false => range(&self.label_ends),
        };
        let values = range(&self.ends);
        let indices = (!self.indices.is_empty()).then(|| &self.indices[values.clone()]);
        RowView::new(&self.labels[labels], indices, &self.values[values])
    }

    /// The rows in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = RowView<'_>> {
        (0..self.len()).map(|row| self.get(row))
    }

    /// These rows, in this order.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn select(&self, rows: impl IntoIterator<Item = usize>) -> Self {
        let mut chosen = Rows {
            text: self.text,
            ..Rows::default()
        };
        for row in rows {
            chosen.push(self.get(row));
        }
        chosen
    }

    /// The same features, under one label each.
    #[must_use]
    pub fn relabelled(self, label: impl Fn(RowView<'_>) -> f64) -> Self {
        Rows {
            labels: self.iter().map(label).collect(),
            label_ends: Vec::new(),
            ..self
        }
    }

    /// The numbers that are stored.
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// Bytes of the text that they came from, if they came from one.
    pub fn text(&self) -> Option<usize> {
        self.text
    }

    /// The same rows, out of that many bytes of text.
    #[must_use]
    pub(super) fn of_text(mut self, bytes: usize) -> Self {
        self.labels.shrink_to_fit();
        self.label_ends.shrink_to_fit();
        self.indices.shrink_to_fit();
        self.values.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.text = Some(bytes);
        self
    }
}

impl From<Vec<Row>> for Rows {
    fn from(rows: Vec<Row>) -> Self {
        let mut all = Rows::default();
        rows.iter().for_each(|row| all.push(row.view()));
        all
    }
}

/// The same labels and features, wherever they came from.
impl PartialEq for Rows {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(labels: &[f64], features: &[(u32, f64)]) -> Row {
        let mut row = Row::new(labels.to_vec());
        for (index, value) in features {
            row.push(*index, *value).expect("in order");
        }
        row
    }

    /// Columns end where a row has a gap, single labels where one has none or two: those before keep theirs.
    #[test]
    fn rows_of_every_kind_come_back() {
        let kinds = [
            row(&[1.0], &[(1, 2.0), (2, 3.0)]),
            row(&[2.0], &[]),
            row(&[3.0], &[(1, 5.0)]),
            row(&[4.0, 5.0], &[(1, 6.0)]),
            row(&[], &[(3, 7.0)]),
            row(&[6.0], &[(1, 8.0), (4, 9.0)]),
        ];
        for first in 0..kinds.len() {
            for last in first..kinds.len() {
                let some = &kinds[first..=last];
                let rows = Rows::from(some.to_vec());
                let back: Vec<String> = rows.iter().map(|row| row.to_string()).collect();
                let there: Vec<String> = some.iter().map(Row::to_string).collect();
                assert_eq!(back, there);
                let turned = rows.select((0..rows.len()).rev());
                assert_eq!(turned.select((0..rows.len()).rev()), rows);
                assert_eq!(turned.get(0), rows.get(rows.len() - 1));
            }
        }
    }
}
