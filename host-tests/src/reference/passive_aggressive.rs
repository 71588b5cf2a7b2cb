//! `bpa-s`: the Budgeted Passive-Aggressive learner, simple version (Wang, Vucetic 2010).
//!
//! While the hinge loss 1 - y f is positive, PA-I steps by tau = min(C, (1 - y f) / k(x, x)). With
//! room left, x is stored with weight y tau. At the budget, one of the B old vectors gives way to
//! it: the one whose part can best be taken over by x,
//!
//! ```text
//! r = argmin_j alpha_j^2 (k(x_j, x_j) - k(x_j, x)^2 / k(x, x))
//! weight of x: y tau + alpha_r k(x_r, x) / k(x, x)
//! ```
//!
//! so that f(x) after the update is what PA-I without a budget would have made it.

use super::{Example, Model, Step, choice};

/// The new vector replaces the one it can stand in for.
pub struct BpaS {
    /// B.
    pub budget: usize,
    /// C.
    pub aggressiveness: f64,
}

impl Step for BpaS {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        let Example { x, y, .. } = *example;
        let hinge = 1.0 - y * f;
        let k_tt = model.kernel.value(x, x);
        // k(x, x) = 0 means that k(x, .) = 0: no step can help.
        if hinge <= 0.0 || k_tt <= 0.0 {
            return false;
        }
        let tau = f64::min(self.aggressiveness, hinge / k_tt);
        if model.vectors.len() < self.budget {
            model.insert(example, y * tau);
            return true;
        }
        let losses = model.vectors.iter().map(|v| {
            let (k_rr, k_rt) = (model.kernel.value(&v.x, &v.x), model.kernel.value(&v.x, x));
            v.alpha * v.alpha * (k_rr - k_rt * k_rt / k_tt)
        });
        let r = choice::least(&losses.collect::<Vec<_>>());
        let gone = model.vectors.remove(r);
        model.insert(
            example,
            y * tau + gone.alpha * model.kernel.value(&gone.x, x) / k_tt,
        );
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, Kernel, Learner, Settings, run};

    #[test]
    fn the_vector_parallel_to_the_new_one_is_taken_over() {
        // Weights 1 and 1 at (1, 0) and (0, 1). Then -1 at (0, 2): f = 2, tau = 3/4; losses 1 and 1
        // - 4/4 = 0, so row 1 goes and the new weight is -3/4 + 2/4.
        let data = vec![
            (vec![1.0, 0.0], 1.0),
            (vec![0.0, 1.0], 1.0),
            (vec![0.0, 2.0], -1.0),
        ];
        let settings = Settings {
            aggressiveness: 10.0,
            ..Settings::usual(Algorithm::BpaS, 2)
        };
        let trace = run(Algorithm::BpaS, Kernel::Linear, settings, &data, 1);
        assert_eq!((trace.sv, trace.alpha), (vec![0, 2], vec![1.0, -0.25]));
        assert_eq!((trace.mistakes, trace.updates), (3, 3));
    }

    #[test]
    fn replacing_a_vector_leaves_the_score_that_the_unbounded_step_would_make() {
        let settings = Settings {
            aggressiveness: 0.7,
            ..Settings::usual(Algorithm::BpaS, 2)
        };
        let mut learner = Learner::new(Algorithm::BpaS, Kernel::Gaussian { gamma: 0.8 }, settings);
        for (row, (x, y)) in [(0.0, 1.0), (0.5, -1.0), (0.2, 1.0), (0.9, 1.0), (0.4, -1.0)]
            .into_iter()
            .enumerate()
        {
            let before = learner.score(&[x]);
            learner.learn(row, &[x], y);
            let wanted = before + y * (1.0 - y * before).clamp(0.0, 0.7);
            assert!((learner.score(&[x]) - wanted).abs() <= 1e-15, "row {row}");
        }
    }
}
