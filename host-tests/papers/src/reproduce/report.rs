//! Reports: on the screen, as CSV and as Markdown.

use std::fmt::Write;

use super::{
    agreement::Agreement,
    line::{Line, Verdict},
};
use crate::table::Table;

fn figure(value: f64, spread: Option<f64>, digits: usize) -> String {
    match spread {
        Some(spread) => format!("{value:.digits$} ± {spread:.digits$}"),
        None => format!("{value:.digits$}"),
    }
}

fn printed(line: &Line) -> Option<String> {
    let printed = line.printed?;
    Some(figure(printed.value, printed.spread, line.digits))
}

fn ours(line: &Line) -> Option<String> {
    Some(figure(line.ours?.mean, line.our_spread(), line.digits))
}

fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Within => "yes",
        Verdict::Outside => "no",
        Verdict::Open => "",
    }
}

fn blocks(lines: &[Line]) -> impl Iterator<Item = &[Line]> {
    lines.chunk_by(|a, b| a.block == b.block)
}

/// Every figure on a line of its own, next to what `reference` says where it says something.
pub fn screen(lines: &[Line], reference: &str) -> String {
    let mut text = String::new();
    for block in blocks(lines) {
        if !block[0].block.is_empty() {
            let _ = writeln!(text, "\n{}", block[0].block);
        }
        let table = if is_compared(block) {
            compared(block, reference)
        } else {
            own(block)
        };
        let _ = write!(text, "{table}");
    }
    text
}

fn compared(block: &[Line], reference: &str) -> Table {
    let mut table = Table::numbers([
        "",
        "",
        reference,
        "ours",
        "difference",
        "within",
        "means agree",
    ]);
    for line in block {
        let difference = line.difference();
        let digits = line.digits;
        table.row([
            line.row.clone(),
            line.column.clone(),
            printed(line).unwrap_or_default(),
            ours(line).unwrap_or_default(),
            difference.map_or_else(String::new, |difference| format!("{difference:+.digits$}")),
            mark(line.verdict()).into(),
            mark(line.means()).into(),
        ]);
    }
    table
}

fn own(block: &[Line]) -> Table {
    let mut table = Table::numbers(["", "", "ours"]);
    for line in block {
        let (row, column) = (line.row.clone(), line.column.clone());
        table.row([row, column, ours(line).unwrap_or_default()]);
    }
    table
}

/// How well the figures agree, a row for each part and kind in which something is printed.
pub fn summary(lines: &[Line]) -> Table {
    let mut table = Table::numbers(SUMMARY);
    for one in printed_parts(lines) {
        table.row(summary_row(&one));
    }
    table
}

/// The parts in which there is something to compare.
fn printed_parts(lines: &[Line]) -> impl Iterator<Item = Agreement> {
    let parts = Agreement::by_part(lines).into_iter();
    parts.filter(|part| part.printed > 0)
}

/// Whether there is anything to compare.
pub fn is_compared(lines: &[Line]) -> bool {
    lines.iter().any(|line| line.printed.is_some())
}

/// The columns of a summary.
const SUMMARY: [&str; 6] = [
    "",
    "figures compared",
    "within both spreads",
    "means agree",
    "mean difference",
    "largest",
];

fn summary_row(one: &Agreement) -> [String; 6] {
    [
        one.part.clone(),
        one.compared(),
        one.within(),
        one.means(),
        one.mean_distance(),
        one.largest_distance(),
    ]
}

/// Where a figure stands, what is printed there and what we get, in a line.
pub fn sentence(line: &Line) -> String {
    let digits = line.digits;
    let place = [&line.block, &line.row, &line.column].map(String::as_str);
    let place: Vec<_> = place.into_iter().filter(|text| !text.is_empty()).collect();
    let (place, ours) = (place.join(", "), ours(line).unwrap_or_default());
    match (printed(line), line.difference()) {
        (Some(printed), Some(difference)) => {
            format!("{place}: {printed} printed, {ours} here ({difference:+.digits$})")
        }
        _ => format!("{place}: {ours} here"),
    }
}

/// All figures as CSV.
pub fn csv(lines: &[Line]) -> String {
    let mut text = String::from(
        "block,row,column,printed,printed_spread,ours,ours_spread,runs,difference,within,means\n",
    );
    let number =
        |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.4}"));
    for line in lines {
        let fields = [
            line.block.replace(',', ";"),
            line.row.replace(',', ";"),
            line.column.replace(',', ";"),
            number(line.printed.map(|printed| printed.value)),
            number(line.printed.and_then(|printed| printed.spread)),
            number(line.ours.map(|ours| ours.mean)),
            number(line.our_spread()),
            line.ours.map_or(0, |ours| ours.count).to_string(),
            number(line.difference()),
            mark(line.verdict()).into(),
            mark(line.means()).into(),
        ];
        text += &fields.join(",");
        text.push('\n');
    }
    text
}

/// The most rows of a part that is put together with its neighbours in one table.
const FEW: usize = 3;

