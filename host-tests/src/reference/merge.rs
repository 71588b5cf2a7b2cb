//! `merge`: unit steps with budget maintenance by merging (Wang, Crammer, Vucetic 2012). Gaussian
//! kernel only.
//!
//! Over budget, r is the vector of least |alpha|, the new one included. For each partner j whose
//! weight has the same sign, with k = k(x_r, x_j) and u = alpha_r / (alpha_r + alpha_j), the merged
//! point z = h x_r + (1 - h) x_j has k(x_r, z) = k^((1-h)^2) and k(x_j, z) = k^(h^2), so that
//!
//! ```text
//! h maximises u k^((1-h)^2) + (1-u) k^(h^2) on [0, 1]
//! alpha_z = alpha_r k^((1-h)^2) + alpha_j k^(h^2)
//! loss = alpha_r^2 + alpha_j^2 + 2 alpha_r alpha_j k - alpha_z^2
//! ```
//!
//! The loss is the squared length that merging costs (the paper's weight degradation). The partner
//! of least loss becomes z: it keeps its row number and its age, takes z and alpha_z; r is removed.
//! Without a partner r is dropped.
//!
//! h is found by golden section: 40 times the interval [0, 1] is cut to 0.618 of its length,
//! keeping the lower part on a tie, and h is the middle of what is left (within 1e-8 of a
//! maximum), or the end h = 0 if that is better: far from its partner, r must not drag it along.

use super::kernel::squared_distance;
use super::{Example, Kernel, Model, Step, choice};

/// Unit steps; the lightest vector is merged.
pub struct Merge {
    /// The rule fires while y f is at most this.
    pub margin: f64,
    /// B.
    pub budget: usize,
}

impl Step for Merge {
    fn learn(&mut self, model: &mut Model, example: &Example<'_>, f: f64) -> bool {
        let fires = example.y * f <= self.margin;
        if fires {
            model.insert(example, example.y);
            if model.vectors.len() > self.budget {
                merge_lightest(model);
            }
        }
        fires
    }
}

/// What merging two vectors would give.
struct Union {
    partner: usize,
    x: Vec<f64>,
    alpha: f64,
    loss: f64,
}

/// Makes one vector out of the lightest and its best partner.
///
/// # Panics
///
/// If the model is empty or its kernel is not Gaussian.
pub fn merge_lightest(model: &mut Model) {
    let weights: Vec<f64> = model.vectors.iter().map(|v| v.alpha.abs()).collect();
    let r = choice::least(&weights);
    let partners = (0..model.vectors.len())
        .filter(|&j| j != r && model.vectors[j].alpha * model.vectors[r].alpha > 0.0);
    let mut unions: Vec<Union> = partners.map(|j| union(model, r, j)).collect();
    if !unions.is_empty() {
        let losses: Vec<f64> = unions.iter().map(|u| u.loss).collect();
        let best = unions.swap_remove(choice::least(&losses));
        let partner = &mut model.vectors[best.partner];
        (partner.x, partner.alpha) = (best.x, best.alpha);
    }
    model.vectors.remove(r);
}

fn union(model: &Model, r: usize, partner: usize) -> Union {
    let Kernel::Gaussian { gamma } = model.kernel else {
        panic!("merging needs the Gaussian kernel")
    };
    let (a, b) = (&model.vectors[r], &model.vectors[partner]);
    let exponent = gamma * squared_distance(&a.x, &b.x);
    // k^p as exp(-p gamma d^2), which does not vanish where k itself does.
    let k_to = |p: f64| (-p * exponent).exp();
    let u = a.alpha / (a.alpha + b.alpha);
    let kept = |h: f64| u * k_to((1.0 - h) * (1.0 - h)) + (1.0 - u) * k_to(h * h);
    let inside = golden_section(kept);
    let h = if kept(0.0) > kept(inside) {
        0.0
    } else {
        inside
    };
    let alpha = a.alpha * k_to((1.0 - h) * (1.0 - h)) + b.alpha * k_to(h * h);
    let loss =
        a.alpha * a.alpha + b.alpha * b.alpha + 2.0 * a.alpha * b.alpha * k_to(1.0) - alpha * alpha;
    let x =
        a.x.iter()
            .zip(&b.x)
            .map(|(p, q)| h * p + (1.0 - h) * q)
            .collect();
    Union {
        partner,
        x,
        alpha,
        loss,
    }
}

