//! Plain-text tables.

use std::fmt;

/// Rows of cells in columns that line up, two spaces apart.
#[derive(Clone, Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    numbers: bool,
}

impl Table {
    /// Names and what belongs to them, all left-aligned.
    pub fn facts() -> Self {
        Table::default()
    }

    /// A heading, then rows of a name and numbers, which are right-aligned.
    pub fn numbers<C: ToString>(heading: impl IntoIterator<Item = C>) -> Self {
        let mut table = Table {
            numbers: true,
            ..Table::default()
        };
        table.row(heading);
        table
    }

    /// Adds a row.
    pub fn row<C: ToString>(&mut self, cells: impl IntoIterator<Item = C>) {
        let cells = cells.into_iter().map(|cell| cell.to_string());
        self.rows.push(cells.collect());
    }

    /// Adds a name and what belongs to it.
    pub fn fact(&mut self, name: &str, value: impl fmt::Display) {
        self.row([name, &value.to_string()]);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.map(|(column, (cell, width))| {
                if self.numbers && column > 0 {
                    format!("{cell:>width$}")
                } else {
                    format!("{cell:width$}")
                }
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_left_and_numbers_right() {
        let mut facts = Table::facts();
        facts.fact("seen", 12);
        facts.fact("mistakes", 5);
        assert_eq!(facts.to_string(), "seen      12\nmistakes  5\n");
        let mut numbers = Table::numbers(["", "a", "b"]);
        numbers.row(["α", "1", "200"]);
        assert_eq!(numbers.to_string(), "   a    b\nα  1  200\n");
    }
}
