//! The most similar `z_j` goes `0.05 k` of the way to `q`, or away from it if it is of the other class.

use pocketron::{
    budget::{Admission, Candidate, MergingAny, Nudging, Policy},
    label::Sign,
    memory::Inline,
};

use crate::formulas::{SIMILARITY, TestRng, similarity, weights};

const D: usize = 6;
const B: usize = 8;
type Memory = Inline<D, B, i8>;

/// A share is cut to 16 binary digits and has a similarity's error, over at most 255 levels; then comes rounding.
const LEVEL: f64 = 0.5 + 255.0 * (1.0 / 65_536.0 + 0.05 * 3e-4);

#[test]
fn the_nearest_vector_gives_way_as_far_as_the_formula_says() {
    let mut rng = TestRng::new(1);
    let (mut moved, mut away) = (0, 0);
    for state in 0..500 {
        let kernel = rng.kernel::<D>(2.0);
        let reach = rng.even(20.0, 100.0);
        // A slot is free, so that the policy behind it only appends.
        let set = rng.vectors::<D, B>(B - 1, reach);
        let x = rng.point::<D>(reach);
        let coefficient = rng.even(0.05, 1.0) as f32 * rng.sign();
        let row = set.similarities(&kernel, &x);
        let candidate = Candidate::<Memory> {
            x: &x,
            label: Sign::of(coefficient),
            id: None,
            score: 0.0,
            row: &row[..set.len()],
            self_similarity: 1.0,
            nearest: None,
        };
        let mut after = set.clone();
        let mut policy = Nudging::new(MergingAny);
        let admission = policy.admit(&kernel, &mut after, &candidate, coefficient);
        assert_eq!(admission, Admission::Inserted);
        assert_eq!(after.point(B - 1), x);

        let weights = weights(&kernel);
        let near: Vec<f64> = (0..set.len())
            .map(|slot| similarity(&weights, &set.point(slot), &x))
            .collect();
        let most = near.iter().copied().fold(0.0, f64::max);
        for (slot, near) in near.iter().enumerate() {
            let (own, now) = (set.point(slot), after.point(slot));
            // Who else could be taken for the nearest may be the one that moves.
            let (relative, absolute) = SIMILARITY;
            let nearly = *near >= most - 2.0 * (relative * most + absolute);
            if now == own && *near < most || !nearly {
                assert_eq!(now, own, "{state}: only the nearest moves");
                continue;
            }
            let agrees = (set.alpha(slot) > 0.0) == (coefficient > 0.0);
            let share = if agrees { 0.05 * near } else { -0.05 * near };
            for ((own, now), x) in own.iter().zip(now).zip(x) {
                let (own, x) = (f64::from(*own), f64::from(x));
                let expected = (own + share * (x - own)).clamp(-127.0, 127.0);
                let off = f64::from(now) - expected;
                assert!(off.abs() <= LEVEL, "{state}: {own} {now} {expected}");
            }
            if now != own {
                moved += 1;
                away += usize::from(!agrees);
            }
        }
    }
    assert!(
        moved > 100 && away > 30,
        "{moved} {away}: too few to say much"
    );
}
