//! The learners that are counted, for any kernel and size.
//!
//! A number format is a column of the table: give the learners of another one a function beside
//! [`dual`], with its own name in `format`, and call it from [`shape`] and from the gate.

use core::fmt;

use pocketron::{
    budget::Policy,
    kernel::{self, Kernel},
    memory::{Inline, Ready},
    perceptron::LinearPerceptron,
    prelude::*,
    rule::Rule,
};

use super::subject::{Name, Plan, Report};

/// Updates of a full model that are counted.
const UPDATES: usize = 16;

/// Every kernel and policy with `D` features and `B` slots.
pub fn shape<const D: usize, const B: usize>(report: &mut Report) -> fmt::Result {
    policies::<D, B, _>(report, "linear", kernel::Linear)?;
    let cubic = kernel::Polynomial::new(3, 1.0 / D as f32, 1.0);
    policies::<D, B, _>(report, "polynomial", cubic.map_err(|_| fmt::Error)?)?;
    policies::<D, B, _>(report, "gaussian", gaussian::<D>())?;
    merging::<D, B>(report)
}

/// Policies that go with every kernel.
pub fn policies<const D: usize, const B: usize, K: Kernel>(
    report: &mut Report,
    kernel_name: &'static str,
    kernel: K,
) -> fmt::Result {
    stoptron::<D, B, K>(report, kernel_name, kernel.clone())?;
    let forgetron = Forgetron::<D, B, K>::new(kernel.clone());
    dual(report, "forgetron", kernel_name, UPDATES, forgetron)?;
    let tightest = Tightest::<D, B, K>::new(kernel);
    dual(report, "tightest", kernel_name, of_tightest(B), tightest)
}

/// The cheapest policy: what a prediction costs, it costs for all.
pub fn stoptron<const D: usize, const B: usize, K: Kernel>(
    report: &mut Report,
    kernel_name: &'static str,
    kernel: K,
) -> fmt::Result {
    // A full one refuses, which is no update.
    dual(
        report,
        "stoptron",
        kernel_name,
        0,
        Stoptron::<D, B, K>::new(kernel),
    )
}

/// Merging, which wants the Gaussian kernel.
pub fn merging<const D: usize, const B: usize>(report: &mut Report) -> fmt::Result {
    // Without a margin, so that the samples that pass do so here as in the others.
    let rule = MarginRule::new(1.0);
    let learner = MergingPerceptron::<D, B>::with_rule(gaussian::<D>(), rule);
    dual(report, "merging", "gaussian", UPDATES, learner)
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
    };
    report.measure(&name, &plan, &mut LinearPerceptron::<D>::new())
}

/// A width at which the samples are neither all alike nor all strangers.
pub fn gaussian<const D: usize>() -> Gaussian {
    Gaussian::constant(1.0 / D as f32)
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

fn dual<K, P, R, const D: usize, const B: usize>(
    report: &mut Report,
    learner_name: &'static str,
    kernel_name: &'static str,
    updates: usize,
    mut learner: KernelPerceptron<K, P, Inline<D, B>, R>,
) -> fmt::Result
where
    K: Kernel,
    P: Policy<K, Inline<D, B>> + Ready,
    R: Rule,
{
    let name = Name {
        format: "f32",
        learner: learner_name,
        kernel: kernel_name,
    };
    let plan = Plan {
        budget: B,
        samples: B,
        updates,
    };
    report.measure(&name, &plan, &mut learner)
}
