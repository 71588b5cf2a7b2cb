//! The perceptron of Khardon and Wachman: Figure 2 of their paper.

use pocketron_cli::family;
use pocketron_testkit::data::DenseData;
use serde_json::Value;

use super::traces::{committed, dot, json, number, numbers, single};
use crate::common::cli::options;

#[derive(Clone, Copy, Debug)]
struct Kw {
    eta: f64,
    tau: f64,
    lambda: f64,
    bound: u32,
    epochs: usize,
}

const KW: Kw = Kw {
    eta: 0.1,
    tau: 0.0,
    lambda: 0.0,
    bound: u32::MAX,
    epochs: 10,
};

impl Kw {
    fn line(&self) -> String {
        let Kw {
            eta,
            tau,
            lambda,
            bound,
            epochs,
        } = self;
        format!(
            "--learner kw --eta {eta} --tau {tau} --lambda {lambda} --lambda-unit norm --alpha-bound {bound} --epochs {epochs}"
        )
    }

    fn core(&self, data: &DenseData) -> Value {
        let options = options(&self.line());
        json(family::kw(&single(data), &options.family, &options.learner).expect("good options"))
    }
}

/// What Figure 2 of the paper leaves behind.
struct Figure2 {
    updates: u64,
    theta: f64,
    w: Vec<f64>,
    /// Training errors of the last hypothesis, the longest survivor and the vote.
    errors: [u64; 3],
}

/// Figure 2, line by line and in double precision, but for the sign in the threshold's update: `theta` is
/// subtracted, so it must move the other way.
fn figure_2(data: &DenseData, kw: Kw) -> Figure2 {
    let theta_init = data.iter().map(|(x, _)| dot(x, x)).sum::<f64>() / data.len() as f64;
    let (c, tau) = (theta_init, kw.tau * theta_init);
    let mut alpha = vec![0; data.len()];
    let mut hypotheses = vec![(vec![0.0; data.dim], theta_init, 0u64)];
    let (mut tally, mut best_tally, mut best) = (0, 0, 0);
    for _ in 0..kw.epochs {
        for (i, (x, y)) in data.iter().enumerate() {
            let k = hypotheses.len() - 1;
            let (w, theta, vote) = &mut hypotheses[k];
            let credit = if alpha[i] != 0 {
                y * kw.lambda * dot(x, x)
            } else {
                0.0
            };
            let sum = dot(w, x) + credit;
            let answer = if sum < *theta - tau {
                -1.0
            } else if sum > *theta + tau {
                1.0
            } else {
                0.0
            };
            if answer != y && alpha[i] < kw.bound {
                let w = w.iter().zip(x).map(|(w, x)| w + kw.eta * y * x).collect();
                let theta = *theta - kw.eta * y * c;
                alpha[i] += 1;
                hypotheses.push((w, theta, 0));
                tally = 0;
            } else if answer == y {
                *vote += 1;
                tally += 1;
                if tally > best_tally {
                    (best_tally, best) = (tally, k);
                }
            }
        }
    }
    let score = |k: usize, x: &[f64]| dot(&hypotheses[k].0, x) - hypotheses[k].1;
    let side = |score: f64| if score == 0.0 { 0.0 } else { score.signum() };
    let vote = |x: &[f64]| {
        (0..hypotheses.len())
            .map(|k| hypotheses[k].2 as f64 * side(score(k, x)))
            .sum::<f64>()
    };
    let errors = |answer: &dyn Fn(&[f64]) -> f64| {
        data.iter().filter(|(x, y)| y * answer(x) <= 0.0).count() as u64
    };
    let last = hypotheses.len() - 1;
    Figure2 {
        updates: last as u64,
        theta: hypotheses[last].1,
        w: hypotheses[last].0.clone(),
        // Nobody has survived: then nobody has a say.
        errors: [
            errors(&|x| score(last, x)),
            if best_tally == 0 {
                data.len() as u64
            } else {
                errors(&|x| score(best, x))
            },
            errors(&vote),
        ],
    }
}

