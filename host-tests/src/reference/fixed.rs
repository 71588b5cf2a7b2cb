//! `fixed`: the Fixed Budget Perceptron (Crammer, Kandola, Singer 2004).
//!
//! Unit steps. Over budget, the vector that the others would classify with the largest margin is
//! the one we need least:
//!
//! ```text
//! r = argmax_j y_j (f(x_j) - alpha_j k(x_j, x_j)),   alpha_j signed
//! ```
//!
//! f includes the new vector, which is a candidate too.

use super::{Example, Model, Step, choice};

/// Removes the largest margin.
pub struct Fixed {
    /// The rule fires while y f is at most this.
    pub margin: f64,
    /// B.
    pub budget: usize,
}

impl Step for Fixed {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        let fires = example.y * f <= self.margin;
        if fires {
            model.insert(example, example.y);
            if model.vectors.len() > self.budget {
                let vectors = model.vectors.iter().enumerate();
                let margins = vectors.map(|(j, v)| v.y * model.score_without(j, &v.x));
                let r = choice::least(&margins.map(|margin| -margin).collect::<Vec<_>>());
                model.vectors.remove(r);
            }
        }
        fires
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, Kernel, Settings, run};

    #[test]
    fn the_vector_best_explained_by_the_others_goes() {
        // Linear kernel, stored +1 at (1, 0), then -1 at (1, 1): f = (0, -1), so +1 at (0, 2) is a
        // mistake and f = (0, 1). Margins without oneself: row 0: (-1, 1).(1, 0) = -1; row 1: -(1,
        // 2).(1, 1) = -3; row 2: (0, -1).(0, 2) = -2.
        let data = vec![
            (vec![1.0, 0.0], 1.0),
            (vec![1.0, 1.0], -1.0),
            (vec![0.0, 2.0], 1.0),
        ];
        let trace = run(
            Algorithm::Fixed,
            Kernel::Linear,
            Settings::usual(Algorithm::Fixed, 2),
            &data,
            1,
        );
        assert_eq!((trace.mistakes, trace.sv), (3, vec![1, 2]));
    }
}
