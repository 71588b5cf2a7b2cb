//! The default learner for several classes.

use pocketron::{
    learners::continual::{AllViolating, AnnealedSteps},
    prelude::*,
};

use super::{BUDGET, Failed, Visitor};
use crate::sensor::{FEATURES, Sensor};

const CLASSES: usize = 4;

type Classes = PocketronMulti<FEATURES, BUDGET, CLASSES>;
type ByClass =
    PocketronMulti<FEATURES, BUDGET, CLASSES, AllViolating<AnnealedSteps<35, 3>, CLASSES>>;

pub(super) fn visit(visitor: &mut impl Visitor) -> Result<(), Failed> {
    // Rehearsals of absent classes, and vectors that come to be doubted.
    let taught = || Sensor::noisy_fields().taught(CLASSES as u32);
    visitor.visit_classes("pocketron-classes", Classes::new(), Sensor::fields())?;
    visitor.visit_classes("pocketron-classes-taught", Classes::new(), taught())?;
    let each = ByClass::new;
    visitor.visit_classes("pocketron-classes-each", each(), Sensor::fields())?;
    visitor.visit_classes("pocketron-classes-each-taught", each(), taught())
}
