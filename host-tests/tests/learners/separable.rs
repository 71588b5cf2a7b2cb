//! Points whose best separator is known, and what a margin is.

use pocketron::label::Sign;
use proptest::{collection::vec, prelude::*};

/// Features of these points.
pub const D: usize = 4;

/// A labelled point.
pub type Example = ([f32; D], Sign);

/// `a . b` in double precision.
pub fn dot(a: &[f64; D], b: &[f32; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * f64::from(*b)).sum()
}

/// `|x|` in double precision.
pub fn norm(x: &[f32; D]) -> f64 {
    x.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt()
}

/// The weights of a learner in double precision.
pub fn wide(weights: &[f32; D]) -> [f64; D] {
    weights.map(f64::from)
}

/// The length of the longest example.
pub fn radius(rows: &[Example]) -> f64 {
    rows.iter().map(|(x, _)| norm(x)).fold(0.0, f64::max)
}

/// A plane `u . x + b = 0`, `|u| = 1`.
#[derive(Clone, Debug)]
pub struct Plane {
    pub u: [f64; D],
    pub b: f64,
}

impl Plane {
    /// The same plane with a normal of length one.
    pub fn of(w: [f64; D], b: f64) -> Self {
        let length = w.iter().map(|w| w * w).sum::<f64>().sqrt();
        Plane {
            u: w.map(|w| w / length),
            b: b / length,
        }
    }

    /// `y (u . x + b)`.
    pub fn margin(&self, (x, label): &Example) -> f64 {
        f64::from(label.value()) * (dot(&self.u, x) + self.b)
    }

    /// The least margin of the examples that are `of` interest; infinite when there are none.
    pub fn least(&self, rows: &[Example], of: impl Fn(Sign) -> bool) -> f64 {
        let rows = rows.iter().filter(|(_, label)| of(*label));
        rows.map(|row| self.margin(row))
            .fold(f64::INFINITY, f64::min)
    }
}

/// Planes whose offset is at most `offset`.
pub fn plane(offset: f64) -> impl Strategy<Value = Plane> {
    let normal = proptest::array::uniform4(-1.0f64..1.0);
    let normal = normal.prop_filter("a direction", |w| w.iter().any(|w| w.abs() > 0.2));
    (normal, -offset..=offset).prop_map(|(w, b)| Plane {
        b,
        ..Plane::of(w, 0.0)
    })
}

/// Points of a cube, each pushed away from the plane by `gamma` on its own side.
pub fn separated(offset: f64, gamma: f64) -> impl Strategy<Value = (Plane, Vec<Example>)> {
    let points = vec(proptest::array::uniform4(-1.0f32..1.0), 2..60);
    (plane(offset), points).prop_map(move |(plane, points)| {
        let example = |x: [f32; D]| {
            let label = if dot(&plane.u, &x) + plane.b > 0.0 {
                Sign::Pos
            } else {
                Sign::Neg
            };
            let push = f64::from(label.value()) * gamma;
            let pushed = std::array::from_fn(|i| (f64::from(x[i]) + push * plane.u[i]) as f32);
            (pushed, label)
        };
        let rows = points.into_iter().map(example).collect();
        (plane, rows)
    })
}

/// Points of length one whose best margin through the origin is `gamma`: around the normal there is a pair of
/// opposite points for every other direction, so that leaning to any side costs margin on the other. Lengths
/// are then changed, labels and sides too, and points further off are added.
pub fn of_best_margin(gamma: f64) -> impl Strategy<Value = Vec<Example>> {
    let lengths = vec((0.5f64..3.0, any::<bool>()), 2 * (D - 1) + 4);
    let order = any::<u64>();
    (plane(0.0), lengths, order).prop_map(move |(plane, lengths, order)| {
        let basis = reflected(&plane.u);
        let side = (1.0 - gamma * gamma).sqrt();
        let pairs = (1..D)
            .flat_map(|k| [(k, side), (k, -side)])
            .map(|pair| (gamma, pair));
        let further = (0..4).map(|i| {
            let high = gamma + (1.0 - gamma) * (0.3 + 0.2 * f64::from(i));
            (
                high,
                (
                    1 + i as usize % (D - 1),
                    (1.0 - high * high).max(0.0).sqrt(),
                ),
            )
        });
        let rows =
            pairs
                .chain(further)
                .zip(lengths)
                .map(|((along, (k, across)), (length, positive))| {
                    let y = if positive { length } else { -length };
                    let x = std::array::from_fn(|i| {
                        (y * (along * basis[0][i] + across * basis[k][i])) as f32
                    });
                    (x, if positive { Sign::Pos } else { Sign::Neg })
                });
        let rows: Vec<Example> = rows.collect();
        let order = pocketron_testkit::data::shuffle::permutation(rows.len(), order);
        order.into_iter().map(|i| rows[i]).collect()
    })
}

/// An orthonormal basis whose first vector is `u`: the reflection that takes the first axis there.
fn reflected(u: &[f64; D]) -> [[f64; D]; D] {
    let mut h = *u;
    h[0] -= 1.0;
    let square: f64 = h.iter().map(|h| h * h).sum();
    std::array::from_fn(|k| {
        std::array::from_fn(|i| {
            let unit = f64::from(u8::from(i == k));
            if square < 1e-20 {
                unit
            } else {
                unit - 2.0 * h[k] * h[i] / square
            }
        })
    })
}
