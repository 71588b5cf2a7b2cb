//! What goes around a learner: confidence, and drift.

#[path = "../common/kept.rs"]
mod kept;

mod calibration;
mod confident;
mod detector;
mod reactions;
mod restarts;
mod unknown;

use pocketron::prelude::*;
use pocketron_testkit::data::{DenseData, generate::Artificial, shuffle::SplitMix64};

/// Labelled examples of `D` features.
type Examples<const D: usize> = Vec<([f32; D], Sign)>;

fn examples<const D: usize>(data: &DenseData) -> Examples<D> {
    let row = |(x, label): (&[f64], f64)| {
        let x = std::array::from_fn(|feature| x[feature] as f32);
        (x, Sign::of(label as f32))
    };
    data.iter().map(row).collect()
}

/// Points in two colours, of whose labels so many percent are wrong.
fn yinyang(n: usize, seed: u64, wrong: u64) -> Examples<2> {
    let mut data = examples(&Artificial::YinYang.draw(n, seed));
    let mut rng = SplitMix64::new(seed);
    for (_, label) in &mut data {
        if rng.below(100) < wrong {
            *label = Sign::of(-label.value());
        }
    }
    data
}

/// The same with all labels turned round.
fn turned<const D: usize>(examples: &Examples<D>) -> Examples<D> {
    let turn = |(x, label): &([f32; D], Sign)| (*x, Sign::of(-label.value()));
    examples.iter().map(turn).collect()
}
