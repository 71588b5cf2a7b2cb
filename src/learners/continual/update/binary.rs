//! Two classes, one score.

use super::{Rehearsed, StepContext, StepRule, Steps, Update, UpdateRule, margin};
use crate::{label::Sign, persist::Ready};

/// Two classes, which have one score between them: positive for [`Sign::Pos`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Binary<R> {
    rule: R,
}

impl<R: Ready> Ready for Binary<R> {}

pub(super) fn side(class: usize) -> Sign {
    if class == 1 { Sign::Pos } else { Sign::Neg }
}

impl<R: StepRule> Update<2, 1> for Binary<R> {}

impl<R: StepRule> UpdateRule for Binary<R> {
    type Label = Sign;

    fn steps(
        &mut self,
        scores: &[f32],
        present: &[bool],
        class: usize,
        context: &StepContext,
        steps: &mut [f32],
    ) -> Steps {
        let margin = margin(scores, present, class);
        let Some(step) = self.rule.step(side(class), margin, context) else {
            return Steps::NONE;
        };
        steps.fill(step.size * side(class).value());
        Steps {
            mobility: step.mobility,
            mistake: margin <= 0.0,
        }
    }

    fn rehearse(&self, vector: &Rehearsed<'_>, steps: &mut [f32]) -> bool {
        if vector.is_satisfied() {
            return false;
        }
        steps.fill(self.rule.rehearsal(vector.slots) * side(vector.class).value());
        true
    }

    fn trust(&self, _: &[bool]) -> f32 {
        self.rule.trust()
    }

    fn forget(&mut self, class: usize) {
        self.rule.forget(side(class));
    }

    fn weight(&self, class: usize) -> f32 {
        self.rule.weight(side(class))
    }
}

crate::persist::persist!([R] Binary<R> as "binary" { rule });

impl<R> crate::sealed::Sealed for Binary<R> {}
