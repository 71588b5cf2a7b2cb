//! One learner of every kind, for programs that visit them all.

use pocketron::{
    budget::{
        Everything, FewestErrors, Oldest, Projecting, ProjectingMargins, Random, Reservoir, Stop,
    },
    error::ConfigError,
    kernel::Linear,
    math::Precise,
    memory::Inline,
    perceptron::LinearPerceptron,
    prelude::*,
};

use crate::sensor::FEATURES;

/// Budget of every learner.
pub const BUDGET: usize = 20;
/// Validation points of Tighter and Tighter-Full.
const VALIDATION: usize = 40;
/// Squared residual that Projectron++ folds in.
const TOLERANCE: f32 = 0.1;

const KERNEL: Gaussian = Gaussian::constant(2.0);

/// A parameter is wrong, or the visitor had enough.
#[derive(Debug)]
pub struct Failed;

impl From<ConfigError> for Failed {
    fn from(_: ConfigError) -> Self {
        Failed
    }
}

impl From<core::fmt::Error> for Failed {
    fn from(_: core::fmt::Error) -> Self {
        Failed
    }
}

/// Somebody who looks at learners.
pub trait Visitor {
    /// One learner, just made.
    fn visit<C>(&mut self, name: &str, learner: C) -> Result<(), Failed>
    where
        C: OnlineClassifier<Input = [f32; FEATURES], Label = Sign>;
}

/// Shows every learner to the visitor, one after the other.
pub fn visit_all(visitor: &mut impl Visitor) -> Result<(), Failed> {
    visit_policies(visitor)?;
    visit_others(visitor)
}

/// The algorithms that differ in what they give up.
fn visit_policies(visitor: &mut impl Visitor) -> Result<(), Failed> {
    let margin = MarginRule::new(1.0).with_margin(1.0);

    visitor.visit("perceptron", Unbounded::<FEATURES, 200>::new(KERNEL))?;
    visitor.visit("stoptron", Stoptron::<FEATURES, BUDGET>::new(KERNEL))?;
    let random = RandomBudget::<FEATURES, BUDGET>::with_policy(KERNEL, Random::new(1), UnitSteps);
    visitor.visit("random", random)?;
    visitor.visit(
        "remove-oldest",
        RemoveOldest::<FEATURES, BUDGET>::new(KERNEL),
    )?;
    visitor.visit("fixed", FixedBudget::<FEATURES, BUDGET>::new(KERNEL))?;
    visitor.visit("forgetron", Forgetron::<FEATURES, BUDGET>::new(KERNEL))?;
    visitor.visit("tighter0", Tighter0::<FEATURES, BUDGET>::new(KERNEL))?;
    let sample = FewestErrors::new(Reservoir::new(1));
    let tighter = Tighter::<FEATURES, BUDGET, VALIDATION>::with_policy(KERNEL, sample, UnitSteps);
    visitor.visit("tighter", tighter)?;
    let seen = FewestErrors::new(Everything::new(1));
    let full = TighterFull::<FEATURES, BUDGET, VALIDATION>::with_policy(KERNEL, seen, UnitSteps);
    visitor.visit("tighterfull", full)?;
    visitor.visit("tightest", Tightest::<FEATURES, BUDGET>::new(KERNEL))?;
    visitor.visit(
        "tightest-cached",
        TightestCached::<FEATURES, BUDGET>::new(KERNEL),
    )?;
    visitor.visit("projectron", Projectron::<FEATURES, BUDGET>::new(KERNEL))?;
    let plus = ProjectingMargins::new(Stop, TOLERANCE)?;
    let plus = ProjectronPlus::<FEATURES, BUDGET>::with_policy(KERNEL, plus, margin);
    visitor.visit("projectron++", plus)?;
    let bpa = PassiveAggressive::new(1.0)?;
    visitor.visit("bpa-s", BpaS::<FEATURES, BUDGET>::with_rule(KERNEL, bpa))?;
    let merge = MergingPerceptron::<FEATURES, BUDGET>::with_rule(KERNEL, margin);
    visitor.visit("merge", merge)?;
    let shrinking = Shrinking::new(0.005)?;
    visitor.visit(
        "bsgd",
        Bsgd::<FEATURES, BUDGET>::with_rule(KERNEL, shrinking),
    )
}

/// The same loop over other kernels, exponentials and hypotheses.
fn visit_others(visitor: &mut impl Visitor) -> Result<(), Failed> {
    let cubic = Polynomial::new(3, 1.0, 1.0)?;
    let precise = Gaussian::<Precise>::with_math(2.0)?;

    visitor.visit("primal", LinearPerceptron::<FEATURES>::new())?;
    visitor.visit(
        "forgetron-linear",
        Forgetron::<FEATURES, BUDGET, Linear>::new(Linear),
    )?;
    visitor.visit(
        "tightest-cubic",
        Tightest::<FEATURES, BUDGET, Polynomial>::new(cubic),
    )?;
    visitor.visit(
        "tightest-libm",
        Tightest::<FEATURES, BUDGET, Gaussian<Precise>>::new(precise),
    )?;
    let oldest = Projecting::new(Oldest::new(), TOLERANCE)?;
    let oldest: KernelPerceptron<_, _, Inline<FEATURES, BUDGET>> =
        Perceptron::with_policy(KERNEL, oldest, UnitSteps);
    visitor.visit("projecting-oldest", oldest)
}
