//! Margins and steps of their own for each class, for streams in which one of them is rare.

use super::{Evaluated, Rule, Step};
use crate::{
    error::ConfigError,
    label::Sign,
    num::{
        is_step,
        math::{Math, Precise},
    },
    persist::{Blank, Ready},
};

/// A rule of margins that asks more of one class than of the other, and takes larger steps for it.
///
/// An example whose class has the margin factor `m` and the step factor `s` is learned while
/// `y f <= m tau`, where `tau` is the margin of the rule `R`, and moves the hypothesis by `s` times
/// what `R` says. What is a mistake stays one. `W` says where the factors come from:
///
/// | factors | rare class | common class | for |
/// |---|---|---|---|
/// | [`Factors`] | values | values | uneven margins and costs that are known |
/// | [`Balanced`] | margin and step `rho` | 1 | few balanced errors, a good ranking |
/// | [`F1`] | 1 | margin `1 / rho` | alarms that are mostly right, and miss little |
///
/// `rho = sqrt(n_common / n_rare)` from 1 to 10 comes from the examples seen so far: 8 bytes, and nothing to
/// know beforehand. Goes with rules that have a margin, such as
/// [`MarginRule`](super::MarginRule); a margin of zero stays zero.
///
/// ```
/// use pocketron::rule::{Balanced, Evaluated, MarginRule, PerClass, Rule};
/// use pocketron::label::Sign;
///
/// let mut rule = PerClass::<_, Balanced>::new(MarginRule::new(1.0).with_margin(1.0));
/// for _ in 0..15 {
///     rule.step(&Evaluated::scored(Sign::Neg, -2.0));
/// }
/// // One in sixteen: a margin of sqrt(15), and a step of as much.
/// let step = rule.step(&Evaluated::scored(Sign::Pos, 3.8)).coefficient;
/// assert!(step.is_some_and(|step| (step - 3.873).abs() < 1e-3));
/// assert_eq!(rule.step(&Evaluated::scored(Sign::Neg, -1.1)).coefficient, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PerClass<R, W> {
    inner: R,
    factors: W,
}

/// Factors of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factor {
    /// On its margin.
    pub margin: f32,
    /// On its steps.
    pub step: f32,
}

impl Factor {
    /// As all get.
    pub const ONE: Self = Factor {
        margin: 1.0,
        step: 1.0,
    };

    /// Margin and step are what those of a rule are, and so is their product, the weight of the class.
    fn check(self) -> Result<(), ConfigError> {
        if !is_step(self.margin) {
            Err(ConfigError::Margin)
        } else if !(is_step(self.step) && is_step(self.margin * self.step)) {
            Err(ConfigError::StepSize)
        } else {
            Ok(())
        }
    }
}

/// Source of the factors of a class.
pub trait ClassFactors {
    /// An example of a class comes; the factors for it.
    fn observe(&mut self, label: Sign) -> Factor;

    /// Weight of an example of a class, relative to the class that weighs most, from 0 to 1: margin times step.
    fn weight(&self, _: Sign) -> f32 {
        1.0
    }

    /// Fails for factors outside their domain.
    fn check(&self) -> Result<(), ConfigError> {
        Ok(())
    }

    /// Forgets what it has counted of a class.
    fn forget(&mut self, _: Sign) {}

    /// Forgets what it has counted.
    fn restart(&mut self) {}
}

impl<R, W: Blank> PerClass<R, W> {
    /// With factors that come from the stream.
    pub const fn new(inner: R) -> Self {
        Self::with_factors(inner, W::BLANK)
    }
}

impl<R, W> PerClass<R, W> {
    /// With factors that are there already, such as values.
    pub const fn with_factors(inner: R, factors: W) -> Self {
        PerClass { inner, factors }
    }

    /// The rule behind the factors.
    pub const fn inner(&self) -> &R {
        &self.inner
    }

    /// The source of the factors.
    pub const fn factors(&self) -> &W {
        &self.factors
    }
}

impl<R: Ready, W: Ready> Ready for PerClass<R, W> {}

impl<R: Rule, W: ClassFactors> Rule for PerClass<R, W> {
    const USES_OWN_STEPS: bool = R::USES_OWN_STEPS;

    fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step {
        let factor = self.factors.observe(example.label);
        // A score that is so much nearer to zero is as far below the margin, and on the same side.
        let nearer = example.with_score(example.score / factor.margin);
        let step = self.inner.step(&nearer);
        Step {
            coefficient: step.coefficient.map(|size| size * factor.step),
            ..step
        }
    }

    fn check(&self) -> Result<(), ConfigError> {
        self.factors.check()?;
        self.inner.check()
    }

    fn restart(&mut self) {
        self.factors.restart();
        self.inner.restart();
    }
}

/// Factors that are known: uneven margins and costs as values.
///
/// ```
/// use pocketron::rule::{Factor, Factors, MarginRule, PerClass, Rule};
/// let rare = Factor { margin: 4.0, step: 2.0 };
/// let inner = MarginRule::new(1.0).with_margin(1.0);
/// let rule = PerClass::with_factors(inner, Factors { pos: rare, neg: Factor::ONE });
/// assert!(rule.check().is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Factors {
    /// For positive examples.
    pub pos: Factor,
    /// For negative examples.
    pub neg: Factor,
}

