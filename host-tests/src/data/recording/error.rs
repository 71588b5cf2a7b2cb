//! What can be wrong with a recording.

use std::error::Error;
use std::fmt;

use super::columns::as_argument;
use crate::escape::quoted;

/// Characters of a text of the file that a message quotes.
const LONGEST: usize = 30;

/// What is wrong.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The file cannot be read.
    Io(String),
    /// The line has other columns than the first one, or quotes that do not end.
    Csv(String),
    /// Two columns are the same.
    Twice(String),
    /// No column is a channel.
    NoChannel,
    /// There is nothing.
    NoColumns,
    /// There is one column only.
    OneColumn,
    /// There is no column of this name; the second text lists those there are.
    NoColumn(String, String),
    /// No column is the label: why.
    NoLabel(String),
    /// There is no sample.
    Empty,
    /// This is no finite number, in the column of this name.
    NoNumber(String, String),
    /// Time does not go on.
    Time(f64),
    /// There are more or fewer channels than wanted.
    Channels {
        /// Channels there are.
        found: usize,
        /// Channels wanted.
        expected: usize,
    },
    /// This is no integer of 16 bits.
    NotWhole(f64),
}

/// What is wrong with which line of which file.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordingError {
    /// The file.
    pub name: String,
    /// The line, from 1, if one is to blame.
    pub line: Option<u64>,
    /// What is wrong with it.
    pub fault: Fault,
}

impl RecordingError {
    pub(super) fn new(name: &str, line: Option<u64>, fault: Fault) -> Self {
        RecordingError {
            name: name.into(),
            line,
            fault,
        }
    }
}

impl fmt::Display for RecordingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        f.write_str(": ")?;
        match &self.fault {
            Fault::Io(error) | Fault::Csv(error) => f.write_str(error),
            Fault::Twice(column) => write!(f, "there are two columns for `{}`", quoted(column, LONGEST)),
            Fault::NoChannel => f.write_str("no column is a channel; the first line names the columns, such as `time,x,y,z,label`"),
            Fault::NoColumns => f.write_str("the file is empty"),
            Fault::OneColumn => f.write_str("there is one column only: separate columns by commas, semicolons or tabs"),
            Fault::NoColumn(name, all) => write!(f, "no column is called `{name}`; there are `{all}`"),
            Fault::NoLabel(why) => write!(f, "which column is the label? {why}; --label COLUMN says it"),
            Fault::Empty => f.write_str("there is no sample"),
            Fault::NoNumber(text, column) => {
                let [text, column] = [text, column].map(|text| quoted(text, LONGEST));
                write!(f, "`{text}` in column `{column}` is no number: ")?;
                let argument = as_argument(&column);
                match text.replace(',', ".").parse::<f64>() {
                    _ if text.is_empty() => f.write_str("fill it in or leave the line out"),
                    Ok(number) if number.is_finite() => f.write_str("write decimals with a point"),
                    // A measured channel: neither a name nor a group.
                    Ok(_) => f.write_str("leave the line out"),
                    _ => write!(
                        f,
                        "correct it, leave the column out (--drop {argument}), or keep its rows together (--group {argument})"
                    ),
                }
            }
            Fault::Time(time) => write!(f, "time goes back to {time}: put the lines in order, or leave the column out with --drop"),
            Fault::Channels { found, expected } => write!(f, "{found} channels instead of {expected}"),
            Fault::NotWhole(value) => write!(f, "{value} is no integer from -32768 to 32767"),
        }
    }
}

impl Error for RecordingError {}
