//! Labelled rows as a device wants them: classes that count from zero, features in `f32`.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::{
    data::{Dataset, Dense, DenseData, Places, Standardizer, shuffle::permutation},
    table::Table,
};

/// Epochs, and the order of rows.
#[derive(Args, Clone, Debug)]
pub struct Passes {
    /// Passes over the rows
    #[arg(
        long,
        value_name = "T",
        default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub epochs: u64,
    /// Teach in the random order of this seed, another one in each pass
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
}

impl Passes {
    /// Warns of rows that come class after class and are not shuffled.
    pub fn warn_of_sorted(&self, examples: &Examples) {
        if let (None, Some(warning)) = (self.shuffle, examples.sorted_warning()) {
            eprintln!("warning: {warning}");
        }
    }

    /// The rows of all passes.
    pub fn rows(&self, examples: &Examples) -> impl Iterator<Item = usize> {
        let order = |epoch| examples.order(self.shuffle.map(|seed| seed.wrapping_add(epoch)));
        (0..self.epochs).flat_map(order)
    }
}

/// Choice of rows, and changes before they are learned.
#[derive(Args, Clone, Debug)]
pub struct ExampleOptions {
    /// Data set in LIBSVM form, plain or gzip, or in columns (label,value,value,... in a .csv): a
    /// file, or a name looked for in --data-dir, in $POCKETRON_DATA, in data/ and among the small
    /// sets that come along
    #[arg(value_name = "FILE|SET")]
    pub data: String,
    /// Directory in which names are looked for first
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
    /// Labels of class 0, 1, ...; rows with others are left out [default: all labels, ascending]
    #[arg(
        long,
        value_name = "L,L,...",
        value_delimiter = ',',
        allow_negative_numbers = true
    )]
    pub labels: Option<Vec<f64>>,
    /// Leave out the first N rows
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip: usize,
    /// Use only N rows
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Divide every value by V, such as 255 for pixels
    #[arg(long, value_name = "V")]
    pub divide: Option<f64>,
    /// Scale every feature to mean 0 and standard deviation 1, as measured on this set
    /// [default: the same one, with rows that are left out]
    #[arg(
        long,
        value_name = "FILE|SET",
        num_args = 0..=1,
        require_equals = true
    )]
    pub standardize: Option<Option<String>>,
}

/// Labels of the classes.
///
/// The classes are numbered in the order of the labels: ascending, unless they were
/// listed in another order.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassMap {
    labels: Vec<f64>,
    /// Names, where labels are no numbers.
    names: Vec<String>,
}

impl ClassMap {
    /// Of the labels that occur in a set.
    pub fn of(data: &Dataset) -> Self {
        let labels = data.classes().into_iter().map(|(label, _)| label);
        ClassMap {
            labels: labels.collect(),
            names: Vec::new(),
        }
    }

    /// In this order.
    pub fn listed(labels: &[f64]) -> Result<Self> {
        let mut sorted = labels.to_vec();
        sorted.sort_by(f64::total_cmp);
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            bail!("--labels has {} twice", twice[0]);
        }
        Ok(ClassMap {
            labels: labels.to_vec(),
            names: Vec::new(),
        })
    }

    /// Of classes with names: a label is the number of its class.
    pub fn named(names: &[String]) -> Self {
        ClassMap {
            labels: (0..names.len()).map(|class| class as f64).collect(),
            names: names.to_vec(),
        }
    }

    /// The class of a label.
    pub fn class(&self, label: f64) -> Option<u8> {
        let at = self.labels.iter().position(|known| *known == label)?;
        u8::try_from(at).ok()
    }

    /// The label of a class; classes without one are shown by their number.
    pub fn name(&self, class: u8) -> String {
        if let Some(name) = self.names.get(usize::from(class)) {
            return name.clone();
        }
        let label = self.labels.get(usize::from(class));
        label.map_or_else(|| format!("class {class}"), f64::to_string)
    }

    /// Number of classes.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }
}

/// Labelled rows.
#[derive(Clone, Debug)]
pub struct Examples {
    /// Name of the set.
    pub name: String,
    /// Labels of the classes.
    pub map: ClassMap,
    rows: Dense<f32>,
    classes: Vec<u8>,
}

impl ExampleOptions {
    /// All rows of a set, as they are.
    pub fn of(data: &str) -> Self {
        ExampleOptions {
            data: data.into(),
            data_dir: None,
            labels: None,
            skip: 0,
            limit: None,
            divide: None,
            standardize: None,
        }
    }

    /// Whether rows are chosen by their labels, or changed.
    pub fn is_changed(&self) -> bool {
        self.labels.is_some() || self.divide.is_some() || self.standardize.is_some()
    }

