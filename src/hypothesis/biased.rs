//! A threshold that is learned along.

use super::{Averageable, Hypothesis, Snapshots};
use crate::{
    budget::Admission,
    error::{ConfigError, InputError, is_non_negative},
    num::saturated,
    storage::Evaluated,
};

/// `f(x) + b`: with every step of `coefficient` the bias moves by
/// `coefficient * R^2`.
///
/// Around a [`Linear`](super::Linear) it frees the plane from the origin; around
/// an [`Expansion`](super::Expansion) it adds `R^2` to the kernel. The threshold
/// `theta` of other texts is `-b`.
#[derive(Clone, Debug)]
pub struct Biased<H, S = FixedRadius> {
    inner: H,
    step: S,
    bias: f32,
}

/// Step size of the bias: `R^2`.
pub trait BiasStep: crate::sealed::Sealed {
    /// `R^2`, now that an example of squared norm `norm_squared` has been seen.
    fn see(&mut self, norm_squared: f32) -> f32;

    /// Fails for parameters outside their domain.
    fn check(&self) -> Result<(), ConfigError> {
        Ok(())
    }
}

/// `R^2` known in advance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedRadius(pub f32);

impl BiasStep for FixedRadius {
    #[inline]
    fn see(&mut self, _: f32) -> f32 {
        self.0
    }

    fn check(&self) -> Result<(), ConfigError> {
        if is_non_negative(self.0) {
            Ok(())
        } else {
            Err(ConfigError::Bias)
        }
    }
}

/// `R^2` as the largest squared norm of the examples seen so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LargestNorm(f32);

impl LargestNorm {
    /// Nothing seen yet.
    pub const fn new() -> Self {
        LargestNorm(0.0)
    }
}

impl BiasStep for LargestNorm {
    #[inline]
    fn see(&mut self, norm_squared: f32) -> f32 {
        self.0 = self.0.max(norm_squared);
        self.0
    }
}

impl<H, S> Biased<H, S> {
    /// Starts from the bias `start`.
    pub const fn new(inner: H, step: S, start: f32) -> Self {
        Biased {
            inner,
            step,
            bias: start,
        }
    }

    /// The function without its bias.
    pub const fn inner(&self) -> &H {
        &self.inner
    }

    /// `b`.
    pub const fn bias(&self) -> f32 {
        self.bias
    }
}

impl<H: Hypothesis, S: BiasStep> Hypothesis for Biased<H, S> {
    type Input = H::Input;
    type Number = H::Number;
    type Row = H::Row;

    #[inline]
    fn check(&self, x: &H::Input) -> Result<(), InputError> {
        self.inner.check(x)
    }

    fn check_parameters(&self) -> Result<(), ConfigError> {
        if !self.bias.is_finite() {
            return Err(ConfigError::Bias);
        }
        self.step.check()?;
        self.inner.check_parameters()
    }

    #[inline]
    fn score(&self, x: &H::Input) -> f32 {
        self.inner.score(x) + self.bias
    }

    #[inline]
    fn evaluate<'a>(&self, example: &mut Evaluated<'a, H::Input, H::Number>, row: &'a mut H::Row) {
        self.inner.evaluate(example, row);
        example.score += self.bias;
    }

    #[inline]
    fn self_similarity(&self, x: &H::Input) -> f32 {
        self.inner.self_similarity(x)
    }

    #[inline]
    fn own_steps(&self, id: Option<u32>) -> Result<u32, InputError> {
        self.inner.own_steps(id)
    }

    fn shrink(&mut self, factor: f32) {
        self.inner.shrink(factor);
        self.bias *= factor;
    }

    #[inline]
    fn pass(&mut self, example: &Evaluated<'_, H::Input, H::Number>) {
        self.step.see(example.self_similarity);
        self.inner.pass(&example.with_score(example.unbiased));
    }

    #[inline]
    fn adapt_kernel(&mut self, example: &Evaluated<'_, H::Input, H::Number>, coefficient: f32) {
        let inner = example.with_score(example.unbiased);
        self.inner.adapt_kernel(&inner, coefficient);
    }

    fn has_underflowed(&self, admission: Admission) -> bool {
        self.inner.has_underflowed(admission)
    }

    fn is_saturated(&self) -> bool {
        self.inner.is_saturated() || self.bias.abs() == f32::MAX
    }

    #[inline]
    fn apply(
        &mut self,
        example: &Evaluated<'_, H::Input, H::Number>,
        coefficient: f32,
    ) -> Admission {
        let step = self.step.see(example.self_similarity);
        let inner = example.with_score(example.unbiased);
        let admission = self.inner.apply(&inner, coefficient);
        if admission.changed() {
            self.bias = saturated(self.bias + coefficient * step);
        }
        admission
    }
}

impl<H: Snapshots, S: BiasStep> Snapshots for Biased<H, S> {
    type Snapshot = (H::Snapshot, f32);

    fn snapshot(&self) -> Self::Snapshot {
        (self.inner.snapshot(), self.bias)
    }

    fn score_at(&self, (inner, bias): &Self::Snapshot, x: &H::Input) -> f32 {
        self.inner.score_at(inner, x) + bias
    }
}

impl<H: Averageable, S: BiasStep> Averageable for Biased<H, S> {
    type Sum = (H::Sum, f32);

    fn fold(&self, (inner, bias): &mut Self::Sum, weight: f32) {
        self.inner.fold(inner, weight);
        *bias = saturated(*bias + weight * self.bias);
    }

    fn follow(&self, (inner, _): &mut Self::Sum, admission: Admission) {
        self.inner.follow(inner, admission);
    }

    fn sum_score(&self, (inner, bias): &Self::Sum, weight: f32, x: &H::Input) -> f32 {
        self.inner.sum_score(inner, weight, x) + (bias + weight * self.bias)
    }
}

crate::persist::persist!([H, S] Biased<H, S> as "biased" { inner, step, bias });
crate::persist::persist!([] FixedRadius as "given" { 0 if is_non_negative });
crate::persist::persist!([] LargestNorm as "largest-norm" { 0 if is_non_negative });

impl crate::sealed::Sealed for FixedRadius {}
impl crate::sealed::Sealed for LargestNorm {}
