//! `bsgd`: budgeted stochastic gradient descent on the regularised hinge loss (Wang, Crammer,
//! Vucetic 2012), the Pegasos step with merging.
//!
//! On example t = 1, 2, ... with the score f from before: f *= 1 - 1/t always; if y f <= margin
//! (1), add y / (lambda t) k(x, .); over budget, merge as in [`merge`].

use super::{Example, Model, Step, merge};

/// Shrinking steps; the lightest vector is merged.
pub struct Bsgd {
    margin: f64,
    budget: usize,
    lambda: f64,
    examples: usize,
}

impl Bsgd {
    /// No example seen.
    pub fn new(margin: f64, budget: usize, lambda: f64) -> Self {
        Self {
            margin,
            budget,
            lambda,
            examples: 0,
        }
    }
}

impl Step for Bsgd {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        self.examples += 1;
        let t = self.examples as f64;
        model.scale(1.0 - 1.0 / t);
        let fires = example.y * f <= self.margin;
        if fires {
            model.insert(example, example.y / (self.lambda * t));
            if model.vectors.len() > self.budget {
                merge::merge_lightest(model);
            }
        }
        fires
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, Kernel, Settings, run};

    #[test]
    fn without_a_budget_every_vector_weighs_one_over_lambda_t() {
        // 1 / (lambda s) shrunk by s / (s+1), (s+1) / (s+2), ..., (t-1) / t.
        let data: Vec<(Vec<f64>, f64)> = (0..40)
            .map(|i| {
                (
                    vec![f64::from(i * 7 % 11)],
                    if i % 3 == 0 { 1.0 } else { -1.0 },
                )
            })
            .collect();
        let settings = Settings {
            lambda: 0.05,
            ..Settings::usual(Algorithm::Bsgd, 1000)
        };
        let trace = run(
            Algorithm::Bsgd,
            Kernel::Gaussian { gamma: 0.3 },
            settings,
            &data,
            2,
        );
        assert!(
            trace.mistakes > 10 && trace.updates > trace.mistakes,
            "margin errors fire too"
        );
        assert_eq!(trace.sv.len(), trace.updates);
        for (row, alpha) in trace.sv.iter().zip(&trace.alpha) {
            assert!(
                (alpha * data[*row].1 - 1.0 / (0.05 * 80.0)).abs() <= 1e-12,
                "row {row}: {alpha}"
            );
        }
    }
}
