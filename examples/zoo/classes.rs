//! The default learner for several classes.

use pocketron::{multiclass::Each, prelude::*, rule::SelfTuned};

use super::{BUDGET, Failed, Visitor};
use crate::sensor::FEATURES;

const CLASSES: usize = 4;

pub(super) fn visit(visitor: &mut impl Visitor) -> Result<(), Failed> {
    const D: usize = FEATURES;
    const B: usize = BUDGET;
    let top = PocketronMulti::<D, B, CLASSES>::new();
    visitor.visit_classes("pocketron-classes", top)?;
    let each = PocketronMulti::<D, B, CLASSES, Each<SelfTuned, CLASSES>>::new();
    visitor.visit_classes("pocketron-classes-each", each)
}
