//! The true class against the best wrong one.

use super::{Rehearsed, StepContext, StepRule, Steps, Update, UpdateRule, margin, rival};
use crate::{
    label::{Class, Sign},
    num::rolled,
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
#[inline(never)]
fn up_and_down(scores: &[f32], present: &[bool], class: usize, size: f32, steps: &mut [f32]) {
    let rival = rival(scores, present, class).map(|(rival, _)| rival);
    for (index, step) in steps.iter_mut().enumerate() {
        rolled();
        *step = if Some(index) == rival {
            -size
        } else if index == class {
            size
        } else {
            0.0
        };
    }
}

impl<R: StepRule, const C: usize> Update<C, C> for BestWrongClass<R> {}

impl<R: StepRule> UpdateRule for BestWrongClass<R> {
    type Label = Class;
    const GAIN: f32 = 2.0;

    fn steps(
        &mut self,
        scores: &[f32],
        present: &[bool],
        class: usize,
        context: &StepContext,
        steps: &mut [f32],
    ) -> Steps {
        let margin = margin(scores, present, class);
        let Some(step) = self.rule.step(Sign::Pos, margin, context) else {
            return Steps::NONE;
        };
        up_and_down(scores, present, class, step.size, steps);
        Steps {
            mobility: step.mobility,
            mistake: margin <= 0.0,
        }
    }

    fn rehearse(&self, vector: &Rehearsed<'_>, steps: &mut [f32]) -> bool {
        if vector.is_satisfied() {
            return false;
        }
        let size = self.rule.rehearsal(vector.slots);
        up_and_down(vector.scores, vector.present, vector.class, size, steps);
        true
    }

    fn trust(&self, _: &[bool]) -> f32 {
        self.rule.trust()
    }
}

crate::persist::persist!([R] BestWrongClass<R> as "top" { rule });

impl<R> crate::sealed::Sealed for BestWrongClass<R> {}
