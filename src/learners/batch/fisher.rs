//! Fisher's linear discriminant, a good place to start from.

use super::{Plane, Samples};
use crate::{hypothesis::Weights, label::Sign, persist::Blank};

/// Share of the mean variance that is added to every variance, so that features
/// that are constant or copies of others do no harm. Large enough for `f32` to
/// notice.
pub const SHRINKAGE: f32 = 1e-6;

/// Fisher's linear discriminant: `w = S^-1 (m+ - m-)` with `m` the weighted means
/// of the classes and `S` their pooled covariance, plus [`SHRINKAGE`] times the
/// mean variance on the diagonal. The bias is `-(P- m+ . w + P+ m- . w)`, with `P+`
/// and `P-` the shares of the classes in all weight: the boundary is nearer to the
/// mean of the class with less weight. Where the classes have no variance at all,
/// `S` is one on the diagonal: then `w` leads from one mean to the other.
///
/// The zero plane when a class is missing, when their means are the same, and when
/// the numbers are too large to be squared. Takes `4 D^2 + 20 D` bytes of stack,
/// and `N D (D + 4) + D^3 / 2` multiplications.
pub fn fisher<const D: usize>(samples: &Samples<'_, D>) -> Plane<D> {
    discriminant(samples, Boundary::ClassWeighted)
}

/// Position of the boundary between the projected means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Boundary {
    /// Nearer to the mean of the class with less weight.
    ClassWeighted,
    /// In the middle.
    Midway,
}

#[inline(never)] // large, and called from every kind of training
pub(super) fn discriminant<const D: usize>(
    samples: &Samples<'_, D>,
    boundary: Boundary,
) -> Plane<D> {
    let means = (mean(samples, Sign::Pos), mean(samples, Sign::Neg));
    let (Some((positive, positives)), Some((negative, negatives))) = means else {
        return Plane::BLANK;
    };
    let mut weights = positive;
    weights.add_weights(&negative, -1.0);
    let mut covariance = covariance(samples, &positive, &negative);
    solve(&mut covariance, &mut weights);
    let (upper, lower) = (weights.dot(&positive), weights.dot(&negative));
    let bias = match boundary {
        Boundary::ClassWeighted => {
            -(negatives * upper + positives * lower) / (positives + negatives)
        }
        Boundary::Midway => -0.5 * (upper + lower),
    };
    let plane = Plane { weights, bias };
    if plane.is_finite() {
        plane
    } else {
        Plane::BLANK
    }
}

/// Weighted mean of a class and its weight, `None` when it has none.
fn mean<const D: usize>(samples: &Samples<'_, D>, class: Sign) -> Option<([f32; D], f32)> {
    let (mut sum, mut total) = ([0.0; D], 0.0);
    for (x, _, weight) in samples.iter().filter(|(_, label, _)| *label == class) {
        sum.add_weights(x, weight);
        total += weight;
    }
    sum.scale(1.0 / total);
    (total > 0.0).then_some((sum, total))
}

/// Pooled covariance of the classes, shrunk towards equal variances.
fn covariance<const D: usize>(
    samples: &Samples<'_, D>,
    positive: &[f32; D],
    negative: &[f32; D],
) -> [[f32; D]; D] {
    let mut covariance = [[0.0; D]; D];
    let share = 1.0 / samples.total();
    for (x, label, weight) in samples.iter() {
        let mut centred = *x;
        let mean = match label {
            Sign::Pos => positive,
            Sign::Neg => negative,
        };
        centred.add_weights(mean, -1.0);
        for (row, own) in covariance.iter_mut().zip(&centred) {
            row.add_weights(&centred, share * weight * own);
        }
    }
    let variances = covariance.iter().enumerate().map(|(i, row)| entry(row, i));
    let trace = variances.fold(0.0, |sum, variance| sum + variance);
    let shrinkage = SHRINKAGE * trace / D as f32;
    let ridge = if shrinkage > 0.0 { shrinkage } else { 1.0 };
    for (i, row) in covariance.iter_mut().enumerate() {
        if let Some(variance) = row.get_mut(i) {
            *variance += ridge;
        }
    }
    covariance
}

/// Solves `a z = b` in place of `b` by elimination; `a` is symmetric and positive
/// definite, so that no rows need to be exchanged. A row in which nothing is left
/// gives zero.
fn solve<const D: usize>(a: &mut [[f32; D]; D], b: &mut [f32; D]) {
    for k in 0..D {
        let rest = a.get_mut(k..).and_then(<[_]>::split_first_mut);
        let right = b.get_mut(k..).and_then(<[_]>::split_first_mut);
        let (Some((pivot_row, below)), Some((known, unknown))) = (rest, right) else {
            return;
        };
        for (row, z) in below.iter_mut().zip(unknown) {
            let factor = quotient(entry(row, k), entry(pivot_row, k));
            row.add_weights(pivot_row, -factor);
            *z -= factor * *known;
        }
    }
    for (k, row) in a.iter().enumerate().rev() {
        let solved = row.iter().zip(b.iter()).skip(k + 1);
        let explained = solved.fold(0.0, |sum, (a, z)| sum + a * z);
        if let Some(z) = b.get_mut(k) {
            *z = quotient(*z - explained, entry(row, k));
        }
    }
}

fn entry(row: &[f32], k: usize) -> f32 {
    row.get(k).copied().unwrap_or(0.0)
}

fn quotient(part: f32, pivot: f32) -> f32 {
    if pivot > 0.0 { part / pivot } else { 0.0 }
}
