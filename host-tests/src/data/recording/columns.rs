//! What the columns of a file hold.

use csv::StringRecord;

use super::Fault;

const TIME: [&str; 3] = ["time", "timestamp", "seconds"];
const LABEL: [&str; 3] = ["label", "class", "activity"];
const PERSON: [&str; 3] = ["person", "subject", "user"];
const GROUP: [&str; 3] = ["side", "session", "recording"];

/// Labels that a column of numbers has at most, to be taken for the label.
const MOST_LABELS: usize = 32;
/// Rows from which on a column that only grows is taken for a time.
const ENOUGH: usize = 8;

/// What the user says of the columns. Names are not sensitive to case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnOptions {
    /// The label.
    pub label: Option<String>,
    /// The time.
    pub time: Option<String>,
    /// Person, machine or the like: in place of the person.
    pub group: Option<String>,
    /// Columns that are left out.
    pub drop: Vec<String>,
    /// Whether there must be a label: then it is also looked for where no name says so, and the first line may be without names.
    pub needs_label: bool,
}

/// Where is what.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub time: Option<usize>,
    pub label: Option<usize>,
    pub person: Option<usize>,
    pub group: Vec<usize>,
    pub channels: Vec<usize>,
    /// What was recognised, and what looks strange.
    pub notes: Vec<String>,
}

impl Columns {
    /// Of a heading; `sample` are some of the rows.
    pub fn new(
        heading: &StringRecord,
        options: &ColumnOptions,
        sample: &[StringRecord],
    ) -> Result<Self, Fault> {
        if heading.is_empty() {
            return Err(Fault::NoColumns);
        }
        if heading.len() == 1 && options.needs_label {
            return Err(Fault::OneColumn);
        }
        let mut columns = Columns::named(heading, options)?;
        if options.needs_label && columns.label.is_none() {
            columns.find_label(heading, sample)?;
        }
        if columns.channels.is_empty() {
            return Err(Fault::NoChannel);
        }
        columns.remark(heading, sample);
        Ok(columns)
    }

    /// By the names, and by what the user says.
    fn named(heading: &StringRecord, options: &ColumnOptions) -> Result<Self, Fault> {
        let chosen = |name: &Option<String>| {
            let name = name.as_ref();
            name.map(|name| find(heading, name)).transpose()
        };
        let dropped = options.drop.iter().map(|name| find(heading, name));
        let dropped: Vec<usize> = dropped.collect::<Result<_, _>>()?;
        let mut columns = Columns {
            label: chosen(&options.label)?,
            time: chosen(&options.time)?,
            person: chosen(&options.group)?,
            ..Columns::default()
        };
        let taken = [columns.label, columns.time, columns.person];
        for (at, name) in heading.iter().enumerate() {
            if taken.contains(&Some(at)) || dropped.contains(&at) {
                continue;
            }
            let lower = name.to_lowercase();
            let is = |names: [&str; 3]| names.contains(&lower.as_str());
            let single = match () {
                () if is(TIME) && options.time.is_none() => &mut columns.time,
                () if is(LABEL) && options.label.is_none() => &mut columns.label,
                () if is(PERSON) && options.group.is_none() => &mut columns.person,
                () if is(GROUP) => {
                    columns.group.push(at);
                    continue;
                }
                () if heading.iter().take(at).any(|other| other == name) => {
                    return Err(Fault::Twice(name.into()));
                }
                () => {
                    columns.channels.push(at);
                    continue;
                }
            };
            if single.replace(at).is_some() {
                return Err(Fault::Twice(lower));
            }
        }
        Ok(columns)
    }

