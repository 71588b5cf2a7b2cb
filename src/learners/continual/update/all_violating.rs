//! One-vs-rest: every class whose margin is violated.

use super::{StepContext, StepRule, Steps, Update};
use crate::{
    label::{Class, Sign},
    persist::{ImageError, Persist, Reader, Ready, Shape, Writer},
};

/// Update of several classes, one-vs-rest: each class has a rule of its own and takes a step if its margin is violated.
///
/// Scores of single classes mean something, and noise in one class does not slow down the others: the choice for few
/// classes that overlap. It costs a rule for every class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AllViolating<R, const C: usize> {
    rules: [R; C],
}

/// Least share of the largest step that the true class takes.
const OWNED: f32 = 1.0 / 32.0;

crate::persist::blank!([R; const C: usize] AllViolating<R, C> { rules });

impl<R: Ready, const C: usize> Ready for AllViolating<R, C> {}

impl<R: StepRule, const C: usize> Update<C, C> for AllViolating<R, C> {
    type Label = Class;

    fn steps(
        &mut self,
        scores: &[f32; C],
        present: &[bool; C],
        class: usize,
        context: &StepContext,
    ) -> Steps<C> {
        let mut steps = Steps::NONE;
        let rules = self.rules.iter_mut().zip(present).enumerate();
        for ((index, (rule, present)), (score, step)) in rules.zip(scores.iter().zip(&mut steps.of))
        {
            let side = if index == class { Sign::Pos } else { Sign::Neg };
            let margin = side.value() * score;
            if *present && let Some(own) = rule.step(side, margin, context) {
                *step = side.value() * own.size;
                steps.mobility = steps.mobility.max(own.mobility);
                steps.mistake |= margin <= 0.0;
            }
        }
        // The vector belongs to its class even if only the others take a step.
        let least = OWNED * steps.largest();
        if let Some(step) = steps.of.get_mut(class) {
            *step = step.max(least);
        }
        steps
    }

    fn rehearse(
        &self,
        scores: &[f32; C],
        present: &[bool; C],
        class: usize,
        wanted: f32,
        slots: usize,
    ) -> Option<[f32; C]> {
        let mut steps = [0.0; C];
        let mut any = false;
        let rules = self.rules.iter().zip(present).enumerate();
        for ((index, (rule, present)), (score, step)) in rules.zip(scores.iter().zip(&mut steps)) {
            let side = if index == class { 1.0 } else { -1.0 };
            if *present && side * score <= wanted {
                *step = side * rule.rehearsal(slots);
                any = true;
            }
        }
        any.then_some(steps)
    }

    fn trust(&self, present: &[bool; C]) -> f32 {
        let taught = self
            .rules
            .iter()
            .zip(present)
            .filter(|(_, present)| **present);
        taught.map(|(rule, _)| rule.trust()).fold(1.0, f32::min)
    }

    fn forget(&mut self, class: usize) {
        if let Some(rule) = self.rules.get_mut(class) {
            *rule = R::BLANK;
        }
    }

    fn convert(&mut self, classes: usize, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        for class in 0..classes.max(C) {
            // Rules beyond those of this update are read and dropped.
            let mut other = R::BLANK;
            let rule = self.rules.get_mut(class).unwrap_or(&mut other);
            if class < classes {
                rule.load(reader)?;
            } else {
                reader.put(rule, R::BLANK);
            }
        }
        Ok(())
    }
}

/// Every rule has the same shape.
impl<R: Persist, const C: usize> Persist for AllViolating<R, C> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.part("each", |inside| {
            if let Some(rule) = self.rules.first() {
                rule.shape(inside);
            }
        });
    }

    fn save(&self, writer: &mut Writer<'_>) {
        for rule in &self.rules {
            rule.save(writer);
        }
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        self.rules.iter_mut().try_for_each(|rule| rule.load(reader))
    }
}

impl<R, const C: usize> crate::sealed::Sealed for AllViolating<R, C> {}
