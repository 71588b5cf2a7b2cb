//! Several classes out of two.
//!
//! The highest score wins; a tie goes to the lowest class. A class
//! takes part from its first example on, so that classes can be added while the
//! device is in use, up to the capacity `C`. In [`FixedClasses`] all `C` classes
//! take part from the first example of any class on, as in the papers.
//!
//! | learner | stores | choose it |
//! |---|---|---|
//! | [`OneVsRest`] | `C` binary learners of any kind | when classes need their own histories or budgets |
//! | [`SharedSupport`] | every point once, `C` coefficients each | for other kernels and policies: similarities are computed once for all classes |
//! | [`PocketronMulti`](crate::learners::PocketronMulti) | bytes: `D` for a point, `C` for its coefficients | otherwise |
//!
//! The first two train one binary problem per class, that class against the rest.

mod classwise;
mod fixed_classes;
mod one_vs_rest;
mod shared_support;

pub use fixed_classes::FixedClasses;
pub use one_vs_rest::OneVsRest;
pub use shared_support::SharedSupport;

use classwise::{AllClasses, ClasswiseLearner, Participants, SeenClasses};

use crate::{
    error::InputError,
    label::{Class, Sign},
    persist::{Blank, ImageError, Persist, Reader, Shape, Writer},
};

/// Examples learned of each class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ClassStats<const C: usize> {
    seen: [u32; C],
}

impl<const C: usize> Blank for ClassStats<C> {
    const BLANK: Self = {
        assert!(C >= 2 && C <= 256, "between 2 and 256 classes");
        ClassStats { seen: [0; C] }
    };
}

impl<const C: usize> ClassStats<C> {
    fn check(&self, class: Class) -> Result<(), InputError> {
        if usize::from(class.0) < C {
            Ok(())
        } else {
            Err(InputError::UnknownClass)
        }
    }

    fn count(&mut self, class: Class) {
        if let Some(seen) = self.seen.get_mut(usize::from(class.0)) {
            *seen = seen.saturating_add(1);
        }
    }

    fn seen(&self, class: Class) -> u32 {
        self.seen.get(usize::from(class.0)).copied().unwrap_or(0)
    }

    fn takes_part<P: Participants>(&self, class: Class) -> bool {
        P::includes(self.seen(class))
    }

    /// The class with the highest score among those that take part, and that score.
    fn winner<P: Participants>(&self, scores: &[f32; C]) -> (Class, f32) {
        let mut best: Option<(Class, f32)> = None;
        for (class, score) in (0..=u8::MAX).map(Class).zip(scores) {
            if self.takes_part::<P>(class) && best.is_none_or(|(_, highest)| *score > highest) {
                best = Some((class, *score));
            }
        }
        best.unwrap_or((Class(0), 0.0))
    }
}

/// Side of an example of `truth` in the problem of `class`.
fn side(class: Class, truth: Class) -> Sign {
    if class == truth { Sign::Pos } else { Sign::Neg }
}

impl<const C: usize> Persist for ClassStats<C> {
    fn shape(&self, shape: &mut Shape<'_>) {
        shape.number(C);
    }

    fn save(&self, writer: &mut Writer<'_>) {
        writer.with_slots(|writer| self.seen.save(writer));
    }

    fn load(&mut self, reader: &mut Reader<'_>) -> Result<(), ImageError> {
        reader.with_slots(|reader| self.seen.load(reader))
    }
}
