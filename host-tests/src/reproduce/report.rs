//! What came of it: on the screen, as CSV and as Markdown.

use std::fmt::Write;

use super::line::{Line, Verdict};
use crate::{spread::Spread, table::Table};

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

fn mark(line: &Line) -> &'static str {
    match line.verdict() {
        Verdict::Within => "yes",
        Verdict::Outside => "no",
        Verdict::Open => "",
    }
}

fn blocks(lines: &[Line]) -> impl Iterator<Item = &[Line]> {
    lines.chunk_by(|a, b| a.block == b.block)
}

/// Every figure on a line of its own.
pub fn screen(lines: &[Line]) -> String {
    let mut text = String::new();
    for block in blocks(lines) {
        if !block[0].block.is_empty() {
            let _ = writeln!(text, "\n{}", block[0].block);
        }
        let mut table = Table::numbers(["", "", "paper", "ours", "difference", "within"]);
        for line in block {
            let difference = line.difference();
            let digits = line.digits;
            table.row([
                line.row.clone(),
                line.column.clone(),
                printed(line).unwrap_or_default(),
                ours(line).unwrap_or_default(),
                difference.map_or_else(String::new, |difference| format!("{difference:+.digits$}")),
                mark(line).into(),
            ]);
        }
        let _ = write!(text, "{table}");
    }
    text
}

