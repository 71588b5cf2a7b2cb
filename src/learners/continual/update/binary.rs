//! Two classes, one score.

use super::{StepContext, StepRule, Steps, Update};
use crate::{label::Sign, persist::Ready};

/// Two classes, which have one score between them: positive for [`Sign::Pos`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Binary<R> {
    rule: R,
}

impl<R: Ready> Ready for Binary<R> {}

fn side(class: usize) -> Sign {
    if class == 1 { Sign::Pos } else { Sign::Neg }
}

impl<R: StepRule> Update<2, 1> for Binary<R> {
    type Label = Sign;

    #[inline]
    fn owner([value]: &[i8; 1]) -> usize {
        usize::from(*value > 0)
    }

    fn column(_: usize) -> Option<usize> {
        None
    }

    #[inline]
    fn winner([score]: &[f32; 1], present: &[bool; 2]) -> (usize, f32) {
        let class = match present {
            [false, true] => 1,
            [true, false] => 0,
            _ => usize::from(*score > 0.0),
        };
        (class, *score)
    }

    #[inline]
    fn margin([score]: &[f32; 1], _: &[bool; 2], class: usize) -> f32 {
        side(class).value() * score
    }

    fn steps(
        &mut self,
        scores: &[f32; 1],
        present: &[bool; 2],
        class: usize,
        context: &StepContext,
    ) -> Steps<1> {
        let margin = Self::margin(scores, present, class);
        let step = self.rule.step(side(class), margin, context);
        step.map_or(Steps::NONE, |step| Steps {
            of: [step.size * side(class).value()],
            mobility: step.mobility,
            mistake: margin <= 0.0,
        })
    }

    fn rehearse(
        &self,
        scores: &[f32; 1],
        present: &[bool; 2],
        class: usize,
        wanted: f32,
        slots: usize,
    ) -> Option<[f32; 1]> {
        let step = self.rule.rehearsal(slots) * side(class).value();
        (Self::margin(scores, present, class) <= wanted).then_some([step])
    }

    fn trust(&self, _: &[bool; 2]) -> f32 {
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
