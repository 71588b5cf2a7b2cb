//! `pocketron trace` for the perceptrons that go over a finite set again and
//! again: kw, paum, paum-kernel, voted, alma.

use std::borrow::Borrow;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use pocketron::{
    budget::{NoBudget, WithIdentities},
    classifier::{OnlineClassifier as _, Outcome},
    history::{History, Last, LongestSurvivor, Prefixes, Voted},
    hypothesis::{Biased, Expansion, FixedRadius, Hypothesis, Linear, UpdateCounts},
    label::Sign,
    learners::perceptron::Perceptron,
    persist::Blank,
    rule::{Alma, Credit, MarginRule, Rule, Soft},
    storage::Column,
};
use serde::Serialize;

use crate::{
    all_voters::AllVoters,
    data::Dense,
    heap::{Grown, Heap, HeapPoints},
    kernel::AnyKernel,
    options::{LearnerOptions, sign},
    slot_tracker::SlotTracker,
    sparse::{Feature, SparseWeights, sparse},
};

/// One of these learners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Family {
    /// Khardon and Wachman's noise-tolerant perceptron, linear (trace).
    Kw,
    /// Perceptron with uneven margins, linear (trace).
    Paum,
    /// Perceptron with uneven margins, in kernel form (trace, evaluate --multiclass).
    PaumKernel,
    /// Voted perceptron, in kernel form (trace, evaluate --multiclass).
    Voted,
    /// Approximate large margin algorithm, linear (trace).
    Alma,
}

/// The unit of Khardon and Wachman's `lambda`: how large the credit of an example is on which there was
/// a step.
///
/// ```
/// use pocketron_cli::family::LambdaUnit;
/// use pocketron::rule::Credit;
///
/// assert_eq!(LambdaUnit::Norm.credit(0.5, 0.25), Credit::Once(0.5));
/// assert_eq!(LambdaUnit::Step.credit(0.5, 0.25), Credit::Once(0.125));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum LambdaUnit {
    /// The squared norm, `lambda |x|^2`, as their Equation 1 is printed
    Norm,
    /// A step on the example, `lambda eta |x|^2`: what `lambda` steps on it would add to its score; the tables of
    /// `reproduce` have it
    #[default]
    Step,
}

impl LambdaUnit {
    /// The credit for steps of size `eta`.
    pub fn credit(self, lambda: f32, eta: f32) -> Credit {
        match self {
            LambdaUnit::Norm => Credit::Once(lambda),
            LambdaUnit::Step => Credit::Once(eta * lambda),
        }
    }
}

/// Options of these learners.
#[derive(Args, Clone, Debug)]
pub struct FamilyOptions {
    /// Step size [default: 0.1 for kw, 1 for paum]
    #[arg(long, value_name = "ETA")]
    pub eta: Option<f32>,
    /// kw: initial threshold [default: the mean of |x|^2]
    #[arg(long, value_name = "THETA", allow_negative_numbers = true)]
    pub theta: Option<f32>,
    /// kw: most updates on one example [default: no bound]
    #[arg(long, value_name = "N")]
    pub alpha_bound: Option<u32>,
    /// kw: what --lambda is a multiple of
    #[arg(long, value_enum, value_name = "UNIT", default_value = "step")]
    pub lambda_unit: LambdaUnit,
    /// kw: margin in units of the initial threshold
    #[arg(
        long,
        value_name = "TAU",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub tau: f32,
    /// paum: margin of negative examples
    #[arg(
        long,
        value_name = "TAU",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub tau_neg: f32,
    /// paum: margin of positive examples
    #[arg(
        long,
        value_name = "TAU",
        default_value_t = 0.0,
        allow_negative_numbers = true
    )]
    pub tau_pos: f32,
    /// paum: boundary through the origin
    #[arg(long)]
    pub no_bias: bool,
    /// alma: accuracy, the margin approaches (1 - alpha) times the best
    #[arg(long, value_name = "ALPHA", default_value_t = 0.9)]
    pub alpha: f32,
}

impl FamilyOptions {
    /// The rule of PAUM.
    pub fn margin_rule(&self) -> MarginRule {
        MarginRule::new(self.eta.unwrap_or(1.0)).with_margins(self.tau_neg, self.tau_pos)
    }
}

/// Rows in the form that linear learners take.
struct SparseRows {
    dim: usize,
    rows: Vec<(Vec<Feature>, Sign)>,
}

impl SparseRows {
    fn new(data: &Dense<f32>) -> Self {
        let rows = data.iter().map(|(x, label)| (sparse(x), sign(label)));
        SparseRows {
            dim: data.dim,
            rows: rows.collect(),
        }
    }

    fn norms(&self) -> impl Iterator<Item = f64> {
        let square = |(_, value): &Feature| f64::from(*value).powi(2);
        self.rows
            .iter()
            .map(move |(x, _)| x.iter().map(square).sum())
    }

