//! Learners in fixed point, each behind the scale that makes them.

use pocketron::{budget::Random, prelude::*, wrap::Standardized};

use super::{BUDGET, Binary, Failed, Visitor};
use crate::sensor::{FEATURES, Sensor};

const KERNEL: Gaussian = Gaussian::constant(1.0);

pub(super) fn visit(visitor: &mut impl Visitor) -> Result<(), Failed> {
    const D: usize = FEATURES;
    const B: usize = BUDGET;
    let margin = MarginRule::new(1.0).with_margin(1.0);
    let mut show = Behind(visitor);

    let perceptron = Unbounded::<D, 200, Gaussian, i8>::new(KERNEL);
    show.learner("perceptron-i8", perceptron)?;
    show.learner("stoptron-i8", Stoptron::<D, B, Gaussian, i8>::new(KERNEL))?;
    let random = RandomBudget::<D, B, Gaussian, i8>::with_policy;
    show.learner("random-i8", random(KERNEL, Random::new(1), UnitSteps))?;
    show.learner("forgetron-i8", Forgetron::<D, B, Gaussian, i8>::new(KERNEL))?;
    show.learner("tightest-i8", Tightest::<D, B, Gaussian, i8>::new(KERNEL))?;
    let cached = TightestCached::<D, B, Gaussian, i8>::new(KERNEL);
    show.learner("tightest-cached-i8", cached)?;
    let half = TightestCached::<D, B, Gaussian, i8, u16>::new(KERNEL);
    show.learner("tightest-u16-i8", half)?;
    let half = TightestCached::<D, B, Gaussian, f32, u16>::new(KERNEL);
    show.learner("tightest-u16", half)?;
    let merge = MergingPerceptron::<D, B, i8>::with_rule(KERNEL, margin);
    show.learner("merge-i8", merge)?;
    let bsgd = Bsgd::<D, B, i8>::with_rule(KERNEL, Shrinking::new(0.005)?);
    show.learner("bsgd-i8", bsgd)?;
    show.learner(
        "forgetron-i16",
        Forgetron::<D, B, Gaussian, i16>::new(KERNEL),
    )?;
    show.learner("tightest-i16", Tightest::<D, B, Gaussian, i16>::new(KERNEL))?;
    let merge = MergingPerceptron::<D, B, i16>::with_rule(KERNEL, margin);
    show.learner("merge-i16", merge)?;
    let merge = MergingPerceptron::<D, B>::with_rule(KERNEL, margin);
    show.learner("merge-standardized", merge)
}

/// A visitor who sees learners behind a scale.
struct Behind<'a, V>(&'a mut V);

impl<V: Visitor> Behind<'_, V> {
    fn learner<L>(&mut self, name: &str, learner: L) -> Result<(), Failed>
    where
        Standardized<L, FEATURES>: Binary,
    {
        let learner = Standardized::<_, FEATURES>::of(learner);
        self.0.visit(name, learner, Sensor::new())
    }
}
