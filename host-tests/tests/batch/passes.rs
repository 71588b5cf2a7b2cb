//! Online learners in several passes.

use crate::common::finite::Finite;
use pocketron::{
    classifier::Scorer as _,
    hypothesis::Hypothesis,
    label::Sign,
    learners::batch::{AveragedPerceptron, LeastSquaresDescent, Plane, Seeding, WeightedLearner},
    rule::{Evaluated, LeastSquares, Rule, UnitSteps},
};

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
    let mut descent = LeastSquaresDescent::<3>::new(LeastSquares::new(0.004).unwrap(), 1);
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
    let mut coefficient = |label, score| rule.step(&Evaluated::scored(label, score)).coefficient;
    // eta (1 - y f)
    assert_eq!(coefficient(Sign::Pos, 0.5), Some(0.125));
    assert_eq!(coefficient(Sign::Neg, 0.5), Some(-0.375));
    assert_eq!(coefficient(Sign::Pos, 1.0), None);
    assert_eq!(coefficient(Sign::Neg, -3.0), None);
}
