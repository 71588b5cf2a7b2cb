//! Reader for LIBSVM text, plain or gzipped, that says where a malformed file is wrong.
//!
//! One example a line: `label index:value index:value ...`. Several labels are separated by commas;
//! a line that starts with a blank has none. `#` starts a comment, blank lines are skipped. Whether
//! a file is gzipped is told by its first two bytes, not by its name. A byte-order mark is skipped.

use std::error::Error;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::row::{Row, RowError};
use super::rows::Rows;
use super::source::Text;
use crate::escape;

/// What some editors put before a text in UTF-8.
pub(super) const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads all rows of a file.
///
/// # Errors
///
/// The file cannot be read, a line is malformed, or there is no example in it.
pub fn read_file(path: &Path) -> Result<Rows, ReadError> {
    match File::open(path) {
        Ok(file) => read(path, file),
        Err(error) => Err(ReadError::new(path, 0, Fault::Io(error.to_string()))),
    }
}

/// Reads all rows of an open source; `path` only serves the error messages.
///
/// ```
/// use pocketron_testkit::data::libsvm;
///
/// let rows = libsvm::read("two.libsvm".as_ref(), "+1 1:0.5\n3,17 2:1 # two labels\n".as_bytes())?;
/// assert_eq!(rows.get(1).labels(), [3.0, 17.0]);
/// let error = libsvm::read("bad.libsvm".as_ref(), "+1 1:0.5\n-1 0:3\n".as_bytes()).unwrap_err();
/// assert_eq!(error.to_string(), "bad.libsvm:2: index 0: indices count from 1");
/// # Ok::<(), libsvm::ReadError>(())
/// ```
///
/// # Errors
///
/// As [`read_file`].
pub fn read(path: &Path, source: impl Read) -> Result<Rows, ReadError> {
    let whole = |error: io::Error| ReadError::new(path, 0, Fault::Io(error.to_string()));
    let mut source = Text::new(source).map_err(whole)?;
    let is_packed = source.is_packed();
    let mut rows = Rows::default();
    let mut bytes = Vec::new();
    for number in 1.. {
        bytes.clear();
        let length = source
            .read_until(b'\n', &mut bytes)
            .map_err(|error| ReadError::new(path, number, Fault::of_text(&error, is_packed)))?;
        if length == 0 {
            break;
        }
        let line =
            str::from_utf8(&bytes).map_err(|_| ReadError::new(path, number, Fault::InvalidUtf8))?;
        let line = match number {
            1 => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line),
            _ => line,
        };
        let row = parse_line(line).map_err(|fault| ReadError::new(path, number, fault))?;
        row.iter().for_each(|row| rows.push(row.view()));
    }
    if rows.is_empty() {
        return Err(ReadError::new(path, 0, Fault::Empty));
    }
    Ok(rows.of_text(source.taken()))
}

/// Parses one line; `None` if it is blank or only a comment.
///
/// # Errors
///
/// The first thing wrong with the line.
pub fn parse_line(line: &str) -> Result<Option<Row>, Fault> {
    let content = line.split('#').next().unwrap_or_default();
    let mut tokens = content.split_ascii_whitespace().peekable();
    if tokens.peek().is_none() {
        return Ok(None);
    }
    let labels = if content.starts_with(|c: char| c.is_ascii_whitespace()) {
        Vec::new()
    } else {
        tokens.next().map_or(Ok(Vec::new()), parse_labels)?
    };
    let mut row = Row::new(labels);
    for token in tokens {
        let (index, value) = token
            .split_once(':')
            .ok_or_else(|| Fault::MissingColon(shown(token)))?;
        let index = parse_index(index).ok_or_else(|| Fault::BadIndex(shown(token)))?;
        let value = value.parse().map_err(|_| Fault::BadNumber(shown(token)))?;
        row.push(index, value).map_err(Fault::Row)?;
    }
    Ok(Some(row))
}

fn parse_labels(token: &str) -> Result<Vec<f64>, Fault> {
    let label = |text: &str| text.parse().ok().filter(|label: &f64| label.is_finite());
    token
        .split(',')
        .map(label)
        .collect::<Option<_>>()
        .ok_or_else(|| Fault::BadLabel(shown(token)))
}