#[test]
fn kw_on_pima_makes_the_updates_of_an_independent_implementation() {
    let trace = Kw { tau: 0.5, ..KW }.core(&committed("pima"));
    assert_eq!(
        (number(&trace, "updates"), number(&trace, "epochs")),
        (4296, 10)
    );
}

/// Where `f32` and `f64` part: rows whose margin is met to seven digits. Each setting says how many updates more or
/// fewer it may come to.
#[test]
fn kw_is_its_figure_2() {
    let settings = [
        KW,
        Kw { tau: 0.5, ..KW },
        Kw { tau: 0.125, ..KW },
        Kw { lambda: 0.5, ..KW },
        Kw { bound: 3, ..KW },
        Kw {
            tau: 0.25,
            lambda: 2.0,
            epochs: 20,
            ..KW
        },
        Kw {
            tau: 0.25,
            bound: 5,
            epochs: 20,
            ..KW
        },
        Kw {
            eta: 1.0,
            tau: 0.1,
            lambda: 0.1,
            bound: 7,
            epochs: 5,
        },
    ];
    let mut report = String::new();
    let mut apart = 0;
    for name in ["pima", "sonar", "ionosphere"] {
        let data = committed(name);
        for kw in settings {
            let (ours, naive) = (kw.core(&data), figure_2(&data, kw));
            let errors =
                ["errors_last", "errors_longest", "errors_voted"].map(|field| number(&ours, field));
            let updates = number(&ours, "updates");
            report += &format!(
                "{name} {}: {updates} {errors:?}, in f64 {} {:?}\n",
                kw.line(),
                naive.updates,
                naive.errors
            );
            if updates != naive.updates || errors != naive.errors {
                apart += 1;
                continue;
            }
            // The same way all along leads to the same place.
            let theta = ours["theta"].as_f64().expect("a number");
            assert!(
                (theta - naive.theta).abs() <= 1e-3 * naive.theta.abs().max(1.0),
                "{theta} and {}",
                naive.theta
            );
            let size = naive.w.iter().fold(1.0, |size: f64, w| size.max(w.abs()));
            for (w, naive) in numbers(&ours, "w").iter().zip(&naive.w) {
                assert!(
                    (w - naive).abs() <= 1e-4 * size,
                    "{name} {kw:?}: {w} and {naive}"
                );
            }
        }
    }
    assert_eq!(apart, 0, "settings that part\n{report}");
}

/// The tables and `trace` take `lambda` in the same two units.
#[test]
fn lambda_in_steps_is_lambda_eta_in_squared_norms() {
    let data = committed("sonar");
    let trace = |unit: &str, lambda: f64| {
        let options = options(&format!(
            "--learner kw --eta 0.25 --lambda {lambda} --lambda-unit {unit} --epochs 20"
        ));
        json(family::kw(&single(&data), &options.family, &options.learner).expect("good options"))
    };
    assert_eq!(trace("step", 2.0), trace("norm", 0.5));
    assert_ne!(trace("step", 2.0), trace("norm", 2.0));
}

/// The printed sign: theta would run away from the data, and updates would never become fewer.
#[test]
fn the_threshold_moves_against_the_label() {
    let trace = Kw { epochs: 1, ..KW }.core(&DenseData {
        dim: 1,
        x: vec![1.0],
        labels: vec![1.0],
    });
    // theta = C = |x|^2 = 1; the only example is below it: w = 0.1, theta = 1 - 0.1.
    assert_eq!(number(&trace, "updates"), 1);
    // How many digits JSON keeps of an f32 depends on a feature that any dependency may switch on.
    let single = |number: Option<f64>| number.map(|number| number as f32);
    let w = numbers(&trace, "w");
    assert_eq!((w.len(), single(w.first().copied())), (1, Some(0.1)));
    assert_eq!(single(trace["theta"].as_f64()), Some(1.0 - 0.1));
}