/// Tables of rows and columns, in each place the paper's figure, below it ours, and below that the difference.
pub fn markdown(lines: &[Line]) -> String {
    let mut text = String::new();
    let parts: Vec<_> = blocks(lines).collect();
    if are_alike(&parts) {
        let row = |line: &Line| match line.block.as_str() {
            "" => line.row.clone(),
            block => format!("{block}, {}", line.row),
        };
        markdown_table(&mut text, lines, row);
        return text;
    }
    for part in parts {
        if !part[0].block.is_empty() {
            let _ = writeln!(text, "**{}**\n", part[0].block);
        }
        markdown_table(&mut text, part, |line| line.row.clone());
    }
    text
}

/// Whether all parts have few rows, and no columns but those of the first.
fn are_alike(parts: &[&[Line]]) -> bool {
    let [first, others @ ..] = parts else {
        return false;
    };
    let columns = distinct(first, |line| line.column.clone());
    let alike = |part: &&[Line]| {
        let few = distinct(part, |line| line.row.clone()).len() <= FEW;
        few && part.iter().all(|line| columns.contains(&line.column))
    };
    !others.is_empty() && parts.iter().all(alike)
}

fn markdown_table(text: &mut String, lines: &[Line], row: impl Fn(&Line) -> String) {
    let columns = distinct(lines, |line| line.column.clone());
    let _ = writeln!(text, "| | {} |", columns.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(columns.len()));
    for name in distinct(lines, &row) {
        let cell = |column: &String| {
            let line = lines
                .iter()
                .find(|line| row(line) == name && line.column == *column);
            line.map_or_else(String::new, place)
        };
        let cells: Vec<_> = columns.iter().map(cell).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    text.push('\n');
}

fn place(line: &Line) -> String {
    let difference = line.difference().map(|difference| {
        let difference = format!("{difference:+.*}", line.digits);
        let apart = match line.means() {
            Verdict::Outside => " ≠",
            Verdict::Within | Verdict::Open => "",
        };
        match line.verdict() {
            Verdict::Within => format!("{difference} ✓{apart}"),
            Verdict::Outside => format!("**{difference} ✗**{apart}"),
            Verdict::Open => difference,
        }
    });
    let figures = match (printed(line), ours(line)) {
        (None, None) => return String::new(),
        (None, Some(ours)) => return ours,
        (printed, ours) => [printed, Some(ours.unwrap_or("-".into())), difference],
    };
    figures
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("<br>")
}

/// Distinct texts of the lines, in the order of their first occurrence.
fn distinct(lines: &[Line], of: impl Fn(&Line) -> String) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in lines {
        let value = of(line);
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::agreement::tests::lines;
    use super::*;
    use crate::spread::Spread;

    #[test]
    fn a_table_has_both_figures_and_their_difference_in_each_place() {
        let table = markdown(&lines());
        assert!(table.contains("| | tightest | random |"), "{table}");
        let row =
            "| gauss | 80.8 ± 0.5<br>80.5 ± 0.7<br>-0.3 ✓ | 70.0 ± 0.5<br>80.0<br>**+10.0 ✗** |";
        assert!(table.contains(row), "{table}");
        assert!(table.contains("| banana | 86.7 ± 0.5<br>- |  |"), "{table}");
    }

    #[test]
    fn means_that_differ_are_marked_within_the_spreads_too() {
        let mut lines = lines();
        lines[0].ours = Spread::over([80.18, 80.28].repeat(5).into_iter());
        let table = markdown(&lines);
        assert!(table.contains("<br>-0.6 ✓ ≠ |"), "{table}");
    }

    #[test]
    fn parts_of_few_rows_and_the_same_columns_share_a_table() {
        let mut lines = lines();
        lines.extend(self::lines().into_iter().map(|line| Line {
            block: "B = 100".into(),
            ..line
        }));
        let table = markdown(&lines);
        assert_eq!(table.matches("| | tightest").count(), 1, "{table}");
        assert!(table.contains("| B = 100, banana | "), "{table}");
        lines[4].column = "forgetron".into();
        let table = markdown(&lines);
        assert_eq!(table.matches("| | tightest").count(), 2, "{table}");
    }

    #[test]
    fn a_summary_has_a_row_for_each_part() {
        let table = summary(&lines()).markdown();
        let row = "| B = 20 | 2 of 3 | 1 of 2 | 1 of 1 | 5.15 points | 10.00 points |\n";
        assert!(table.ends_with(row), "{table}");
    }

    #[test]
    fn a_sentence_says_where_and_how_far() {
        let expected = "B = 20, gauss, random: 70.0 ± 0.5 printed, 80.0 here (+10.0)";
        assert_eq!(sentence(&lines()[1]), expected);
    }

    #[test]
    fn a_line_of_csv_has_every_number() {
        let csv = csv(&lines());
        let line = csv.lines().nth(1).unwrap();
        assert_eq!(
            line,
            "B = 20,gauss,tightest,80.8000,0.5000,80.5000,0.7071,2,-0.3000,yes,yes"
        );
    }
}
