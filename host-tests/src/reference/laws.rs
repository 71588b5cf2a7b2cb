//! What must hold across algorithms.

use super::generator::Xorshift32;
use super::*;

const GAUSSIAN: Kernel = Kernel::Gaussian { gamma: 2.0 };

/// Points of the square [-1, 1]^2 labelled by a wavy border, a tenth of the labels flipped.
fn stream(n: usize, seed: u32) -> Vec<(Vec<f64>, f64)> {
    noisy(n, seed, 0.1)
}

fn noisy(n: usize, seed: u32, noise: f64) -> Vec<(Vec<f64>, f64)> {
    let mut generator = Xorshift32::new(seed);
    let mut even = || f64::from(generator.draw()) / f64::from(u32::MAX) * 2.0 - 1.0;
    let mut point = || {
        let (a, b, flip) = (even(), even(), even() < 2.0 * noise - 1.0);
        let above = b > 0.5 * f64::sin(4.0 * a);
        (vec![a, b], if above != flip { 1.0 } else { -1.0 })
    };
    (0..n).map(|_| point()).collect()
}

#[test]
fn every_algorithm_respects_its_budget() {
    let data = stream(300, 3);
    for algorithm in Algorithm::ALL
        .into_iter()
        .filter(|&a| a != Algorithm::Perceptron)
    {
        for budget in [1, 2, 7] {
            let settings = Settings {
                tolerance: 0.01,
                ..Settings::usual(algorithm, budget)
            };
            let mut learner = Learner::new(algorithm, GAUSSIAN, settings);
            for (row, (x, y)) in data.iter().enumerate() {
                learner.learn(row, x, *y);
                assert!(
                    learner.model().vectors.len() <= budget,
                    "{algorithm} B = {budget} row {row}"
                );
            }
            assert!(
                learner.trace().alpha.iter().all(|a| a.is_finite()),
                "{algorithm}"
            );
        }
    }
}

#[test]
fn below_the_budget_the_removers_are_the_perceptron() {
    let data = stream(150, 4);
    let perceptron = run(
        Algorithm::Perceptron,
        GAUSSIAN,
        Settings::usual(Algorithm::Perceptron, 1),
        &data,
        2,
    );
    let removers = Algorithm::ALL
        .into_iter()
        .take_while(|&a| a != Algorithm::Projectron);
    for algorithm in removers.chain([Algorithm::Merge]) {
        let settings = Settings {
            margin: 0.0,
            ..Settings::usual(algorithm, 300)
        };
        let trace = run(algorithm, GAUSSIAN, settings, &data, 2);
        assert_eq!(
            (&trace.sv, &trace.scores),
            (&perceptron.sv, &perceptron.scores),
            "{algorithm}"
        );
    }
}

#[test]
fn under_the_linear_kernel_two_projected_vectors_are_the_whole_perceptron() {
    let data = stream(400, 5);
    let perceptron = run(
        Algorithm::Perceptron,
        Kernel::Linear,
        Settings::usual(Algorithm::Perceptron, 1),
        &data,
        1,
    );
    let projectron = run(
        Algorithm::Projectron,
        Kernel::Linear,
        Settings::usual(Algorithm::Projectron, 10),
        &data,
        1,
    );
    assert!(perceptron.mistakes > 40, "{}", perceptron.mistakes);
    assert_eq!(
        (projectron.sv.len(), projectron.mistakes),
        (2, perceptron.mistakes)
    );
    for (p, q) in perceptron.scores.iter().zip(&projectron.scores) {
        assert!((p - q).abs() <= 1e-9 * p.abs().max(1.0), "{p} {q}");
    }
}

#[test]
fn projectron_plus_plus_without_tolerance_is_the_projectron() {
    let data = stream(200, 6);
    let of = |algorithm| {
        run(
            algorithm,
            GAUSSIAN,
            Settings::usual(algorithm, 12),
            &data,
            1,
        )
    };
    assert_eq!(of(Algorithm::Projectron), of(Algorithm::ProjectronPlusPlus));
    let tolerant = |algorithm| {
        run(
            algorithm,
            GAUSSIAN,
            Settings {
                tolerance: 0.2,
                ..Settings::usual(algorithm, 12)
            },
            &data,
            1,
        )
    };
    let (plain, plus) = (
        tolerant(Algorithm::Projectron),
        tolerant(Algorithm::ProjectronPlusPlus),
    );
    assert!(
        plus.updates > plus.mistakes && plain.updates == plain.mistakes,
        "{} {}",
        plus.updates,
        plus.mistakes
    );
}

