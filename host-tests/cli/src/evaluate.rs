//! `pocketron evaluate`: how well a learner does on rows it has not seen.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use pocketron::label::Class;

use crate::{
    classes::{self, CAPACITY, ClassSettings},
    confusion::Confusion,
    data::{Dataset, Dense, DenseData},
    escape,
    examples::ClassMap,
    family::FamilyOptions,
    held_out::{HoldOut, Labelled},
    learner::Learner,
    options::{DataOptions, LearnerOptions, sign},
    table::Table,
    windows,
};

pub use crate::spread::Spread;

/// Options of the command.
#[derive(Args, Debug)]
pub struct EvaluateOptions {
    #[command(flatten)]
    data: DataOptions,
    #[command(flatten)]
    learner: LearnerOptions,
    #[command(flatten)]
    split: Split,
    /// Tell all labels apart instead of two sides (pocketron, perceptron, paum-kernel, stoptron, voted)
    #[arg(long, conflicts_with = "positive")]
    multiclass: bool,
    #[command(flatten)]
    family: FamilyOptions,
    /// Repetitions, each over the training rows in another order
    #[arg(long, value_name = "P", default_value_t = 10)]
    permutations: u64,
}

/// Source of the test rows.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
struct Split {
    /// Test on this data set
    #[arg(long, value_name = "FILE|NAME")]
    test: Option<String>,
    /// Learn from N rows drawn for each repetition; without --test, test on the others
    #[arg(long, value_name = "N")]
    train: Option<usize>,
    /// The data is a recording of a sensor (CSV with a line of names; or `watch`): learn windows of N samples through the
    /// front end of the device, and tell their labels apart; N is a power of two from 32 (one channel: 64) to 1024
    #[arg(long, value_name = "N", conflicts_with = "train")]
    window: Option<usize>,
    /// Samples from a window to the next: N, N/2 or N/4 [default: three axes N/2, one channel N]
    #[arg(long, value_name = "M", requires = "window")]
    hop: Option<usize>,
    /// Of a recording, without --test: what is tested [default: person if there are several, else time]
    #[arg(long, value_enum, requires = "window")]
    hold_out: Option<HoldOut>,
}

/// Results of one repetition.
#[derive(Clone, Debug)]
pub struct Run {
    /// Share of test rows on the right side, in percent; as in the papers, a
    /// score of exactly zero is on no side.
    pub accuracy: f64,
    /// Training examples with `y f(x) <= 0` before they were learned.
    pub mistakes: f64,
    /// Support vectors at the end.
    pub support_vectors: f64,
    /// Of several classes: label and predicted label of every test row.
    pub answers: Vec<(f64, Option<f64>)>,
}

/// Learns `train`, then answers `test`. `tick` is called now and then with the
/// number of examples done.
pub fn run(
    train: &Dense<f32>,
    test: &Dense<f32>,
    options: &LearnerOptions,
    tick: impl Fn(u64),
) -> Result<Run> {
    let mut learner = options.build(train.dim, train.len())?;
    run_learner(&mut *learner, train, test, options.epochs, tick)
}

/// The same with a learner that is there already.
pub fn run_learner(
    learner: &mut dyn Learner,
    train: &Dense<f32>,
    test: &Dense<f32>,
    epochs: usize,
    tick: impl Fn(u64),
) -> Result<Run> {
    let mut mistakes = 0;
    for _ in 0..epochs {
        for (row, (x, label)) in train.iter().enumerate() {
            let outcome = learner
                .learn(x, sign(label))
                .with_context(|| format!("row {row} of the training part"))?;
            mistakes += usize::from(outcome.mistake);
            tick(1);
        }
    }
    let mut right = 0;
    for (row, (x, label)) in test.iter().enumerate() {
        let score = learner
            .score(x)
            .with_context(|| format!("row {row} of the test part"))?;
        right += usize::from(sign(label).value() * score > 0.0);
    }
    Ok(Run {
        accuracy: 100.0 * right as f64 / test.len() as f64,
        mistakes: mistakes as f64,
        support_vectors: learner.alphas().len() as f64,
        answers: Vec::new(),
    })
}

/// The same for all classes of the data.
pub fn run_classes(
    train: &Dense<f32>,
    test: &Dense<f32>,
    options: &LearnerOptions,
    settings: &ClassSettings,
    tick: impl Fn(u64),
) -> Result<Run> {
    let mut labels = train.labels.clone();
    labels.sort_by(f64::total_cmp);
    labels.dedup();
    if labels.len() > CAPACITY {
        bail!("{} classes, at most {CAPACITY} are possible", labels.len());
    }
    // A class that only the test part has gets a number that is never predicted.
    let class = |label: f64| Class(labels.partition_point(|known| *known < label) as u8);
    let size = (train.len(), options.epochs);
    let mut learner = classes::build(options.learner, settings, train.dim, size)?;
    let mut mistakes = 0;
    for _ in 0..options.epochs {
        for (row, (x, label)) in train.iter().enumerate() {
            let wrong = learner.learn(x, class(label), row);
            mistakes += usize::from(wrong.with_context(|| format!("row {row}"))?);
            tick(1);
        }
    }
    let mut answers = Vec::with_capacity(test.len());
    for (row, (x, label)) in test.iter().enumerate() {
        let answer = learner.predict(x);
        let answer = answer.with_context(|| format!("row {row} of the test part"))?;
        answers.push((label, labels.get(usize::from(answer.0)).copied()));
    }
    let right = answers
        .iter()
        .filter(|(label, answer)| *answer == Some(*label));
    Ok(Run {
        accuracy: 100.0 * right.count() as f64 / test.len() as f64,
        mistakes: mistakes as f64,
        support_vectors: learner.support_vectors() as f64,
        answers,
    })
}