/// Where `value` is greatest on [0, 1], if it rises and then falls.
fn golden_section(value: impl Fn(f64) -> f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if value(left) >= value(right) {
            high = right;
        } else {
            low = left;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::{Algorithm, Settings, run};
    use super::*;

    #[test]
    fn twins_meet_in_the_middle() {
        // k = exp(-1/2) at distance 1; h = 1/2, alpha_z = 2 k^(1/4). Both weigh 1, so the oldest is
        // r and its partner stays.
        let data = vec![(vec![0.0, 3.0], 1.0), (vec![1.0, 3.0], 1.0)];
        let settings = Settings::usual(Algorithm::Merge, 1);
        let trace = run(
            Algorithm::Merge,
            Kernel::Gaussian { gamma: 0.5 },
            settings,
            &data,
            1,
        );
        assert_eq!((trace.updates, trace.mistakes, trace.sv), (2, 1, vec![1]));
        assert!(
            (trace.x[0][0] - 0.5).abs() <= 1e-4 && (trace.x[0][1] - 3.0).abs() <= 1e-12,
            "{:?}",
            trace.x
        );
        assert!(
            (trace.alpha[0] - 2.0 * f64::exp(-0.125)).abs() <= 1e-8,
            "{:?}",
            trace.alpha
        );
    }

    #[test]
    fn the_nearest_of_equally_heavy_partners_is_chosen() {
        let data = vec![
            (vec![0.0], 1.0),
            (vec![2.0], 1.0),
            (vec![1.4], 1.0),
            (vec![1.0], -1.0),
        ];
        let settings = Settings {
            margin: 10.0,
            ..Settings::usual(Algorithm::Merge, 2)
        };
        let trace = run(
            Algorithm::Merge,
            Kernel::Gaussian { gamma: 1.0 },
            settings,
            &data[..3],
            1,
        );
        // r = row 0 (oldest of equals); its nearer partner is row 2.
        assert_eq!(trace.sv, vec![1, 2]);
        // Then -1 at 1 comes: row 1 and the newcomer weigh 1, the older of them is r, and the heavy
        // row 2 takes it in.
        let trace = run(
            Algorithm::Merge,
            Kernel::Gaussian { gamma: 1.0 },
            settings,
            &data,
            1,
        );
        assert_eq!(trace.sv, vec![2, 3]);
        assert!(
            trace.alpha[0] > 1.25 && trace.alpha[1] == -1.0,
            "{:?}",
            trace.alpha
        );
    }

    #[test]
    fn the_loss_is_the_squared_distance_in_feature_space() {
        // |a k(x,.) + b k(y,.) - c k(z,.)|^2 expanded term by term, for the z and c that the merge
        // chose.
        let mut model = Model::new(Kernel::Gaussian { gamma: 0.7 });
        model.insert(
            &Example {
                row: 0,
                x: &[0.1, 0.2],
                y: 1.0,
            },
            0.4,
        );
        model.insert(
            &Example {
                row: 1,
                x: &[0.9, -0.3],
                y: 1.0,
            },
            1.1,
        );
        let merged = union(&model, 0, 1);
        let k = |p: &[f64], q: &[f64]| model.kernel.value(p, q);
        let (x, y, z) = (&model.vectors[0].x, &model.vectors[1].x, &merged.x);
        let cross = 0.4 * k(x, z) + 1.1 * k(y, z);
        let length = 0.4 * 0.4 + 1.1 * 1.1 + 2.0 * 0.4 * 1.1 * k(x, y);
        let distance = length - 2.0 * merged.alpha * cross + merged.alpha * merged.alpha;
        assert!(
            (merged.loss - distance).abs() <= 1e-14,
            "{} {distance}",
            merged.loss
        );
        // No point of the segment does better.
        for i in 0..=1000 {
            let h = f64::from(i) / 1000.0;
            let z: Vec<f64> = x
                .iter()
                .zip(y)
                .map(|(p, q)| h * p + (1.0 - h) * q)
                .collect();
            let best = length - (0.4 * k(x, &z) + 1.1 * k(y, &z)).powi(2);
            assert!(best >= merged.loss - 1e-9, "h = {h}");
        }
    }

    #[test]
    fn without_a_partner_the_lightest_is_dropped() {
        let data = vec![(vec![0.0], 1.0), (vec![0.1], -1.0)];
        let settings = Settings::usual(Algorithm::Merge, 1);
        let trace = run(
            Algorithm::Merge,
            Kernel::Gaussian { gamma: 1.0 },
            settings,
            &data,
            1,
        );
        assert_eq!((trace.sv, trace.alpha), (vec![1], vec![-1.0]));
    }

    #[test]
    fn a_far_partner_absorbs_nothing_and_keeps_its_weight() {
        // k underflows to 0, yet the heavier vector must not be lost with the lighter.
        let mut model = Model::new(Kernel::Gaussian { gamma: 1.0 });
        model.insert(
            &Example {
                row: 0,
                x: &[0.0],
                y: 1.0,
            },
            0.5,
        );
        model.insert(
            &Example {
                row: 1,
                x: &[100.0],
                y: 1.0,
            },
            2.0,
        );
        merge_lightest(&mut model);
        assert!(
            (model.vectors[0].alpha - 2.0).abs() <= 1e-4,
            "{:?}",
            model.vectors
        );
    }
}
