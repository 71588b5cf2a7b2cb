//! Features are standardised in coarse steps, which stored vectors follow when they change.

use pocketron::{
    budget::Admission,
    learners::continual::{AnnealedSteps, BestWrongClass, Tuning},
    prelude::*,
};

use crate::{
    classes::{D, Model, clouds, coarse, standardised},
    formulas::STEP,
};

/// Nothing moves a vector but its scale.
#[derive(Clone, Debug)]
struct Following;

impl Tuning for Following {
    const REHEARSAL: bool = false;
    const MOVES: bool = false;
}

type Learner = Model<BestWrongClass<AnnealedSteps<35, 3>>, Following>;

#[test]
fn a_stored_vector_is_the_standardised_example() {
    let mut compared = 0;
    for seed in 0..30 {
        let mut model = Learner::new();
        for (x, class) in clouds(seed, 60) {
            let outcome = model.learn(&x, class).expect("good");
            if outcome.admission == Some(Admission::Inserted) {
                let newest = model.vectors().len() - 1;
                let expected = standardised(model.moments(), &x);
                assert_eq!(model.vectors().point(newest), expected, "{x:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 300, "{compared}");
}

#[test]
fn stored_vectors_follow_the_scale() {
    let (mut followed, mut stayed) = (0, 0);
    for seed in 0..30 {
        let mut model = Learner::new();
        for (x, class) in clouds(seed, 60) {
            let before = model.clone();
            model.learn(&x, class).expect("good");
            if before.vectors().is_full() {
                break;
            }
            for feature in 0..D {
                let (old, new) = (
                    coarse(&before.moments()[feature]),
                    coarse(&model.moments()[feature]),
                );
                for slot in 0..before.vectors().len() {
                    let was = before.vectors().point(slot)[feature];
                    let is = f64::from(model.vectors().point(slot)[feature]);
                    if old == new || new.1 == 0.0 {
                        assert_eq!(is, f64::from(was));
                        stayed += 1;
                        continue;
                    }
                    let value = old.0 + old.1 * STEP * f64::from(was);
                    let exact = ((value - new.0) / new.1 / STEP).clamp(-127.0, 127.0);
                    assert!((is - exact).abs() < 0.5 + 1e-3, "{was} {is} {exact}");
                    followed += 1;
                }
            }
        }
    }
    assert!(followed > 1000 && stayed > 1000, "{followed} {stayed}");
}

#[test]
fn moments_are_those_of_the_examples() {
    let stream = clouds(7, 2000);
    let mut model = Learner::new();
    for (x, class) in &stream {
        model.learn(x, *class).expect("good");
    }
    for (feature, moments) in model.moments().iter().enumerate() {
        let values = || stream.iter().map(|(x, _)| f64::from(x[feature]));
        let count = stream.len() as f64;
        let mean = values().sum::<f64>() / count;
        let variance = values().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
        let off = (f64::from(moments.mean) - mean).abs() / variance.sqrt();
        let ratio = f64::from(moments.variance) / variance;
        assert!(off < 1e-3 && (ratio - 1.0).abs() < 1e-3, "{off} {ratio}");
    }
}
