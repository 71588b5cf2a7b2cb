//! Reader for numbers in columns: the label, then the features.
//!
//! One example a line: `label,value,value,...`, with commas, semicolons or blanks between them.
//! Every line has the same number of columns. `#` starts a comment, blank lines and a byte-order mark
//! are skipped. A first line that does not begin with a number is a header: a note to stderr names it.
//!
//! By hand, since the crate `csv` takes one separator for a file: here commas, semicolons and runs of blanks may be mixed.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::libsvm::{BYTE_ORDER_MARK, Fault, ReadError};
use super::row::Row;

/// Whether a file of this name is read as columns.
pub fn is_csv(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("csv"))
}

/// Reads all rows of a file.
///
/// # Errors
///
/// The file cannot be read, a line is malformed, or there is no example in it.
pub fn read_file(path: &Path) -> Result<Vec<Row>, ReadError> {
    match File::open(path) {
        Ok(file) => read(path, file),
        Err(error) => Err(ReadError::new(path, 0, Fault::Io(error.to_string()))),
    }
}

/// Reads all rows of an open source; `path` only serves the error messages.
///
/// ```
/// use pocketron_testkit::data::csv;
///
/// let rows = csv::read("two.csv".as_ref(), "label,x,y\n1,0.5,0\n-1,0.25,2\n".as_bytes())?;
/// assert_eq!(rows[1].to_string(), "-1 1:0.25 2:2");
/// let error = csv::read("bad.csv".as_ref(), "1,0.5\n-1,0.25,2\n".as_bytes()).unwrap_err();
/// assert_eq!(error.to_string(), "bad.csv:2: 2 features after the label instead of 1");
/// # Ok::<(), pocketron_testkit::data::ReadError>(())
/// ```
///
/// # Errors
///
/// As [`read_file`].
pub fn read(path: &Path, source: impl Read) -> Result<Vec<Row>, ReadError> {
    let mut rows: Vec<Row> = Vec::new();
    let mut may_be_header = true;
    for (number, line) in BufReader::new(source).lines().enumerate() {
        let wrong = |fault| ReadError::new(path, number + 1, fault);
        let line = line.map_err(|error| wrong(Fault::Io(error.to_string())))?;
        let line = match number {
            0 => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line),
            _ => &line,
        };
        let row = match parse_line(line) {
            Err(Fault::BadLabel(_)) if may_be_header => {
                let (path, number, line) = (path.display(), number + 1, line.trim());
                eprintln!("note: {path}:{number}: `{line}` is a header, not an example");
                None
            }
            parsed => parsed.map_err(wrong)?,
        };
        may_be_header &= line.trim().is_empty();
        let Some(row) = row else { continue };
        let (found, expected) = (
            row.highest_index(),
            rows.first().map_or(row.highest_index(), Row::highest_index),
        );
        if found != expected {
            return Err(wrong(Fault::OtherLength { found, expected }));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(ReadError::new(path, 0, Fault::Empty));
    }
    Ok(rows)
}

/// Parses one line; `None` if it is blank or only a comment.
///
/// # Errors
///
/// The first thing wrong with the line.
pub fn parse_line(line: &str) -> Result<Option<Row>, Fault> {
    let mut fields = fields(line);
    let Some(label) = fields.next() else {
        return Ok(None);
    };
    let number = |text: &str| text.parse().ok().filter(|label: &f64| label.is_finite());
    let label = number(label).ok_or_else(|| Fault::BadLabel(label.into()))?;
    let mut row = Row::new(vec![label]);
    for (index, field) in (1..).zip(fields) {
        let value = field.parse().map_err(|_| Fault::BadField(field.into()))?;
        row.push(index, value).map_err(Fault::Row)?;
    }
    row.shrink();
    Ok(Some(row))
}

/// The columns of a line, none of a blank one. Between commas or semicolons a field may be
/// empty, which is then no number; blanks only separate.
pub fn fields(line: &str) -> Box<dyn Iterator<Item = &str> + '_> {
    let content = line.split('#').next().unwrap_or_default().trim();
    if content.is_empty() {
        return Box::new(std::iter::empty());
    }
    match content.find([',', ';']) {
        Some(at) => {
            let separator = if content[at..].starts_with(',') {
                ','
            } else {
                ';'
            };
            Box::new(content.split(separator).map(str::trim))
        }
        None => Box::new(content.split_whitespace()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_separated_in_three_ways() {
        for line in ["2,0.5,-1", "2; 0.5; -1", "2 0.5\t-1  # so be it"] {
            let row = parse_line(line).expect("a row").expect("not blank");
            assert_eq!(row.to_string(), "2 1:0.5 2:-1", "{line}");
        }
        assert_eq!(parse_line(" # nothing"), Ok(None));
        assert_eq!(parse_line("1,,2"), Err(Fault::BadField("".into())));
        assert!(parse_line("1,nan").is_err());
        assert!(parse_line("walking,2").is_err());
    }

    #[test]
    fn only_the_first_line_may_be_a_header() {
        let read = |text: &str| read("some.csv".as_ref(), text.as_bytes());
        assert_eq!(read("\nlabel,x\n1,2\n").expect("rows").len(), 1);
        assert!(read("1,2\nlabel,x\n").is_err());
        assert!(read("label,x\nlabel,x\n1,2\n").is_err());
        assert!(read("label,x\n").is_err());
        let marked = read("\u{feff}1,2\n-1,3\n").expect("rows");
        assert_eq!(marked.len(), 2, "no header behind a byte-order mark");
        assert!(read("1,2\n\u{feff}1,2\n").is_err(), "only the first line");
    }
}
