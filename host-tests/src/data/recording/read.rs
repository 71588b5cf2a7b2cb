//! From a CSV file to a recording.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use csv::{ReaderBuilder, StringRecord, Trim};

use super::columns::{self, ColumnOptions, Columns};
use super::{Fault, Recording, RecordingError, Segment};
use crate::data::source::Text;

/// The first bytes of text that says its encoding.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A step in time above this many usual ones is a gap.
const GAP: f64 = 1.5;

/// Rows that are looked at before the file is read.
const SAMPLE: usize = 1000;

pub fn file(path: &Path, options: &ColumnOptions) -> Result<Recording, RecordingError> {
    match File::open(path) {
        Ok(file) => source(path, file, options),
        Err(error) => {
            let fault = Fault::Io(error.to_string());
            Err(RecordingError::new(
                &path.display().to_string(),
                None,
                fault,
            ))
        }
    }
}

pub fn source(
    path: &Path,
    source: impl Read,
    options: &ColumnOptions,
) -> Result<Recording, RecordingError> {
    let name = path.display().to_string();
    let text = text(source);
    let text =
        text.map_err(|error| RecordingError::new(&name, None, Fault::Io(unreadable(&error))))?;
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text);
    parse(&name, text, options)
}

/// Everything, unpacked.
fn text(source: impl Read) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Text::new(source)?.read_to_end(&mut text)?;
    Ok(text)
}

/// Why a file could not be read, and what to do.
fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::IsADirectory => "this is a directory: name a file in it".into(),
        std::io::ErrorKind::UnexpectedEof => {
            "the gzip file ends too early, as one does that was cut off: copy or pack it again"
                .into()
        }
        std::io::ErrorKind::InvalidInput | std::io::ErrorKind::InvalidData => {
            format!("the gzip file is damaged ({error}): copy or pack it again")
        }
        _ => error.to_string(),
    }
}

/// The line, from 1, of the first record at or behind a place: blank lines and comments are none.
fn line_of(text: &[u8], byte: u64) -> u64 {
    let (before, behind) = text.split_at_checked(byte as usize).unwrap_or((text, &[]));
    let is_record = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    let skipped = behind
        .split(|byte| *byte == b'\n')
        .take_while(|line| !is_record(line))
        .count();
    let ended = before.iter().filter(|byte| **byte == b'\n').count();
    (ended + skipped + 1) as u64
}

/// The separator of which the first line has most outside of quotes; comments are not lines.
fn delimiter(text: &[u8]) -> u8 {
    let mut lines = text.split(|byte| *byte == b'\n');
    let is_content = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
    let heading = lines.find(is_content).unwrap_or_default();
    let unquoted = heading.split(|byte| *byte == b'"').step_by(2).flatten();
    let count = |delimiter: &u8| unquoted.clone().filter(|byte| *byte == delimiter).count();
    // The last of equals is a comma.
    *b"\t;,"
        .iter()
        .max_by_key(|byte| count(byte))
        .unwrap_or(&b',')
}

/// Names in the order in which they occur.
fn position(names: &mut Vec<String>, name: &str) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    let known = names.iter().position(|known| known == name);
    known.or_else(|| {
        names.push(name.into());
        Some(names.len() - 1)
    })
}

