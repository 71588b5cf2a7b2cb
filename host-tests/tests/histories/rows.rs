//! Rows to learn, on a grid and off it.

use pocketron::{classifier::OnlineClassifier, label::Sign};
use proptest::{collection::vec, prelude::*};

use crate::common::streams::TestRng;

/// Features of an example.
pub const D: usize = 3;
/// Examples of a set at most.
pub const ROWS: usize = 40;
/// Epochs over it.
pub const EPOCHS: usize = 3;
/// Slots for a vector a step.
pub const MANY: usize = ROWS * EPOCHS;

/// Labelled examples.
pub type Rows = Vec<([f32; D], Sign)>;

fn label(positive: bool) -> Sign {
    if positive { Sign::Pos } else { Sign::Neg }
}

/// A grid of quarters: sums and products of it are exact, so that every order of addition gives the same.
pub fn grid() -> impl Strategy<Value = Rows> {
    let feature = (-4i8..=4).prop_map(|step| f32::from(step) / 4.0);
    let x = [feature.clone(), feature.clone(), feature];
    vec((x, any::<bool>().prop_map(label)), 1..=ROWS)
}

/// Points of a cube, labelled by a plane with some noise.
pub fn cube(seed: u64) -> Rows {
    let mut rng = TestRng::new(seed);
    let mut example = || {
        let x = [rng.even(), rng.even(), rng.even()];
        (
            x,
            label((x[0] + 0.5 * x[1] - 0.3 * x[2] > 0.0) != rng.chance(0.2)),
        )
    };
    (0..ROWS).map(|_| example()).collect()
}

/// The model, once it has seen all rows.
pub fn taught<C: OnlineClassifier<Input = [f32; D], Label = Sign>>(mut model: C, rows: &Rows) -> C {
    for (x, label) in rows {
        model.learn(x, *label).expect("finite");
    }
    model
}