    /// Training rows on the wrong side, or on neither.
    fn errors(&self, score: impl Fn(&[Feature]) -> f32) -> usize {
        let wrong = |(x, label): &&(Vec<Feature>, Sign)| label.value() * score(x) <= 0.0;
        self.rows.iter().filter(wrong).count()
    }
}

/// Progress of learning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Passes over the rows.
    pub epochs: usize,
    /// Examples with `y f(x) <= 0` before they were learned.
    pub mistakes: u32,
    /// Examples that moved the hypothesis.
    pub updates: u32,
}

/// When a learner has seen enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Nothing changed in an epoch, or all epochs are done.
    Settled,
    /// All epochs are done: votes grow although nothing changes.
    Done,
}

/// Goes over the rows, `epochs` times at most; `watch` sees every row.
///
/// # Errors
///
/// A row is refused; its number is named.
pub fn learn_epochs<H, R, Y, X>(
    model: &mut Perceptron<H, R, Y>,
    rows: &[(X, Sign)],
    (epochs, until): (usize, Until),
    mut watch: impl FnMut(usize, &Outcome<Sign>),
) -> Result<Progress>
where
    H: Hypothesis,
    X: Borrow<H::Input>,
    R: Rule,
    Y: History<H>,
{
    let mut progress = Progress::default();
    for _ in 0..epochs {
        let before = progress.updates;
        for (row, (x, label)) in rows.iter().enumerate() {
            let outcome = model
                .learn_with_id(x.borrow(), *label, Some(row as u32))
                .with_context(|| format!("row {row}"))?;
            progress.mistakes += u32::from(outcome.mistake);
            progress.updates += u32::from(outcome.changed());
            watch(row, &outcome);
        }
        progress.epochs += 1;
        if until == Until::Settled && progress.updates == before {
            break;
        }
    }
    Ok(progress)
}

/// Rows in the form that kernel learners take.
fn dense_rows(data: &Dense<f32>) -> Vec<(&[f32], Sign)> {
    data.iter().map(|(x, label)| (x, sign(label))).collect()
}

/// Result of Khardon and Wachman's algorithm (their Figure 2).
#[derive(Debug, Serialize)]
pub struct KwTrace {
    rows: usize,
    dim: usize,
    #[serde(flatten)]
    progress: Progress,
    w: Vec<f32>,
    theta: f32,
    errors_last: usize,
    errors_longest: usize,
    errors_voted: usize,
}

/// kw Figure 2: `theta` moves by minus `eta y C`, `tau` is in units of its start.
pub fn kw(data: &Dense<f32>, options: &FamilyOptions, learner: &LearnerOptions) -> Result<KwTrace> {
    let rows = SparseRows::new(data);
    let mean = (rows.norms().sum::<f64>() / data.len() as f64) as f32;
    let theta = options.theta.unwrap_or(mean);
    let eta = options.eta.unwrap_or(0.1);
    let margin = MarginRule::new(eta).with_margin(options.tau * theta);
    let lambda = learner.lambda.unwrap_or(0.0);
    let rule = Soft::new(margin)
        .with_credit(options.lambda_unit.credit(lambda, eta))
        .with_bound(options.alpha_bound.unwrap_or(u32::MAX));
    let linear = Linear::with_weights(SparseWeights::new(data.dim));
    let biased = Biased::new(linear, FixedRadius(learner.c.unwrap_or(mean)), -theta);
    let mut counts = Grown::BLANK;
    counts.ensure(data.len());

    type Snapshot = (SparseWeights, f32);
    type DetailedHistory = (
        Last,
        (LongestSurvivor<Snapshot>, Voted<AllVoters<Snapshot>, 0>),
    );
    let model = UpdateCounts::new(biased, counts);
    let mut model = Perceptron::with_history(model, rule, DetailedHistory::BLANK).checked()?;
    let epochs = (learner.epochs, Until::Done);
    let progress = learn_epochs(&mut model, &rows.rows, epochs, |_, _| {})?;

    let hypothesis = model.hypothesis();
    let (last, (longest, voted)) = model.history();
    Ok(KwTrace {
        rows: data.len(),
        dim: data.dim,
        progress,
        w: hypothesis.inner().inner().weights().as_slice().to_vec(),
        theta: -hypothesis.inner().bias(),
        errors_last: rows.errors(|x| last.score(hypothesis, x)),
        errors_longest: rows.errors(|x| longest.score(hypothesis, x)),
        errors_voted: rows.errors(|x| voted.score(hypothesis, x)),
    })
}

/// Result of a linear learner.
#[derive(Debug, Serialize)]
pub struct LinearTrace {
    rows: usize,
    dim: usize,
    #[serde(flatten)]
    progress: Progress,
    w: Vec<f32>,
    b: f32,
    errors: usize,
}

/// PAUM in the primal, with `R` the largest norm of the rows.
pub fn paum(data: &Dense<f32>, options: &FamilyOptions, epochs: usize) -> Result<LinearTrace> {
    let rows = SparseRows::new(data);
    let radius = rows.norms().fold(0.0, f64::max) as f32;
    let step = FixedRadius(if options.no_bias { 0.0 } else { radius });
    let linear = Linear::with_weights(SparseWeights::new(data.dim));
    let hypothesis = Biased::new(linear, step, 0.0);
    linear_trace(&rows, hypothesis, options.margin_rule(), epochs)
}

