//! Tables in plain text and Markdown.
//!
//! A package of its own, without dependencies: xtask is built first and prints tables, too. Cells may be text of others:
//! what a terminal would obey is escaped.

pub mod escape;

use std::fmt;

/// Rows of cells; in plain text the columns line up, two spaces apart.
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
        let cells = cells.map(|cell| escape::controls(&cell).into_owned());
        self.rows.push(cells.collect());
    }

    /// Adds a name and what belongs to it.
    pub fn fact(&mut self, name: &str, value: impl fmt::Display) {
        self.row([name, &value.to_string()]);
    }

    /// The same in Markdown; the first row is the heading.
    pub fn markdown(&self) -> String {
        // A bar would end its cell.
        let cell = |text: &String| text.replace('|', "\\|");
        let line = |cells: &Vec<String>| {
            let cells: Vec<_> = cells.iter().map(cell).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let mut lines: Vec<String> = self.rows.iter().map(line).collect();
        if let Some(heading) = self.rows.first() {
            let number = if self.numbers { "---:|" } else { "---|" };
            let rule = number.repeat(heading.len().saturating_sub(1));
            lines.insert(1, format!("|---|{rule}\n"));
        }
        lines.concat()
    }
}

/// Left-aligned.
impl From<Vec<Vec<String>>> for Table {
    fn from(rows: Vec<Vec<String>>) -> Self {
        let numbers = false;
        Table { rows, numbers }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        // Characters, not bytes: a tick is three bytes and one column.
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

/// A row from anything that prints.
#[macro_export]
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
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

    #[test]
    fn columns_line_up_by_characters() {
        let rows = vec![row!["policy", "M0", "M3"], row!["stop", "✓", 7]];
        let table = Table::from(rows).to_string();
        assert_eq!(table, "policy  M0  M3\nstop    ✓   7\n");
    }

    #[test]
    fn markdown_has_a_rule_below_the_heading() {
        let table = Table::from(vec![row!["a", "b"], row![1, 2]]);
        assert_eq!(table.markdown(), "| a | b |\n|---|---|\n| 1 | 2 |\n");
        let mut numbers = Table::numbers(["part", "n"]);
        numbers.row(["x", "3"]);
        assert_eq!(numbers.markdown(), "| part | n |\n|---|---:|\n| x | 3 |\n");
    }

    #[test]
    fn a_bar_does_not_end_its_cell() {
        let table = Table::from(vec![row!["|x|^2", 1]]);
        assert_eq!(table.markdown(), "| \\|x\\|^2 | 1 |\n|---|---|\n");
    }
}
