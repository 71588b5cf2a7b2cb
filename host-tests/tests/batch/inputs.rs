//! Any set, one example, and inputs that are refused.

use super::ALL;
use crate::common::{
    bits,
    finite::{Finite, whole},
    streams::TestRng,
};
use pocketron::{
    classifier::OnlineClassifier as _,
    error::InputError,
    hypothesis::Hypothesis,
    label::Sign,
    learners::{
        batch::{
            AdaBoost, AveragedPerceptron, Breakpoint, Directions, Ensemble, Plane, Pocket, Rcd,
            Samples, Seeding, WeightedLearner,
        },
        perceptron::Perceptron,
    },
    persist::Blank,
    rule::UnitSteps,
};

/// Nothing, one example, equal points with both labels, no weight, huge features.
#[test]
fn whatever_the_set_training_does_no_harm() {
    let max = f32::MAX;
    let sets = [
        Finite::<2>::new(vec![], vec![]),
        Finite::new(vec![[0.3, -0.2]], vec![-1.0]),
        Finite::new(vec![[0.3, -0.2]; 4], vec![1.0, -1.0, 1.0, -2.0]),
        Finite::new(vec![[0.0, 0.0]; 3], vec![1.0, -1.0, -1.0]),
        Finite::new(vec![[0.3, -0.2], [0.1, 0.2]], vec![0.0, -0.0]),
        Finite::new(vec![[max, -max], [1.0, max]], vec![1.0, -1.0]),
        Finite::new(vec![[0.3, -0.2], [0.1, 0.2]], vec![0.4 * max, -0.4 * max]),
    ];
    for mut set in sets {
        for directions in ALL {
            let mut rcd = Rcd::<2>::new(directions, 1);
            let mut pocket = Pocket::<2>::new(1);
            let mut averaged = AveragedPerceptron::<2>::new(UnitSteps, 1);
            let mut learners: [&mut dyn WeightedLearner<2>; 3] =
                [&mut rcd, &mut pocket, &mut averaged];
            for learner in &mut learners {
                for _ in 0..20 {
                    let error = learner.step(&mut set.samples()).error;
                    assert!((0.0..=1.0).contains(&error), "{set:?} {error}");
                }
                let Plane { weights, bias } = learner.plane();
                assert!(
                    weights
                        .iter()
                        .chain([&bias])
                        .all(|number| number.is_finite())
                );
            }
            for seeding in [Seeding::Zero, Seeding::Fisher] {
                let mut boost = AdaBoost::<_, 2, 3>::new(Rcd::new(directions, 1), seeding, 2);
                let mut other = set.clone();
                for _ in 0..20 {
                    boost.step(&mut other.samples());
                }
                assert_ne!(boost.is_finished(), other.x.is_empty());
                let score = boost.ensemble().score(&[0.1, 0.2]);
                assert!(score.is_ok_and(f32::is_finite), "{set:?}");
            }
        }
    }
}

/// One example is enough, wherever it lies.
#[test]
fn one_example_is_learned() {
    for x in [[0.3, -0.2], [1e9, 1e9], [1e-20, 0.0]] {
        for label in [1.0, -1.0] {
            for directions in [Directions::Plain, Directions::Bias, Directions::Gradient] {
                let mut set = Finite::new(vec![x], vec![label]);
                let mut rcd = Rcd::<2>::new(directions, 1);
                assert_eq!(rcd.step(&mut set.samples()).error, 0.0);
            }
        }
    }
}

#[test]
fn samples_are_finite_and_of_one_length() {
    let samples = |x: &[[f32; 1]], weights: &mut [f32], scratch| {
        let mut scratch = vec![Breakpoint::BLANK; scratch];
        Samples::new(x, weights, &mut scratch).is_some()
    };
    assert!(samples(&[[1.0], [2.0]], &mut [1.0, -1.0], 2));
    assert!(!samples(&[[1.0], [2.0]], &mut [1.0, -1.0], 3));
    assert!(!samples(&[[1.0], [2.0]], &mut [1.0], 2));
    assert!(!samples(&[[1.0], [f32::NAN]], &mut [1.0, -1.0], 2));
    assert!(!samples(&[[1.0], [2.0]], &mut [1.0, f32::NAN], 2));
    assert!(!samples(&[[1.0], [2.0]], &mut [f32::MAX, -f32::MAX], 2));
}

#[test]
fn planes_and_ensembles_refuse_what_is_not_finite() {
    let plane = Plane {
        weights: [1.0, 1.0],
        bias: 0.0,
    };
    assert_eq!(plane.score(&[f32::NAN, 0.0]), Err(InputError::NonFinite));
    assert_eq!(
        plane.score(&[f32::MAX, f32::MAX]),
        Err(InputError::Overflow)
    );
    let mut ensemble = Ensemble::<2, 2>::BLANK;
    assert!(ensemble.push(plane, 1.0) && ensemble.push(plane, 0.5));
    assert!(!ensemble.push(plane, 1.0), "full");
    assert_eq!(
        ensemble.score(&[f32::INFINITY, 0.0]),
        Err(InputError::NonFinite)
    );
    assert_eq!(ensemble.score(&[1.0, 0.0]), Ok(1.5));
    assert_eq!(ensemble.predict(&[-1.0, 0.0]), Ok(Sign::Neg));
    // A side that is known counts, however far; one that is not, spoils the score.
    assert_eq!(ensemble.score(&[f32::MAX, f32::MAX]), Ok(1.5));
    let mut torn = Ensemble::<2, 2>::BLANK;
    torn.push(plane.moved(&plane, 1.0), 1.0);
    torn.push(plane, f32::MAX);
    assert_eq!(
        torn.score(&[f32::MAX, -f32::MAX]),
        Err(InputError::Overflow)
    );
}

/// A plane is the hypothesis that it becomes, bit for bit.
#[test]
fn a_plane_goes_on_learning_online() {
    let mut rng = TestRng::new(8);
    let plane = Plane {
        weights: [rng.even(), rng.even()],
        bias: rng.even(),
    };
    let hypothesis = plane.hypothesis();
    let x: Vec<[f32; 2]> = (0..50).map(|_| [rng.even(), whole(&mut rng, 5)]).collect();
    let scores = |score: &dyn Fn(&[f32; 2]) -> f32| x.iter().map(score).collect::<Vec<_>>();
    assert_eq!(
        bits(&scores(&|x| plane.score(x).unwrap())),
        bits(&scores(&|x| hypothesis.score(x))),
    );
    let mut perceptron = Perceptron::from_parts(hypothesis, UnitSteps);
    let x = [0.3, -0.4];
    let label = match plane.predict(&x).unwrap() {
        Sign::Pos => Sign::Neg,
        Sign::Neg => Sign::Pos,
    };
    assert!(perceptron.learn(&x, label).unwrap().mistake);
    let after = Plane::of(perceptron.hypothesis());
    assert_eq!(after.bias, plane.bias + label.value());
}
