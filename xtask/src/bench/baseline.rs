//! Committed counts, and what may differ from them.

use super::{
    counts::{OPERATIONS, Row, Subject, cell, parse_counts},
    records,
};
use crate::{row, sizes, table::Table, toolchain::Toolchain};
use anyhow::{Context, Result, bail};

/// Below this a change is noise of the code around.
const SLACK_INSTRUCTIONS: u64 = 16;
/// The denominator of the tolerance: 0.5 %.
const SLACK_SHARE: u64 = 200;

const HEADER: &str = "core,format,learner,kernel,features,budget,ram,flash,stack,predict,pass,store,mean,worst,score";

/// Holds counts against the committed ones, or makes them the committed ones.
pub fn settle(name: &str, toolchain: Toolchain, measured: &[Row], bless: bool) -> Result<()> {
    let compiler = toolchain.describe()?;
    if bless {
        return records::write(name, &text(&compiler, measured));
    }
    let (recorded, committed) = parse(&records::read(name)?)?;
    let differences = differences(&committed, measured);
    let found = differences.len();
    print!("{}", Table::from(differences));
    match found {
        0 => println!("{name}: {} counts as expected", measured.len()),
        _ if recorded != compiler => {
            println!("not judged: recorded with {recorded}, built with {compiler}");
        }
        many => bail!(
            "{many} of the counts in host-tests/on-target/expected/{name}.csv differ by more than \
             {SLACK_INSTRUCTIONS} instructions and 0.5 %; if that is meant: `cargo xtask bench device --bless`"
        ),
    }
    Ok(())
}

fn text(compiler: &str, rows: &[Row]) -> String {
    let mut text = format!("# {compiler}\n{HEADER}\n");
    for row in rows {
        let (core, score) = (&row.core, &row.score);
        let (ram, flash, stack) = (row.ram, row.flash, row.stack);
        let (subject, counts) = (
            row.subject.cells().join(","),
            row.counts.map(cell).join(","),
        );
        text += &format!("{core},{subject},{ram},{flash},{stack},{counts},{score}\n");
    }
    text
}

/// The compiler, and the rows as they were printed.
pub fn parse(text: &str) -> Result<(String, Vec<Row>)> {
    let mut lines = text.lines();
    let compiler = lines.next().and_then(|line| line.strip_prefix("# "));
    let compiler = compiler.context("the counts do not begin with their compiler")?;
    if lines.next() != Some(HEADER) {
        bail!("the counts do not have the columns {HEADER}");
    }
    let row = |line: &str| -> Result<Row> {
        let cells: Vec<&str> = line.split(',').collect();
        let (core, rest) = cells.split_first().context("no columns")?;
        let (subject, rest) = rest.split_first_chunk().context("too few columns")?;
        let [ram, flash, stack, counts @ .., score] = rest else {
            bail!("too few columns");
        };
        Ok(Row {
            core: core.to_string(),
            subject: Subject::parse(subject)?,
            ram: ram.parse()?,
            flash: flash.parse()?,
            stack: stack.parse()?,
            counts: parse_counts(counts)?,
            score: score.to_string(),
            code: [0; 2],
        })
    };
    let rows = lines.map(|line| row(line).with_context(|| format!("in the counts: {line}")));
    Ok((compiler.into(), rows.collect::<Result<_>>()?))
}

/// A line for everything that must not be: subjects that are new or gone, other bits, another size, other counts.
fn differences(committed: &[Row], measured: &[Row]) -> Vec<Vec<String>> {
    let same = |a: &Row, b: &Row| a.core == b.core && a.subject == b.subject;
    let mut lines = Vec::new();
    for new in measured {
        let Some(old) = committed.iter().find(|old| same(old, new)) else {
            lines.push(row!["✗", new.core, new.subject, "is not recorded"]);
            continue;
        };
        if old.ram != new.ram {
            let change = format!("RAM {} -> {}", old.ram, new.ram);
            lines.push(row!["✗", new.core, new.subject, change]);
        }
        for (size, old, found) in [
            ("flash", old.flash, new.flash),
            ("stack", old.stack, new.stack),
        ] {
            if sizes::drifts(old as u32, found as u32) {
                let change = format!("{size} {old} -> {found}");
                lines.push(row!["✗", new.core, new.subject, change]);
            }
        }
        if old.score != new.score {
            lines.push(row!["✗", new.core, new.subject, "other bits"]);
        }
        let pairs = old.counts.iter().zip(&new.counts);
        for (operation, (old, new_count)) in OPERATIONS.iter().zip(pairs) {
            if drifts(*old, *new_count) {
                let (old, count) = (cell(*old), cell(*new_count));
                let change = format!("{operation} {old} -> {count}");
                lines.push(row!["✗", new.core, new.subject, change]);
            }
        }
    }
    let gone = committed
        .iter()
        .filter(|old| !measured.iter().any(|new| same(old, new)));
    lines.extend(gone.map(|old| row!["✗", old.core, old.subject, "was not counted"]));
    lines
}

/// In both directions: an improvement that is not recorded could be lost again unseen.
pub fn drifts(old: Option<u64>, new: Option<u64>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => old.abs_diff(new) > SLACK_INSTRUCTIONS.max(old / SLACK_SHARE),
        (old, new) => old != new,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::counts::{self, tests::LINE};

    fn rows() -> Vec<Row> {
        counts::parse("M4F", LINE).unwrap()
    }

    #[test]
    fn small_counts_may_move_by_sixteen_and_large_ones_by_half_a_per_cent() {
        assert!(!drifts(Some(100), Some(116)) && drifts(Some(100), Some(117)));
        assert!(!drifts(Some(100), Some(84)) && drifts(Some(100), Some(83)));
        assert!(!drifts(Some(100_000), Some(100_500)) && drifts(Some(100_000), Some(100_501)));
        assert!(drifts(None, Some(1)) && !drifts(None, None));
    }

    #[test]
    fn every_kind_of_difference_is_found() {
        let old = rows();
        assert!(differences(&old, &rows()).is_empty());
        let changes: [fn(&mut Row); 6] = [
            |row| row.counts[0] = Some(7000),
            |row| row.score = "00000001".into(),
            |row| row.ram += 4,
            |row| row.flash += 65,
            |row| row.stack += 65,
            |row| row.core = "M3".into(),
        ];
        let found = changes.map(|change| {
            let mut new = rows();
            change(&mut new[0]);
            differences(&old, &new).len()
        });
        assert_eq!(
            found,
            [1, 1, 1, 1, 1, 2],
            "another core is a row too many and one too few"
        );
    }

    #[test]
    fn a_record_survives_being_written_and_read() {
        let (compiler, read) = parse(&text("rustc 1.95.0", &rows())).unwrap();
        assert_eq!(compiler, "rustc 1.95.0");
        assert!(differences(&read, &rows()).is_empty() && read.len() == 1);
    }
}
