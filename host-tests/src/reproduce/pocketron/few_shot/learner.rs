//! The learner under test. No other file of these tables names its type.

use anyhow::Result;
use pocketron::rule::MarginRule;

use crate::{
    classes::{self, ClassLearner, ClassSettings, Movers, pocketron_bytes},
    learner::Algorithm,
    options::Name,
};

/// A part of the learner that can be switched off (ablation).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Nothing is switched off: the whole learner.
    None,
}

impl Part {
    /// All of them, the whole learner first.
    pub const ALL: [Part; 1] = [Part::None];

    /// What the learner is called without this part.
    pub fn name(self) -> &'static str {
        match self {
            Part::None => "Pocketron",
        }
    }
}

/// What all learners of these tables have in common.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Features.
    pub dim: usize,
    /// Classes.
    pub classes: usize,
    /// Support vectors at most.
    pub budget: usize,
}

/// The learner without one of its parts.
pub fn learner(without: Part, shape: Shape) -> Result<Box<dyn ClassLearner>> {
    match without {
        Part::None => {
            let settings = ClassSettings {
                kernel: None,
                budget: Some(shape.budget),
                rule: MarginRule::new(1.0),
                movers: Movers::Top,
            };
            let name = Name::Budget(Algorithm::Pocketron);
            classes::build(name, &settings, shape.dim, (1, 1))
        }
    }
}

/// Bytes of the whole learner.
pub fn bytes(shape: Shape) -> usize {
    pocketron_bytes(shape.dim, shape.classes, shape.budget, Movers::Top)
}