/// Training and test rows.
type Parts = (Dense<f32>, Dense<f32>);

/// Rows to learn and to test.
struct Task<'a> {
    /// Numbers of rows.
    said: String,
    dim: usize,
    /// Classes to be told apart; `None` for two sides.
    classes: Option<usize>,
    /// Names of the classes 0, 1 and so on, if they have any.
    names: Vec<String>,
    runs: u64,
    /// Rows to learn in all runs together.
    learned: u64,
    /// The rows of a run.
    parts: Box<dyn Fn(u64) -> Result<Parts> + Sync + 'a>,
}

impl EvaluateOptions {
    fn task(&self) -> Result<Task<'_>> {
        if self.permutations == 0 {
            bail!("--permutations 0 measures nothing");
        }
        match self.split.window {
            Some(window) => self.task_of_recording(window),
            None => self.task_of_rows(),
        }
    }

    fn repetitions(&self) -> String {
        match self.permutations {
            1 => "1 permutation".into(),
            more => format!("{more} permutations"),
        }
    }

    /// Training rows in the order of that repetition.
    fn seed(&self, repetition: u64) -> u64 {
        // Repetition 0 of seed 1 is order 1, and repetition 1 is repetition 0 of seed 2: runs with
        // neighbouring seeds share orders.
        u64::from(self.learner.seed) + repetition
    }

    /// Both parts, scaled by the training part.
    fn scaled(&self, mut train: DenseData, mut test: DenseData) -> Result<Parts> {
        if test.is_empty() {
            bail!("no rows are left to test on");
        }
        if self.data.standardize {
            let (scaled, scale) = train.standardize()?;
            (train, test) = (scaled, scale.apply(&test)?);
        }
        Ok((train.to_f32()?, test.to_f32()?))
    }

    fn task_of_rows(&self) -> Result<Task<'_>> {
        let mut rows = self.data.training_rows(self.multiclass)?;
        let test = match &self.split.test {
            Some(name) => {
                let test = self.data.load(name, self.multiclass)?;
                let dims = || {
                    let (trained, tested) = (&self.data.data, name);
                    format!("{trained} and {tested} have different numbers of features")
                };
                let dim = rows.common_dim(&test).with_context(dims)?;
                rows = rows.with_dim(dim)?;
                Some(self.data.dense(&test.with_dim(dim)?)?)
            }
            None => None,
        };
        let learned = self.split.train.unwrap_or(rows.len());
        let tested = test
            .as_ref()
            .map_or(rows.len().saturating_sub(learned), DenseData::len);
        if learned == 0 {
            bail!("--train 0 learns nothing");
        }
        if learned > rows.len() {
            bail!(
                "--train {learned}: {} has {} rows",
                self.data.data,
                rows.len()
            );
        }
        Ok(Task {
            said: format!(
                "{}: {learned} rows to learn, {tested} to test, {}",
                self.data.data,
                self.repetitions()
            ),
            dim: rows.dim(),
            // Room for every class of the set, also where a repetition happens to draw none of one.
            classes: self.multiclass.then(|| rows.classes().len()),
            names: Vec::new(),
            runs: self.permutations,
            learned: learned as u64 * self.permutations,
            parts: Box::new(move |repetition| self.parts(&rows, test.as_ref(), repetition)),
        })
    }

    fn parts(&self, rows: &Dataset, test: Option<&DenseData>, repetition: u64) -> Result<Parts> {
        let rows = rows.clone().permuted(self.seed(repetition));
        let dense = |rows: &Dataset| self.data.dense(rows);
        let (train, test) = match (test, self.split.train) {
            (Some(test), Some(count)) => (dense(&rows.split(count)?.0)?, test.clone()),
            (Some(test), None) => (dense(&rows)?, test.clone()),
            (None, Some(count)) => {
                let (train, test) = rows.split(count)?;
                (dense(&train)?, dense(&test)?)
            }
            (None, None) => bail!("--test or --train must say what to test on"),
        };
        self.scaled(train, test)
    }

    fn task_of_recording(&self, window: usize) -> Result<Task<'_>> {
        let data = &self.data;
        if data.limit.is_some() || data.positive.is_some() || data.divide.is_some() {
            bail!("--limit, --positive and --divide are for rows, not for a recording");
        }
        let read = |name: &str| {
            let recording = windows::read(name)?;
            Labelled::new(recording, window, self.split.hop)
        };
        let labelled = read(&data.data)?;
        let names = labelled.recording().classes.clone();
        let folds: Vec<(DenseData, DenseData)> = match &self.split.test {
            Some(test) => {
                let other = read(test)?;
                let train = labelled.rows(&labelled.all(), &names)?;
                let test = other.rows(&other.all(), &names)?;
                if train.dim != test.dim {
                    bail!("the recordings have different channels");
                }
                vec![(train, test)]
            }
            None => {
                let folds = labelled.folds(self.split.hold_out)?;
                let rows = |positions: &[usize]| labelled.rows(positions, &names);
                let pairs = folds
                    .iter()
                    .map(|fold| Ok((rows(&fold.train)?, rows(&fold.test)?)));
                pairs.collect::<Result<_>>()?
            }
        };
        let sum = |part: fn(&(DenseData, DenseData)) -> &DenseData| {
            folds
                .iter()
                .map(|fold| part(fold).len() as u64)
                .sum::<u64>()
        };
        let (learned, tested) = (sum(|fold| &fold.0), sum(|fold| &fold.1));
        let counts = match folds.len() {
            1 => format!("{learned} windows to learn, {tested} to test"),
            people => format!("{people} people in turn, {tested} windows to test"),
        };
        let cut = labelled.windows();
        Ok(Task {
            said: format!(
                "{}: windows of {} samples, one every {}; {counts}, {}",
                data.data,
                cut.window,
                cut.hop,
                self.repetitions()
            ),
            dim: cut.names.len(),
            classes: Some(names.len()),
            names,
            runs: self.permutations * folds.len() as u64,
            learned: learned * self.permutations,
            parts: Box::new(move |run| {
                let (fold, repetition) = (run / self.permutations, run % self.permutations);
                let (train, test) = &folds[fold as usize];
                self.scaled(train.permuted(self.seed(repetition)), test.clone())
            }),
        })
    }
}

