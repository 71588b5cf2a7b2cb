//! Labelled rows out of a recording, a table or a known set, with the names of everything.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};

use crate::{
    data::{
        Dense, DenseData, Places,
        recording::{self, ColumnOptions, Recording},
        shuffle::permutation,
    },
    held_out::{Fold, Labelled},
    model::file::FrontEnd,
};

/// What the columns of a file hold, where their names do not say.
#[derive(Args, Clone, Debug, Default)]
pub struct ColumnArguments {
    /// Column of the label, by name [default: `label`, `class` or `activity`, or the one that looks like it]
    #[arg(long, value_name = "COLUMN")]
    label: Option<String>,
    /// Column of the time, by name [default: `time`, `timestamp` or `seconds`]
    #[arg(long, value_name = "COLUMN")]
    time: Option<String>,
    /// Column of the person or machine: its rows are never split between training and test [default: `person`, `subject` or
    /// `user`]
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// Columns to leave out
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    drop: Vec<String>,
}

impl ColumnArguments {
    fn options(&self) -> ColumnOptions {
        ColumnOptions {
            label: self.label.clone(),
            time: self.time.clone(),
            group: self.group.clone(),
            drop: self.drop.clone(),
            needs_label: true,
        }
    }

    fn is_empty(&self) -> bool {
        self.options() == ColumnArguments::default().options()
    }
}

/// A front end of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Front {
    /// Three axes of an accelerometer
    Motion,
    /// One channel
    Vibration,
}

impl Front {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Front::Motion => "motion",
            Front::Vibration => "vibration",
        }
    }
}

/// Makes features of the samples.
#[derive(Args, Clone, Debug, Default)]
pub struct FrontArguments {
    /// The data is a recording of a sensor: learn windows of it through this front end of the device
    #[arg(long, value_enum, value_name = "NAME")]
    front: Option<Front>,
    /// Samples in a window: a power of two from 32 (vibration: 64) to 1024
    #[arg(long, value_name = "N", default_value_t = 128, requires = "front")]
    window: usize,
    /// Samples from a window to the next: N, N/2 or N/4 [default: motion N/2, vibration N]
    #[arg(long, value_name = "M", requires = "front")]
    hop: Option<usize>,
}

impl FrontArguments {
    /// Those that made the features of a model.
    pub fn of(front: Option<&FrontEnd>) -> Result<Self> {
        let Some(front) = front else {
            return Ok(FrontArguments::default());
        };
        let known = Front::from_str(&front.name, true);
        let known = known.map_err(|_| anyhow::anyhow!("there is no front end `{}`", front.name))?;
        Ok(FrontArguments {
            front: Some(known),
            window: front.window,
            hop: Some(front.hop),
        })
    }
}

/// Labelled rows, and how they are divided into training and test.
pub struct TrainingData {
    /// The file.
    pub name: String,
    /// Names of the classes, by number.
    pub labels: Vec<String>,
    /// Names of the features.
    pub features: Vec<String>,
    /// The front end, if the rows are windows.
    pub front: Option<FrontEnd>,
    /// Features; labels are numbers of classes.
    pub rows: Dense<f32>,
    /// Names of people or machines, none if there is only one.
    pub groups: Vec<String>,
    /// The group of each row.
    pub group_of: Vec<Option<usize>>,
    /// Training and test, so that every row that can be is tested once.
    pub folds: Vec<Fold>,
    /// Of each class that is too short for a window: how short.
    pub windowless: Vec<String>,
    /// What was recognised, and what is strange.
    pub notes: Vec<String>,
}

/// Folds of rows without groups, and at most of groups.
const PARTS: usize = 4;
const MOST_FOLDS: usize = 10;

impl TrainingData {
    /// Reads a CSV file, plain or gzipped; or a set in LIBSVM form by its path or name.
    ///
    /// # Errors
    ///
    /// The file cannot be read, or says too little: the message has the file, the line and what to do.
    pub fn load(
        name: &str,
        columns: &ColumnArguments,
        front: &FrontArguments,
        data_dir: Option<&Path>,
        seed: u64,
    ) -> Result<Self> {
        let is_set = !is_columns(name) && name != "watch";
        let is_set = is_set && !Path::new(name).is_dir();
        if is_set && front.front.is_none() {
            if !columns.is_empty() {
                bail!("{name}: --label, --time, --group and --drop are for CSV files");
            }
            return Self::of_set(name, data_dir, seed);
        }
        if is_set {
            bail!(
                "{name}: --front makes features of the samples in a CSV file, and this is a set of examples"
            );
        }
        let recording = match name {
            "watch" => recording::watch()?,
            path => Recording::read_file_with(&PathBuf::from(path), &columns.options())?,
        };
        if recording.classes.is_empty() {
            bail!("{name}: no row has a label; there is nothing to tell apart");
        }
        match front.front {
            Some(kind) => Self::of_windows(recording, kind, front),
            None => Self::of_table(&recording, seed),
        }
    }