/// How many figures agree, a line for each block.
pub fn summary(lines: &[Line]) -> String {
    let texts = blocks(lines).map(|block| {
        let name = &block[0].block;
        let name = if name.is_empty() { "all" } else { name };
        format!("{name}: {}", agreement(block))
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn agreement(lines: &[Line]) -> String {
    let count = |verdict| {
        lines
            .iter()
            .filter(|line| line.verdict() == verdict)
            .count()
    };
    let printed = lines.iter().filter(|line| line.printed.is_some()).count();
    let (within, outside) = (count(Verdict::Within), count(Verdict::Outside));
    if printed == 0 {
        let computed = lines.iter().filter(|line| line.ours.is_some()).count();
        return format!(
            "{computed} of {} figures computed, none printed",
            lines.len()
        );
    }
    let differences = lines
        .iter()
        .filter_map(|line| Some(line.difference()?.abs()));
    let Some(differences) = Spread::over(differences) else {
        return format!("none of {printed} figures computed");
    };
    let digits = lines.iter().map(|line| line.digits).max().unwrap_or(0) + 1;
    let mut text = format!("{} of {printed} figures compared", differences.count);
    if within + outside > 0 {
        let _ = write!(
            text,
            ", {within} of {} within the spreads",
            within + outside
        );
    }
    let _ = write!(
        text,
        ", mean absolute difference {:.digits$}",
        differences.mean
    );
    text
}

/// The figures outside of the spreads that are farthest from the paper's, a line each.
pub fn misses(lines: &[Line], most: usize) -> Vec<String> {
    let mut outside: Vec<(&Line, f64)> = lines
        .iter()
        .filter(|line| line.verdict() == Verdict::Outside)
        .filter_map(|line| Some((line, line.difference()?)))
        .collect();
    outside.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    let text = |(line, difference): &(&Line, f64)| {
        let digits = line.digits;
        let place = [&line.block, &line.row, &line.column].map(String::as_str);
        let place: Vec<_> = place.into_iter().filter(|text| !text.is_empty()).collect();
        let (printed, ours) = (
            printed(line).unwrap_or_default(),
            ours(line).unwrap_or_default(),
        );
        format!(
            "{}: {printed} printed, {ours} here ({difference:+.digits$})",
            place.join(", ")
        )
    };
    outside.iter().take(most).map(text).collect()
}

/// All figures as CSV.
pub fn csv(lines: &[Line]) -> String {
    let mut text = String::from(
        "block,row,column,paper,paper_spread,ours,ours_spread,runs,difference,within\n",
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
            mark(line).into(),
        ];
        text += &fields.join(",");
        text.push('\n');
    }
    text
}

/// Tables of rows and columns, in each place the paper's figure and below it ours, in bold where they do not agree.
pub fn markdown(lines: &[Line]) -> String {
    let mut text = String::new();
    for block in blocks(lines) {
        if !block[0].block.is_empty() {
            let _ = writeln!(text, "**{}**\n", block[0].block);
        }
        let (rows, columns) = (
            distinct(block, |line| &line.row),
            distinct(block, |line| &line.column),
        );
        let _ = writeln!(text, "| | {} |", columns.join(" | "));
        let _ = writeln!(text, "|---|{}", "---|".repeat(columns.len()));
        for row in rows {
            let cell = |column: &&str| {
                let line = block
                    .iter()
                    .find(|line| line.row == row && line.column == **column);
                line.map_or_else(String::new, place)
            };
            let cells: Vec<_> = columns.iter().map(cell).collect();
            let _ = writeln!(text, "| {row} | {} |", cells.join(" | "));
        }
        text.push('\n');
    }
    text
}

fn place(line: &Line) -> String {
    let ours = match (ours(line), line.verdict()) {
        (Some(ours), Verdict::Outside) => Some(format!("**{ours}**")),
        (ours, _) => ours,
    };
    match (printed(line), ours) {
        (Some(printed), Some(ours)) => format!("{printed}<br>{ours}"),
        (Some(printed), None) => format!("{printed}<br>-"),
        (None, Some(ours)) => format!("<br>{ours}"),
        (None, None) => String::new(),
    }
}

/// What the lines say, each thing once, in the order of its first occurrence.
fn distinct<'a>(lines: &'a [Line], of: impl Fn(&'a Line) -> &'a String) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    for line in lines {
        let value = of(line).as_str();
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::line::{Measure, Printed};
    use super::*;

    fn lines() -> Vec<Line> {
        let line = |row: &str, column: &str, printed: f64, ours: &[f64]| Line {
            block: "B = 20".into(),
            row: row.into(),
            column: column.into(),
            printed: Some(Printed {
                value: printed,
                spread: Some(0.5),
                measure: Measure::Deviation,
            }),
            ours: Spread::over(ours.iter().copied()),
            digits: 1,
        };
        vec![
            line("gauss", "tightest", 80.8, &[80.0, 81.0]),
            line("gauss", "random", 70.0, &[80.0]),
            line("banana", "tightest", 86.7, &[]),
        ]
    }

    #[test]
    fn a_table_has_both_figures_in_each_place() {
        let table = markdown(&lines());
        assert!(table.contains("| | tightest | random |"), "{table}");
        assert!(
            table.contains("| gauss | 80.8 ± 0.5<br>80.5 ± 0.7 | 70.0 ± 0.5<br>**80.0** |"),
            "{table}"
        );
        assert!(table.contains("| banana | 86.7 ± 0.5<br>- |  |"), "{table}");
    }

    #[test]
    fn only_finished_figures_are_compared() {
        assert_eq!(
            summary(&lines()),
            "B = 20: 2 of 3 figures compared, 1 of 2 within the spreads, mean absolute difference 5.15"
        );
    }

    #[test]
    fn a_miss_says_where_and_how_far() {
        let expected = ["B = 20, gauss, random: 70.0 ± 0.5 printed, 80.0 here (+10.0)"];
        assert_eq!(misses(&lines(), 5), expected);
        assert!(misses(&lines(), 0).is_empty());
    }

    #[test]
    fn figures_of_our_own_are_counted() {
        let mut lines = lines();
        lines.iter_mut().for_each(|line| line.printed = None);
        assert_eq!(
            summary(&lines),
            "B = 20: 2 of 3 figures computed, none printed"
        );
    }

    #[test]
    fn a_line_of_csv_has_every_number() {
        let csv = csv(&lines());
        let line = csv.lines().nth(1).unwrap();
        assert_eq!(
            line,
            "B = 20,gauss,tightest,80.8000,0.5000,80.5000,0.7071,2,-0.3000,yes"
        );
    }
}
