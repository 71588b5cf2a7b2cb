//! Slow, obvious versions of the learners over a finite set.
//!
//! A plane is a vector whose first entry is the bias, an example a vector whose first entry is one.

use super::generator::Xorshift32;

/// A labelled, weighted example.
#[derive(Clone, Debug)]
pub struct Weighted {
    /// Features after a leading one.
    pub x: Vec<f64>,
    /// -1 or +1.
    pub y: f64,
    /// How much it counts.
    pub weight: f64,
}

/// `a . b`.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Weight on the wrong side; a score of zero is wrong.
pub fn wrong(examples: &[Weighted], plane: &[f64]) -> f64 {
    let wrong = |one: &&Weighted| one.y * dot(plane, &one.x) <= 0.0;
    examples.iter().filter(wrong).map(|one| one.weight).sum()
}

/// `plane + factor * direction`.
pub fn moved(plane: &[f64], direction: &[f64], factor: f64) -> Vec<f64> {
    let pairs = plane.iter().zip(direction);
    pairs.map(|(w, d)| w + factor * d).collect()
}

/// Weight on the wrong side at `plane + factor * direction`. The two parts of a score are kept apart: an
/// example without slope must not move by the rounding of the sum.
pub fn wrong_along(examples: &[Weighted], plane: &[f64], direction: &[f64], factor: f64) -> f64 {
    let score = |one: &Weighted| dot(plane, &one.x) + factor * dot(direction, &one.x);
    let wrong = examples.iter().filter(|one| one.y * score(one) <= 0.0);
    wrong.map(|one| one.weight).sum()
}

/// The least weight on the wrong side along a line, and the first interval that has it: every interval is
/// tried, and everything is counted anew.
pub fn least_wrong(
    examples: &[Weighted],
    plane: &[f64],
    direction: &[f64],
) -> (f64, std::ops::Range<f64>) {
    let slope = |one: &Weighted| dot(direction, &one.x);
    let sloping = examples.iter().filter(|one| slope(one) != 0.0);
    let mut places: Vec<f64> = sloping
        .map(|one| -dot(plane, &one.x) / slope(one))
        .collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let ends = [&[f64::NEG_INFINITY], &places[..], &[f64::INFINITY]].concat();
    let mut best = (f64::INFINITY, 0.0..0.0);
    for interval in ends.windows(2) {
        let inside = match (interval[0].is_finite(), interval[1].is_finite()) {
            (true, true) => (interval[0] + interval[1]) / 2.0,
            (true, false) => interval[0] + 1.0,
            (false, true) => interval[1] - 1.0,
            (false, false) => 0.0,
        };
        let loss = wrong_along(examples, plane, direction, inside);
        if loss < best.0 {
            best = (loss, interval[0]..interval[1]);
        }
    }
    best
}

/// Fisher's discriminant by explicit inversion, with the class-weighted bias: bias first.
pub fn fisher(examples: &[Weighted], shrinkage: f64) -> Vec<f64> {
    let dim = examples[0].x.len() - 1;
    let class = |y: f64| examples.iter().filter(move |one| one.y == y);
    let mean = |y: f64| -> Vec<f64> {
        let total: f64 = class(y).map(|one| one.weight).sum();
        let sum = |j: usize| class(y).map(|one| one.weight * one.x[j + 1]).sum::<f64>();
        (0..dim).map(|j| sum(j) / total).collect()
    };
    let (positive, negative) = (mean(1.0), mean(-1.0));
    let total: f64 = examples.iter().map(|one| one.weight).sum();
    let mut covariance = vec![vec![0.0; dim]; dim];
    for one in examples {
        let mean = if one.y > 0.0 { &positive } else { &negative };
        for (i, row) in covariance.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry += one.weight * (one.x[i + 1] - mean[i]) * (one.x[j + 1] - mean[j]) / total;
            }
        }
    }
    let trace: f64 = (0..dim).map(|i| covariance[i][i]).sum();
    for (i, row) in covariance.iter_mut().enumerate() {
        row[i] += shrinkage * trace / dim as f64;
    }
    let inverse = inverse(covariance);
    let difference = moved(&positive, &negative, -1.0);
    let weights: Vec<f64> = inverse.iter().map(|row| dot(row, &difference)).collect();
    let share = |y: f64| class(y).map(|one| one.weight).sum::<f64>() / total;
    let of_mean = |mean: &[f64], other: f64| share(other) * dot(&weights, mean);
    let bias = -(of_mean(&positive, -1.0) + of_mean(&negative, 1.0));
    [vec![bias], weights].concat()
}