fn parse(name: &str, text: &[u8], options: &ColumnOptions) -> Result<Recording, RecordingError> {
    let wrong = |line: Option<u64>, fault| RecordingError::new(name, line, fault);
    let csv = |error: csv::Error| {
        let line = error
            .position()
            .map(|position| line_of(text, position.byte()));
        wrong(line, Fault::Csv(explained(&error)))
    };
    let reader = |has_heading: bool| {
        ReaderBuilder::new()
            .delimiter(delimiter(text))
            .comment(Some(b'#'))
            .trim(Trim::All)
            .has_headers(has_heading)
            .from_reader(text)
    };
    let first = reader(true).headers().map_err(csv)?.clone();
    let has_heading = !(options.needs_label && columns::is_example(&first, options));
    let heading = match has_heading {
        true => first,
        false => columns::numbered(first.len()),
    };
    let sample = reader(has_heading).into_records().take(SAMPLE);
    let sample: Vec<StringRecord> = sample.map_while(Result::ok).collect();
    let columns = Columns::new(&heading, options, &sample);
    let columns = columns.map_err(|fault| wrong(Some(1), fault))?;
    let mut reader = reader(has_heading);
    let mut recording = Recording {
        name: name.into(),
        channels: columns
            .channels
            .iter()
            .map(|at| heading[*at].into())
            .collect(),
        rate: None,
        classes: Vec::new(),
        people: Vec::new(),
        segments: Vec::new(),
        notes: columns.notes.clone(),
        values: Vec::new(),
    };
    let mut times: Vec<f64> = Vec::new();
    let mut group = Vec::new();
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(csv)? {
        let start = record.position().map(csv::Position::byte);
        let number = |at: usize| {
            let value = record[at]
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite());
            let fault = || Fault::NoNumber(record[at].into(), heading[at].into());
            value.ok_or_else(|| wrong(start.map(|byte| line_of(text, byte)), fault()))
        };
        let class = columns
            .label
            .and_then(|at| position(&mut recording.classes, &record[at]));
        let person = columns
            .person
            .and_then(|at| position(&mut recording.people, &record[at]));
        let found: Vec<String> = columns.group.iter().map(|at| record[*at].into()).collect();
        let same = |segment: &&mut Segment| (segment.class, segment.person) == (class, person);
        let sample = recording.values.len() / columns.channels.len();
        match recording.segments.last_mut().filter(same) {
            Some(segment) if found == group => segment.samples.end = sample + 1,
            _ => recording.segments.push(Segment {
                samples: sample..sample + 1,
                class,
                person,
            }),
        }
        group = found;
        if let Some(at) = columns.time {
            let time = number(at)?;
            let begins = recording
                .segments
                .last()
                .is_some_and(|last| last.samples.start == sample);
            if times.last().is_some_and(|last| time <= *last) && !begins {
                let line = start.map(|byte| line_of(text, byte));
                return Err(wrong(line, Fault::Time(time)));
            }
            times.push(time);
        }
        for at in &columns.channels {
            recording.values.push(number(*at)?);
        }
    }
    if recording.is_empty() {
        return Err(wrong(None, Fault::Empty));
    }
    if let Some(step) = usual_step(&times, &recording.segments) {
        recording.rate = Some(1.0 / step);
        recording.segments = without_gaps(&times, &recording.segments, step);
    }
    Ok(recording)
}

/// What is wrong with a line, without the position that the message has anyway.
fn explained(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!(
            "{len} columns instead of {expected_len}: the line is cut off, or has a separator too many or too few"
        ),
        csv::ErrorKind::Utf8 { .. } => "this is not UTF-8".into(),
        csv::ErrorKind::Io(error) => error.to_string(),
        _ => error.to_string(),
    }
}

/// The median of the steps inside of segments.
fn usual_step(times: &[f64], segments: &[Segment]) -> Option<f64> {
    let inside = segments
        .iter()
        .filter_map(|segment| times.get(segment.samples.clone()));
    let steps = inside.flat_map(|times| times.windows(2).map(|pair| pair[1] - pair[0]));
    let mut steps: Vec<f64> = steps.collect();
    steps.sort_by(f64::total_cmp);
    steps.get(steps.len() / 2).copied()
}

/// The segments, cut where samples are missing.
fn without_gaps(times: &[f64], segments: &[Segment], step: f64) -> Vec<Segment> {
    let mut cut = Vec::new();
    for segment in segments {
        let mut start = segment.samples.start;
        for at in segment.samples.clone().skip(1) {
            if times[at] - times[at - 1] > GAP * step {
                let samples = start..at;
                cut.push(Segment {
                    samples,
                    ..segment.clone()
                });
                start = at;
            }
        }
        let samples = start..segment.samples.end;
        cut.push(Segment {
            samples,
            ..segment.clone()
        });
    }
    cut
}
