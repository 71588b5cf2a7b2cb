//! How fast the host is: kernel evaluations per second on one core.
//!
//! `cargo xtask bench host` calls this. A prediction is timed beside a loop that was written to be fast and does nothing else
//! (`ceiling`), beside LIBSVM and scikit-learn (`peer`) and beside a rewrite of LIBSVM in Rust (`rewrite`), all over the same
//! support vectors; the learners over a stream in which every other example is a mistake. Then what an example costs is
//! drawn against budget, features and examples.

mod ceiling;
mod clock;
mod expansion;
mod peer;
mod report;
mod rewrite;
mod scaling;

use std::{
    fs,
    hint::black_box,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};

use crate::learner::{Algorithm, Learner};
use ceiling::Ceiling;
use clock::best;
use expansion::Expansion;
use peer::{MOST_QUESTIONS, Peer};
use report::{Figures, Rate, Report};
use rewrite::Rewrite;

/// Numbers of features that are timed: those of letters, of Adult, and of handwritten digits.
const FEATURES: [usize; 3] = [16, 123, 784];

/// Support vectors of what is timed.
const BUDGET: usize = 500;

/// Examples that are predicted in turn, so that none stays in the nearest cache alone.
const QUESTIONS: usize = 16;

/// Examples that are predicted for those who count instructions.
const COUNTED: usize = 100;

/// Learners that are timed, and how far their margin reaches.
const LEARNERS: [(Algorithm, f32); 5] = [
    (Algorithm::Stoptron, 0.0),
    (Algorithm::Forgetron, 0.0),
    (Algorithm::RemoveOldest, 0.0),
    (Algorithm::Tightest, 0.0),
    (Algorithm::Merge, 1.0),
];

/// Options of the timing.
#[derive(Args, Clone, Debug)]
pub struct SpeedOptions {
    /// Where table, figures and pictures go
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Time LIBSVM, too: what host-tests/papers/peers/libsvm.cpp was compiled to
    #[arg(long, value_name = "PROGRAM")]
    libsvm: Option<PathBuf>,
    /// Time scikit-learn, too: a Python that has it, and host-tests/papers/peers/scikit.py
    #[arg(long, num_args = 2, value_names = ["PYTHON", "SCRIPT"])]
    scikit_learn: Option<Vec<PathBuf>>,
    /// Predict by one subject over vectors of so many features and print how many evaluations that took, for those who
    /// count instructions
    #[arg(long, value_name = "FEATURES", requires = "subject")]
    count: Option<usize>,
    /// The function that predicts then
    #[arg(long)]
    subject: Option<Subject>,
}

/// Functions whose instructions can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Subject {
    Predict,
    Ceiling,
    LibsvmRs,
}

/// Times everything, or does one thing for someone who counts.
pub fn command(options: &SpeedOptions) -> Result<()> {
    if let (Some(features), Some(subject)) = (options.count, options.subject) {
        return count(features, subject);
    }
    let out = options.out.as_deref().unwrap_or(Path::new("."));
    fs::create_dir_all(out)?;
    let peers = options.peers();
    let mut report = Report::default();
    for features in FEATURES {
        report.add(time(features, &peers, out)?);
    }
    print!("{report}");
    let path = out.join("host.json");
    fs::write(&path, report.json()?).with_context(|| path.display().to_string())?;
    scaling::draw(out)
}

impl SpeedOptions {
    /// Programs of others that are here.
    fn peers(&self) -> Vec<Peer> {
        let libsvm = self.libsvm.as_deref().map(Peer::libsvm);
        let scikit_learn = self.scikit_learn.as_deref().map(Peer::scikit_learn);
        libsvm.into_iter().chain(scikit_learn).collect()
    }
}

/// Rates over vectors of so many features.
fn time(features: usize, peers: &[Peer], out: &Path) -> Result<Figures> {
    let expansion = Expansion::new(features, BUDGET);
    let questions = expansion.questions(QUESTIONS);
    let model = expansion.learner()?;
    let (loops, rewrite) = (Ceiling::all(&expansion), Rewrite::new(&expansion));
    for x in &questions {
        let ours = f64::from(model.score(x)?);
        let near = |other: f64| agree(ours, other);
        let all = loops.iter().all(|ceiling| near(ceiling.score(x).into()));
        ensure!(
            all && near(rewrite.score(x)),
            "the scores differ from ours, so the times cannot be compared"
        );
    }
    let predictions = |score: &dyn Fn(&[f32]) -> f64| {
        let time = best(|| questions.iter().map(|x| score(black_box(x))).sum::<f64>());
        (QUESTIONS * BUDGET) as f64 / time
    };
    let ours = |x: &[f32]| model.score(x).map_or(f64::NAN, f64::from);
    let ceiling = loops
        .iter()
        .map(|ceiling| predictions(&|x| ceiling.score(x).into()));
    let (ceiling, predict) = (ceiling.fold(0.0, f64::max), predictions(&ours));
    let mut rates = programs(&expansion, &*model, peers, out)?;
    rates.push(("libsvm-rs", predictions(&|x| rewrite.score(x))));
    let peers = rates.into_iter().map(|(name, rate)| Rate {
        name,
        rate,
        predict_is_faster_by: predict / rate,
    });
    let learners = LEARNERS.map(|(algorithm, margin)| {
        let time = expansion.learning_time(algorithm, margin)?;
        Ok((name(algorithm), time))
    });
    Ok(Figures {
        features,
        budget: BUDGET,
        ceiling,
        predict,
        peers: peers.collect(),
        learners: learners.into_iter().collect::<Result<_>>()?,
    })
}

/// Rates of others' programs, which read the expansion from a file.
fn programs(
    expansion: &Expansion,
    model: &dyn Learner,
    peers: &[Peer],
    out: &Path,
) -> Result<Vec<(&'static str, f64)>> {
    if peers.is_empty() {
        return Ok(Vec::new());
    }
    let path = out.join(format!("expansion-{}.bin", expansion.features));
    let questions = expansion.questions(MOST_QUESTIONS);
    expansion.write(&questions, &path)?;
    let scores = questions.iter().map(|x| Ok(f64::from(model.score(x)?)));
    let scores = scores.collect::<Result<Vec<f64>>>()?;
    let rates = peers
        .iter()
        .map(|peer| Ok((peer.name, peer.rate(&path, &scores)?)));
    rates.collect()
}

/// Whether two scores are the same but for roundings: others compute in 64 bits.
fn agree(ours: f64, other: f64) -> bool {
    (ours - other).abs() <= 1e-3 * (1.0 + ours.abs())
}

/// Its name on the command line.
fn name(algorithm: Algorithm) -> String {
    let value = algorithm.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().into())
}

fn count(features: usize, subject: Subject) -> Result<()> {
    let expansion = Expansion::new(features, BUDGET);
    let questions = expansion.questions(COUNTED);
    let model = expansion.learner()?;
    let sum = match subject {
        Subject::Predict => counted(&questions, |x| model.score(x).map_or(f64::NAN, f64::from)),
        Subject::LibsvmRs => {
            let rewrite = Rewrite::new(&expansion);
            counted(&questions, |x| rewrite.score(x))
        }
        Subject::Ceiling => {
            let ceiling = Ceiling::new(&expansion);
            counted(&questions, |x| ceiling.score(x).into())
        }
    };
    println!("{} evaluations, sum {sum}", COUNTED * BUDGET);
    Ok(())
}

/// A function that callgrind finds by its name.
#[inline(never)]
fn counted(questions: &[Vec<f32>], score: impl Fn(&[f32]) -> f64) -> f64 {
    questions.iter().map(|x| score(black_box(x))).sum()
}
