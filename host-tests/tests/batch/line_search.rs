//! The line search finds the best interval.

use crate::common::{
    finite::{Finite, vector, whole_plane},
    streams::TestRng,
};
use pocketron::learners::batch::{Plane, least_wrong};
use pocketron_testkit::reference::batch as reference;

/// Small sets full of ties, and large ones of which only a part gets sorted.
#[test]
fn the_line_search_finds_the_first_of_the_best_intervals() {
    let mut rng = TestRng::new(1);
    let (mut zero_slopes, mut zero_weights, mut ends) = (0, 0, [0; 2]);
    for round in 0..3000 {
        let (n, size) = match round % 25 {
            24 => (100 + round / 50, 30),
            _ => (1 + round % 12, 3),
        };
        let mut set = Finite::<2>::grid(n, size, &mut rng);
        let plane = whole_plane::<2>(&mut rng, if round % 10 == 0 { 0 } else { 2 });
        let direction = whole_plane::<2>(&mut rng, 2);
        let rows = set.reference();
        let (w, d) = (vector(&plane), vector(&direction));
        let slope = |one: &reference::Weighted| reference::dot(&d, &one.x);
        zero_slopes += rows.iter().filter(|one| slope(one) == 0.0).count();
        zero_weights += rows.iter().filter(|one| one.weight == 0.0).count();
        let best = least_wrong(&mut set.samples(), &plane, &direction);
        let (expected, interval) = reference::least_wrong(&rows, &w, &d);
        assert_eq!(
            f64::from(best.wrong),
            expected,
            "{set:?} {plane:?} {direction:?}"
        );
        // The place that it names is there, and as good as it says.
        let factor = f64::from(best.factor);
        assert!(interval.contains(&factor), "{best:?} {interval:?}");
        let there = reference::wrong_along(&rows, &w, &d, factor);
        assert_eq!(there, expected, "{best:?}");
        ends[0] += usize::from(interval.start.is_infinite());
        ends[1] += usize::from(interval.end.is_infinite());
    }
    assert!(
        zero_slopes > 1000 && zero_weights > 1000,
        "{zero_slopes} {zero_weights}"
    );
    assert!(ends.iter().all(|count| *count > 100), "{ends:?}");
}

/// All places are one, and so far away that a step of one is lost in rounding.
#[test]
fn a_line_with_one_place_is_searched_on_both_sides_of_it() {
    for (label, far) in [
        (1.0, 1e9),
        (-1.0, 1e9),
        (1.0, -1e9),
        (-1.0, -1e9),
        (1.0, 0.0),
    ] {
        let mut set = Finite::new(vec![[1.0]; 3], vec![label; 3]);
        let plane = Plane {
            weights: [far],
            bias: 0.0,
        };
        let bias = Plane {
            weights: [0.0],
            bias: 1.0,
        };
        let best = least_wrong(&mut set.samples(), &plane, &bias);
        let moved = plane.moved(&bias, best.factor);
        assert_eq!(set.samples().wrong(&moved), 0.0, "{label} {far} {best:?}");
    }
}

#[test]
fn the_line_search_stays_near_the_best_with_weights_that_are_not_whole() {
    for seed in 0..40 {
        let mut set = Finite::<3>::noisy(150, seed).reweighted(seed);
        let mut rng = TestRng::new(seed);
        let (plane, direction) = (whole_plane(&mut rng, 3), whole_plane(&mut rng, 3));
        let rows = set.reference();
        let best = least_wrong(&mut set.samples(), &plane, &direction);
        let (expected, _) = reference::least_wrong(&rows, &vector(&plane), &vector(&direction));
        assert!(
            (f64::from(best.wrong) - expected).abs() < 1e-4,
            "{best:?} {expected}"
        );
    }
}
