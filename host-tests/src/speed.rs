//! How fast the host is: kernel evaluations per second on one core.
//!
//! `cargo xtask bench host` calls this. A prediction is timed beside a loop that was written to be fast and does nothing else
//! (`ceiling`), and beside LIBSVM (`libsvm`), all over the same support vectors; the learners over a stream in which every
//! other example is a mistake. Then what an example costs is drawn against budget, features and examples.

mod ceiling;
mod clock;
mod expansion;
mod libsvm;
mod report;
mod scaling;

use std::{
    fs,
    hint::black_box,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::learner::Algorithm;
use ceiling::Ceiling;
use clock::best;
use expansion::Expansion;
use libsvm::Libsvm;
use report::{Figures, Report};

/// Numbers of features that are timed: those of letters, of Adult, and of handwritten digits.
const FEATURES: [usize; 3] = [16, 123, 784];

/// Support vectors of what is timed.
const BUDGET: usize = 500;

/// Examples that are predicted in turn, so that none stays in the nearest cache alone.
const QUESTIONS: usize = 16;

/// Learners that are timed, and how far their margin reaches.
const LEARNERS: [(Algorithm, f32); 5] = [
    (Algorithm::Stoptron, 0.0),
    (Algorithm::Forgetron, 0.0),
    (Algorithm::RemoveOldest, 0.0),
    (Algorithm::Tightest, 0.0),
    (Algorithm::Merge, 1.0),
];

/// What to time.
#[derive(Args, Clone, Debug)]
pub struct SpeedOptions {
    /// Where table, figures and pictures go
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Do one thing a hundred times over 500 vectors of so many features, for those who count instructions
    #[arg(long, value_name = "FEATURES", requires = "subject")]
    count: Option<usize>,
    /// What is done then
    #[arg(long)]
    subject: Option<Subject>,
}

/// What can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Subject {
    Predict,
    Ceiling,
    Libsvm,
}

/// Times everything, or does one thing for someone who counts.
pub fn command(options: &SpeedOptions) -> Result<()> {
    if let (Some(features), Some(subject)) = (options.count, options.subject) {
        return count(features, subject);
    }
    let mut report = Report::default();
    for features in FEATURES {
        report.add(time(features)?);
    }
    print!("{report}");
    let out = options.out.as_deref().unwrap_or(Path::new("."));
    fs::create_dir_all(out)?;
    let path = out.join("host.json");
    fs::write(&path, report.json()?).with_context(|| path.display().to_string())?;
    scaling::draw(out)
}

/// Rates over vectors of so many features.
fn time(features: usize) -> Result<Figures> {
    let expansion = Expansion::new(features, BUDGET);
    let questions = expansion.questions(QUESTIONS);
    let model = expansion.learner()?;
    let (loops, libsvm) = (Ceiling::all(&expansion), Libsvm::new(&expansion));
    for x in &questions {
        let (ours, theirs) = (f64::from(model.score(x)?), libsvm.score(x));
        let near = |other: f64| (ours - other).abs() <= 1e-3 * (1.0 + ours.abs());
        let agree = loops.iter().all(|ceiling| near(ceiling.score(x).into())) && near(theirs);
        ensure!(agree, "other scores than ours: that is no comparison");
    }
    let predictions = |score: &dyn Fn(&[f32]) -> f64| {
        let time = best(|| questions.iter().map(|x| score(black_box(x))).sum::<f64>());
        (QUESTIONS * BUDGET) as f64 / time
    };
    let ours = |x: &[f32]| model.score(x).map_or(f64::NAN, f64::from);
    let ceiling = loops
        .iter()
        .map(|ceiling| predictions(&|x| ceiling.score(x).into()));
    let learners = LEARNERS.map(|(algorithm, margin)| {
        let time = expansion.learning_time(algorithm, margin)?;
        Ok((name(algorithm), time))
    });
    Ok(Figures {
        features,
        budget: BUDGET,
        ceiling: ceiling.fold(0.0, f64::max),
        predict: predictions(&ours),
        libsvm: predictions(&|x| libsvm.score(x)),
        learners: learners.into_iter().collect::<Result<_>>()?,
    })
}

/// What it is called on the command line.
fn name(algorithm: Algorithm) -> String {
    let value = algorithm.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().into())
}

fn count(features: usize, subject: Subject) -> Result<()> {
    let expansion = Expansion::new(features, BUDGET);
    let questions = expansion.questions(100);
    let model = expansion.learner()?;
    let sum = match subject {
        Subject::Predict => counted(&questions, |x| model.score(x).map_or(f64::NAN, f64::from)),
        Subject::Libsvm => {
            let libsvm = Libsvm::new(&expansion);
            counted(&questions, |x| libsvm.score(x))
        }
        Subject::Ceiling => {
            let ceiling = Ceiling::new(&expansion);
            counted(&questions, |x| ceiling.score(x).into())
        }
    };
    println!("{sum}");
    Ok(())
}

/// A function that callgrind finds by its name.
#[inline(never)]
fn counted(questions: &[Vec<f32>], score: impl Fn(&[f32]) -> f64) -> f64 {
    questions.iter().map(|x| score(black_box(x))).sum()
}
