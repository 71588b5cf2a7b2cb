//! One learner, its operations counted one by one.

use core::{
    fmt::{self, Write},
    hint::black_box,
    mem::size_of,
};

use pocketron::{label::Label, prelude::*};

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
    /// Samples that a full model learns before the counting goes on: the scale of the default learner changes often
    /// while few examples have been seen.
    pub settling: usize,
    /// Whether updates are counted, too, whose samples are all of one class: the default learner rehearses the others.
    pub block: bool,
}

/// Updates of a full model that are counted.
pub const UPDATES: usize = 16;

/// How often a sample is learned until it is far enough from the boundary to pass.
const REPEATED: usize = 200;

/// How often a sample is drawn anew that already has the label of a block.
const DRAWN: usize = 100;

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
    /// Every sample of the stream comes with a label that the learner does not expect, so that each
    /// is a mistake. `pass` learns one that is none and far enough from the boundary, `store` takes the last free slot, `mean` and `worst`
    /// are of updates when none is free, `worst` with those of a block of one class; what there is not to count is `-`. The bits of a full
    /// model's score say whether all targets, and all versions, compute the same.
    #[inline(never)]
    pub fn measure<C>(&mut self, name: &Name, plan: &Plan, learner: &mut C) -> fmt::Result
    where
        C: OnlineClassifier<Label: Other>,
        C::Input: Sample + Sized,
    {
        let Report { clock, console } = self;
        let mut source = Source::new(1);
        let mut store = None;
        for _ in 0..plan.samples {
            let x = C::Input::draw(&mut source);
            let unexpected = other(learner, predict(learner, &x));
            store = Some(clock.count(|| learn(learner, &x, unexpected)).0);
        }
        for _ in 0..plan.settling {
            let x = C::Input::draw(&mut source);
            let unexpected = other(learner, predict(learner, &x));
            learn(learner, &x, unexpected);
        }
        let x = C::Input::draw(&mut source);
        let expected = predict(learner, &x);
        let (mut passing, (mut score, mut changed)) = clock.count(|| learn(learner, &x, expected));
        for _ in 0..REPEATED {
            if !changed {
                break;
            }
            // Samples of all other classes come in between: no reading repeats itself, and no class is absent.
            let mut label = other(learner, expected);
            while label != expected {
                learn(learner, &C::Input::draw(&mut source), label);
                label = other(learner, label);
            }
            (passing, (score, changed)) = clock.count(|| learn(learner, &x, expected));
        }
        let (predicting, _) = clock.count(|| predict(learner, &x));
        let (mut sum, mut worst) = (0_u64, 0);
        for _ in 0..plan.updates {
            let x = C::Input::draw(&mut source);
            let unexpected = other(learner, predict(learner, &x));
            let (count, _) = clock.count(|| learn(learner, &x, unexpected));
            sum += u64::from(count);
            worst = worst.max(count);
        }
        let block = if plan.block { plan.updates } else { 0 };
        for _ in 0..block {
            let mut x = C::Input::draw(&mut source);
            for _ in 0..DRAWN {
                if predict(learner, &x) != expected {
                    break;
                }
                x = C::Input::draw(&mut source);
            }
            let (count, _) = clock.count(|| learn(learner, &x, expected));
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

/// A label and another one.
pub trait Other: Label {
    /// The first label. A sample that was refused is taken for it.
    const NONE: Self;

    /// The next label, which a learner need not have.
    fn other(self) -> Self;
}

impl Other for Sign {
    const NONE: Self = Sign::Neg;

    fn other(self) -> Self {
        match self {
            Sign::Neg => Sign::Pos,
            Sign::Pos => Sign::Neg,
        }
    }
}

impl Other for Class {
    const NONE: Self = Class(0);

    fn other(self) -> Self {
        Class(self.0 + 1)
    }
}

/// The next label that the learner has, the first one after the last.
fn other<C: OnlineClassifier<Label: Other>>(learner: &C, label: C::Label) -> C::Label {
    let next = label.other();
    if learner.has_class(next) {
        next
    } else {
        C::Label::NONE
    }
}

/// A function of its own, as a firmware would have it, and one whose address tells its size.
#[inline(never)]
fn predict<C: OnlineClassifier<Label: Other>>(learner: &C, x: &C::Input) -> C::Label {
    black_box(learner)
        .predict(black_box(x))
        .unwrap_or(C::Label::NONE)
}

/// Returns the score of before, or NaN when the sample was refused, and whether the model has changed.
#[inline(never)]
fn learn<C: OnlineClassifier<Label: Other>>(
    learner: &mut C,
    x: &C::Input,
    label: C::Label,
) -> (f32, bool) {
    let outcome = black_box(learner).learn(black_box(x), black_box(label));
    outcome.map_or((f32::NAN, false), |outcome| {
        (outcome.score, outcome.changed())
    })
}
