//! Learners that differ in what they evict when memory is full.

use pocketron::{
    budget::{
        Everything, FewestErrors, Oldest, Projecting, ProjectingMargins, Random, Reservoir, Stop,
    },
    kernel::LinearKernel,
    num::math::Precise,
    prelude::*,
    storage::Inline,
};

use super::{Failed, Visitor};
use crate::sensor::{FEATURES, Sensor};

/// Budget of every learner but the first.
pub const BUDGET: usize = 20;
/// Validation points of Tighter and Tighter-Full.
const VALIDATION: usize = 40;
/// Squared residual that Projectron++ folds in.
const TOLERANCE: f32 = 0.1;

const KERNEL: Gaussian = Gaussian::constant(2.0);

pub(super) fn visit(visitor: &mut impl Visitor) -> Result<(), Failed> {
    algorithms(visitor)?;
    other_kernels(visitor)
}

fn algorithms(visitor: &mut impl Visitor) -> Result<(), Failed> {
    const D: usize = FEATURES;
    const B: usize = BUDGET;
    let margin = MarginRule::new(1.0).with_margin(1.0);
    let stream = Sensor::new;

    visitor.visit("perceptron", Unbounded::<D, 200>::new(KERNEL), stream())?;
    visitor.visit("stoptron", Stoptron::<D, B>::new(KERNEL), stream())?;
    let random = RandomBudget::<D, B>::with_policy(KERNEL, Random::new(1), UnitSteps);
    visitor.visit("random", random, stream())?;
    visitor.visit("remove-oldest", RemoveOldest::<D, B>::new(KERNEL), stream())?;
    visitor.visit("fixed", FixedBudget::<D, B>::new(KERNEL), stream())?;
    visitor.visit("forgetron", Forgetron::<D, B>::new(KERNEL), stream())?;
    visitor.visit("tighter0", Tighter0::<D, B>::new(KERNEL), stream())?;
    let sample = FewestErrors::new(Reservoir::new(1));
    let tighter = Tighter::<D, B, VALIDATION>::with_policy(KERNEL, sample, UnitSteps);
    visitor.visit("tighter", tighter, stream())?;
    let seen = FewestErrors::new(Everything::new(1));
    let full = TighterFull::<D, B, VALIDATION>::with_policy(KERNEL, seen, UnitSteps);
    visitor.visit("tighterfull", full, stream())?;
    visitor.visit("tightest", Tightest::<D, B>::new(KERNEL), stream())?;
    let cached = TightestCached::<D, B>::new(KERNEL);
    visitor.visit("tightest-cached", cached, stream())?;
    visitor.visit("projectron", Projectron::<D, B>::new(KERNEL), stream())?;
    let plus = ProjectingMargins::new(Stop, TOLERANCE)?;
    let plus = ProjectronPlus::<D, B>::with_policy(KERNEL, plus, margin);
    visitor.visit("projectron++", plus, stream())?;
    let bpa = BpaS::<D, B>::with_rule(KERNEL, PassiveAggressive::new(1.0)?);
    visitor.visit("bpa-s", bpa, stream())?;
    let merge = MergingPerceptron::<D, B>::with_rule(KERNEL, margin);
    visitor.visit("merge", merge, stream())?;
    let bsgd = Bsgd::<D, B>::with_rule(KERNEL, Shrinking::new(0.005)?);
    visitor.visit("bsgd", bsgd, stream())
}

/// The same over other kernels and exponentials.
fn other_kernels(visitor: &mut impl Visitor) -> Result<(), Failed> {
    const D: usize = FEATURES;
    const B: usize = BUDGET;
    let stream = Sensor::new;

    let linear = Forgetron::<D, B, LinearKernel>::new(LinearKernel);
    visitor.visit("forgetron-linear", linear, stream())?;
    let cubic = Tightest::<D, B, Polynomial>::new(Polynomial::new(3, 1.0, 1.0)?);
    visitor.visit("tightest-cubic", cubic, stream())?;
    let precise = Tightest::<D, B, Gaussian<Precise>>::new(Gaussian::with_math(2.0)?);
    visitor.visit("tightest-libm", precise, stream())?;
    type Around<P> = KernelPerceptron<Gaussian, Projecting<P, Inline<D, B>>, Inline<D, B>>;
    let projecting = Projecting::new(Oldest::new(), TOLERANCE)?;
    let oldest = Around::with_policy(KERNEL, projecting, UnitSteps);
    visitor.visit("projecting-oldest", oldest, stream())
}
