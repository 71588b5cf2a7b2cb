//! Reader for numbers in columns: the label, then the features.
//!
//! One example a line: `label,value,value,...`, with commas, semicolons or blanks between them.
//! Every line has the same number of columns. `#` starts a comment, blank lines and a byte-order mark
//! are skipped, and a gzipped file is unpacked on the way. A first line that does not begin with a number is a header: a note to stderr names it.
//!
//! By hand, since the crate `csv` takes one separator for a file: here commas, semicolons and runs of blanks may be mixed.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use super::libsvm::{BYTE_ORDER_MARK, Fault, ReadError, shown};
use super::row::Row;
use super::rows::Rows;
use super::source::Text;

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
pub fn read_file(path: &Path) -> Result<Rows, ReadError> {
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
/// assert_eq!(rows.get(1).to_string(), "-1 1:0.25 2:2");
/// let error = csv::read("bad.csv".as_ref(), "1,0.5\n-1,0.25,2\n".as_bytes()).unwrap_err();
/// assert_eq!(error.to_string(), "bad.csv:2: 2 features after the label instead of 1");
/// # Ok::<(), pocketron_testkit::data::ReadError>(())
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
    let mut may_be_header = true;
    let mut bytes = Vec::new();
    for number in 1.. {
        let wrong = |fault| ReadError::new(path, number, fault);
        bytes.clear();
        let length = source
            .read_until(b'\n', &mut bytes)
            .map_err(|error| wrong(Fault::of_text(&error, is_packed)))?;
        if length == 0 {
            break;
        }
        let line = str::from_utf8(&bytes).map_err(|_| wrong(Fault::InvalidUtf8))?;
        let line = match number {
            1 => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line),
            _ => line,
        };
        let row = match parse_line(line) {
            Err(Fault::BadLabel(_)) if may_be_header => {
                if let Some(column) = label_elsewhere(line) {
                    return Err(wrong(Fault::LabelElsewhere(column)));
                }
                let (path, line) = (path.display(), shown(line.trim()));
                eprintln!("note: {path}:{number}: `{line}` is a header, not an example");
                None
            }
            parsed => parsed.map_err(wrong)?,
        };
        may_be_header &= line.trim().is_empty();
        let Some(row) = row else { continue };
        let found = row.view().highest_index();
        let expected = match rows.is_empty() {
            true => found,
            false => rows.get(0).highest_index(),
        };
        if found != expected {
            return Err(wrong(Fault::OtherLength { found, expected }));
        }
        rows.push(row.view());
    }
    if rows.is_empty() {
        return Err(ReadError::new(path, 0, Fault::Empty));
    }
    Ok(rows.of_text(source.taken()))
}

/// The column behind the first one that a header calls the label, unless it calls the first one so: that would be learned as the
/// label, such as a time.
fn label_elsewhere(header: &str) -> Option<String> {
    let is_label = |name: &&str| {
        ["label", "class", "activity"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(name))
    };
    let mut names = fields(header);
    let first = names.next().filter(|name| !is_label(name));
    first.and_then(|_| names.find(is_label).map(Into::into))
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
    let label = number(label).ok_or_else(|| Fault::BadLabel(shown(label)))?;
    let mut row = Row::new(vec![label]);
    for (index, field) in (1..).zip(fields) {
        let value = field.parse().map_err(|_| Fault::BadField(shown(field)))?;
        row.push(index, value).map_err(Fault::Row)?;
    }
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
        let elsewhere = read("time,x,label\n1,2,0\n").expect_err("a time is no label");
        assert!(
            elsewhere
                .to_string()
                .contains("the label is in column `label`")
        );
        assert!(read("label,x,class\n1,2,0\n").is_ok());
        assert_eq!(read("\nlabel,x\n1,2\n").expect("rows").len(), 1);
        assert!(read("1,2\nlabel,x\n").is_err());
        assert!(read("label,x\nlabel,x\n1,2\n").is_err());
        assert!(read("label,x\n").is_err());
        let marked = read("\u{feff}1,2\n-1,3\n").expect("rows");
        assert_eq!(marked.len(), 2, "no header behind a byte-order mark");
        assert!(read("1,2\n\u{feff}1,2\n").is_err(), "only the first line");
    }
}
