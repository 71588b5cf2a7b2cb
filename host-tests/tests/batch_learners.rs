//! Learners over a finite set beside RCD: pocket, online learners in passes, boosting.

mod common;

use common::{
    finite::{Finite, vector},
    streams::Dice,
};
use pocketron::{
    batch::{
        AdaBoost, AveragedPerceptron, BiasedLinear, Directions, LeastSquaresDescent, Passes, Plane,
        Pocket, Progress, Rcd, Samples, Seeding, WeightedLearner,
    },
    hypothesis::Hypothesis,
    label::Sign,
    perceptron::Perceptron,
    rule::{Always, LeastSquares, Rule, Trial, UnitSteps},
};
use pocketron_host::reference::batch as reference;

#[test]
fn the_pocket_holds_the_best_plane_that_was_looked_at() {
    for seed in 1..=30 {
        let mut dice = Dice::new(seed);
        let mut set = Finite::<2>::grid(31, 3, &mut dice);
        set.samples().equalise();
        let rows = set.reference();
        let (best, looked_at) = reference::pocket(&rows, 12, seed as u32);
        let mut pocket = Pocket::<2>::new(seed as u32);
        let mut errors = Vec::new();
        for _ in 0..12 {
            errors.push(pocket.step(&mut set.samples()).error);
        }
        assert_eq!(vector(&pocket.plane()), best, "seed {seed}");
        let least = reference::wrong(&rows, &best);
        assert!(looked_at.len() > 2);
        assert!(looked_at.iter().all(|(_, loss)| *loss >= least));
        assert!(errors.is_sorted_by(|a, b| a >= b), "{errors:?}");
    }
}

