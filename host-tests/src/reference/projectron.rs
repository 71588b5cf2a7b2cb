//! `projectron` and `projectron++` (Orabona, Keshet, Caputo 2008 and 2009), with a budget.
//!
//! A mistake asks for f += y k(x, .). Let P be the projection of k(x, .) onto the span of the
//! support vectors, d its coefficients and delta^2 the squared distance that remains ([`gram`]). If
//! delta^2 <= eta^2, or if the budget is full, alpha += y d; otherwise x becomes a support vector
//! of weight y. Support vectors never leave. The papers have no budget; their set is bounded
//! through eta > 0. With eta = 0 (the default) nothing but the budget bounds it, and only what lies
//! in the span to rounding error (delta^2 <= 1e-12 k(x, x)) is absorbed earlier.
//!
//! Projectron++ also uses margin errors, 0 < y f < 1. With the hinge loss l = 1 - y f, if
//! l > delta / eta,
//!
//! ```text
//! alpha += y tau d,   tau = min( l / |P|^2, 2 (l - delta / eta) / |P|^2, 1 )
//! ```
//!
//! otherwise the margin error is ignored (and is no update). Full or not makes no difference to it.
//! With eta = 0 the quotient delta / eta is infinite, or undefined in the span itself: then margin
//! errors are never used and Projectron++ is the Projectron. (The authors' DOGMA program has
//! delta^2 where this has delta, and an eta that bounds delta^2; here eta bounds delta.)

use super::gram::{self, Projection};
use super::{Example, Model, Step};

/// Projects what fits, or what comes too late.
pub struct Projectron {
    /// The rule fires while y f is at most this.
    pub margin: f64,
    /// B.
    pub budget: usize,
    /// eta^2.
    pub tolerance: f64,
}

impl Step for Projectron {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        let fires = example.y * f <= self.margin;
        if fires {
            correct_mistake(model, example, self.budget, self.tolerance);
        }
        fires
    }
}

/// The same on mistakes; margin errors are projected with a shorter step.
pub struct ProjectronPlusPlus {
    /// B.
    pub budget: usize,
    /// eta^2.
    pub tolerance: f64,
}

impl Step for ProjectronPlusPlus {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        let hinge = 1.0 - example.y * f;
        if example.y * f <= 0.0 {
            correct_mistake(model, example, self.budget, self.tolerance);
            return true;
        }
        if hinge <= 0.0 || self.tolerance <= 0.0 {
            return false;
        }
        let projection = gram::project(model, example.x);
        let Some(tau) = margin_step(hinge, &projection, self.tolerance) else {
            return false;
        };
        absorb(model, &projection, example.y * tau);
        true
    }
}

fn correct_mistake(model: &mut Model, example: &Example<'_>, budget: usize, tolerance: f64) {
    let projection = gram::project(model, example.x);
    let rounding = 1e-12 * model.kernel.value(example.x, example.x);
    if projection.residual <= f64::max(tolerance, rounding) || model.vectors.len() >= budget {
        absorb(model, &projection, example.y);
    } else {
        model.insert(example, example.y);
    }
}

fn absorb(model: &mut Model, projection: &Projection, step: f64) {
    for (vector, d) in model.vectors.iter_mut().zip(&projection.coefficients) {
        vector.alpha += step * d;
    }
}

/// tau, or nothing where the margin error is to be ignored.
fn margin_step(hinge: f64, projection: &Projection, tolerance: f64) -> Option<f64> {
    let spare = hinge - (projection.residual / tolerance).sqrt();
    let longest = f64::min(hinge, 2.0 * spare) / projection.squared_length;
    (spare > 0.0).then(|| f64::min(longest, 1.0))
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, Kernel, Learner, Settings};
    use super::*;

    #[test]
    fn the_margin_step_is_the_shortest_of_three() {
        let projection = |residual, squared_length| Projection {
            coefficients: vec![],
            residual,
            squared_length,
        };
        assert_eq!(
            margin_step(0.5, &projection(0.0, 2.0), 0.25),
            Some(0.25),
            "l / |P|^2"
        );
        assert_eq!(
            margin_step(0.75, &projection(0.0625, 2.0), 0.25),
            Some(0.25),
            "2 (0.75 - 0.25 / 0.5) / 2"
        );
        assert_eq!(
            margin_step(0.5, &projection(0.0, 0.25), 0.25),
            Some(1.0),
            "1"
        );
        assert_eq!(
            margin_step(0.5, &projection(0.0625, 1.0), 0.25),
            None,
            "l = delta / eta"
        );
    }

    #[test]
    fn a_margin_error_in_the_span_reaches_the_margin() {
        let settings = Settings {
            tolerance: 0.01,
            ..Settings::usual(Algorithm::ProjectronPlusPlus, 5)
        };
        let mut learner = Learner::new(Algorithm::ProjectronPlusPlus, Kernel::Linear, settings);
        learner.learn(0, &[1.0, 0.0], 1.0);
        let outcome = learner.learn(1, &[0.5, 0.0], 1.0);
        // f = 1/2, l = 1/2, |P|^2 = 1/4: l / |P|^2 = 2 is cut to 1, so that alpha = 1 + 1/2.
        assert_eq!(
            (outcome.score, outcome.mistake, outcome.update),
            (0.5, false, true)
        );
        assert_eq!(learner.score(&[1.0, 0.0]), 1.5);
        // f = 3/4 at (1/2, 1/10); delta = 1/10 = eta, so delta / eta = 1 > l: ignored.
        assert!(!learner.learn(2, &[0.5, 0.1], 1.0).update);
        assert_eq!(learner.model().vectors.len(), 1);
    }
}
