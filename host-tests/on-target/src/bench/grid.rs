//! The learners that are counted, for any kernel, number format and size.

use core::fmt;

use pocketron::{
    budget::{Merging, Policy},
    kernel::{self, KernelIn, Uniform},
    learners::perceptron::LinearPerceptron,
    persist::Ready,
    prelude::*,
    rule::Rule,
    storage::{Inline, point::Feature},
};

use crate::counting::{
    GAUSSIAN, Name, Plan, Report, UPDATES, gaussian, sample::Sample, subject::Other,
};

/// Samples after which the default learner's scale hardly changes.
const SETTLING: usize = 400;

/// Vectors of which all similarities are remembered: 40 KB.
const LARGEST_CACHE: usize = 100;

/// Every kernel and policy with `D` features and `B` slots, in every format.
pub fn shape<const D: usize, const B: usize>(report: &mut Report) -> fmt::Result {
    if fits::<f32>(D, B) {
        policies::<f32, D, B, _>(report, "linear", kernel::LinearKernel)?;
        let cubic = kernel::Polynomial::new(3, 1.0 / D as f32, 1.0);
        policies::<f32, D, B, _>(report, "polynomial", cubic.map_err(|_| fmt::Error)?)?;
        format::<f32, D, B>(report)?;
    }
    if fits::<i16>(D, B) {
        format::<i16, D, B>(report)?;
    }
    if fits::<i8>(D, B) {
        format::<i8, D, B>(report)?;
        pocketron::<D, B>(report)?;
        if (D, B) == (16, 100) {
            other_defaults(report)?;
        }
    }
    Ok(())
}

/// Cores without a floating-point unit have little memory beside it, and take an emulator long.
const fn fits<F>(features: usize, budget: usize) -> bool {
    cfg!(target_abi = "eabihf") || size_of::<F>() * features * budget <= 32 * 1024
}

/// Everything in the Gaussian kernel, which all formats know.
pub fn format<F: Feature, const D: usize, const B: usize>(report: &mut Report) -> fmt::Result
where
    Gaussian: KernelIn<F>,
    Merging: Policy<Gaussian, Inline<D, B, F>>,
{
    policies::<F, D, B, _>(report, GAUSSIAN, gaussian::<D>())?;
    if B <= LARGEST_CACHE {
        let learner = TightestCached::<D, B, Gaussian, F>::new(gaussian::<D>());
        dual(report, "tightest-cached", GAUSSIAN, of_tightest(B), learner)?;
    }
    merging::<F, D, B>(report)
}

/// Policies that go with every kernel.
fn policies<F: Feature, const D: usize, const B: usize, K: KernelIn<F> + Uniform>(
    report: &mut Report,
    kernel_name: &'static str,
    kernel: K,
) -> fmt::Result {
    stoptron::<F, D, B, K>(report, kernel_name, kernel.clone())?;
    forgetron::<F, D, B, K>(report, kernel_name, kernel.clone())?;
    let tightest = Tightest::<D, B, K, F>::new(kernel);
    dual(report, "tightest", kernel_name, of_tightest(B), tightest)
}

/// The cheapest policy: what a prediction costs, it costs for all.
pub fn stoptron<F: Feature, const D: usize, const B: usize, K: KernelIn<F> + Uniform>(
    report: &mut Report,
    kernel_name: &'static str,
    kernel: K,
) -> fmt::Result {
    // A full one refuses, which is no update.
    let learner = Stoptron::<D, B, K, F>::new(kernel);
    dual(report, "stoptron", kernel_name, 0, learner)
}

/// The cheapest policy that goes on learning when it is full.
pub fn forgetron<F: Feature, const D: usize, const B: usize, K: KernelIn<F>>(
    report: &mut Report,
    kernel_name: &'static str,
    kernel: K,
) -> fmt::Result {
    let learner = Forgetron::<D, B, K, F>::new(kernel);
    dual(report, "forgetron", kernel_name, UPDATES, learner)
}

/// Merging, which wants the Gaussian kernel.
pub fn merging<F: Feature, const D: usize, const B: usize>(report: &mut Report) -> fmt::Result
where
    Merging: Policy<Gaussian, Inline<D, B, F>>,
    Gaussian: KernelIn<F>,
{
    // Without a margin, so that the samples that pass do so here as in the others.
    let rule = MarginRule::new(1.0);
    let learner = MergingPerceptron::<D, B, F>::with_rule(gaussian::<D>(), rule);
    dual(report, "merging", GAUSSIAN, UPDATES, learner)
}

/// The default learner: raw features in, so that their scale is part of what is counted.
pub fn pocketron<const D: usize, const B: usize>(report: &mut Report) -> fmt::Result {
    default(report, "pocketron", B, &mut Pocketron::<D, B>::new())
}

/// The default learners for a rare class and for several classes; one of them has the size of a gesture model.
pub fn other_defaults(report: &mut Report) -> fmt::Result {
    let rare = &mut PocketronRare::<16, 100>::new();
    default(report, "pocketron-rare", 100, rare)?;
    let gestures = &mut PocketronMulti::<12, 24, 5>::new();
    default(report, "pocketron-5", 24, gestures)?;
    let digits = &mut PocketronMulti::<16, 100, 10>::new();
    default(report, "pocketron-10", 100, digits)
}

fn default<C>(
    report: &mut Report,
    learner_name: &'static str,
    budget: usize,
    learner: &mut C,
) -> fmt::Result
where
    C: OnlineClassifier<Label: Other>,
    C::Input: Sample + Sized,
{
    let name = Name {
        format: i8::NAME,
        learner: learner_name,
        kernel: "relevance",
    };
    let plan = Plan {
        budget,
        samples: budget,
        updates: UPDATES,
        settling: SETTLING,
        block: true,
    };
    report.measure(&name, &plan, learner)
}

/// The perceptron without a budget: weights in the space of the features.
pub fn primal<const D: usize>(report: &mut Report) -> fmt::Result {
    let name = Name {
        format: "f32",
        learner: "perceptron",
        kernel: "primal",
    };
    let plan = Plan {
        budget: 0,
        samples: UPDATES,
        updates: 0,
        settling: 0,
        block: false,
    };
    report.measure(&name, &plan, &mut LinearPerceptron::<D>::new())
}

/// Its removals compare all pairs of vectors, which takes an emulator long.
fn of_tightest(budget: usize) -> usize {
    match (budget, cfg!(target_abi = "eabihf")) {
        (500.., _) => 0,
        (100.., false) => 1,
        (100.., true) | (_, false) => 4,
        (_, true) => UPDATES,
    }
}

fn dual<K, P, R, F, const D: usize, const B: usize>(
    report: &mut Report,
    learner_name: &'static str,
    kernel_name: &'static str,
    updates: usize,
    mut learner: KernelPerceptron<K, P, Inline<D, B, F>, R>,
) -> fmt::Result
where
    K: KernelIn<F>,
    P: Policy<K, Inline<D, B, F>> + Ready,
    R: Rule,
    F: Feature,
{
    let name = Name {
        format: F::NAME,
        learner: learner_name,
        kernel: kernel_name,
    };
    let plan = Plan {
        budget: B,
        samples: B,
        updates,
        settling: 0,
        block: false,
    };
    report.measure(&name, &plan, &mut learner)
}