/// Digits only: `u32::from_str` alone would take a plus sign.
fn parse_index(text: &str) -> Option<u32> {
    text.bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| text.parse().ok())?
}

/// A token as a message quotes it: short, and on one line even if the file is binary.
pub(super) fn shown(token: &str) -> String {
    const LONGEST: usize = 30;
    escape::quoted(token, LONGEST)
}

/// What is wrong, and in which line of which file.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadError {
    /// The file, as it was named.
    pub path: PathBuf,
    /// The line, counted from 1; `None` if the fault is the file's as a whole.
    pub line: Option<usize>,
    /// The fault.
    pub fault: Fault,
}

impl ReadError {
    /// Line 0 stands for the whole file.
    pub(super) fn new(path: &Path, line: usize, fault: Fault) -> Self {
        Self {
            path: path.to_owned(),
            line: Some(line).filter(|&line| line > 0),
            fault,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.fault)
    }
}

impl Error for ReadError {}

/// The ways a file can be malformed; texts quote the offending token.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The first token is not a finite number, or a comma-separated list of them.
    BadLabel(String),
    /// A feature is not written `index:value`.
    MissingColon(String),
    /// The part before the colon is not a number from 1 to 4294967295.
    BadIndex(String),
    /// The part after the colon is not a number.
    BadNumber(String),
    /// A column is not a number.
    BadField(String),
    /// Another number of columns than the lines before.
    OtherLength {
        /// Features of the line.
        found: usize,
        /// Features of the first line.
        expected: usize,
    },
    /// The header of columns calls this one the label, and it is not the first.
    LabelElsewhere(String),
    /// Index 0, indices that do not increase, or a value that is not finite.
    Row(RowError),
    /// The line is not UTF-8.
    InvalidUtf8,
    /// The compressed data end too early.
    TruncatedGzip,
    /// The compressed data are damaged.
    CorruptGzip(String),
    /// The compressed data hold far more than a file of their size should.
    Bomb(String),
    /// There is not one example.
    Empty,
    /// The operating system refused.
    Io(String),
}

impl Fault {
    pub(super) fn of_text(error: &io::Error, is_packed: bool) -> Self {
        match error.kind() {
            ErrorKind::FileTooLarge if is_packed => Self::Bomb(error.to_string()),
            ErrorKind::UnexpectedEof if is_packed => Self::TruncatedGzip,
            ErrorKind::InvalidInput | ErrorKind::InvalidData if is_packed => {
                Self::CorruptGzip(error.to_string())
            }
            _ => Self::Io(error.to_string()),
        }
    }
}

impl Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadLabel(token) => write!(
                f,
                "`{token}` is not a label: expected a number, or several with commas"
            ),
            Self::MissingColon(token) => {
                write!(
                    f,
                    "missing colon in `{token}`: expected index:value (a label must start its line)"
                )
            }
            Self::BadIndex(token) => write!(
                f,
                "bad index in `{token}`: expected an integer from 1 to {}",
                u32::MAX
            ),
            Self::BadNumber(token) => write!(
                f,
                "bad value in `{token}`: expected a number after the colon"
            ),
            Self::BadField(field) => write!(
                f,
                "`{field}` is not a number: expected label,value,value,..."
            ),
            Self::OtherLength { found, expected } => {
                write!(f, "{found} features after the label instead of {expected}")
            }
            Self::LabelElsewhere(column) => write!(
                f,
                "the label is in column `{}`, and has to be in the first one here; `train` reads the file as it is",
                shown(column)
            ),
            Self::Row(error) => error.fmt(f),
            Self::InvalidUtf8 => write!(f, "not UTF-8 text"),
            Self::TruncatedGzip => write!(
                f,
                "the gzip data end here, before their end mark: truncated file?"
            ),
            Self::CorruptGzip(reason) => write!(f, "damaged gzip data: {reason}"),
            Self::Bomb(reason) => write!(
                f,
                "the gzip data hold {reason}: unpack it first, if that is meant"
            ),
            Self::Empty => write!(f, "there is no example in it"),
            Self::Io(reason) => write!(f, "cannot be read: {reason}"),
        }
    }
}
