//! Margins and steps of their own for each of two classes.

use super::{StepContext, StepRule, StepSize};
use crate::{
    label::Sign,
    persist::{Persist, Ready},
    rule::ClassFactors,
};

/// A rule that asks more of one of two classes, and takes larger steps for it: for a rare class, see
/// [`PerClass`](crate::rule::PerClass).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uneven<R, W> {
    inner: R,
    factors: W,
}

impl<R: Ready, W: Ready> Ready for Uneven<R, W> {}

impl<R: StepRule, W: ClassFactors + Ready + Persist> StepRule for Uneven<R, W> {
    fn step(&mut self, side: Sign, margin: f32, context: &StepContext) -> Option<StepSize> {
        let factor = self.factors.observe(side);
        // Dividing the score by a factor equals multiplying the margin by it.
        let step = self.inner.step(side, margin / factor.margin, context)?;
        // The step for a new class reaches the margin as it is.
        let weight = if context.new_class { 1.0 } else { factor.step };
        Some(StepSize {
            size: step.size * weight,
            ..step
        })
    }

    fn rehearsal(&self, slots: usize) -> f32 {
        self.inner.rehearsal(slots)
    }

    fn trust(&self) -> f32 {
        self.inner.trust()
    }

    fn weight(&self, side: Sign) -> f32 {
        self.factors.weight(side)
    }

    fn forget(&mut self, side: Sign) {
        self.factors.forget(side);
    }
}

crate::persist::persist!([R, W] Uneven<R, W> as "uneven" { inner, factors });

impl<R, W> crate::sealed::Sealed for Uneven<R, W> {}