    /// The only column of names, or the first or last one if only that has few whole numbers.
    fn find_label(&mut self, heading: &StringRecord, sample: &[StringRecord]) -> Result<(), Fault> {
        let is_text = |at: &&usize| {
            let text = |row: &StringRecord| row[**at].parse::<f64>().is_err();
            sample.iter().any(|row| !row[**at].is_empty() && text(row))
        };
        let texts: Vec<usize> = self.channels.iter().filter(is_text).copied().collect();
        let names = |places: &[usize]| {
            let names: Vec<&str> = places.iter().map(|at| &heading[*at]).collect();
            names.join("`, `")
        };
        // Every value another one: a date, or a number of the row.
        let repeats = |at: &&usize| distinct(sample, **at) < sample.len().max(2);
        let labels: Vec<usize> = texts.iter().filter(repeats).copied().collect();
        let (label, reason) = match labels[..] {
            [label] => (label, "the only one with names"),
            [] if texts.is_empty() => {
                let ends = [self.channels.first(), self.channels.last()];
                let few = |at: &&usize| has_few_numbers(sample, **at);
                match ends.map(|end| end.filter(few).copied()) {
                    [Some(first), Some(last)] if first != last => {
                        return Err(Fault::NoLabel(format!(
                            "`{}` and `{}` could both be it",
                            &heading[first], &heading[last]
                        )));
                    }
                    [Some(first), _] => (
                        first,
                        "the first, and the only one of both ends with few whole numbers",
                    ),
                    [None, Some(last)] => (
                        last,
                        "the last, and the only one of both ends with few whole numbers",
                    ),
                    [None, None] => {
                        return Err(Fault::NoLabel(format!(
                            "no column is called so or holds names; there are `{}`",
                            names(&self.channels)
                        )));
                    }
                }
            }
            [] => {
                return Err(Fault::NoLabel(format!(
                    "`{}` has another text in every row",
                    names(&texts)
                )));
            }
            _ => {
                return Err(Fault::NoLabel(format!(
                    "`{}` all hold names",
                    names(&labels)
                )));
            }
        };
        self.channels.retain(|at| *at != label);
        self.label = Some(label);
        self.notes.push(format!(
            "the label is column `{}`: {reason}",
            &heading[label]
        ));
        Ok(())
    }

    /// Notes columns that are no measurement by their looks.
    fn remark(&mut self, heading: &StringRecord, sample: &[StringRecord]) {
        for at in &self.channels {
            let name = &heading[*at];
            let argument = as_argument(name);
            let numbers = sample.iter().map_while(|row| row[*at].parse::<f64>().ok());
            let numbers: Vec<f64> = numbers.collect();
            let grows = numbers.len() >= ENOUGH && numbers.windows(2).all(|pair| pair[0] < pair[1]);
            let lower = name.to_lowercase();
            if grows {
                self.notes.push(format!(
                    "column `{name}` grows in every row, as a time or a row's number does, and is learned as a feature: \
                     --time {argument} or --drop {argument} leaves it out"
                ));
            } else if lower == "id" || lower.ends_with("_id") || lower.ends_with(" id") {
                self.notes.push(format!(
                    "column `{name}` looks like an identity, and is learned as a feature: --group {argument} never splits its \
                     rows between training and test, --drop {argument} leaves it out"
                ));
            }
        }
    }
}

/// A name as a shell takes it: between quotes unless all its characters are harmless.
pub fn as_argument(name: &str) -> String {
    let is_harmless = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    match name.chars().all(is_harmless) && !name.is_empty() {
        true => name.into(),
        false => format!("'{}'", name.replace('\'', r"'\''")),
    }
}

/// The column of that name.
fn find(heading: &StringRecord, name: &str) -> Result<usize, Fault> {
    let found = heading
        .iter()
        .position(|column| column.eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let all: Vec<&str> = heading.iter().collect();
        Fault::NoColumn(name.into(), all.join("`, `"))
    })
}

/// Different values of a column.
fn distinct(sample: &[StringRecord], at: usize) -> usize {
    let mut values: Vec<&str> = sample.iter().map(|row| &row[at]).collect();
    values.sort_unstable();
    values.dedup();
    values.len()
}

/// Whether a column holds whole numbers, and few of them.
fn has_few_numbers(sample: &[StringRecord], at: usize) -> bool {
    let whole = |row: &StringRecord| {
        let number = row[at].parse::<f64>();
        number.is_ok_and(|number| number.fract() == 0.0)
    };
    sample.iter().all(whole) && distinct(sample, at) <= MOST_LABELS.min(sample.len() / 2)
}

/// Names for the columns of a file whose first line is an example.
pub(super) fn numbered(columns: usize) -> StringRecord {
    let names: Vec<String> = (1..=columns).map(|at| format!("column {at}")).collect();
    names.into()
}

/// Whether a first line has no names: all of its cells but one are numbers, and that one may be a label. It may also be the
/// name of a column beside others that are numbered.
pub(super) fn is_example(first: &StringRecord, options: &ColumnOptions) -> bool {
    let said = [&options.label, &options.time, &options.group];
    let said = said.into_iter().flatten().chain(&options.drop);
    let known = [&TIME, &LABEL, &PERSON, &GROUP].into_iter().flatten();
    let names: Vec<&str> = said.map(String::as_str).chain(known.copied()).collect();
    let is_name = |cell: &str| names.iter().any(|name| name.eq_ignore_ascii_case(cell));
    let mut texts = first.iter().filter(|cell| cell.parse::<f64>().is_err());
    let is_label = texts.next().is_none_or(|text| !is_name(text));
    first.len() > 1 && is_label && texts.next().is_none()
}
