//! What an example teaches the kernel about features:
//!
//! ```text
//! if m <= 0 and all k(q, z_j) < 1/8:  w_k *= exp(-0.1 eta) for all k
//! else  v_j = y a_j k(q, z_j)
//!       r_k = 0.2 eta D w_k sum_j v_j (q_k - z_jk)^2 / sum_jk |v_j| w_k (q_k - z_jk)^2
//!       w_k *= exp(-r_k), by a tenth at most;   w_k from 2^-8 to 2^8
//! ```

use std::f64::consts::LOG2_E;

use pocketron::storage::{Inline, SupportSet};

use crate::formulas::{OCTAVE, SIMILARITY, distance, similarity, squared_difference};

/// Weights end at eight octaves.
pub const FARTHEST: f64 = 8.0 * OCTAVE;
/// The core cuts a change to whole steps, and so the largest one; its rate rounds by up to half a step more.
const ROUNDING: f64 = 2.0;
/// Features whose weighted squared distance fits into 32 bits: integer weights add up to no more, and to more than half of it unless a
/// weight of one has 14 digits already or the largest weight has 15.
const ROOM: f64 = 33_025.0;
/// A power of two in whole numbers is off by this share.
pub const POWER: f64 = 7e-5;

/// What weights are multiples of, at most.
pub fn unit(weights: &[f64]) -> f64 {
    let sum: f64 = weights.iter().sum();
    let largest = weights.iter().copied().fold(0.0, f64::max);
    (sum / (ROOM / 2.0))
        .max(largest / f64::from(1 << 14))
        .max(1.0 / f64::from(1 << 14))
}

pub fn true_weights<const D: usize>(exponents: [i16; D]) -> [f64; D] {
    exponents.map(|exponent| (f64::from(exponent) / OCTAVE).exp2())
}

/// A change of an exponent, and what the core's may be off by.
#[derive(Clone, Copy)]
pub struct Change {
    pub steps: f64,
    pub tolerance: f64,
}

impl Change {
    /// Fails unless an exponent went this way; where it should be now.
    #[track_caller]
    pub fn assert_led(&self, before: i16, now: i16) -> f64 {
        let wanted = (f64::from(before) + self.steps).clamp(-FARTHEST, FARTHEST);
        let off = f64::from(now) - wanted;
        assert!(
            off.abs() <= self.tolerance,
            "{before} became {now}, not {wanted} give or take {}",
            self.tolerance
        );
        wanted
    }
}

/// What a vector says about an example, before similarity: `y a_j`.
#[derive(Clone, Copy)]
pub struct Contribution {
    pub value: f64,
    /// What the core's may be off by.
    pub off: f64,
    /// What similarities are cut to before they are multiplied by it.
    pub cut: f64,
}

/// What a kernel learns from, beside the vectors.
pub struct Example {
    pub contributions: Vec<Contribution>,
    pub eta: f64,
    pub mistake: bool,
}

/// What an example says about every feature, in the steps of an exponent; `None` where rounding decides whether it is
/// too far from everything, or where what it says is all rounding.
pub fn lesson<const D: usize, const B: usize>(
    weights: [f64; D],
    set: &SupportSet<Inline<D, B, i8>>,
    x: &[i8; D],
    Example {
        contributions,
        eta,
        mistake,
    }: &Example,
) -> Option<[Change; D]> {
    let dim = D as f64;
    let unit = unit(&weights);
    let points: Vec<[i8; D]> = (0..set.len()).map(|slot| set.point(slot)).collect();
    let near: Vec<(f64, f64)> = points
        .iter()
        .map(|z| {
            let near = similarity(&weights, x, z);
            // Whole weights are smaller by up to a unit, and so are distances.
            let short = weights.map(|weight| unit + POWER * weight);
            let nearer = distance(&short, x, z);
            let (relative, absolute) = SIMILARITY;
            let off = near * ((3.0 / dim * nearer).exp_m1() + relative) + absolute;
            (near, off)
        })
        .collect();
    if *mistake {
        let nearest = near.iter().fold(
            (0.0, 0.0),
            |a: (f64, f64), b| {
                if b.0 > a.0 { *b } else { a }
            },
        );
        if nearest.0 + nearest.1 < 1.0 / 8.0 {
            let steps = -0.1 * eta * LOG2_E * OCTAVE;
            let change = Change {
                steps,
                tolerance: ROUNDING,
            };
            return Some([change; D]);
        }
        if nearest.0 - nearest.1 < 1.0 / 8.0 {
            return None;
        }
    }
    // What vectors say is rounded to 12 digits of all that they say.
    let digits = 1.0 / 4096.0;
    let contributions = || contributions.iter().zip(&near);
    let voices: Vec<f64> = contributions()
        .map(|(contribution, (near, _))| contribution.value * near)
        .collect();
    let said: f64 = contributions()
        .map(|(contribution, (near, off))| {
            (contribution.value.abs() + contribution.off) * (near + off)
        })
        .sum();
    let offs: Vec<f64> = contributions()
        .map(|(contribution, (near, off))| {
            let own = contribution.value.abs() * (off + contribution.cut);
            own + contribution.off * (near + off) + digits * said
        })
        .collect();

    let sum = |of: &dyn Fn(usize) -> f64, k: usize| -> f64 {
        let terms = points.iter().enumerate();
        terms
            .map(|(j, z)| of(j) * weights[k] * squared_difference(x[k], z[k]))
            .sum()
    };
    let all: f64 = (0..D).map(|k| sum(&|j| voices[j].abs(), k)).sum();
    // What a feature's sum may be off by: its voices, and the whole weight.
    let off = |k: usize| {
        let whole = unit / weights[k] + POWER;
        sum(&|j| offs[j], k) * (1.0 + whole) + whole * sum(&|j| voices[j].abs(), k)
    };
    let all_off: f64 = (0..D).map(off).sum();
    if all_off > 0.5 * all {
        return None;
    }
    let rate = 0.2 * eta * dim;
    Some(std::array::from_fn(|k| {
        let share = sum(&|j| voices[j], k) / all;
        let off = (off(k) + share.abs() * all_off) / (all - all_off);
        let largest = 0.1;
        Change {
            steps: -(rate * share).clamp(-largest, largest) * LOG2_E * OCTAVE,
            tolerance: ROUNDING + (rate * off).min(2.0 * largest) * LOG2_E * OCTAVE,
        }
    }))
}