    fn of_set(name: &str, data_dir: Option<&Path>, seed: u64) -> Result<Self> {
        let set = Places::new(data_dir).load(name)?;
        let classes = set.classes();
        let mut rows = set.to_dense()?.to_f32()?;
        for label in &mut rows.labels {
            *label = classes.partition_point(|(known, _)| known < label) as f64;
        }
        let labels = classes.iter().map(|(label, _)| label.to_string()).collect();
        let features = (1..=rows.dim).map(|feature| feature.to_string()).collect();
        let group_of = vec![None; rows.len()];
        Self::of_rows(name, labels, features, rows, (Vec::new(), group_of), seed)
    }

    fn of_table(recording: &Recording, seed: u64) -> Result<Self> {
        let labels = sorted(&recording.classes);
        let mut data = DenseData {
            dim: recording.channels.len(),
            x: Vec::new(),
            labels: Vec::new(),
        };
        let mut group_of = Vec::new();
        for segment in &recording.segments {
            let Some(class) = segment.class else { continue };
            let class = position(&labels, &recording.classes[class]);
            for at in segment.samples.clone() {
                data.x.extend(recording.sample(at));
                data.labels.push(class as f64);
                group_of.push(segment.person);
            }
        }
        let rows = data.to_f32().with_context(|| recording.name.clone())?;
        let (name, features) = (&recording.name, recording.channels.clone());
        let groups = (recording.people.clone(), group_of);
        let mut table = Self::of_rows(name, labels, features, rows, groups, seed)?;
        if recording.rate.is_some() {
            if table.groups.len() < 2 {
                table.divide_in_time();
            }
            table.notes.push(
                "these are samples in time, learned one by one; --front motion or vibration learns windows of them, as a device \
                 with a sensor does"
                    .into(),
            );
        }
        table.notes.splice(0..0, recording.notes.iter().cloned());
        Ok(table)
    }

    fn of_rows(
        name: &str,
        labels: Vec<String>,
        features: Vec<String>,
        rows: Dense<f32>,
        (groups, group_of): (Vec<String>, Vec<Option<usize>>),
        seed: u64,
    ) -> Result<Self> {
        let mut data = TrainingData {
            name: name.into(),
            labels,
            features,
            front: None,
            rows,
            groups,
            group_of,
            folds: Vec::new(),
            windowless: Vec::new(),
            notes: Vec::new(),
        };
        let part: Vec<usize> = match data.groups.len() {
            0 | 1 => data.parts_of_classes(seed),
            // A row of nobody is never tested.
            _ => {
                let part =
                    |group: &Option<usize>| group.map_or(usize::MAX, |group| group % MOST_FOLDS);
                data.group_of.iter().map(part).collect()
            }
        };
        data.divide(&part, MOST_FOLDS);
        data.note_runs();
        Ok(data)
    }

    /// Tests each of the first `parts` parts in turn.
    fn divide(&mut self, part: &[usize], parts: usize) {
        let folds = (0..parts).map(|fold| {
            let (test, train) = (0..part.len()).partition(|row| part[*row] == fold);
            Fold { train, test }
        });
        let folds = folds.filter(|fold| !fold.test.is_empty() && !fold.train.is_empty());
        self.folds = folds.collect();
    }

    /// The later half of each class is tested: rows that were recorded one after the other are too much alike to be mixed.
    fn divide_in_time(&mut self) {
        let mut rows = vec![0; self.labels.len()];
        for label in &self.rows.labels {
            rows[*label as usize] += 1;
        }
        let mut seen = vec![0; self.labels.len()];
        let later = self.rows.labels.iter().map(|label| {
            let class = *label as usize;
            seen[class] += 1;
            usize::from(2 * seen[class] <= rows[class] + 1)
        });
        let part: Vec<usize> = later.collect();
        self.divide(&part, 1);
    }

    /// The part in which each row is tested: of every class as many in each.
    fn parts_of_classes(&self, seed: u64) -> Vec<usize> {
        let mut part = vec![0; self.rows.len()];
        let mut seen = vec![0; self.labels.len()];
        for row in permutation(self.rows.len(), seed) {
            let class = &mut seen[self.rows.labels[row] as usize];
            part[row] = *class % PARTS;
            *class += 1;
        }
        part
    }

