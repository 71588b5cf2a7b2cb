//! The output of a program that counts.

use anyhow::{Context, Result, bail};
use std::fmt;

/// Counts of a learner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    pub format: String,
    pub learner: String,
    pub kernel: String,
    pub features: usize,
    pub budget: usize,
}

impl Subject {
    /// Headings of [`cells`](Self::cells).
    pub const COLUMNS: [&str; 5] = ["format", "learner", "kernel", "D", "B"];

    /// For tables and files.
    pub fn cells(&self) -> [String; 5] {
        let (features, budget) = (self.features.to_string(), self.budget.to_string());
        let [format, learner, kernel] =
            [&self.format, &self.learner, &self.kernel].map(String::clone);
        [format, learner, kernel, features, budget]
    }

    /// The other way round.
    pub fn parse(cells: &[&str; 5]) -> Result<Self> {
        let [format, learner, kernel, features, budget] = cells;
        Ok(Subject {
            format: format.to_string(),
            learner: learner.to_string(),
            kernel: kernel.to_string(),
            features: features.parse()?,
            budget: budget.parse()?,
        })
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [format, learner, kernel, features, budget] = self.cells();
        write!(f, "{format} {learner} {kernel} D={features} B={budget}")
    }
}

/// The operations, in the order of all tables: `mean` and `worst` are of updates without a free slot.
pub const OPERATIONS: [&str; 5] = ["predict", "pass", "store", "mean", "worst"];

/// One subject on one core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub core: String,
    pub subject: Subject,
    /// Bytes of the model.
    pub ram: u64,
    /// Bytes of the code that predicts and learns, with all that it calls.
    pub flash: u64,
    /// Bytes of stack below the caller, of the deeper of the two.
    pub stack: u64,
    /// Instructions of each of [`OPERATIONS`], as far as there is one.
    pub counts: [Option<u64>; 5],
    /// Bits of the last score.
    pub score: String,
    /// Addresses of `predict` and `learn` in the image.
    pub code: [u64; 2],
}

/// The lines that `host-tests/on-target/src/bench/counting/subject.rs` describes; flash and stack have yet to be looked up.
pub fn parse(core: &str, text: &str) -> Result<Vec<Row>> {
    let rows: Vec<Row> = text
        .lines()
        .map(|line| row(core, line).with_context(|| format!("on {core}: {line}")))
        .collect::<Result<_>>()?;
    if rows.is_empty() {
        bail!("nothing was counted on {core}");
    }
    Ok(rows)
}

fn row(core: &str, line: &str) -> Result<Row> {
    let cells: Vec<&str> = line.split(',').collect();
    let (subject, rest) = cells.split_first_chunk().context("too few columns")?;
    let [ram, counts @ .., score, predict, learn] = rest else {
        bail!("too few columns");
    };
    Ok(Row {
        core: core.into(),
        subject: Subject::parse(subject)?,
        ram: ram.parse()?,
        flash: 0,
        stack: 0,
        counts: parse_counts(counts)?,
        score: score.to_string(),
        code: [
            u64::from_str_radix(predict, 16)?,
            u64::from_str_radix(learn, 16)?,
        ],
    })
}

/// A count for each of [`OPERATIONS`].
pub fn parse_counts(cells: &[&str]) -> Result<[Option<u64>; 5]> {
    let counts = cells.iter().map(|cell| optional(cell));
    let counts = counts.collect::<Result<Vec<_>>>()?;
    counts.try_into().ok().context("not five counts")
}

/// A number, or none for `-`.
pub fn optional(text: &str) -> Result<Option<u64>> {
    match text {
        "-" => Ok(None),
        number => Ok(Some(number.parse()?)),
    }
}

/// The other way round.
pub fn cell(count: Option<u64>) -> String {
    count.map_or("-".into(), |count| count.to_string())
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub const LINE: &str =
        "f32,stoptron,gaussian,16,100,6808,6953,7215,7303,-,-,00000000,124e0,34f8";

    #[test]
    fn a_line_becomes_a_row() {
        let rows = parse("M4F", LINE).unwrap();
        let row = &rows[0];
        assert_eq!(row.subject.to_string(), "f32 stoptron gaussian D=16 B=100");
        assert_eq!(row.counts, [Some(6953), Some(7215), Some(7303), None, None]);
        assert_eq!((row.ram, row.code), (6808, [0x124e0, 0x34f8]));
    }

    #[test]
    fn a_panic_on_the_board_is_no_row() {
        assert!(parse("M4F", "panicked at src/lib.rs").is_err());
        assert!(parse("M4F", "").is_err());
    }
}