/// ALMA in the primal, through the origin.
pub fn alma(data: &Dense<f32>, options: &FamilyOptions, epochs: usize) -> Result<LinearTrace> {
    let rows = SparseRows::new(data);
    let linear = Linear::with_weights(SparseWeights::new(data.dim));
    let rule = Alma::new(options.alpha).context("--alpha")?;
    linear_trace(
        &rows,
        Biased::new(linear, FixedRadius(0.0), 0.0),
        rule,
        epochs,
    )
}

fn linear_trace<R: Rule>(
    rows: &SparseRows,
    hypothesis: Biased<Linear<SparseWeights>>,
    rule: R,
    epochs: usize,
) -> Result<LinearTrace> {
    let mut model = Perceptron::from_parts(hypothesis, rule).checked()?;
    let epochs = (epochs, Until::Settled);
    let progress = learn_epochs(&mut model, &rows.rows, epochs, |_, _| {})?;
    let hypothesis = model.hypothesis();
    Ok(LinearTrace {
        rows: rows.rows.len(),
        dim: rows.dim,
        progress,
        w: hypothesis.inner().weights().as_slice().to_vec(),
        b: hypothesis.bias(),
        errors: rows.errors(|x| hypothesis.score(x)),
    })
}

/// Result of a kernel learner with one vector per example.
#[derive(Debug, Serialize)]
pub struct DualTrace {
    rows: usize,
    dim: usize,
    #[serde(flatten)]
    progress: Progress,
    sv: Vec<usize>,
    alpha: Vec<f32>,
    b: f32,
}

/// PAUM in kernel form, with `R^2` the largest `k(x, x)` of the rows.
pub fn paum_kernel(
    data: &Dense<f32>,
    options: &FamilyOptions,
    kernel: AnyKernel,
    epochs: usize,
) -> Result<DualTrace> {
    use pocketron::kernel::Kernel;
    let largest = data.iter().map(|(x, _)| kernel.own(x)).fold(0.0, f32::max);
    let step = FixedRadius(if options.no_bias { 0.0 } else { largest });
    let points = HeapPoints::new(data.dim, data.len());
    let policy = WithIdentities::<_, Heap>::new(NoBudget);
    let expansion = Expansion::<_, _, Heap>::with_points(kernel, policy, points);
    let hypothesis = Biased::new(expansion, step, 0.0);
    let mut model = Perceptron::from_parts(hypothesis, options.margin_rule()).checked()?;
    let mut slot_tracker = SlotTracker::default();
    let epochs = (epochs, Until::Settled);
    let progress = learn_epochs(&mut model, &dense_rows(data), epochs, |row, outcome| {
        if let Some(admission) = outcome.admission {
            slot_tracker.follow(row, admission);
        }
    })?;
    let hypothesis = model.hypothesis();
    let alphas = hypothesis.inner().support().alphas();
    let slots = slot_tracker.by_row();
    Ok(DualTrace {
        rows: data.len(),
        dim: data.dim,
        progress,
        sv: slots.iter().map(|&slot| slot_tracker.row(slot)).collect(),
        alpha: slots.iter().map(|&slot| alphas[slot]).collect(),
        b: hypothesis.bias(),
    })
}

/// Result of the voted perceptron.
#[derive(Debug, Serialize)]
pub struct VotedTrace {
    rows: usize,
    dim: usize,
    #[serde(flatten)]
    progress: Progress,
    /// Rows of the mistakes, in order; a row may come again in a later epoch.
    sv: Vec<usize>,
    sign: Vec<f32>,
    /// Votes of the hypotheses before the first mistake, after it, after the second ...
    counts: Vec<u32>,
}

/// Freund and Schapire's voted perceptron in kernel form.
pub fn voted(data: &Dense<f32>, kernel: AnyKernel, epochs: usize) -> Result<VotedTrace> {
    let points = HeapPoints::new(data.dim, data.len() * epochs);
    let expansion = Expansion::<_, _, Heap>::with_points(kernel, NoBudget, points);
    let history = Voted::<Prefixes<Heap>>::BLANK;
    let rule = MarginRule::new(1.0);
    let mut model = Perceptron::with_history(expansion, rule, history).checked()?;
    let mut sv = Vec::new();
    let epochs = (epochs, Until::Done);
    let progress = learn_epochs(&mut model, &dense_rows(data), epochs, |row, outcome| {
        sv.extend(outcome.changed().then_some(row));
    })?;
    let mut counts = vec![0];
    counts.extend(model.history().vote_store().votes());
    counts.resize(sv.len() + 1, 0);
    if let Some(current) = counts.last_mut() {
        *current += model.history().current_votes();
    }
    Ok(VotedTrace {
        rows: data.len(),
        dim: data.dim,
        progress,
        sign: model.hypothesis().support().alphas().to_vec(),
        sv,
        counts,
    })
}