    /// Reads the rows for a model with these numbers of features and classes.
    pub fn load(&self, features: usize, classes: usize) -> Result<Examples> {
        let data = self.read(&self.data, features)?;
        let map = match &self.labels {
            Some(labels) => ClassMap::listed(labels)?,
            None => ClassMap::of(&data),
        };
        if map.len() > classes {
            bail!(
                "{} has {} labels, the model {classes} classes: --labels L,L,... chooses some",
                data.name(),
                map.len()
            );
        }
        let scale = match &self.standardize {
            None => None,
            Some(None) => Some(Standardizer::fit(&self.dense(&data)?)?),
            Some(Some(other)) => {
                let other = self.dense(&self.read(other, features)?)?;
                Some(Standardizer::fit(&other)?)
            }
        };
        let name = data.name().to_owned();
        let chosen = data.keep_labels(&map.labels);
        let (_, chosen) = chosen.split(self.skip).context("--skip")?;
        let chosen = chosen.limit(self.limit.unwrap_or(usize::MAX));
        if chosen.is_empty() {
            bail!("no rows of {name} are left");
        }
        let mut rows = self.dense(&chosen)?;
        if let Some(scale) = scale {
            rows = scale.apply(&rows)?;
        }
        let rows = rows.to_f32()?;
        let class = |label: &f64| map.class(*label).context("a label without a class");
        Ok(Examples {
            name,
            classes: rows.labels.iter().map(class).collect::<Result<_>>()?,
            map,
            rows,
        })
    }

    /// A set with as many features as the model has.
    fn read(&self, name: &str, features: usize) -> Result<Dataset> {
        let data = Places::new(self.data_dir.as_deref()).load(name)?;
        let found = data.dim();
        if found > features {
            bail!("{name} has {found} features, the model {features}");
        }
        if found < features {
            // Files in LIBSVM form leave zeros out, also at the end.
            eprintln!("note: {name} has {found} features, the model {features}: the rest is zero");
        }
        Ok(data.with_dim(features)?)
    }

    fn dense(&self, data: &Dataset) -> Result<DenseData> {
        let mut data = data.to_dense().with_context(|| data.name().to_owned())?;
        if let Some(divisor) = self.divide {
            if !(divisor.is_finite() && divisor > 0.0) {
                bail!("--divide {divisor}: must be positive");
            }
            data.x.iter_mut().for_each(|value| *value /= divisor);
        }
        Ok(data)
    }
}

impl Examples {
    /// Rows whose labels are the numbers of named classes.
    pub fn named(name: &str, rows: Dense<f32>, names: &[String]) -> Self {
        Examples {
            name: name.into(),
            map: ClassMap::named(names),
            classes: rows.labels.iter().map(|label| *label as u8).collect(),
            rows,
        }
    }

    /// Without the first `skip` rows, and at most so many.
    ///
    /// # Errors
    ///
    /// There are none left.
    pub fn cut(mut self, skip: usize, limit: Option<usize>) -> Result<Self> {
        let end = limit.map_or(self.len(), |limit| {
            skip.saturating_add(limit).min(self.len())
        });
        if skip >= end {
            bail!("no rows of {} are left", self.name);
        }
        let dim = self.rows.dim;
        self.rows.x = self.rows.x[skip * dim..end * dim].to_vec();
        self.rows.labels = self.rows.labels[skip..end].to_vec();
        self.classes = self.classes[skip..end].to_vec();
        Ok(self)
    }

    /// Warning for rows that come class after class: the accuracy of predictions before learning then tells little,
    /// since the next label is mostly the last one.
    pub fn sorted_warning(&self) -> Option<String> {
        let turns = self.classes.windows(2).filter(|pair| pair[0] != pair[1]);
        let runs = turns.count() + 1;
        // Mixed rows have about as many runs as rows.
        let sorted = self.map.len() > 1 && 4 * runs < self.classes.len();
        sorted.then(|| {
            format!(
                "the rows come in {runs} runs of one label: prequential accuracy says little about them, \
                 ask with other rows; --shuffle SEED mixes them"
            )
        })
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Class and features of a row.
    pub fn get(&self, row: usize) -> (u8, &[f32]) {
        (self.classes[row], self.rows.row(row))
    }

    /// Rows in order.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &[f32])> {
        (0..self.len()).map(|row| self.get(row))
    }

    /// Rows in the order of that seed, or in their own.
    pub fn order(&self, seed: Option<u64>) -> Vec<usize> {
        match seed {
            Some(seed) => permutation(self.len(), seed),
            None => (0..self.len()).collect(),
        }
    }

    /// Labels of the classes, and their numbers of rows.
    pub fn legend(&self) -> Table {
        let mut table = Table::numbers(["class", "label", "rows"]);
        for class in 0..self.map.len() as u8 {
            let rows = self.classes.iter().filter(|own| **own == class).count();
            table.row([class.to_string(), self.map.name(class), rows.to_string()]);
        }
        table
    }
}
