//! Vectors with coefficients for several classes: the one of least `|A|` becomes one with whom it loses least, summed
//! over the classes.

use pocketron::{
    budget::Admission,
    label::Class,
    learners::continual::{AllViolating, AnnealedSteps, BestWrongClass, Update},
    prelude::*,
};

use crate::{
    classes::{
        B, C, Coefficients, D, Model, clouds, coefficients, norm, standardised, steps, unit,
    },
    formulas::{STEP, distance, similarity, weights},
    mergers::Pair,
};

/// The root of what partners are ranked by is off by at most 3 %, as in `merging`: the loss by twice that, either way.
const RANK: f64 = 1.06 / 0.94;
/// Losses, as shares of what the weakest vector is worth, that the core cannot tell apart.
const NEAR: f64 = 2e-3;
/// A sum of two rows is off by less than so many units: rounded at random, with factors of 15 digits.
const ROW: f64 = 1.01;

#[derive(Debug, Default)]
struct Tally {
    merged: usize,
    /// Mergers than which no other would have lost less.
    best: usize,
    /// Mergers of vectors whose coefficients are neither parallel nor at right angles.
    oblique: usize,
    /// Shares of what the weakest vectors were worth: lost with the chosen partner, and with the best.
    chosen: f64,
    least: f64,
}

/// Learns a stream, and compares every merger with the best one.
fn follow<U: Update<C, C, Label = Class> + Clone>(seed: u64, tally: &mut Tally) {
    let mut model = Model::<U>::new();
    for (x, class) in clouds(seed, 400) {
        compare(&mut model, &x, class, tally);
    }
}

fn compare<U: Update<C, C, Label = Class> + Clone>(
    model: &mut Model<U>,
    x: &[f32; D],
    class: Class,
    tally: &mut Tally,
) {
    let before = model.clone();
    let outcome = model.learn(x, class).expect("good");
    let Some(Admission::Merged { into, freed }) = outcome.admission else {
        return;
    };
    let x = &standardised(model.moments(), x);
    let steps = steps(&before, x, class).of.map(f64::from);
    let vectors = before.vectors();
    let mut points: Vec<[i8; D]> = (0..B).map(|slot| vectors.point(slot)).collect();
    let mut rows: Vec<Coefficients> = vectors.rows().iter().map(coefficients).collect();
    // Position `B` stands for the example.
    points.push(*x);
    rows.push(steps);
    let largest = rows.iter().map(norm).fold(0.0, f64::max);

    let weakest = freed.unwrap_or(B);
    let own = rows[weakest];
    let least = rows.iter().map(norm).fold(f64::MAX, f64::min);
    // A row of steps is rounded to 1/64 of the largest of them.
    assert!(
        norm(&own) <= 1.02 * least + 1e-4 * largest,
        "{own:?} is not the weakest"
    );
    if norm(&own) < 1e-3 * largest {
        // So little is left of it that it makes no difference with whom it merges.
        return;
    }

    // The kernel has learned from the example before it was merged.
    let weights = weights(model.kernel());
    let pair = |other: usize| {
        let exponent = -3.0 / D as f64 * distance(&weights, &points[weakest], &points[other]);
        Pair::new(&own, &rows[other], exponent)
    };
    let others = || (0..=B).filter(|other| *other != weakest);
    let worth = norm(&own).powi(2);
    let first = others().map(|other| pair(other).ranked());
    let (first, ranked) = (first.fold(f64::MAX, f64::min), pair(into).ranked());
    assert!(
        ranked <= RANK * first + NEAR * worth,
        "{ranked} where {first} is possible"
    );

    let least = others().map(|other| pair(other).best().loss);
    let (least, chosen) = (least.fold(f64::MAX, f64::min), pair(into).best().loss);
    tally.merged += 1;
    tally.best += usize::from(chosen <= least + NEAR * worth);
    tally.oblique += usize::from((0.1..0.9).contains(&pair(into).cosine()));
    tally.chosen += chosen / worth;
    tally.least += least / worth;

    // What was really stored in the place of the two.
    let slot = into - usize::from(into > weakest);
    let (z, row) = (model.vectors().point(slot), model.vectors().row(slot));
    let stored = coefficients(&row);
    let kept = |position: usize| similarity(&weights, &points[position], &z);
    let (i, j) = (kept(weakest), kept(into));
    let fitting: Coefficients = std::array::from_fn(|c| own[c] * i + rows[into][c] * j);
    let off: Coefficients = std::array::from_fn(|c| stored[c] - fitting[c]);
    // Pythagoras: what no coefficients could keep there, and what these are off by.
    let lost = (pair(into).both() - norm(&fitting).powi(2)).max(0.0) + norm(&off).powi(2);
    // Half a level in each feature, and a row's rounding.
    let level: f64 = 3.0 / D as f64 * weights.iter().sum::<f64>() * (0.52 * STEP).powi(2);
    let rounding = norm(&fitting) * (2.0 * level).sqrt() + (C as f64).sqrt() * ROW * unit(&row);
    let root = chosen.max(0.0).sqrt();
    if pair(into).is_near() {
        assert!(
            lost.sqrt() <= root + rounding,
            "{lost} lost where {chosen} is possible"
        );
    }
}

#[test]
fn rows_merge_with_whom_they_lose_least_over_all_classes() {
    let mut tally = Tally::default();
    for seed in 0..10 {
        follow::<BestWrongClass<AnnealedSteps<35, 3>>>(seed, &mut tally);
        follow::<AllViolating<AnnealedSteps<35, 3>, C>>(seed, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.merged > 1000 && tally.oblique > 100, "{tally:?}");
    // What they are ranked by is no more than that: the part across the partner's coefficients is taken along a little.
    assert!(tally.best * 100 > tally.merged * 97, "{tally:?}");
    assert!(tally.chosen < 1.01 * tally.least, "{tally:?}");
}
