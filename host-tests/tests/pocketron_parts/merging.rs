//! Without a slot for the example, the vector of least `|a|` is merged: with whom it loses least, of either class.

use pocketron::{
    budget::{Admission, Candidate, MergingAny, Policy},
    label::Sign,
    memory::Inline,
};

use crate::{
    formulas::{STEP, TestRng, distance, similarity, weights},
    mergers::{Pair, Place},
};

const D: usize = 4;
const B: usize = 12;
type Memory = Inline<D, B, i8>;

/// The core ranks partners by the root of what they lose, which its table has to 2 %, for ratios of 8 binary digits to
/// 3 %; similarities are off by 3e-4, and the table multiplies that by up to 1.5.
const RANK: f64 = 0.03;
const NEAR: f64 = 5e-4;
/// Coefficients are whole multiples of 2^-15 of the largest.
const WHOLE: f64 = 1.0 / 16_384.0;

/// What merging loses: a partner of the other class stays where it is.
fn place(own: f64, other: f64, exponent: f64) -> Place {
    let pair = Pair::new(&[own], &[other], exponent);
    if own * other > 0.0 {
        pair.best()
    } else {
        pair.at(0.0)
    }
}

#[test]
fn the_weakest_vector_merges_with_whom_it_loses_least() {
    let mut rng = TestRng::new(2);
    let (mut across, mut best_ones, mut worst) = (0, 0, 0.0_f64);
    let states = 600;
    for state in 0..states {
        let kernel = rng.kernel::<D>(1.5);
        let reach = rng.even(10.0, 70.0);
        let set = rng.vectors::<D, B>(B, reach);
        let x = rng.point::<D>(reach);
        let coefficient = rng.even(0.05, 1.0) as f32 * rng.sign();
        let candidate = Candidate::<Memory> {
            x: &x,
            label: Sign::of(coefficient),
            id: None,
            score: 0.0,
            row: &set.similarities(&kernel, &x),
            self_similarity: 1.0,
            nearest: None,
        };
        let mut after = set.clone();
        let admission = MergingAny.admit(&kernel, &mut after, &candidate, coefficient);
        let Admission::Merged { into, freed } = admission else {
            panic!("{state}: somebody is always there: {admission:?}");
        };

        // Position `B` stands for the example.
        let points: Vec<[i8; D]> = (0..B).map(|slot| set.point(slot)).chain([x]).collect();
        let alphas: Vec<f64> = set
            .coefficients()
            .chain([coefficient])
            .map(f64::from)
            .collect();
        let largest = alphas.iter().fold(0.0, |most, alpha| alpha.abs().max(most));
        let weakest = freed.unwrap_or(B);
        let least = alphas
            .iter()
            .fold(f64::MAX, |least, alpha| alpha.abs().min(least));
        assert!(alphas[weakest].abs() <= least + WHOLE * largest, "{state}");

        let weights = weights(&kernel);
        let exponent =
            |other: usize| -3.0 / D as f64 * distance(&weights, &points[weakest], &points[other]);
        let root = |other: usize| {
            let place = place(alphas[weakest], alphas[other], exponent(other));
            place.loss.max(0.0).sqrt() / alphas[weakest].abs()
        };
        let others = (0..=B).filter(|other| *other != weakest);
        let least = others.map(root).fold(f64::MAX, f64::min);
        let chosen = root(into);
        let allowed = least * (1.0 + RANK) / (1.0 - RANK) + 2.0 * NEAR;
        assert!(
            chosen <= allowed,
            "{state}: {chosen} where {least} is possible"
        );
        worst = worst.max(chosen / least);
        best_ones += usize::from(chosen <= least);

        // The union itself: nobody else moved, and it is as good as the best one.
        let (own, other) = (alphas[weakest], alphas[into]);
        let pair = Pair::new(&[own], &[other], exponent(into));
        let union = place(own, other, exponent(into));
        let (mut slot, mut found) = (0, None);
        for (position, point) in points.iter().enumerate() {
            if position == weakest {
                continue;
            }
            let (now, alpha) = (after.point(slot), f64::from(after.alpha(slot)));
            slot += 1;
            if position == into {
                found = Some((now, alpha));
            } else {
                assert_eq!(now, *point, "{state}");
                assert!(
                    (alpha - alphas[position]).abs() <= WHOLE * largest,
                    "{state}"
                );
            }
        }
        let (z, alpha) = found.expect("the union is in a slot");
        if own * other <= 0.0 {
            across += 1;
            assert_eq!(
                z, points[into],
                "{state}: a partner of the other class stays"
            );
        }
        let (i, j) = pair.kept(union.share);
        let exact = own * i + other * j;
        if pair.is_near() || own * other <= 0.0 {
            // Where most is kept it hardly changes, so that it does not matter where exactly the search ended.
            let off = alpha - exact;
            assert!(
                off.abs() <= NEAR * exact.abs() + WHOLE * largest,
                "{state}: {alpha} {exact}"
            );
        }
        // At the place where it was stored: half a level in each feature, over all that the coefficient is worth.
        let kept = own * similarity(&weights, &points[weakest], &z)
            + other * similarity(&weights, &points[into], &z);
        let half_a_level: f64 =
            3.0 / D as f64 * weights.iter().sum::<f64>() * (0.51 * STEP).powi(2);
        let off = exact.abs() * (2.0 * half_a_level).sqrt() + NEAR * largest;
        assert!(
            (alpha - kept).abs() <= off,
            "{state}: {alpha} where {kept} fits"
        );
        assert!(
            kept.abs() >= exact.abs() - off || !pair.is_near(),
            "{state}: {kept} is kept where {exact} is possible"
        );
    }
    println!("{across} across, {best_ones} best of {states}, worst {worst}");
    assert!(across > 50, "{across}");
    assert!(best_ones * 10 > states * 9, "{best_ones}");
}