/// Prints mean and standard deviation over the repetitions.
pub fn command(options: &EvaluateOptions) -> Result<()> {
    let task = options.task()?;
    let data = &options.data.data;
    options.learner.check_features(data, task.dim)?;
    let classes = match task.classes {
        Some(classes) => Some(options.learner.class_settings(
            options.family.margin_rule(),
            task.dim,
            classes,
        )?),
        None => None,
    };
    let budget = match &classes {
        Some(settings) => settings.budget,
        None => options.learner.budget_for(task.dim)?,
    };

    let bar = ProgressBar::new(task.learned * options.learner.epochs as u64);
    bar.set_style(ProgressStyle::with_template(
        "{bar:40} {percent:>3} %  {human_pos} of {human_len} examples, {eta} left",
    )?);
    bar.enable_steady_tick(Duration::from_millis(200));
    let runs: Result<Vec<Run>> = (0..task.runs)
        .into_par_iter()
        .map(|run_of| {
            let (train, test) = (task.parts)(run_of)?;
            let tick = |done| bar.inc(done);
            match &classes {
                Some(settings) => run_classes(&train, &test, &options.learner, settings, tick),
                None => run(&train, &test, &options.learner, tick),
            }
        })
        .collect();
    bar.finish_and_clear();
    let runs = runs?;

    let learner = options.learner.learner.to_possible_value();
    println!("{}", task.said);
    println!(
        "{}, {}, budget {}",
        learner.as_ref().map_or("", |name| name.get_name()),
        options.learner.kernel_in_words(),
        match budget {
            Some(budget) => format!("{budget}{}", options.learner.room_in_words()),
            None => "none".into(),
        }
    );
    let mut table = Table::numbers(["", "mean", "sd"]);
    let mut add = |name: &str, figure: fn(&Run) -> f64| {
        let Spread { mean, sd, .. } = Spread::of(runs.iter().map(figure));
        table.row([name.into(), format!("{mean:.2}"), format!("{sd:.2}")]);
    };
    add("test accuracy %", |run| run.accuracy);
    add("mistakes", |run| run.mistakes);
    add("support vectors", |run| run.support_vectors);
    print!("{table}");
    if task.classes.is_some() {
        print_confusions(&runs)?;
    }
    for (number, name) in task.names.iter().enumerate() {
        println!("{number} is {}", escape::controls(name));
    }
    Ok(())
}

/// Prints what was taken for what, in all repetitions together.
fn print_confusions(runs: &[Run]) -> Result<()> {
    let answers = || runs.iter().flat_map(|run| &run.answers);
    let mut labels: Vec<f64> = answers()
        .flat_map(|(label, answer)| [Some(*label), *answer])
        .flatten()
        .collect();
    labels.sort_by(f64::total_cmp);
    labels.dedup();
    let map = ClassMap::listed(&labels)?;
    let mut confusion = Confusion::new(&map);
    for (label, answer) in answers() {
        let predicted = answer.and_then(|answer| map.class(answer));
        let label = map.class(*label).context("too many labels to print")?;
        confusion.count(label, predicted.unwrap_or(u8::MAX));
    }
    print!("\ntest rows of all permutations:\n{confusion}");
    Ok(())
}
