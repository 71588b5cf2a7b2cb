//! Directions of descent and their distributions.

use crate::common::finite::Finite;
use pocketron::learners::batch::{Directions, Draw, Plane, Rcd, WeightedLearner};

/// Two examples are right and one is wrong; along the wrong one all become right.
#[test]
fn gradient_directions_lead_along_misclassified_examples() {
    let x = vec![[1.0, 0.0], [0.0, 1.0], [-1.0, -2.0]];
    for seed in 1..=40 {
        let mut set = Finite::new(x.clone(), vec![1.0, 1.0, 1.0]);
        let start = Plane {
            weights: [1.0, 1.0],
            bias: 0.5,
        };
        let moves_along = |directions| {
            let mut set = set.clone();
            let mut rcd = Rcd::<2>::new(directions, seed);
            rcd.restart(&start);
            rcd.step(&mut set.samples());
            let after = rcd.plane();
            // A plane keeps its direction when it is rescaled: compare determinants with (start, example).
            set.x.iter().position(|x| {
                let rows = [
                    [start.weights[0], start.weights[1], start.bias],
                    [x[0], x[1], 1.0],
                    [after.weights[0], after.weights[1], after.bias],
                ];
                determinant(rows).abs() < 1e-4
            })
        };
        assert_eq!(moves_along(Directions::Gradient), Some(2), "seed {seed}");
        // Nothing is wrong: nothing to do.
        set.weights[2] = -1.0;
        let mut rcd = Rcd::<2>::new(Directions::Gradient, seed);
        rcd.restart(&start);
        let before = rcd.plane();
        assert_eq!(rcd.step(&mut set.samples()).error, 0.0);
        assert_eq!(rcd.plane(), before);
    }
}

/// From the zero plane, the first epoch of RCD-plain ends at a multiple of its direction.
fn first_direction(draw: Draw, seed: u32, set: &mut Finite<2>) -> Plane<2> {
    let mut rcd = Rcd::<2>::new(Directions::Plain, seed).with_draw(draw);
    rcd.step(&mut set.samples());
    rcd.plane()
}

/// Ratios of components tell the distributions apart: with a bias of one, no uniform weight exceeds it; of two
/// uniform numbers the first is three times the second in one case of six, of two normal ones in atan(1/3) / (pi/2).
#[test]
fn directions_have_the_distribution_that_they_are_named_after() {
    const SEEDS: u32 = 4000;
    let mut set = Finite::<2>::noisy(40, 3);
    let mut share = |draw, times: f32| {
        let ratio = |seed: u32| {
            let Plane { weights, bias } =
                first_direction(draw, seed.wrapping_mul(0x9E37_79B9), &mut set);
            (weights[1] / bias).abs()
        };
        let above = (1..=SEEDS).map(ratio).filter(|ratio| *ratio > times);
        above.count() as f64 / f64::from(SEEDS)
    };
    let near = |found: f64, expected: f64| {
        assert!((found - expected).abs() < 0.02, "{found} {expected}");
    };
    near(share(Draw::Uniform, 1.0), 0.5);
    near(share(Draw::Uniform, 3.0), 1.0 / 6.0);
    near(
        share(Draw::StandardNormal, 3.0),
        (1_f64 / 3.0).atan() / std::f64::consts::FRAC_PI_2,
    );
    near(share(Draw::UnitBias, 0.5), 0.5);
    assert_eq!(share(Draw::UnitBias, 1.0), 0.0);
}

#[test]
fn gaussian_directions_have_mean_and_deviation_of_the_features() {
    const SEEDS: u32 = 4000;
    let x: Vec<[f32; 2]> = (0..50)
        .map(|i| [0.02 * i as f32, if i % 5 == 0 { -1.0 } else { 0.25 }])
        .collect();
    let labels = (0..50)
        .map(|i| if i % 3 == 0 { 1.0 } else { -1.0 })
        .collect();
    let mut set = Finite::new(x.clone(), labels);
    let directions: Vec<_> = (1..=SEEDS)
        .map(|seed| {
            first_direction(
                Draw::FeatureNormal,
                seed.wrapping_mul(0x9E37_79B9),
                &mut set,
            )
        })
        .collect();
    for feature in 0..2 {
        let moments = |values: Vec<f64>| {
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let variance = values
                .iter()
                .map(|value| (value - mean).powi(2))
                .sum::<f64>()
                / count;
            (mean, variance.sqrt())
        };
        let of_set = moments(x.iter().map(|x| f64::from(x[feature])).collect());
        // The bias of the direction is one, whatever it was multiplied by.
        let drawn = directions
            .iter()
            .map(|plane| f64::from(plane.weights[feature] / plane.bias));
        let drawn = moments(drawn.collect());
        assert!(
            (drawn.0 - of_set.0).abs() < 0.05 * of_set.1.max(0.2),
            "{drawn:?} {of_set:?}"
        );
        assert!(
            (drawn.1 / of_set.1 - 1.0).abs() < 0.05,
            "{drawn:?} {of_set:?}"
        );
    }
}

fn determinant([a, b, c]: [[f32; 3]; 3]) -> f32 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}