#[test]
fn draws_follow_the_weights() {
    // Each example has a feature of its own, and `Always` counts how often it came.
    let mut x = vec![[0.0; 4]; 4];
    (0..4).for_each(|i| x[i][i] = 1.0);
    let mut set = Finite::new(x, vec![1.0, 2.0, 0.0, 5.0]);
    type Counting = Passes<Perceptron<BiasedLinear<4>, Always>>;
    let mut counting = Counting::new(Always, 3);
    for _ in 0..2000 {
        counting.step(&mut set.samples());
    }
    let Plane { weights, bias } = counting.plane();
    assert_eq!((bias, weights[2]), (8000.0, 0.0));
    for (count, expected) in weights.iter().zip([1000.0, 2000.0, 0.0, 5000.0]) {
        assert!((count - expected).abs() < 150.0, "{weights:?}");
    }
    // This seed draws the very beginning, where an example of no weight lies.
    let x = vec![[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
    let mut set = Finite::new(x, vec![0.0, 1.0]);
    let mut counting = Counting::new(Always, 0x2c63318c);
    counting.step(&mut set.samples());
    assert_eq!(counting.plane().weights, [0.0, 2.0, 0.0, 0.0]);
}

#[test]
fn the_averaged_plane_is_what_the_history_says() {
    let mut set = Finite::<3>::noisy(100, 5);
    let mut averaged = AveragedPerceptron::<3>::new(UnitSteps, 2);
    averaged.restart(&Seeding::Fisher.plane(&set.samples()));
    for _ in 0..20 {
        averaged.step(&mut set.samples());
    }
    let plane = averaged.plane();
    for x in &set.x {
        let (one, other) = (
            plane.score(x).unwrap(),
            averaged.learner().score(x).unwrap(),
        );
        assert!(
            (one - other).abs() <= 1e-4 * one.abs().max(1000.0),
            "{one} {other}"
        );
    }
    // It is not the last one.
    assert_ne!(plane, Plane::of(averaged.learner().hypothesis()));
}

#[test]
fn gradient_steps_shrink_the_squared_loss() {
    let mut set = Finite::<3>::noisy(100, 6);
    let loss = |set: &Finite<3>, plane: Plane<3>| -> f32 {
        let hypothesis = plane.hypothesis();
        let pairs = set.x.iter().zip(&set.weights);
        pairs
            .map(|(x, y)| (1.0 - y * hypothesis.score(x)).max(0.0).powi(2))
            .sum()
    };
    let mut descent = LeastSquaresDescent::<3>::new(LeastSquares::new(0.002).unwrap(), 1);
    let start = loss(&set, descent.plane());
    for _ in 0..100 {
        descent.step(&mut set.samples());
    }
    let end = loss(&set, descent.plane());
    assert!(end < 0.7 * start, "{start} {end}");
    // At the minimum the steps cancel: a hundred more epochs change little.
    for _ in 0..100 {
        descent.step(&mut set.samples());
    }
    assert!((loss(&set, descent.plane()) - end).abs() < 0.05 * end);
}

#[test]
fn least_squares_steps_follow_the_gradient_and_stop_at_the_margin() {
    let mut rule = LeastSquares::new(0.25).expect("a good rate");
    let mut coefficient = |label, score| {
        let trial = Trial {
            label,
            score,
            self_similarity: 1.0,
            own_steps: 0,
        };
        rule.step(&trial).coefficient
    };
    assert_eq!(coefficient(Sign::Pos, 0.5), Some(0.25));
    assert_eq!(coefficient(Sign::Neg, 0.5), Some(-0.75));
    assert_eq!(coefficient(Sign::Pos, 1.0), None);
    assert_eq!(coefficient(Sign::Neg, -3.0), None);
}

#[test]
fn boosting_has_the_votes_and_the_weights_of_the_reference() {
    for seed in 1..=5 {
        let mut set = Finite::<3>::noisy(120, seed.into());
        let start = set.reference();
        let learner = Rcd::<3>::new(Directions::Plain, seed);
        let mut boost = AdaBoost::<_, 3, 12>::new(learner, Seeding::Zero, 6);
        let mut rounds = Vec::new();
        loop {
            let progress = boost.step(&mut set.samples());
            if progress.epochs == 6 {
                rounds.push((progress.rounds, progress.error));
            }
            if progress.finished {
                break;
            }
        }
        let members: Vec<_> = boost.ensemble().members().collect();
        assert_eq!(members.len(), 12);
        let planes: Vec<_> = members.iter().map(|(plane, _)| vector(plane)).collect();
        let (votes, weights) = reference::adaboost(&start, &planes);
        for (vote, (_, found)) in votes.iter().zip(&members) {
            assert!((vote - f64::from(*found)).abs() < 1e-4, "{vote} {found}");
        }
        for (round, (number, error)) in rounds.iter().enumerate() {
            assert_eq!(*number as usize, round + 1);
            // vote = ln((1 - e) / e) / 2
            let expected = 1.0 / (1.0 + (2.0 * votes[round]).exp());
            assert!(
                (f64::from(*error) - expected).abs() < 1e-5,
                "{error} {expected}"
            );
        }
        let mut moved = 0;
        for (found, expected) in set.weights.iter().zip(&weights) {
            let found = f64::from(found.abs());
            assert!(
                (found - expected).abs() < 1e-4 * expected.max(1.0),
                "{found} {expected}"
            );
            moved += usize::from((expected - 1.0).abs() > 0.1);
        }
        assert!(moved > 60);
    }
}

/// Whoever learns nothing.
struct Fixed(Plane<1>, u32);

impl WeightedLearner<1> for Fixed {
    fn restart(&mut self, _: &Plane<1>) {
        self.1 = 0;
    }

    fn step(&mut self, samples: &mut Samples<'_, 1>) -> Progress {
        self.1 += 1;
        Progress {
            epochs: self.1,
            error: samples.error(&self.0),
        }
    }

    fn plane(&self) -> Plane<1> {
        self.0
    }

    fn epochs(&self) -> u32 {
        self.1
    }
}

#[test]
fn boosting_ends_when_there_is_nothing_to_gain() {
    let right = Plane {
        weights: [1.0],
        bias: 0.0,
    };
    let boost = |plane, weights: &[f32]| {
        let x = vec![[1.0], [2.0], [-1.0], [-3.0]];
        let mut set = Finite::new(x, weights.to_vec());
        let mut boost = AdaBoost::<_, 1, 9>::new(Fixed(plane, 0), Seeding::Zero, 3);
        let steps = (1..100).find(|_| boost.step(&mut set.samples()).finished);
        let votes: Vec<_> = boost.ensemble().members().map(|(_, vote)| vote).collect();
        (steps.expect("an end"), votes, set.weights)
    };
    // Everything right: one vote, as if half an example of four were wrong.
    let (steps, votes, weights) = boost(right, &[1.0, 1.0, -1.0, -1.0]);
    assert_eq!(
        (steps, votes.len(), weights),
        (3, 1, vec![1.0, 1.0, -1.0, -1.0])
    );
    assert!((votes[0] - 0.5 * 8_f32.ln()).abs() < 1e-6);
    // Half wrong: no vote.
    let (steps, votes, _) = boost(right, &[1.0, -1.0, -1.0, 1.0]);
    assert_eq!((steps, votes.len()), (3, 0));
    // One in four wrong: once reweighted, the same plane has half the weight wrong.
    let (steps, votes, weights) = boost(right, &[1.0, 1.0, -1.0, 1.0]);
    assert_eq!((steps, votes.len()), (6, 1));
    assert!((votes[0] - 0.5 * 3_f32.ln()).abs() < 1e-6);
    let third = 2.0 / 3.0;
    for (found, expected) in weights.iter().zip([third, third, -third, 2.0]) {
        assert!((found - expected).abs() < 1e-6, "{weights:?}");
    }
}

#[test]
fn boosting_starts_again_with_equal_weights() {
    let mut set = Finite::<2>::noisy(60, 9);
    let learner = Rcd::<2>::new(Directions::Bias, 4);
    let mut boost = AdaBoost::<_, 2, 5>::new(learner, Seeding::Fisher, 4);
    while !boost.step(&mut set.samples()).finished {}
    assert!(set.weights.iter().any(|weight| weight.abs() != 1.0));
    boost.restart(&mut set.samples());
    assert!(boost.ensemble().is_empty());
    assert!(set.weights.iter().all(|weight| weight.abs() == 1.0));
    assert_eq!(boost.ensemble().score(&[0.1, 0.2]), Ok(0.0));
    while !boost.step(&mut set.samples()).finished {}
    assert_eq!(boost.ensemble().len(), 5);
}
