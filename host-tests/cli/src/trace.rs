//! `pocketron trace`: what a learner does with a file, row by row.

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;

use crate::{
    data::Dense,
    family::{self, Family, FamilyOptions},
    learner::Learner,
    options::{DataOptions, LearnerOptions, Name, sign},
    slot_tracker::SlotTracker,
};

/// Meaning of the fields of the output.
const FIELDS: &str = "\
Output, one JSON object:
  rows, dim      examples and features of the data
  mistakes       examples with y f(x) <= 0 before they were learned
  updates        examples that moved the hypothesis; an example on which the rule fired in
                 vain does not count (a full stoptron, a newcomer that is itself evicted),
                 nor does the shrinking that bsgd does on every example
  sv, alpha      rows of the support vectors, from 0, oldest first, and their signed weights
  cplus, cminus  tightest: positive and negative examples counted near each
Learners that go over the rows again and again (kw, paum, paum-kernel, voted, alma) also print
the epochs they took, and what they learned: weights, bias or votes.";

/// Options of the command.
#[derive(Args, Debug)]
#[command(after_help = FIELDS)]
pub struct TraceOptions {
    #[command(flatten)]
    data: DataOptions,
    #[command(flatten)]
    learner: LearnerOptions,
    #[command(flatten)]
    family: FamilyOptions,
}

/// Result of a run. Support vectors are named by their rows, from 0, the
/// oldest first; a merged vector by the row of the partner that took it in.
#[derive(Debug, Serialize)]
pub struct Trace {
    /// Rows of the data.
    pub rows: usize,
    /// Features of a row.
    pub dim: usize,
    /// Examples with `y f(x) <= 0` before they were learned.
    pub mistakes: u32,
    /// Examples that moved the hypothesis: not those on which the rule fired in vain, as in a
    /// Stoptron that is full.
    pub updates: u32,
    /// Rows of the support vectors.
    pub sv: Vec<usize>,
    /// Their signed coefficients.
    pub alpha: Vec<f32>,
    /// Tightest: positive examples counted near each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cplus: Option<Vec<f32>>,
    /// Tightest: negative examples counted near each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cminus: Option<Vec<f32>>,
}

/// Learns the rows in file order, `--epochs` times.
pub fn run(data: &Dense<f32>, options: &LearnerOptions) -> Result<Trace> {
    let mut learner = options.build(data.dim, data.len())?;
    follow(&mut *learner, data, options.epochs)
}

/// Lets a learner learn the rows in order, `epochs` times, and follows which of them it stores.
pub fn follow(learner: &mut dyn Learner, data: &Dense<f32>, epochs: usize) -> Result<Trace> {
    let (mut slot_tracker, mut mistakes, mut updates) = (SlotTracker::default(), 0, 0);
    for _ in 0..epochs {
        for (row, (x, label)) in data.iter().enumerate() {
            let outcome = learner
                .learn(x, sign(label))
                .with_context(|| format!("row {row}"))?;
            mistakes += u32::from(outcome.mistake);
            updates += u32::from(outcome.changed());
            if let Some(admission) = outcome.admission {
                slot_tracker.follow(row, admission);
            }
        }
    }
    let (slots, alphas) = (slot_tracker.by_age(), learner.alphas());
    let by_age = |value: &dyn Fn(usize) -> f32| slots.iter().map(|&slot| value(slot)).collect();
    Ok(Trace {
        rows: data.len(),
        dim: data.dim,
        mistakes,
        updates,
        sv: slots.iter().map(|&slot| slot_tracker.row(slot)).collect(),
        alpha: by_age(&|slot| alphas[slot]),
        cplus: learner
            .counts()
            .map(|counts| by_age(&|slot| counts[slot].plus)),
        cminus: learner
            .counts()
            .map(|counts| by_age(&|slot| counts[slot].minus)),
    })
}

/// Prints the trace as one JSON object.
pub fn command(options: &TraceOptions) -> Result<()> {
    let mut data = options.data.dense(&options.data.training_rows(false)?)?;
    if options.data.standardize {
        data = data.standardize()?.0;
    }
    let (data, learner, family) = (data.to_f32()?, &options.learner, &options.family);
    let (kernel, epochs) = (learner.kernel(), learner.epochs);
    learner.check_features(&options.data.data, data.dim)?;
    learner.budget_for(data.dim)?;
    match learner.learner {
        Name::Family(Family::Kw) => print(&family::kw(&data, family, learner)?),
        Name::Family(Family::Paum) => print(&family::paum(&data, family, epochs)?),
        Name::Family(Family::PaumKernel) => {
            print(&family::paum_kernel(&data, family, kernel, epochs)?)
        }
        Name::Family(Family::Voted) => print(&family::voted(&data, kernel, epochs)?),
        Name::Family(Family::Alma) => print(&family::alma(&data, family, epochs)?),
        Name::Budget(_) => print(&run(&data, learner)?),
    }
}

fn print(trace: &impl Serialize) -> Result<()> {
    println!("{}", serde_json::to_string(trace)?);
    Ok(())
}
