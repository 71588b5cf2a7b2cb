//! The most similar `z_j` goes `0.05 k` of the way to `q`, or away from it if its coefficients go the other way; with
//! settled steps less far.

use pocketron::{
    learners::continual::{AnnealedSteps, BestWrongClass, CoefficientRow, Tuning},
    num::rng::XorShift32,
    prelude::*,
};

use crate::{
    classes::{B, Model, clouds, standardised},
    formulas::{SIMILARITY, similarity, weights},
};

/// Nothing but moves, in a model that is not full.
#[derive(Clone, Debug)]
struct Moving;

impl Tuning for Moving {
    const REHEARSAL: bool = false;
    const ABSENCE: bool = false;
    const QUOTA: bool = false;
    const REMAPPING: bool = false;
}

/// A share is cut to 16 binary digits and has a similarity's error, over at most 255 levels; then comes rounding.
const LEVEL: f64 = 0.5 + 255.0 * (1.0 / 65_536.0 + 0.05 * 3e-4);

#[test]
fn the_nearest_vector_gives_way_as_far_as_the_formula_says() {
    let (mut moved, mut away) = (0, 0);
    for seed in 0..60 {
        let mut model = Model::<BestWrongClass<AnnealedSteps<35, 3>>, Moving>::new();
        for (x, class) in clouds(seed, 200) {
            let before = model.clone();
            let changed = model.learn(&x, class).expect("good").changed();
            let set = before.vectors();
            if set.len() == B {
                break;
            }
            let x = standardised(model.moments(), &x);
            if !changed {
                for slot in 0..set.len() {
                    assert_eq!(model.vectors().point(slot), set.point(slot));
                }
                continue;
            }
            // Before the first merger all steps have the full mobility.
            let row = model.vectors().row(set.len());
            let weights = weights(before.kernel());
            let near: Vec<f64> = (0..set.len())
                .map(|slot| similarity(&weights, &set.point(slot), &x))
                .collect();
            let most = near.iter().copied().fold(0.0, f64::max);
            for (slot, near) in near.iter().enumerate() {
                let (own, now) = (set.point(slot), model.vectors().point(slot));
                // Who else could be taken for the nearest may be the one that moves.
                let (relative, absolute) = SIMILARITY;
                let nearly = *near >= most - 2.0 * (relative * most + absolute);
                if now == own && *near < most || !nearly {
                    assert_eq!(now, own, "only the nearest moves");
                    continue;
                }
                let agrees = set.row(slot).dot(&row) > 0;
                let share = if agrees { 0.05 * near } else { -0.05 * near };
                for ((own, now), x) in own.iter().zip(now).zip(x) {
                    let (own, x) = (f64::from(*own), f64::from(x));
                    let expected = (own + share * (x - own)).clamp(-127.0, 127.0);
                    let off = f64::from(now) - expected;
                    assert!(off.abs() <= LEVEL, "{own} {now} {expected}");
                }
                if now != own {
                    moved += 1;
                    away += usize::from(!agrees);
                }
            }
        }
    }
    assert!(
        moved > 100 && away > 30,
        "{moved} {away}: too few to say much"
    );
}

/// A row of a step and parts of it; the largest value has seven digits, and the rest is rounded to half a unit.
fn holds_to_half_a_unit(size: f32) {
    let steps = [size, -size, 0.3 * size, 0.0];
    let row = CoefficientRow::of(&steps, &mut XorShift32::new(5));
    let unit = 2_f32.powi(row.exponent() as i32 - 15);
    assert!(row.values().iter().any(|value| value.unsigned_abs() >= 63));
    for (class, step) in steps.iter().enumerate() {
        let off = (row.coefficient(class) - step).abs();
        assert!(off <= 0.501 * unit, "{step} {row:?}");
    }
}

#[test]
fn a_row_holds_steps_to_half_a_unit() {
    for size in [1.0, 0.95, 0.7, 0.5, 0.3, 0.05, 0.005, 10.0, 100.0] {
        holds_to_half_a_unit(size);
    }
}

#[test]
fn a_row_holds_steps_just_below_a_power_of_two() {
    holds_to_half_a_unit(0.99);
    holds_to_half_a_unit(0.124);
}