/// The bias that puts the boundary of `plane` midway between the projected means of the classes.
pub fn midway(examples: &[Weighted], plane: &[f64]) -> f64 {
    let projected = |y: f64| {
        let class = || examples.iter().filter(move |one| one.y == y);
        let sum: f64 = class()
            .map(|one| one.weight * dot(&plane[1..], &one.x[1..]))
            .sum();
        sum / class().map(|one| one.weight).sum::<f64>()
    };
    -(projected(1.0) + projected(-1.0)) / 2.0
}

/// Gauss and Jordan, with the largest pivot of each column.
fn inverse(mut a: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = a.len();
    for (i, row) in a.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(i == j)));
    }
    for k in 0..n {
        let largest = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()));
        a.swap(k, largest.expect("a row"));
        let pivot = a[k][k];
        a[k].iter_mut().for_each(|entry| *entry /= pivot);
        let pivot_row = a[k].clone();
        for (i, row) in a.iter_mut().enumerate() {
            if i != k {
                *row = moved(row, &pivot_row, -row[k]);
            }
        }
    }
    a.into_iter().map(|row| row[n..].to_vec()).collect()
}

/// The pocket algorithm with ratchet over `epochs` times as many draws as there are examples, all with the
/// same chance; what is in the pocket, and every plane that was looked at with its weight on the wrong side.
pub fn pocket(examples: &[Weighted], epochs: usize, seed: u32) -> (Vec<f64>, Vec<(Vec<f64>, f64)>) {
    let mut generator = Xorshift32::new(seed);
    let mut present = vec![0.0; examples[0].x.len()];
    let mut best = present.clone();
    let mut least = wrong(examples, &best);
    let (mut run, mut record) = (0, 0);
    let mut looked_at = Vec::new();
    for _ in 0..epochs * examples.len() {
        // 24 bits of the draw.
        let drawn = ((generator.draw() >> 8) as usize * examples.len()) >> 24;
        let one = &examples[drawn];
        if one.y * dot(&present, &one.x) <= 0.0 {
            present = moved(&present, &one.x, one.y);
            run = 0;
            continue;
        }
        run += 1;
        if run > record {
            let loss = wrong(examples, &present);
            looked_at.push((present.clone(), loss));
            if loss < least {
                (best, least, record) = (present.clone(), loss, run);
            }
        }
    }
    (best, looked_at)
}

/// The pocket algorithm with ratchet on uniform draws, of which each counts as much as its weight; what is in the
/// pocket.
pub fn reweighted_pocket(examples: &[Weighted], epochs: usize, seed: u32) -> Vec<f64> {
    let mut generator = Xorshift32::new(seed);
    let mut present = vec![0.0; examples[0].x.len()];
    let mut best = present.clone();
    let mut least = wrong(examples, &best);
    let (mut run, mut record) = (0.0, 0.0);
    for _ in 0..epochs * examples.len() {
        let one = &examples[generator.below(examples.len())];
        if one.weight > 0.0 && one.y * dot(&present, &one.x) <= 0.0 {
            present = moved(&present, &one.x, one.weight * one.y);
            run = 0.0;
            continue;
        }
        run += one.weight;
        if run > record {
            let loss = wrong(examples, &present);
            if loss < least {
                (best, least, record) = (present.clone(), loss, run);
            }
        }
    }
    best
}

/// The averaged perceptron on uniform draws, of which each counts as much as its weight.
pub fn reweighted_average(examples: &[Weighted], epochs: usize, seed: u32) -> Vec<f64> {
    let mut generator = Xorshift32::new(seed);
    let mut present = vec![0.0; examples[0].x.len()];
    let mut sum = present.clone();
    let mut run = 0.0;
    for _ in 0..epochs * examples.len() {
        let one = &examples[generator.below(examples.len())];
        if one.weight > 0.0 && one.y * dot(&present, &one.x) <= 0.0 {
            sum = moved(&sum, &present, run);
            present = moved(&present, &one.x, one.weight * one.y);
            run = one.weight;
        } else {
            run += one.weight;
        }
    }
    moved(&sum, &present, run)
}

/// AdaBoost over planes that are given: the vote of each, and the weights at the end, with a mean of one.
pub fn adaboost(examples: &[Weighted], planes: &[Vec<f64>]) -> (Vec<f64>, Vec<f64>) {
    let mut examples = examples.to_vec();
    let mut votes = Vec::new();
    for plane in planes {
        let total: f64 = examples.iter().map(|one| one.weight).sum();
        let error = wrong(&examples, plane) / total;
        let vote = 0.5 * ((1.0 - error) / error).ln();
        for one in &mut examples {
            let right = one.y * dot(plane, &one.x) > 0.0;
            one.weight *= if right { -vote } else { vote }.exp();
        }
        votes.push(vote);
    }
    let total: f64 = examples.iter().map(|one| one.weight).sum();
    let mean = total / examples.len() as f64;
    let weights = examples.iter().map(|one| one.weight / mean).collect();
    (votes, weights)
}
