//! Rosenblatt's rule.

use super::{Evaluated, Rule, Step};
use crate::persist::Ready;

/// Adds every mistake with coefficient `y`; a score of zero is a mistake.
///
/// The perceptron, and the rule of every budget algorithm that only differs in
/// what it forgets. Takes no memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitSteps;

impl Ready for UnitSteps {}

impl Rule for UnitSteps {
    #[inline]
    fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step {
        Step::towards(example.label, 1.0, example.margin() <= 0.0)
    }
}

crate::persist::persist!([] UnitSteps as "unit-steps");
