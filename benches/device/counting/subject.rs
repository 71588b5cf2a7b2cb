//! One learner, its operations counted one by one.

use core::{
    fmt::{self, Write},
    hint::black_box,
    mem::size_of,
};

use pocketron::prelude::*;

use super::{
    clock::Clock,
    platform::Console,
    sample::{Sample, Source},
};

/// How a learner is called in the table.
pub struct Name {
    pub format: &'static str,
    pub learner: &'static str,
    pub kernel: &'static str,
}

/// What is done with it.
pub struct Plan {
    /// Its slots; none if it needs none.
    pub budget: usize,
    /// Samples that it learns before the counting, as many as it has slots.
    pub samples: usize,
    /// Updates to count without a free slot.
    pub updates: usize,
    /// Margin within which it learns even what it expects.
    pub margin: f32,
}

/// Updates of a full model that are counted.
pub const UPDATES: usize = 16;

/// How often a sample is repeated until it is far enough from the boundary to pass.
const REPEATED: usize = 100;

/// Where the counts go.
pub struct Report {
    clock: Clock,
    console: Console,
}

impl Report {
    pub fn new() -> Self {
        Report {
            clock: Clock::start(),
            console: Console::open(),
        }
    }

    /// Teaches the learner until it is full, counts, and prints a line:
    ///
    /// ```text
    /// format,learner,kernel,features,budget,ram,predict,pass,store,mean,worst,score,predict's address,learn's
    /// ```
    ///
    /// Every sample of the stream comes with the label that the learner does not expect, so that each
    /// is a mistake. `pass` learns one that is none and far enough from the boundary, `store` takes the last free slot, `mean` and `worst`
    /// are of updates when none is free; what there is not to count is `-`. The bits of a full
    /// model's score say whether all targets, and all versions, compute the same.
    #[inline(never)]
    pub fn measure<C>(&mut self, name: &Name, plan: &Plan, learner: &mut C) -> fmt::Result
    where
        C: OnlineClassifier<Label = Sign>,
        C::Input: Sample + Sized,
    {
        let Report { clock, console } = self;
        let mut source = Source::new(1);
        let mut store = None;
        for _ in 0..plan.samples {
            let x = C::Input::draw(&mut source);
            let unexpected = opposite(predict(learner, &x));
            store = Some(clock.count(|| learn(learner, &x, unexpected)).0);
        }
        let x = C::Input::draw(&mut source);
        let expected = predict(learner, &x);
        let (mut passing, mut score) = clock.count(|| learn(learner, &x, expected));
        for _ in 0..REPEATED {
            if plan.margin == 0.0 || score * expected.value() > plan.margin {
                break;
            }
            (passing, score) = clock.count(|| learn(learner, &x, expected));
        }
        let (predicting, _) = clock.count(|| predict(learner, &x));
        let (mut sum, mut worst) = (0_u64, 0);
        for _ in 0..plan.updates {
            let x = C::Input::draw(&mut source);
            let unexpected = opposite(predict(learner, &x));
            let (count, _) = clock.count(|| learn(learner, &x, unexpected));
            sum += u64::from(count);
            worst = worst.max(count);
        }
        let Name {
            format,
            learner: named,
            kernel,
        } = name;
        let (features, budget, ram) = (C::Input::FEATURES, plan.budget, size_of::<C>());
        write!(
            console,
            "{format},{named},{kernel},{features},{budget},{ram}"
        )?;
        write!(console, ",{predicting},{passing}")?;
        let mean = sum.checked_div(plan.updates as u64);
        let worst = (plan.updates > 0).then_some(u64::from(worst));
        for count in [store.map(u64::from), mean, worst] {
            match count {
                Some(count) => write!(console, ",{count}")?,
                None => write!(console, ",-")?,
            }
        }
        let code = [predict::<C> as *const (), learn::<C> as *const ()];
        let [predict, learn] = code.map(|code| code as usize & !1);
        writeln!(console, ",{:08x},{predict:x},{learn:x}", score.to_bits())
    }
}

fn opposite(label: Sign) -> Sign {
    match label {
        Sign::Neg => Sign::Pos,
        Sign::Pos => Sign::Neg,
    }
}

/// A function of its own, as a firmware would have it, and one whose address tells its size.
#[inline(never)]
fn predict<C: OnlineClassifier<Label = Sign>>(learner: &C, x: &C::Input) -> Sign {
    black_box(learner)
        .predict(black_box(x))
        .unwrap_or(Sign::Neg)
}

/// Returns the score of before, or NaN when the sample was refused.
#[inline(never)]
fn learn<C: OnlineClassifier<Label = Sign>>(learner: &mut C, x: &C::Input, label: Sign) -> f32 {
    let outcome = black_box(learner).learn(black_box(x), black_box(label));
    outcome.map_or(f32::NAN, |outcome| outcome.score)
}
