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
    examples::ClassMap,
    family::FamilyOptions,
    learner::Learner,
    options::{DataOptions, LearnerOptions, sign},
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

/// Where the test rows come from.
#[derive(Args, Debug)]
#[group(required = true, multiple = true)]
struct Split {
    /// Test on this data set
    #[arg(long, value_name = "FILE|NAME")]
    test: Option<String>,
    /// Learn from N rows drawn for each repetition; without --test, test on the others
    #[arg(long, value_name = "N")]
    train: Option<usize>,
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

/// Training and test part of one repetition, scaled by the training part.
fn parts(
    rows: &Dataset,
    test: Option<&DenseData>,
    options: &EvaluateOptions,
    repetition: u64,
) -> Result<(Dense<f32>, Dense<f32>)> {
    // Repetition 0 of seed 1 is order 1, and repetition 1 is repetition 0 of seed 2: runs with
    // neighbouring seeds share orders.
    let order = u64::from(options.learner.seed) + repetition;
    let rows = rows.clone().permuted(order);
    let dense = |rows: &Dataset| options.data.dense(rows);
    let (mut train, mut test) = match (test, options.split.train) {
        (Some(test), Some(count)) => (dense(&rows.split(count)?.0)?, test.clone()),
        (Some(test), None) => (dense(&rows)?, test.clone()),
        (None, Some(count)) => {
            let (train, test) = rows.split(count)?;
            (dense(&train)?, dense(&test)?)
        }
        (None, None) => bail!("--test or --train must say what to test on"),
    };
    if test.is_empty() {
        bail!("no rows are left to test on");
    }
    if options.data.standardize {
        let (scaled, scale) = train.standardize()?;
        (train, test) = (scaled, scale.apply(&test)?);
    }
    Ok((train.to_f32()?, test.to_f32()?))
}

/// Prints mean and standard deviation over the repetitions.
pub fn command(options: &EvaluateOptions) -> Result<()> {
    let mut rows = options.data.training_rows(options.multiclass)?;
    let test = match &options.split.test {
        Some(name) => {
            let test = options.data.load(name, options.multiclass)?;
            let dims = || {
                let (trained, tested) = (&options.data.data, name);
                format!("{trained} and {tested} have different numbers of features")
            };
            let dim = rows.common_dim(&test).with_context(dims)?;
            rows = rows.with_dim(dim)?;
            Some(options.data.dense(&test.with_dim(dim)?)?)
        }
        None => None,
    };
    let learned = options.split.train.unwrap_or(rows.len());
    let tested = test
        .as_ref()
        .map_or(rows.len().saturating_sub(learned), DenseData::len);
    if learned == 0 {
        bail!("--train 0 learns nothing");
    }
    if learned > rows.len() {
        bail!(
            "--train {learned}: {} has {} rows",
            options.data.data,
            rows.len()
        );
    }
    if options.permutations == 0 {
        bail!("--permutations 0 measures nothing");
    }

    // Room for every class of the set, also where a repetition happens to draw none of one.
    let classes = match options.multiclass {
        true => Some(options.learner.class_settings(
            options.family.margin_rule(),
            rows.dim(),
            rows.classes().len(),
        )?),
        false => None,
    };
    let budget = match &classes {
        Some(settings) => settings.budget,
        None => options.learner.budget_for(rows.dim())?,
    };

    let per_run = (learned * options.learner.epochs) as u64;
    let bar = ProgressBar::new(per_run * options.permutations);
    bar.set_style(ProgressStyle::with_template(
        "{bar:40} {percent:>3} %  {human_pos} of {human_len} examples, {eta} left",
    )?);
    bar.enable_steady_tick(Duration::from_millis(200));
    let runs: Result<Vec<Run>> = (0..options.permutations)
        .into_par_iter()
        .map(|repetition| {
            let (train, test) = parts(&rows, test.as_ref(), options, repetition)?;
            let tick = |done| bar.inc(done);
            match &classes {
                Some(settings) => run_classes(&train, &test, &options.learner, settings, tick),
                None => run(&train, &test, &options.learner, tick),
            }
        })
        .collect();
    bar.finish_and_clear();
    let runs = runs?;

    let spread = |figure: fn(&Run) -> f64| Spread::of(runs.iter().map(figure));
    let learner = options.learner.learner.to_possible_value();
    println!(
        "{}: {learned} rows to learn, {tested} to test, {} permutation{}",
        options.data.data,
        options.permutations,
        if options.permutations == 1 { "" } else { "s" }
    );
    println!(
        "{}, {}, budget {}",
        learner.as_ref().map_or("", |name| name.get_name()),
        options.learner.kernel_in_words(),
        match budget {
            Some(budget) => format!("{budget}{}", options.learner.room_in_words()),
            None => "none".into(),
        }
    );
    println!("{:<18} {:>10} {:>9}", "", "mean", "sd");
    println!("{:<18} {}", "test accuracy %", spread(|run| run.accuracy));
    println!("{:<18} {}", "mistakes", spread(|run| run.mistakes));
    println!(
        "{:<18} {}",
        "support vectors",
        spread(|run| run.support_vectors)
    );
    if options.multiclass {
        print_confusions(&runs)?;
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
