//! `forgetron`: the self-tuned Forgetron (Dekel, Shalev-Shwartz, Singer 2008).
//!
//! Unit steps. Over budget, all weights are multiplied by phi and the oldest vector r is dropped.
//! With s = |alpha_r|, mu = y_r f(x_r) (f including the new vector) and M updates so far (this one
//! included), phi is the largest number in [0, 1] that keeps all damage done, Q, within 15 M / 32:
//!
//! ```text
//! a phi^2 + b phi + c <= 0,   a = s^2 - 2 s mu,   b = 2 s,   c = Q - 15 M / 32
//! then Q += a phi^2 + b phi
//! ```
//!
//! What is added to Q is the paper's Psi(s phi, phi mu) = (s phi)^2 + 2 s phi - 2 s phi phi mu.
//! It calls updates mistakes, which they are at margin 0.

use super::{Example, Model, Step};

/// Shrinks everything, drops the oldest.
pub struct Forgetron {
    margin: f64,
    budget: usize,
    updates: usize,
    /// Q, the damage done so far.
    damage: f64,
}

impl Forgetron {
    /// No update, no damage.
    pub fn new(margin: f64, budget: usize) -> Self {
        Self {
            margin,
            budget,
            updates: 0,
            damage: 0.0,
        }
    }
}

/// phi for an oldest vector of weight `s` and margin `mu` after `updates` updates, given the
/// `damage` Q done before.
///
/// With a < 0 the parabola opens downwards and phi = 1 is allowed again beyond its *larger* root,
/// so the smaller root counts only while the larger one is above 1.
pub fn shrinking(s: f64, mu: f64, damage: f64, updates: usize) -> f64 {
    let a = s * s - 2.0 * s * mu;
    let b = 2.0 * s;
    let c = damage - 15.0 * updates as f64 / 32.0;
    let discriminant = b * b - 4.0 * a * c;
    if a == 0.0 {
        return f64::min(1.0, -c / b);
    }
    if a > 0.0 || (discriminant > 0.0 && (-b - discriminant.sqrt()) / (2.0 * a) > 1.0) {
        return f64::min(1.0, (-b + discriminant.sqrt()) / (2.0 * a));
    }
    1.0
}

impl Step for Forgetron {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        let fires = example.y * f <= self.margin;
        if fires {
            self.updates += 1;
            model.insert(example, example.y);
            if model.vectors.len() > self.budget {
                let oldest = &model.vectors[0];
                let s = oldest.alpha.abs();
                let mu = oldest.y * model.score(&oldest.x);
                let phi = shrinking(s, mu, self.damage, self.updates);
                self.damage += (s * s - 2.0 * s * mu) * phi * phi + 2.0 * s * phi;
                model.scale(phi);
                model.vectors.remove(0);
            }
        }
        fires
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_branch_of_the_quadratic_gives_its_hand_computed_root() {
        // c = damage - 15/8 with four updates.
        let phi = |mu, c: f64| shrinking(1.0, mu, c + 1.875, 4);
        assert_eq!(phi(0.0, -1.25), 0.5, "a = 1: (-2 + 3) / 2");
        assert_eq!(phi(0.75, -0.875), 0.5, "a = -1/2: roots 1/2 and 7/2");
        assert_eq!(
            phi(2.0, -0.25),
            1.0,
            "a = -3: roots 1/6 and 1/2, allowed again beyond 1/2"
        );
        assert_eq!(phi(2.0, -1.0), 1.0, "a = -3: no root, always allowed");
        assert_eq!(phi(0.5, -0.5), 0.25, "a = 0: 2 phi = 1/2");
        assert_eq!(phi(0.0, -100.0), 1.0, "never more than 1");
        assert_eq!(phi(0.5, -100.0), 1.0, "never more than 1");
        assert_eq!(phi(0.75, -1.9), 1.0, "never more than 1");
    }

    #[test]
    fn phi_is_the_largest_allowed_factor() {
        let steps = 100_000;
        for s in [0.1, 0.5, 0.9, 1.0] {
            for mu in [-3.0, -1.0, 0.0, 0.2, 0.45, 0.7, 1.5, 4.0] {
                for damage in [0.0, 0.3, 1.0, 4.5] {
                    let allowed = |phi: f64| {
                        (s * s - 2.0 * s * mu) * phi * phi + 2.0 * s * phi
                            <= 15.0 * 10.0 / 32.0 - damage
                    };
                    let grid = (0..=steps).rev().map(|i| f64::from(i) / f64::from(steps));
                    let largest = grid.into_iter().find(|&phi| allowed(phi)).unwrap();
                    let phi = shrinking(s, mu, damage, 10);
                    assert!(
                        (phi - largest).abs() <= 2.0 / f64::from(steps),
                        "s {s} mu {mu} Q {damage}: {phi} {largest}"
                    );
                }
            }
        }
    }
}