    fn of_windows(mut recording: Recording, kind: Front, front: &FrontArguments) -> Result<Self> {
        let (name, notes) = (recording.name.clone(), std::mem::take(&mut recording.notes));
        let (found, wanted) = (
            recording.channels.len(),
            match kind {
                Front::Motion => 3,
                Front::Vibration => 1,
            },
        );
        if found != wanted {
            bail!(
                "{name}: `{}` are {found} channels, and --front {} takes {wanted}: --drop COLUMN,... leaves others out",
                recording.channels.join("`, `"),
                kind.name()
            );
        }
        let sample = match found {
            3 => recording.samples_i16::<3>().is_ok(),
            _ => recording.samples_i16::<1>().is_ok(),
        };
        let labels = sorted(&recording.classes);
        let labelled = Labelled::new(recording, front.window, front.hop)?;
        let windowless = labelled.windowless();
        let folds = labelled.folds(None)?;
        let rows = labelled.rows(&labelled.all(), &labels)?.to_f32();
        let rows = rows.with_context(|| name.clone())?;
        let (windows, recording) = (labelled.windows(), labelled.recording());
        let person =
            |window: &recording::Window<Vec<f32>>| recording.segments[window.segment].person;
        let mut data = TrainingData {
            name,
            labels,
            features: windows.names.clone(),
            front: Some(FrontEnd {
                name: kind.name().into(),
                window: windows.window,
                hop: windows.hop,
                sample: if sample { "i16" } else { "f32" }.into(),
            }),
            rows,
            groups: recording.people.clone(),
            group_of: windows.all.iter().map(person).collect(),
            folds,
            windowless,
            notes,
        };
        data.note_runs();
        Ok(data)
    }

    /// Says that rows come class after class.
    fn note_runs(&mut self) {
        let labels = &self.rows.labels;
        let runs = labels.chunk_by(|a, b| a == b).count();
        if 4 * runs < labels.len() {
            self.notes.push(format!(
                "the rows come in {runs} runs of one label; they are learned in random order"
            ));
        }
    }

    /// Refuses rows of which a model could learn only one class.
    ///
    /// # Errors
    ///
    /// All rows have one label, or of all other labels there is no window.
    pub fn check_two_classes(&self) -> Result<()> {
        let (name, labels) = (&self.name, &self.labels);
        if labels.len() - self.windowless.len() > 1 {
            return Ok(());
        }
        let why = match &self.windowless[..] {
            [] => format!("all rows have the label `{}`", labels.join("`, `")),
            short => short.join("; "),
        };
        bail!("{name}: {why}; there is nothing to tell apart")
    }

    /// The rows at these positions.
    pub fn examples<'a>(&'a self, rows: &'a [usize]) -> impl Iterator<Item = (&'a [f32], u8)> {
        rows.iter()
            .map(|row| (self.rows.row(*row), self.class(*row)))
    }

    /// The class of a row.
    pub fn class(&self, row: usize) -> u8 {
        self.rows.labels[row] as u8
    }

    /// The rows with the classes of a model, by their names.
    ///
    /// # Errors
    ///
    /// A label is not one of them.
    pub fn with_classes(mut self, labels: &[String]) -> Result<Self> {
        let number = |own: &String| {
            let number = labels.iter().position(|label| label == own);
            number.with_context(|| {
                format!(
                    "{}: `{own}` was not learned, only `{}`",
                    self.name,
                    labels.join("`, `")
                )
            })
        };
        let numbers: Vec<usize> = self.labels.iter().map(number).collect::<Result<_>>()?;
        for label in &mut self.rows.labels {
            *label = numbers[*label as usize] as f64;
        }
        self.labels = labels.to_vec();
        Ok(self)
    }
}

/// Whether a file has columns, by its name.
fn is_columns(name: &str) -> bool {
    let name = name.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    [".csv", ".tsv", ".txt"]
        .iter()
        .any(|suffix| name.ends_with(suffix))
        || Path::new(name).is_dir()
}

/// In the order of numbers if all are, else of the alphabet.
fn sorted(names: &[String]) -> Vec<String> {
    let mut sorted = names.to_vec();
    let numbers: Option<Vec<f64>> = names.iter().map(|name| name.parse().ok()).collect();
    match numbers {
        Some(_) => sorted.sort_by(|a, b| {
            let [a, b] = [a, b].map(|name| name.parse().unwrap_or(f64::NAN));
            a.total_cmp(&b)
        }),
        None => sorted.sort(),
    }
    sorted
}

fn position(names: &[String], name: &str) -> usize {
    let position = names.iter().position(|known| known == name);
    position.expect("sorted names are the same names")
}
