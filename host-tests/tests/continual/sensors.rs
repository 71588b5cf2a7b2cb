//! Sensors that are stuck, and that begin with nonsense.

use pocketron::{classifier::Warning, label::Class, prelude::*};

use crate::{
    kept::{bytes_of, restore},
    streams::{CLASSES, D, mixed, quadrants, recalls, teach},
};

type Two = Pocketron<D, 32>;
type Several = PocketronMulti<D, 32, CLASSES>;

fn error(model: &Two) -> f64 {
    let test = quadrants(77, 3000, 0.0);
    let wrong = test
        .iter()
        .filter(|(x, label)| model.predict(x) != Ok(*label));
    wrong.count() as f64 / 3000.0
}

#[test]
fn the_same_reading_teaches_nothing_from_the_eighth_time_on() {
    let mut model = Two::new();
    teach(&mut model, &quadrants(1, 300, 0.0));
    let stuck = [0.25, -0.5, 0.1, 0.3];
    for n in 1..=7 {
        let outcome = model.learn(&stuck, Sign::Pos).expect("good");
        assert_eq!(outcome.warning, None, "{n}");
    }
    let before = bytes_of(&model);
    for n in 8..1000 {
        // Whatever the label.
        let label = if n % 3 == 0 { Sign::Pos } else { Sign::Neg };
        let outcome = model.learn(&stuck, label).expect("good");
        assert_eq!(outcome.warning, Some(Warning::StuckSensor), "{n}");
        assert_eq!(outcome.admission, None);
        assert_eq!(Ok(outcome.predicted), model.predict(&stuck));
        assert_eq!(outcome.mistake, outcome.predicted != label);
        assert!(bytes_of(&model) == before, "{n}");
    }
    // A single bit, and it is another reading.
    let other = stuck.map(|x| f32::from_bits(x.to_bits() + 1));
    assert_eq!(model.learn(&other, Sign::Pos).expect("good").warning, None);
    assert!(bytes_of(&model) != before);
    assert_eq!(model.learn(&stuck, Sign::Pos).expect("good").warning, None);
}

#[test]
fn a_sensor_that_is_stuck_for_long_costs_nothing() {
    let mut model = Two::new();
    teach(&mut model, &quadrants(1, 3000, 0.1));
    let before = error(&model);
    for _ in 0..50_000 {
        model.learn(&[0.9, 0.9, 0.0, 0.0], Sign::Neg).expect("good");
    }
    let after = error(&model);
    assert!(before < 0.08 && after < before + 0.02, "{before} {after}");
}

#[test]
fn a_reading_in_which_one_feature_varies_is_not_stuck() {
    let mut model = Several::new();
    for n in 0..200_u16 {
        let x = [1.0, 2.0, f32::from(n % 2), 4.0];
        let outcome = model.learn(&x, Class((n % 2) as u8)).expect("good");
        assert_eq!(outcome.warning, None, "{n}");
    }
    assert_eq!(model.predict(&[1.0, 2.0, 1.0, 4.0]), Ok(Class(1)));
    assert_eq!(model.predict(&[1.0, 2.0, 0.0, 4.0]), Ok(Class(0)));
}

#[test]
fn a_stuck_sensor_is_noticed_again_after_a_restart() {
    let mut model = Two::new();
    teach(&mut model, &quadrants(1, 300, 0.0));
    for _ in 0..20 {
        model.learn(&[0.5; D], Sign::Pos).expect("good");
    }
    let bytes = bytes_of(&model);
    restore(&mut model, &bytes).expect("its own image");
    let stuck: Vec<bool> = (0..9)
        .map(|_| {
            let outcome = model.learn(&[0.5; D], Sign::Pos).expect("good");
            outcome.warning == Some(Warning::StuckSensor)
        })
        .collect();
    assert_eq!(
        stuck,
        [false, false, false, false, false, false, false, true, true]
    );
}

/// One reading of nonsense among the first ones, in any feature.
#[test]
fn a_wild_reading_at_first_is_forgotten() {
    for wild in [1e6, -1e6, 1e18, 1e30, f32::MAX] {
        for position in 0..3 {
            let mut examples = quadrants(10 + position as u64, 3000, 0.0);
            examples[position].0[position % 2] = wild;
            let mut model = Two::new();
            teach(&mut model, &examples);
            let error = error(&model);
            assert!(error < 0.07, "{wild} at {position}: {error}");

            let mut examples = mixed(20 + position as u64, 1500, 0.0);
            examples[position].0[position % 2] = wild;
            let mut model = Several::new();
            teach(&mut model, &examples);
            let recalls = recalls(&model);
            let mean = recalls.iter().sum::<f64>() / CLASSES as f64;
            assert!(mean > 0.93, "{wild} at {position}: {recalls:?}");
        }
    }
}

#[test]
fn wild_readings_later_on_do_no_harm() {
    let mut examples = quadrants(3, 6000, 0.0);
    for (n, (x, _)) in examples.iter_mut().enumerate() {
        if n % 97 == 50 {
            x[n % 4] = [1e6, -1e12, 1e18, f32::MAX][n / 97 % 4];
        }
    }
    let mut model = Two::new();
    teach(&mut model, &examples);
    let error = error(&model);
    assert!(error < 0.1, "{error}");
    assert!(!model.is_saturated());
}

/// A count takes few values, and the third reading often repeats one of the first two.
#[test]
fn a_repeated_value_among_the_first_is_not_wild() {
    for [first, second, third] in [
        [0.0, 5.0, 5.0],
        [5.0, 0.0, 0.0],
        [0.7, 0.1, 0.7],
        [30.0, 900.0, 30.0],
    ] {
        let mut model = Two::new();
        for (n, x) in [first, second, third].into_iter().enumerate() {
            let label = if x == second { Sign::Pos } else { Sign::Neg };
            model
                .learn(&[x, n as f32, 0.0, 1.0], label)
                .expect("a good example");
        }
        let deviation = model.moments()[0].variance.sqrt();
        let apart = (first - second).abs();
        assert!(
            deviation > 0.4 * apart && deviation < 0.6 * apart,
            "{first} {second} {third}: {deviation}"
        );
    }
}

/// Even where the sensor repeats itself, a value a hundred times larger is.
#[test]
fn a_value_beyond_all_proportion_is_wild_beside_repeated_ones() {
    let mut model = Two::new();
    for (n, x) in [1e6, 512.0, 512.0, 513.0, 511.0].into_iter().enumerate() {
        let label = if n % 2 == 0 { Sign::Pos } else { Sign::Neg };
        model
            .learn(&[x, n as f32, 0.0, 1.0], label)
            .expect("a good example");
    }
    assert!(model.moments()[0].variance < 2.0);
}

/// Zeros have no proportion: a value beyond a counter of 16 bits is wild beside them.
#[test]
fn a_wild_value_beside_zeros_is_forgotten() {
    for position in 0..2 {
        let mut examples = quadrants(30, 3000, 0.0);
        for (n, (x, _)) in examples.iter_mut().take(3).enumerate() {
            x[0] = if n == position { 1e18 } else { 0.0 };
        }
        let mut model = Two::new();
        teach(&mut model, &examples);
        let error = error(&model);
        assert!(error < 0.07, "{position}: {error}");
    }
}
