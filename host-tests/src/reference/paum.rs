//! PAUM, the perceptron with uneven margins, in kernel form, without bias and without budget (Li,
//! Zaragoza, Herbrich, Shawe-Taylor, Kandola 2002).
//!
//! When y f <= tau_y, f += eta y k(x, .), with one tau for each label. A row that is updated again
//! gets a larger weight. tau_-1 = tau_+1 is PAM; both 0, the perceptron.

use super::Kernel;

/// The weights of all rows after training.
#[derive(Clone, Debug, PartialEq)]
pub struct DualSolution {
    /// How often the rule fired.
    pub updates: usize,
    /// Signed weight of each row, 0 where it never fired.
    pub alpha: Vec<f64>,
}

/// Trains on `data` in the given order, `epochs` times.
pub fn paum(
    kernel: Kernel,
    [tau_minus, tau_plus]: [f64; 2],
    eta: f64,
    data: &[(Vec<f64>, f64)],
    epochs: usize,
) -> DualSolution {
    let mut solution = DualSolution {
        updates: 0,
        alpha: vec![0.0; data.len()],
    };
    for _ in 0..epochs {
        for (row, (x, y)) in data.iter().enumerate() {
            let rows = data
                .iter()
                .zip(&solution.alpha)
                .filter(|(_, alpha)| **alpha != 0.0);
            let f: f64 = rows.map(|((z, _), alpha)| alpha * kernel.value(z, x)).sum();
            let tau = if *y > 0.0 { tau_plus } else { tau_minus };
            if y * f <= tau {
                solution.updates += 1;
                solution.alpha[row] += eta * y;
            }
        }
    }
    solution
}
