//! ALMA.

use pocketron_cli::family;

use super::traces::{committed, dot, json, number, numbers, single};
use crate::common::cli::options;

/// ALMA in double precision, `p = 2`.
#[test]
fn alma_is_that_of_double_precision() {
    for (name, alpha, epochs) in [
        ("sonar", 0.9, 10),
        ("ionosphere", 0.9, 10),
        ("sonar", 0.5, 5),
        ("ionosphere", 0.5, 5),
    ] {
        let data = committed(name);
        let options = options(&format!("--learner alma --alpha {alpha}"));
        let trace =
            json(family::alma(&single(&data), &options.family, epochs).expect("good options"));
        let (mut w, mut k): (Vec<f64>, u64) = (vec![0.0; data.dim], 1);
        for _ in 0..epochs {
            for (x, y) in data.iter() {
                let length = dot(x, x).sqrt();
                let root = (k as f64).sqrt();
                if length > 0.0 && y * dot(&w, x) / length <= (1.0 - alpha) / (alpha * root) {
                    w.iter_mut()
                        .zip(x)
                        .for_each(|(w, x)| *w += 2.0f64.sqrt() / root * y * x / length);
                    let norm = dot(&w, &w).sqrt().max(1.0);
                    w.iter_mut().for_each(|w| *w /= norm);
                    k += 1;
                }
            }
        }
        let updates = number(&trace, "updates");
        assert_eq!(updates, k - 1, "{name} {alpha}");
        for (ours, naive) in numbers(&trace, "w").iter().zip(&w) {
            assert!(
                (ours - naive).abs() <= 1e-4,
                "{name} {alpha}: {ours} and {naive}"
            );
        }
    }
}
