//! Learners that differ in their rule, their history or the number of classes.

use pocketron::{
    budget::{Merging, Oldest, Stop, WithIdentities},
    history::{
        Averaged, Last, LongestSurvivor, Prefixes, RandomHypothesis, UnitNorm, Voted, Voters,
    },
    hypothesis::{Biased, Expansion, FixedRadius, LargestNorm, Linear, UpdateCounts},
    learners::multiclass::{OneVsRest, SharedSupport},
    prelude::*,
    rule::{Alma, Always, Credit, Soft},
    storage::Inline,
};

use super::{BUDGET, Failed, Visitor};
use crate::sensor::{FEATURES, Sensor};

type Weights = [f32; FEATURES];
type Memory = Inline<FEATURES, BUDGET>;
type Dual<P, R, Y> = KernelPerceptron<Gaussian, P, Memory, R, Y>;

const KERNEL: Gaussian = Gaussian::constant(2.0);
/// Samples of the finite set that comes back.
const PERIOD: u32 = 64;
const CLASSES: usize = 4;

pub(super) fn visit(visitor: &mut impl Visitor) -> Result<(), Failed> {
    rules(visitor)?;
    histories(visitor)?;
    classes(visitor)
}

fn rules(visitor: &mut impl Visitor) -> Result<(), Failed> {
    let linear = Linear::<Weights>::BLANK;
    let uneven = MarginRule::new(0.5).with_margins(-0.1, 1.0).checked()?;
    let soft = Soft::new(uneven).with_credit(Credit::PerStep(0.1));
    let bounded = Soft::new(uneven)
        .with_credit(Credit::Once(0.2))
        .with_bound(5);

    let plain = Perceptron::from_parts(linear.clone(), UnitSteps);
    visitor.visit("primal", plain, Sensor::new())?;
    let biased = Biased::new(linear.clone(), LargestNorm::new(), 0.0);
    let paum = Perceptron::from_parts(biased, uneven).checked()?;
    visitor.visit("paum", paum, Sensor::new())?;
    let alma = Perceptron::from_parts(linear.clone(), Alma::new(0.9)?);
    visitor.visit("alma", alma, Sensor::new())?;
    let always = Perceptron::from_parts(linear.clone(), Always);
    visitor.visit("always", always, Sensor::new())?;
    let biased = Biased::new(linear, FixedRadius(4.0), -1.0);
    let counted = UpdateCounts::new(biased, [0; PERIOD as usize]);
    let noise_tolerant = Perceptron::from_parts(counted, bounded).checked()?;
    visitor.visit("kw", noise_tolerant, Sensor::repeating(PERIOD))?;
    let expansion = Expansion::<_, _, Memory>::new(KERNEL, WithIdentities::new(Stop));
    let biased = Biased::new(expansion, FixedRadius(1.0), 0.0);
    let paum_kernel = Perceptron::from_parts(biased, soft).checked()?;
    visitor.visit("paum-kernel", paum_kernel, Sensor::repeating(PERIOD))
}

fn histories(visitor: &mut impl Visitor) -> Result<(), Failed> {
    let linear = || Linear::<Weights>::BLANK;
    let margin = MarginRule::new(1.0).with_margin(1.0);

    let voted = Dual::<Stop, UnitSteps, Voted<Prefixes<Memory>>>::BLANK;
    visitor.visit("voted", configured(voted, UnitSteps)?, Sensor::new())?;
    let voters = Voted::<Voters<Weights, 16>>::BLANK;
    let voted = Perceptron::with_history(linear(), UnitSteps, voters);
    visitor.visit("voted-primal", voted, Sensor::new())?;
    let longest = Dual::<Stop, UnitSteps, LongestSurvivor<u32>>::BLANK;
    visitor.visit("longest", configured(longest, UnitSteps)?, Sensor::new())?;
    let averaged = Dual::<Merging, MarginRule, Averaged<[f32; BUDGET]>>::BLANK;
    visitor.visit(
        "averaged-merge",
        configured(averaged, margin)?,
        Sensor::new(),
    )?;
    let averaged = Averaged::<Option<Weights>, UnitNorm>::BLANK;
    let averaged = Perceptron::with_history(linear(), UnitSteps, averaged);
    visitor.visit("averaged-primal", averaged, Sensor::new())?;
    let drawn = Perceptron::with_history(linear(), UnitSteps, RandomHypothesis::<Weights>::new(1));
    visitor.visit("drawn-primal", drawn, Sensor::new())?;
    let last = Perceptron::with_history(linear(), UnitSteps, Last::<UnitNorm>::BLANK);
    visitor.visit("last-unit-norm", last, Sensor::new())
}

fn configured<P, R, Y>(mut model: Dual<P, R, Y>, rule: R) -> Result<Dual<P, R, Y>, Failed>
where
    P: pocketron::persist::Ready,
    R: pocketron::rule::Rule,
{
    model.configure(KERNEL, rule)?;
    Ok(model)
}

fn classes(visitor: &mut impl Visitor) -> Result<(), Failed> {
    let margin = MarginRule::new(1.0).with_margin(0.5).checked()?;
    let binary = Forgetron::<FEATURES, BUDGET>::new(KERNEL);
    let separate = OneVsRest::<_, CLASSES>::of(&binary);
    visitor.visit_classes("one-vs-rest", separate, Sensor::fields())?;
    type Shared<P, R> = SharedSupport<Gaussian, P, Memory, CLASSES, R>;
    let shared = Shared::new(KERNEL, Oldest::new(), margin);
    visitor.visit_classes("shared-support", shared, Sensor::fields())
}
