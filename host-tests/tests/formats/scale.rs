//! Running scale of features.

use pocketron::{
    persist::Restart as _,
    storage::{
        point::Feature,
        scale::{Moments, RunningScale},
    },
};

#[test]
fn a_scale_has_the_moments_of_all_that_it_saw() {
    let x = |i: u32| [1e3 + (i * i % 17) as f32, -0.01 * (i % 5) as f32, 7.0];
    let mut scale = RunningScale::<[Moments; 3]>::new();
    for i in 0..500 {
        scale.update(&x(i)).expect("finite");
    }
    for feature in 0..3 {
        let values: Vec<f64> = (0..500).map(|i| x(i)[feature].into()).collect();
        let mean = values.iter().sum::<f64>() / 500.0;
        let squares = values.iter().map(|value| (value - mean).powi(2));
        let variance = squares.sum::<f64>() / 500.0;
        let found = scale.moments()[feature];
        assert!((f64::from(found.mean) - mean).abs() <= 1e-6 * mean.abs());
        assert!(
            (f64::from(found.variance) - variance).abs() <= 1e-3 * variance,
            "{found:?} {variance}"
        );
    }
    let before = scale;
    assert!(scale.update(&[0.0, f32::NAN, 0.0]).is_err());
    assert!(scale.update(&[0.0, 0.0]).is_err());
    assert_eq!(scale, before);
    // What never varied tells nothing, wherever it goes; the rest ends at four deviations.
    let (mut bytes, mut words) = ([1_i8; 3], [1_i16; 3]);
    scale.apply(&[1e9, -1e9, 1e9], &mut bytes);
    scale.apply(&[1e9, -1e9, 1e9], &mut words);
    assert_eq!(bytes, [127, -127, 0]);
    assert_eq!(
        words.map(|word| f32::from(word) * i16::step(3)),
        [4.0, -4.0, 0.0]
    );
    let frozen = scale.frozen();
    for i in 0..500 {
        scale.apply(&x(i), &mut bytes);
        assert_eq!(frozen.apply::<i8>(&x(i)), bytes);
    }
}

/// A feature that is as often low as high, one apart from the middle.
fn beat(n: u32) -> f32 {
    if n.is_multiple_of(2) { 1.0 } else { -1.0 }
}

fn deviation(scale: &RunningScale<[Moments; 1]>) -> f32 {
    scale.moments()[0].variance.sqrt()
}

#[test]
fn a_scale_is_as_good_after_a_month_as_after_a_minute() {
    let mut scale = RunningScale::<[Moments; 1]>::new();
    // Sums of squares would have stopped to grow, and counts gone on.
    for n in 0..1 << 26 {
        scale.update(&[beat(n)]).expect("finite");
    }
    let found = deviation(&scale);
    assert!((found - 1.0).abs() < 1e-3, "{found}");
}

#[test]
fn a_value_that_was_read_wrong_once_is_forgotten() {
    for spike in [65535.0, -4.2e9, 3e38] {
        let mut scale = RunningScale::<[Moments; 1]>::new();
        for n in 0..20_000 {
            let x = if n == 5000 { spike } else { beat(n) };
            scale.update(&[x]).expect("finite");
        }
        let found = deviation(&scale);
        assert!((0.9..1.2).contains(&found), "{spike}: {found}");
    }
}

#[test]
fn what_is_far_away_now_and_then_keeps_its_size() {
    let mut scale = RunningScale::<[Moments; 1]>::new();
    let x = |n: u32| {
        if n.is_multiple_of(1000) {
            100.0
        } else {
            0.01 * beat(n)
        }
    };
    for n in 0..100_000 {
        scale.update(&[x(n)]).expect("finite");
    }
    let found = deviation(&scale);
    assert!(
        (found / 0.001_f32.sqrt() / 100.0 - 1.0).abs() < 0.1,
        "{found}"
    );
}

#[test]
fn a_scale_follows_a_sensor_whose_zero_has_moved() {
    let mut scale = RunningScale::<[Moments; 1]>::new();
    for n in 0..1_000_000 {
        scale.update(&[beat(n)]).expect("finite");
    }
    let after = |scale: &RunningScale<[Moments; 1]>, examples: u32| -> [i8; 2] {
        let mut scale = *scale;
        for n in 0..examples {
            scale.update(&[beat(n) + 10.0]).expect("finite");
        }
        let mut levels = [[0_i8]; 2];
        for (level, x) in levels.iter_mut().zip([9.0, 11.0]) {
            scale.apply_within(2.5, &[x], level);
        }
        levels.map(|[level]| level)
    };
    // By itself in the course of some ten thousand examples; anew at once.
    let [low, high] = after(&scale, 1000);
    assert!(high - low < 20, "{low} {high}");
    let [low, high] = after(&scale, 60_000);
    assert!(high - low > 45, "{low} {high}");
    scale.restart();
    let [low, high] = after(&scale, 20);
    assert!(high - low > 45, "{low} {high}");
}
