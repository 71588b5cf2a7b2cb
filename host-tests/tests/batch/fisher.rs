//! Fisher's discriminant, the start of descent.

use crate::common::finite::{Finite, vector};
use pocketron::{
    learners::batch::{Plane, SHRINKAGE, Seeding, fisher},
    persist::Blank,
};
use pocketron_testkit::reference::batch as reference;

#[test]
fn fisher_is_the_closed_form() {
    for seed in 0..20 {
        for set in [
            Finite::<4>::noisy(90, seed),
            Finite::<4>::noisy(90, seed).reweighted(seed),
        ] {
            let mut set = set;
            // Features that depend on each other, and one in another unit.
            for x in &mut set.x {
                x[1] += 0.8 * x[0];
                x[3] *= 20.0;
            }
            let expected = reference::fisher(&set.reference(), SHRINKAGE.into());
            let found = vector(&fisher(&set.samples()));
            for (found, expected) in found.iter().zip(&expected) {
                let size = expected.abs().max(1e-2);
                assert!((found - expected).abs() < 2e-3 * size, "{found} {expected}");
            }
        }
    }
}

/// Two points a class: means (1, 0) and (-1, 0), variances 1 and 4, no covariance.
#[test]
fn fisher_of_four_points_is_known() {
    let x = vec![[2.0, 2.0], [0.0, -2.0], [0.0, 2.0], [-2.0, -2.0]];
    let mut set = Finite::new(x, vec![1.0, 1.0, -1.0, -1.0]);
    // S = [[1, 2], [2, 4]] is singular but for the shrinkage, 2.5e-6 on the diagonal: S w = (2, 0).
    let plane = fisher(&set.samples());
    let ratio = plane.weights[1] / plane.weights[0];
    assert!((ratio + 0.5).abs() < 0.1, "{plane:?}");
    assert!(
        plane.bias.abs() < 1e-3 * plane.weights[0].abs(),
        "{plane:?}"
    );
    set.x = vec![[2.0, 2.0], [0.0, -2.0], [-2.0, 2.0], [0.0, -2.0]];
    set.x[2] = [0.0, -2.0];
    set.x[3] = [-2.0, 2.0];
    // S = [[1, 0], [0, 4]]: w = (2 / 1, 0), bias 0.
    let plane = fisher(&set.samples());
    assert!((plane.weights[0] - 2.0).abs() < 1e-4 && plane.weights[1].abs() < 1e-4);
}

#[test]
fn fisher_takes_what_it_gets() {
    // One class only, nothing at all, a feature that never changes, two equal ones.
    let mut one = Finite::new(vec![[1.0, 2.0]; 3], vec![1.0; 3]);
    assert_eq!(fisher(&one.samples()), Plane::BLANK);
    let mut nothing = Finite::<2>::new(vec![], vec![]);
    assert_eq!(fisher(&nothing.samples()), Plane::BLANK);
    let mut set = Finite::<3>::noisy(80, 4);
    for x in &mut set.x {
        *x = [x[0], x[0], 5.0];
    }
    let plane = fisher(&set.samples());
    assert!(plane.weights.iter().all(|weight| weight.is_finite()));
    assert!(set.samples().error(&plane) < 0.4);
    // A class without weight is missing; numbers that cannot be squared.
    set.weights
        .iter_mut()
        .for_each(|weight| *weight = weight.max(-0.0));
    assert_eq!(fisher(&set.samples()), Plane::BLANK);
    let mut huge = Finite::new(
        vec![[1e30], [2e30], [3e30], [4e30]],
        vec![1.0, 1.0, -1.0, -1.0],
    );
    assert_eq!(fisher(&huge.samples()), Plane::BLANK);
}

/// Classes that are points: projected, the positive one is at 7 and has three quarters of the weight, the
/// negative one at 2.
#[test]
fn fisher_without_variance_leads_from_mean_to_mean() {
    let x = vec![[3.0, 1.0], [1.0, 0.0], [3.0, 1.0]];
    let mut set = Finite::new(x, vec![1.0, -1.0, 2.0]);
    let plane = fisher(&set.samples());
    // 7 / 4 + 2 * 3 / 4: nearer to the class with less weight.
    assert_eq!((plane.weights, plane.bias), ([2.0, 1.0], -3.25));
    assert_eq!(Seeding::Fisher.plane(&set.samples()), plane);
    assert_eq!(set.samples().error(&plane), 0.0);
    let midway = Seeding::FisherMidway.plane(&set.samples());
    assert_eq!((midway.weights, midway.bias), ([2.0, 1.0], -4.5));
}

#[test]
fn the_two_seeds_differ_by_the_bias_alone() {
    for seed in 0..10 {
        let mut set = Finite::<3>::noisy(90, seed).reweighted(seed);
        let midway = Seeding::FisherMidway.plane(&set.samples());
        assert_eq!(midway.weights, fisher(&set.samples()).weights);
        let expected = reference::midway(&set.reference(), &vector(&midway));
        let found = f64::from(midway.bias);
        assert!(
            (found - expected).abs() < 1e-4 * expected.abs().max(1.0),
            "{found} {expected}"
        );
    }
}
