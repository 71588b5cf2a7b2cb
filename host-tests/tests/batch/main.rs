//! Learners over a finite set: laws, images, and agreement with slow float64 versions.

#[path = "../../on-target/src/all_learners/mod.rs"]
mod all_learners;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/kept.rs"]
mod kept;
#[path = "../../../examples/sensor/mod.rs"]
mod sensor;

mod boosting;
mod descent;
mod directions;
mod fisher;
mod images;
mod inputs;
mod line_search;
mod passes;
mod pocket;
mod replay;
mod theorems;

use pocketron::learners::batch::{Directions, Draw};

const ALL: [Directions; 5] = [
    Directions::Plain,
    Directions::Bias,
    Directions::Gradient,
    Directions::AnyExample,
    Directions::Cyclic,
];

const DRAWS: [Draw; 4] = [
    Draw::Uniform,
    Draw::FeatureNormal,
    Draw::UnitBias,
    Draw::StandardNormal,
];