impl ClassFactors for Factors {
    #[inline]
    fn observe(&mut self, label: Sign) -> Factor {
        match label {
            Sign::Pos => self.pos,
            Sign::Neg => self.neg,
        }
    }

    fn weight(&self, label: Sign) -> f32 {
        let [pos, neg] = [self.pos, self.neg].map(|factor| factor.margin * factor.step);
        let own = match label {
            Sign::Pos => pos,
            Sign::Neg => neg,
        };
        own / pos.max(neg)
    }

    fn check(&self) -> Result<(), ConfigError> {
        self.pos.check()?;
        self.neg.check()
    }
}

/// Examples of each class so far: 8 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClassCounts {
    pos: u32,
    neg: u32,
}

/// Rarer than one in a hundred counts as one in a hundred.
const LARGEST_RATIO: f32 = 10.0;

impl ClassCounts {
    /// Examples of a class so far.
    pub const fn of(&self, label: Sign) -> u32 {
        match label {
            Sign::Pos => self.pos,
            Sign::Neg => self.neg,
        }
    }

    /// `rho = sqrt(n_common / n_rare)`, from 1 to 10.
    pub fn ratio(&self) -> f32 {
        let (rare, common) = (self.pos.min(self.neg), self.pos.max(self.neg));
        let ratio = common as f32 / rare.max(1) as f32;
        // A root costs more than the comparison, and a rare class is mostly rarer.
        if ratio >= LARGEST_RATIO * LARGEST_RATIO {
            LARGEST_RATIO
        } else {
            Precise::sqrt(ratio).max(1.0)
        }
    }

    /// The class that was seen less often, if there is one.
    pub fn rare(&self) -> Option<Sign> {
        match self.pos.cmp(&self.neg) {
            core::cmp::Ordering::Less => Some(Sign::Pos),
            core::cmp::Ordering::Equal => None,
            core::cmp::Ordering::Greater => Some(Sign::Neg),
        }
    }

    fn forget(&mut self, label: Sign) {
        match label {
            Sign::Pos => self.pos = 0,
            Sign::Neg => self.neg = 0,
        }
    }

    /// One more. Counts that are full are halved, which leaves the ratio.
    fn observe(&mut self, label: Sign) {
        if self.pos.max(self.neg) == u32::MAX {
            (self.pos, self.neg) = (self.pos / 2, self.neg / 2);
        }
        match label {
            Sign::Pos => self.pos += 1,
            Sign::Neg => self.neg += 1,
        }
    }
}

/// For balanced errors: margin and step of the rare class are `rho`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balanced {
    counts: ClassCounts,
}

/// For F1, the harmonic mean of recall and precision: the margin of the common class is `1 / rho`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct F1 {
    counts: ClassCounts,
}

impl ClassFactors for Balanced {
    fn observe(&mut self, label: Sign) -> Factor {
        self.counts.observe(label);
        if self.counts.rare() != Some(label) {
            return Factor::ONE;
        }
        let rho = self.counts.ratio();
        Factor {
            margin: rho,
            step: rho,
        }
    }

    fn weight(&self, label: Sign) -> f32 {
        match self.counts.rare() {
            Some(rare) if rare != label => {
                let rho = self.counts.ratio();
                1.0 / (rho * rho)
            }
            _ => 1.0,
        }
    }

    fn forget(&mut self, label: Sign) {
        self.counts.forget(label);
    }

    fn restart(&mut self) {
        *self = Self::BLANK;
    }
}

impl ClassFactors for F1 {
    fn observe(&mut self, label: Sign) -> Factor {
        self.counts.observe(label);
        match self.counts.rare() {
            Some(rare) if rare != label => Factor {
                margin: 1.0 / self.counts.ratio(),
                step: 1.0,
            },
            _ => Factor::ONE,
        }
    }

    fn forget(&mut self, label: Sign) {
        self.counts.forget(label);
    }

    fn restart(&mut self) {
        *self = Self::BLANK;
    }
}

/// Methods of all modes that count.
macro_rules! counting {
    ($($mode:ident as $name:literal),*) => { $(
        impl $mode {
            /// Nothing seen yet.
            pub const fn new() -> Self {
                Self::BLANK
            }

            /// Examples of each class so far.
            pub const fn counts(&self) -> &ClassCounts {
                &self.counts
            }
        }

        impl Ready for $mode {}

        crate::persist::persist!([] $mode as $name { counts });
    )* };
}
counting!(Balanced as "balanced", F1 as "f1");

fn is_factor(factor: Factor) -> bool {
    factor.check().is_ok()
}

crate::persist::persist!([] ClassCounts as "class-counts" { pos, neg });
crate::persist::persist!([] Factor as "factor" { margin, step });
crate::persist::persist!([] Factors as "factors" { pos if is_factor, neg if is_factor });
crate::persist::persist!([R, W] PerClass<R, W> as "per-class" { inner, factors });
