//! `pocketron rcd`: learners that see a finite set again and again, on many splits of it.

use std::{path::PathBuf, time::Duration};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use pocketron::learners::batch::{Draw, Seeding};
use rayon::prelude::*;

use crate::{
    batch::{self, Errors, Learner, ROUNDS, Set, Training},
    data::{Places, shuffle::SplitMix64},
    evaluate::Spread,
};

/// Options of the command.
#[derive(Args, Debug)]
pub struct RcdOptions {
    /// Data set in LIBSVM form (a file, or a name as for `evaluate`), four fifths of which are
    /// learned; or yinyang, ringnorm, threenorm ..., which are drawn anew in each run: 600 points to learn, 4400 to test
    #[arg(long, value_name = "FILE|NAME")]
    set: String,
    /// Directory in which names are looked for first
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Learners, one line each
    #[arg(
        long,
        value_enum,
        value_name = "NAME,...",
        value_delimiter = ',',
        required = true
    )]
    learner: Vec<Learner>,
    /// Where to start
    #[arg(long, value_enum, value_name = "SEED", default_value = "fld")]
    seed_with: Start,
    /// Distribution of random directions
    #[arg(long, value_enum, value_name = "KIND", default_value = "uniform")]
    directions: Kind,
    /// Epochs, of each round if there are rounds
    #[arg(long, value_name = "T", default_value_t = 2000)]
    epochs: u32,
    /// Rounds of AdaBoost, at most 200 [default: no boosting]
    #[arg(long, value_name = "R")]
    boost: Option<usize>,
    /// Repetitions, each with another split
    #[arg(long, value_name = "N", default_value_t = 20)]
    runs: u64,
    /// Number of the first split
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

/// Where to start, by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Start {
    /// At zero
    Zero,
    /// At Fisher's linear discriminant, weighted by the shares of the classes
    Fld,
    /// The same with the boundary midway between the means
    FldMidway,
}

/// Distribution of random directions, by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// Uniform in the range of the features; no bias in rcd-bias
    Uniform,
    /// Normal with mean and deviation of the features; no bias in rcd-bias
    Gaussian,
    /// Uniform with a bias of one
    UnitBias,
    /// Standard normal
    StandardNormal,
}

impl RcdOptions {
    fn training(&self, learner: Learner) -> Training {
        let seeding = match self.seed_with {
            Start::Zero => Seeding::Zero,
            Start::Fld => Seeding::Fisher,
            Start::FldMidway => Seeding::FisherMidway,
        };
        Training {
            draw: match self.directions {
                Kind::Uniform => Draw::Uniform,
                Kind::Gaussian => Draw::FeatureNormal,
                Kind::UnitBias => Draw::UnitBias,
                Kind::StandardNormal => Draw::StandardNormal,
            },
            rounds: self.boost,
            ..Training::new(learner, seeding, self.epochs)
        }
    }
}

/// Several runs on all cores, each with its own split and its own random choices.
pub fn runs(
    set: &Set,
    training: &Training,
    splits: std::ops::Range<u64>,
    tick: impl Fn(u64) + Sync,
) -> Result<Vec<Errors>> {
    let run = |split: u64| {
        let (train, test) = set.split(split)?;
        let training = Training {
            // Neighbouring numbers would make neighbouring random numbers at first.
            seed: SplitMix64::new(split).next_u64() as u32,
            ..*training
        };
        batch::run(&train, &test, &training, &tick)
    };
    splits.into_par_iter().map(run).collect()
}

/// Prints mean and standard deviation of both errors, a line for each learner.
pub fn command(options: &RcdOptions) -> Result<()> {
    if options.runs == 0 || options.epochs == 0 {
        bail!("without runs and epochs there is nothing to measure");
    }
    if options
        .boost
        .is_some_and(|rounds| !(1..=ROUNDS).contains(&rounds))
    {
        bail!("--boost takes 1 to {ROUNDS} rounds");
    }
    let set = Set::load(&options.set, &Places::new(options.data_dir.as_deref()))?;
    let trainings: Vec<_> = options
        .learner
        .iter()
        .map(|one| options.training(*one))
        .collect();
    let per_run: u64 = trainings.iter().map(Training::total).sum();
    let bar = ProgressBar::new(per_run * options.runs);
    bar.set_style(ProgressStyle::with_template(
        "{bar:40} {percent:>3} %  {human_pos} of {human_len} epochs, {eta} left",
    )?);
    bar.enable_steady_tick(Duration::from_millis(200));
    let splits = options.seed..options.seed.saturating_add(options.runs);
    let measure = |training: &Training| runs(&set, training, splits.clone(), |done| bar.inc(done));
    let measured: Result<Vec<_>> = trainings.iter().map(measure).collect();
    bar.finish_and_clear();

    println!("{}", options.heading(&set));
    println!(
        "{:<19} {:>10} {:>9} {:>10} {:>9} {:>9}",
        "", "training %", "sd", "test %", "sd", "planes"
    );
    for (training, errors) in trainings.iter().zip(measured?) {
        let spread = |figure: fn(&Errors) -> f64| Spread::of(errors.iter().map(figure));
        let name = training.learner.to_possible_value();
        println!(
            "{:<19} {} {} {:>9.1}",
            name.as_ref().map_or("", |name| name.get_name()),
            spread(|run| run.training),
            spread(|run| run.test),
            spread(|run| run.planes as f64).mean,
        );
    }
    Ok(())
}

impl RcdOptions {
    fn heading(&self, set: &Set) -> String {
        let start = match self.seed_with {
            Start::Zero => "zero",
            Start::Fld => "Fisher's",
            Start::FldMidway => "Fisher's midway",
        };
        let rounds = match self.boost {
            Some(rounds) => format!("{rounds} rounds of "),
            None => String::new(),
        };
        let runs = if self.runs == 1 { "run" } else { "runs" };
        format!(
            "{}: {} {runs}, {} examples to learn, {rounds}{} epochs from {start} plane",
            self.set,
            self.runs,
            set.learned(),
            self.epochs,
        )
    }
}