#[test]
fn tighter_without_validation_points_is_remove_oldest() {
    let data = stream(300, 7);
    let settings = Settings {
        reservoir: 0,
        ..Settings::usual(Algorithm::Tighter, 9)
    };
    let tighter = run(Algorithm::Tighter, GAUSSIAN, settings, &data, 1);
    assert_eq!(
        tighter,
        run(Algorithm::RemoveOldest, GAUSSIAN, settings, &data, 1)
    );
}

#[test]
fn the_seed_matters_where_chance_does_and_nowhere_else() {
    let data = stream(300, 8);
    for algorithm in Algorithm::ALL {
        let with = |seed| {
            run(
                algorithm,
                GAUSSIAN,
                Settings {
                    seed,
                    ..Settings::usual(algorithm, 8)
                },
                &data,
                1,
            )
        };
        let chance = matches!(algorithm, Algorithm::Random | Algorithm::Tighter);
        assert_eq!(with(11), with(11), "{algorithm}");
        assert_eq!(with(11) != with(12), chance, "{algorithm}");
    }
}

#[test]
fn a_new_random_vector_sits_in_its_victims_place() {
    let data = stream(200, 9);
    let settings = Settings {
        seed: 5,
        ..Settings::usual(Algorithm::Random, 6)
    };
    let mut learner = Learner::new(Algorithm::Random, GAUSSIAN, settings);
    let (mut places, mut generator) = (Vec::new(), Xorshift32::new(5));
    for (row, (x, y)) in data.iter().enumerate() {
        if learner.learn(row, x, *y).update {
            if places.len() < 6 {
                places.push(row)
            } else {
                places[generator.below(6)] = row
            }
        }
        assert_eq!(
            learner
                .model()
                .vectors
                .iter()
                .map(|v| v.row)
                .collect::<Vec<_>>(),
            places
        );
    }
    assert!(learner.trace().sv.is_sorted() && !places.is_sorted());
}

#[test]
fn a_score_of_zero_is_a_mistake_and_a_margin_error_is_not() {
    for algorithm in Algorithm::ALL {
        let mut learner = Learner::new(
            algorithm,
            GAUSSIAN,
            Settings {
                margin: 2.0,
                ..Settings::usual(algorithm, 4)
            },
        );
        let first = learner.learn(0, &[0.0, 0.0], -1.0);
        assert_eq!(
            (first.score, first.mistake, first.update),
            (0.0, true, true),
            "{algorithm}"
        );
        let again = learner.learn(1, &[0.4, 0.0], -1.0);
        assert!(again.score < 0.0 && !again.mistake, "{algorithm}");
    }
}

#[test]
fn names_are_read_back() {
    for algorithm in Algorithm::ALL {
        assert_eq!(algorithm.to_string().parse(), Ok(algorithm));
    }
    assert!("tightestest".parse::<Algorithm>().is_err());
}

#[test]
fn every_algorithm_learns_a_wavy_border() {
    let (train, test) = (noisy(1500, 0xACE1, 0.0), noisy(1000, 0xBEEF, 0.0));
    for algorithm in Algorithm::ALL {
        let settings = Settings {
            tolerance: 0.05,
            lambda: 1e-2,
            ..Settings::usual(algorithm, 30)
        };
        let mut learner = Learner::new(algorithm, Kernel::Gaussian { gamma: 5.0 }, settings);
        for (row, (x, y)) in train.iter().enumerate() {
            learner.learn(row, x, *y);
        }
        let accuracy = learner.accuracy(&test);
        println!("{algorithm:>14} {accuracy:.3}");
        assert!(accuracy > 0.8, "{algorithm}: {accuracy}");
    }
}
