//! The default learner for two classes, those for a rare one, and the one that needs no labels.

use pocketron::{prelude::*, rule::F1};

use super::{BUDGET, Failed, Visitor};
use crate::sensor::{FEATURES, Sensor};

pub(super) fn visit(visitor: &mut impl Visitor) -> Result<(), Failed> {
    let learner = Pocketron::<FEATURES, BUDGET>::new;
    visitor.visit("pocketron", learner(), Sensor::new())?;
    // Rehearsals of absent classes, and vectors that come to be doubted.
    visitor.visit("pocketron-taught", learner(), Sensor::new().taught(2))?;
    let balanced = PocketronRare::<FEATURES, BUDGET>::new;
    visitor.visit("pocketron-balanced", balanced(), Sensor::rare())?;
    let taught = Sensor::rare().taught(2);
    visitor.visit("pocketron-balanced-taught", balanced(), taught)?;
    let f1 = PocketronRare::<FEATURES, BUDGET, F1>::new();
    visitor.visit("pocketron-f1", f1, Sensor::rare())?;
    let normal = Normal::<FEATURES, BUDGET>::new();
    visitor.visit_classes("normal", normal, Sensor::unlabelled())
}
