//! Every example counts once.

use super::{Evaluated, Rule, Step};
use crate::persist::Ready;

/// Servedio's average algorithm: adds every example, right or wrong, with
/// coefficient `y`, so that `w = sum y_i x_i`.
///
/// Tolerates label noise on data spread evenly around the origin; one pass.
#[derive(Clone, Copy, Debug, Default)]
pub struct Always;

impl Ready for Always {}

impl Rule for Always {
    #[inline]
    fn step<X: ?Sized, N>(&mut self, example: &Evaluated<'_, X, N>) -> Step {
        Step::towards(example.label, 1.0, true)
    }
}

crate::persist::persist!([] Always as "always");
