//! Projections in single precision: the inverse Gram matrix is kept for thousands of steps and must not rot.

mod common;

use common::{
    accuracy,
    embedded::Embedded,
    settings,
    streams::{Stream, checkerboard},
};
use pocketron::{
    budget::{Admission, Forget, Oldest, OneSlot, Policy, Projecting, Random, Stop},
    kernel::Gaussian,
    memory::Inline,
    prelude::*,
};
use pocketron_host::{
    learner::{self, Algorithm, Learner},
    reference::{self, Kernel},
};

/// Noisy training points of a 4 x 4 board and clean test points.
fn board(train: usize, seed: u64) -> (Stream, Stream) {
    let noisy = checkerboard(train, 2, 4, 0.15, seed);
    (noisy, checkerboard(2000, 2, 4, 0.0, seed + 1000))
}

fn reference_accuracy(gamma: f32, tolerance: f32, train: &Stream, test: &Stream) -> f64 {
    let wide = |rows: &Stream| -> Vec<(Vec<f64>, f64)> {
        let x = |x: &[f32]| x.iter().copied().map(f64::from).collect();
        rows.iter()
            .map(|(p, label)| (x(p), f64::from(label.value())))
            .collect()
    };
    let algorithm = reference::Algorithm::Projectron;
    let numbers = reference::Settings {
        tolerance: f64::from(tolerance),
        ..reference::Settings::usual(algorithm, 100)
    };
    let gamma = f64::from(gamma);
    let mut learner = reference::Learner::new(algorithm, Kernel::Gaussian { gamma }, numbers);
    for (row, (x, y)) in wide(train).iter().enumerate() {
        learner.learn(row, x, *y);
    }
    learner.accuracy(&wide(test))
}

#[test]
fn probe() {
    for gamma in [2.0f32, 8.0, 16.0, 32.0] {
        for tolerance in [0.0f32, 1e-3, 0.01, 0.1] {
            let (mut core, mut refe, mut n) = (vec![], vec![], vec![]);
            for seed in 1..=3 {
                let (train, test) = board(2000, seed);
                let numbers = learner::Settings {
                    tolerance,
                    ..settings(gamma, 100)
                };
                let mut l =
                    learner::build(Algorithm::Projectron, &numbers, 2, train.len()).unwrap();
                for (x, label) in &train {
                    l.learn(x, *label).unwrap();
                }
                core.push(accuracy(l.as_ref(), &test));
                n.push((
                    l.alphas().len(),
                    l.alphas().iter().fold(0.0f32, |a, b| a.max(b.abs())),
                ));
                refe.push(reference_accuracy(gamma, tolerance, &train, &test));
            }
            println!("gamma {gamma} tol {tolerance} core {core:?} ref {refe:?} n {n:?}");
        }
    }
}

fn long_run<P>(inner: P, gamma: f32, tolerance: f32, seed: u64)
where
    P: Policy<Gaussian, Inline<2, 100>> + OneSlot,
{
    let policy = Projecting::new(inner, tolerance).unwrap();
    let model: KernelPerceptron<Gaussian, _, Inline<2, 100>> =
        KernelPerceptron::with_policy(Gaussian::constant(gamma), policy, UnitSteps);
    let mut l = Embedded(model);
    let (train, test) = board(20000, seed);
    let (mut mistakes, mut replaced, mut absorbed) = (0, 0, 0);
    let mut error = None;
    for (row, (x, label)) in train.iter().enumerate() {
        match l.learn(x, *label) {
            Ok(o) => {
                mistakes += usize::from(o.mistake);
                match o.admission {
                    Some(Admission::Replaced(_)) => replaced += 1,
                    Some(Admission::Absorbed) => absorbed += 1,
                    _ => {}
                }
            }
            Err(e) => {
                error = Some((row, e));
                break;
            }
        }
        if row % 4000 == 3999 {
            println!(
                "   row {row} mistakes {mistakes} replaced {replaced} absorbed {absorbed} max alpha {:.2e} acc {:.3}",
                l.alphas().iter().fold(0.0f32, |a, b| a.max(b.abs())),
                accuracy(&l, &test)
            );
        }
    }
    println!("gamma {gamma} tol {tolerance} error {error:?} mistakes {mistakes}");
}

#[test]
fn probe_long() {
    for (gamma, tolerance) in [
        (2.0f32, 0.0f32),
        (8.0, 0.0),
        (16.0, 0.0),
        (16.0, 0.1),
        (32.0, 0.0),
        (32.0, 0.1),
    ] {
        println!("oldest");
        long_run(Oldest::new(), gamma, tolerance, 1);
        println!("random");
        long_run(Random::new(1), gamma, tolerance, 1);
        println!("forget");
        long_run(Forget::new(), gamma, tolerance, 1);
        println!("stop");
        long_run(Stop, gamma, tolerance, 1);
    }
}
