//! Learners of fixed-point features behind a scale: quantising raw features is counted too.

use core::fmt;

use pocketron::{
    classifier::Outcome,
    error::InputError,
    persist::Blank,
    prelude::*,
    storage::{
        point::{Feature, is_finite},
        scale::{Frozen, Moments, RunningScale},
    },
    wrap::{Standardized, WARM_UP},
};

use crate::counting::{
    GAUSSIAN, Name, Plan, Report, UPDATES, gaussian, platform,
    sample::{Sample, Source},
};

run_demo!(count);

fn count(_: &mut platform::Console) -> fmt::Result {
    learners::<16, 100>(&mut Report::new())
}

/// The learners that are compared with a step of another network, each behind a scale that goes on learning, and the
/// cheapest behind one that does not.
fn learners<const D: usize, const B: usize>(report: &mut Report) -> fmt::Result {
    let stoptron = Stoptron::<D, B, Gaussian, i8>::new(gaussian::<D>());
    standardized(report, "standardized-stoptron", B, 0, stoptron)?;
    let forgetron = Forgetron::<D, B, Gaussian, i8>::new(gaussian::<D>());
    standardized(report, "standardized-forgetron", B, UPDATES, forgetron)?;
    // Without a margin, as where it is counted alone.
    let merging = MergingPerceptron::<D, B, i8>::with_rule(gaussian::<D>(), MarginRule::new(1.0));
    standardized(report, "standardized-merging", B, UPDATES, merging)?;
    let mut frozen = Settled {
        scale: settled::<D>()?,
        learner: Stoptron::<D, B, Gaussian, i8>::new(gaussian::<D>()),
    };
    report.measure(&name("frozen-stoptron"), &plan(B, 0), &mut frozen)
}

fn standardized<L, F, const D: usize>(
    report: &mut Report,
    learner_name: &'static str,
    budget: usize,
    updates: usize,
    learner: L,
) -> fmt::Result
where
    L: OnlineClassifier<Input = [F; D], Label = Sign>,
    F: Feature,
{
    let mut learner = Standardized::<L, D>::of(learner);
    for x in warm_up() {
        learner.learn(&x, Sign::Pos).map_err(|_| fmt::Error)?;
    }
    report.measure(&name(learner_name), &plan(budget, updates), &mut learner)
}

/// The first examples, which only count for the scale.
fn warm_up<const D: usize>() -> impl Iterator<Item = [f32; D]> {
    let mut source = Source::new(2);
    (0..WARM_UP).map(move |_| Sample::draw(&mut source))
}

/// What a scale has become by the same examples.
fn settled<const D: usize>() -> Result<Frozen<D>, fmt::Error> {
    let mut scale = RunningScale::<[Moments; D]>::BLANK;
    for x in warm_up::<D>() {
        scale.update(&x).map_err(|_| fmt::Error)?;
    }
    Ok(scale.frozen())
}

fn name(learner: &'static str) -> Name {
    Name {
        format: i8::NAME,
        learner,
        kernel: GAUSSIAN,
    }
}

fn plan(budget: usize, updates: usize) -> Plan {
    Plan {
        budget,
        samples: budget,
        updates,
        settling: 0,
        block: false,
    }
}

/// A learner behind a scale that learns no more, as a program would put them together.
struct Settled<L, const D: usize> {
    scale: Frozen<D>,
    learner: L,
}

impl<L, const D: usize> Settled<L, D> {
    #[inline]
    fn whole<F: Feature>(&self, x: &[f32; D]) -> Result<[F; D], InputError> {
        match is_finite(x) {
            true => Ok(self.scale.apply(x)),
            false => Err(InputError::NonFinite),
        }
    }
}

impl<L, F, const D: usize> OnlineClassifier for Settled<L, D>
where
    L: OnlineClassifier<Input = [F; D]>,
    F: Feature,
{
    type Input = [f32; D];
    type Label = L::Label;

    #[inline]
    fn predict_scored(&self, x: &[f32; D]) -> Result<(L::Label, f32), InputError> {
        self.learner.predict_scored(&self.whole(x)?)
    }

    fn has_class(&self, label: L::Label) -> bool {
        self.learner.has_class(label)
    }

    fn validate(&self, x: &[f32; D], label: L::Label, id: Option<u32>) -> Result<(), InputError> {
        self.learner.validate(&self.whole(x)?, label, id)
    }

    #[inline]
    fn learn_with_id(
        &mut self,
        x: &[f32; D],
        label: L::Label,
        id: Option<u32>,
    ) -> Result<Outcome<L::Label>, InputError> {
        let whole = self.whole(x)?;
        self.learner.learn_with_id(&whole, label, id)
    }
}
