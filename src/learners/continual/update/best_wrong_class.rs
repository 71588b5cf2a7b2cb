//! The true class against the best wrong one.

use super::{StepContext, StepRule, Steps, Update, rival};
use crate::{
    label::{Class, Sign},
    persist::Ready,
};

/// Update of several classes, as in a multiclass perceptron: the true class takes the rule's step up, the best wrong class the same step down.
///
/// Few coefficients change, so vectors are shared well.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BestWrongClass<R> {
    rule: R,
}

impl<R: Ready> Ready for BestWrongClass<R> {}

/// Up for the class and down for its rival.
fn up_and_down<const C: usize>(
    scores: &[f32; C],
    present: &[bool; C],
    class: usize,
    size: f32,
) -> [f32; C] {
    let mut steps = [0.0; C];
    if let Some(step) = steps.get_mut(class) {
        *step = size;
    }
    if let Some((rival, _)) = rival(scores, present, class)
        && let Some(step) = steps.get_mut(rival)
    {
        *step = -size;
    }
    steps
}

impl<R: StepRule, const C: usize> Update<C, C> for BestWrongClass<R> {
    type Label = Class;
    const GAIN: f32 = 2.0;

    fn steps(
        &mut self,
        scores: &[f32; C],
        present: &[bool; C],
        class: usize,
        context: &StepContext,
    ) -> Steps<C> {
        let margin = Self::margin(scores, present, class);
        let step = self.rule.step(Sign::Pos, margin, context);
        step.map_or(Steps::NONE, |step| Steps {
            of: up_and_down(scores, present, class, step.size),
            mobility: step.mobility,
            mistake: margin <= 0.0,
        })
    }

    fn rehearse(
        &self,
        scores: &[f32; C],
        present: &[bool; C],
        class: usize,
        wanted: f32,
        slots: usize,
    ) -> Option<[f32; C]> {
        let size = self.rule.rehearsal(slots);
        (Self::margin(scores, present, class) <= wanted)
            .then(|| up_and_down(scores, present, class, size))
    }

    fn trust(&self, _: &[bool; C]) -> f32 {
        self.rule.trust()
    }
}

crate::persist::persist!([R] BestWrongClass<R> as "top" { rule });

impl<R> crate::sealed::Sealed for BestWrongClass<R> {}
