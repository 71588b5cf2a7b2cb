//! `tightest`: the Tightest Perceptron (Wang, Vucetic 2009).
//!
//! Unit steps. Every vector carries c+ and c-, the labels seen around it; its own counts 1. An
//! example on which the rule does not fire adds k(x, x_n) to the count of its label at its nearest
//! vector n (UpdateSummary). Over budget, the vector r goes, among all B + 1, that leaves the least
//! expected hinge loss on all B + 1, its own place included:
//!
//! ```text
//! sum_i w_i max(0, 1 - f_r(x_i)) + (1 - w_i) max(0, 1 + f_r(x_i)),   f_r = f without r
//! w_i = P(p > 1/2),   p ~ Beta(c_i+ + 1, c_i- + 1)
//! ```
//!
//! Its counts, times k(x_r, x_n), pass to the
//! nearest that stays.

use super::{Example, Model, Step, beta, choice};

/// Removes the vector whose loss hurts least, judged by the labels it has seen.
pub struct Tightest {
    /// The rule fires while y f is at most this.
    pub margin: f64,
    /// B.
    pub budget: usize,
}

impl Step for Tightest {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        if example.y * f > self.margin {
            let (cplus, cminus) = if example.y > 0.0 {
                (1.0, 0.0)
            } else {
                (0.0, 1.0)
            };
            update_summary(model, example.x, cplus, cminus);
            return false;
        }
        model.insert(example, example.y);
        if model.vectors.len() > self.budget {
            let losses: Vec<f64> = (0..model.vectors.len())
                .map(|r| loss_without(model, r))
                .collect();
            let gone = model.vectors.remove(choice::least(&losses));
            update_summary(model, &gone.x, gone.cplus, gone.cminus);
        }
        true
    }
}

fn update_summary(model: &mut Model, x: &[f64], cplus: f64, cminus: f64) {
    if let Some(n) = model.nearest(x) {
        let share = model.kernel.value(x, &model.vectors[n].x);
        model.vectors[n].cplus += cplus * share;
        model.vectors[n].cminus += cminus * share;
    }
}

fn loss_without(model: &Model, r: usize) -> f64 {
    let hinge = |margin: f64| f64::max(0.0, 1.0 - margin);
    let losses = model.vectors.iter().map(|v| {
        let w = beta::weight(v.cplus, v.cminus);
        let f = model.score_without(r, &v.x);
        w * hinge(f) + (1.0 - w) * hinge(-f)
    });
    losses.sum()
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, Kernel, Settings, run};

    #[test]
    fn counts_pass_to_the_nearest_vector_scaled_by_the_kernel() {
        // Budget 1. Row 0 is stored, row 1 agrees and adds k = exp(-1) to its c+, row 2 is a
        // mistake and fights for the place: w_0 = P(p > 1/2 | c+ = 1.37) = 1 - 2^-2.37 is surer
        // than w_2 = 1/4, so that keeping row 0 costs less.
        let data = vec![(vec![0.0], 1.0), (vec![1.0], 1.0), (vec![2.0], -1.0)];
        let settings = Settings::usual(Algorithm::Tightest, 1);
        let trace = run(
            Algorithm::Tightest,
            Kernel::Gaussian { gamma: 1.0 },
            settings,
            &data,
            1,
        );
        assert_eq!((trace.mistakes, trace.sv), (2, vec![0]));
        assert!((trace.cplus[0] - (1.0 + f64::exp(-1.0))).abs() <= 1e-15);
        assert!((trace.cminus[0] - f64::exp(-4.0)).abs() <= 1e-15);
    }
}
