//! Rows with zeros in them.

use pocketron::label::Sign;
use proptest::{collection::vec, prelude::*};

pub const D: usize = 6;
pub type Rows = Vec<([f32; D], Sign)>;

/// Rows with zeros in them, some of zeros alone, and numbers of any size in between.
pub fn rows() -> impl Strategy<Value = Rows> {
    let feature = prop_oneof![2 => Just(0.0f32), 1 => Just(-0.0f32), 3 => -2.0f32..2.0];
    let x: [_; D] = std::array::from_fn(|_| feature.clone());
    let label = any::<bool>().prop_map(|positive| if positive { Sign::Pos } else { Sign::Neg });
    vec((x, label), 1..40)
}
