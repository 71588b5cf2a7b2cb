//! The table `sets.tsv`: the papers' sets first, motion-sensor sets last.
//!
//! A part is a file, its rows and, for labels -1 and +1, how many are +1. Papers have the short names of their tables.

use std::sync::LazyLock;

use super::{Entry, Paper, Part};

/// All sets that are known by name.
///
/// # Panics
///
/// If the table is malformed, which every test of it finds.
pub static SETS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let rows = include_str!("sets.tsv").lines().skip(1);
    rows.map(|row| entry(row).unwrap_or_else(|| panic!("{row}")))
        .collect()
});

fn entry(row: &'static str) -> Option<Entry> {
    let fields: Vec<_> = row.split('\t').collect();
    let [
        name,
        parts,
        features,
        train_rows,
        papers,
        labels,
        source,
        licence,
    ] = fields[..]
    else {
        return None;
    };
    let parts = parts.split(", ").map(part);
    let papers = papers.split_whitespace().map(Paper::named);
    Some(Entry {
        name,
        parts: parts.collect::<Option<_>>()?,
        features: features.parse().ok()?,
        labels,
        papers: papers.collect::<Option<_>>()?,
        train_rows: match train_rows {
            "" => None,
            rows => Some(rows.parse().ok()?),
        },
        source,
        licence,
    })
}

fn part(text: &'static str) -> Option<Part> {
    let mut words = text.split(' ');
    let (file, rows) = (words.next()?, words.next()?.parse().ok()?);
    let positives = words.next().map(str::parse).transpose().ok()?;
    let part = Part {
        file,
        rows,
        positives,
    };
    words.next().is_none().then_some(part)
}
