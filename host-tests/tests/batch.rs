//! Random coordinate descent and where it starts: laws, and agreement with slow float64 versions.

mod common;

use common::{
    bits,
    finite::{Finite, vector, whole, whole_plane},
    streams::TestRng,
};
use pocketron::{
    classifier::OnlineClassifier as _,
    error::InputError,
    hypothesis::Hypothesis,
    label::Sign,
    learners::{
        batch::{
            AdaBoost, AveragedPerceptron, Breakpoint, Directions, Draw, Ensemble, Plane, Pocket,
            RandomPerceptron, Rcd, SHRINKAGE, Samples, Seeding, WeightedLearner, fisher,
            least_wrong,
        },
        perceptron::Perceptron,
    },
    persist::Blank,
    rule::UnitSteps,
};
use pocketron_testkit::reference::batch as reference;

const ALL: [Directions; 5] = [
    Directions::Plain,
    Directions::Bias,
    Directions::Gradient,
    Directions::AnyExample,
    Directions::Cyclic,
];

const DRAWS: [Draw; 4] = [
    Draw::Uniform,
    Draw::FeatureNormal,
    Draw::UnitBias,
    Draw::StandardNormal,
];

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

#[test]
fn the_training_error_never_rises_along_rcd() {
    for (seed, directions) in (1..).zip(ALL) {
        for draw in DRAWS {
            let plain = Finite::<5>::noisy(120, seed.into());
            for mut set in [plain.clone(), plain.reweighted(7)] {
                let mut rcd = Rcd::<5>::new(directions, seed).with_draw(draw);
                let (mut before, start) = (f32::INFINITY, set.samples().error(&rcd.plane()));
                for epoch in 1..=300 {
                    let progress = rcd.step(&mut set.samples());
                    assert_eq!(progress.epochs, epoch);
                    assert!(progress.error <= before, "{directions:?}, epoch {epoch}");
                    // What is reported is what the plane does.
                    assert_eq!(progress.error, set.samples().error(&rcd.plane()));
                    let rows = set.reference();
                    let total: f64 = rows.iter().map(|one| one.weight).sum();
                    let error = reference::wrong(&rows, &vector(&rcd.plane())) / total;
                    assert!((error - f64::from(progress.error)).abs() < 1e-5);
                    before = progress.error;
                }
                assert!(before < 0.6 * start, "{directions:?}: {start} to {before}");
            }
        }
    }
}

/// Features far from zero: scores are small differences of large numbers, and what the line search promises
/// is not what the moved plane does.
#[test]
fn rounding_never_makes_it_worse() {
    let mut refused = 0;
    for seed in 1..=10 {
        let mut set = Finite::<2>::noisy(80, seed.into());
        for x in &mut set.x {
            *x = x.map(|x| x + 20_000.0);
        }
        let mut rcd = Rcd::<2>::new(Directions::Plain, seed);
        let mut before = f32::INFINITY;
        for _ in 0..200 {
            let plane = rcd.plane();
            let error = rcd.step(&mut set.samples()).error;
            assert!(error <= before, "{before} to {error}");
            assert_eq!(error, set.samples().error(&rcd.plane()));
            before = error;
            refused += u32::from(rcd.plane() == plane);
        }
    }
    assert!(refused > 0, "the case does not arise");
}

#[test]
fn numbers_do_not_drift_out_of_range() {
    let mut set = Finite::<2>::noisy(60, 3);
    let mut rcd = Rcd::<2>::new(Directions::Plain, 5);
    for _ in 0..3000 {
        rcd.step(&mut set.samples());
        let Plane { weights, bias } = rcd.plane();
        let largest = weights.iter().fold(bias.abs(), |a, b| a.max(b.abs()));
        assert!((1.0..2.0).contains(&largest), "{weights:?} {bias}");
    }
}

/// Points that a plane through the middle tells apart, with a gap.
fn separable(n: usize, seed: u64) -> Finite<3> {
    let mut rng = TestRng::new(seed);
    let mut rows = Vec::new();
    while rows.len() < n {
        let x = [(); 3].map(|()| rng.even());
        let side = x[0] - 0.5 * x[1] + 0.25 * x[2] + 0.1;
        if side.abs() > 0.15 {
            rows.push((x, Sign::of(side)));
        }
    }
    Finite::of(&rows)
}

#[test]
fn separable_sets_are_learned_without_error() {
    for seed in 1..=5 {
        let mut set = separable(200, seed);
        for directions in [Directions::Plain, Directions::Bias] {
            for seeding in [Seeding::Zero, Seeding::Fisher] {
                let mut rcd = Rcd::<3>::new(directions, seed as u32);
                rcd.restart(&seeding.plane(&set.samples()));
                let reached = (0..2000).any(|_| rcd.step(&mut set.samples()).error == 0.0);
                assert!(reached, "{directions:?} {seeding:?}");
            }
        }
        let mut pocket = Pocket::<3>::new(seed as u32);
        assert!((0..500).any(|_| pocket.step(&mut set.samples()).error == 0.0));
        let mut plain = RandomPerceptron::<3>::new(UnitSteps, seed as u32);
        assert!((0..500).any(|_| plain.step(&mut set.samples()).error == 0.0));
    }
}

/// Which weights, relative to the first, an epoch has changed; the bias comes last.
fn changed(before: &Plane<3>, after: &Plane<3>) -> [bool; 4] {
    // Both have their largest number in [1, 2): the same number has the same bits, but for a power of two.
    let all = |plane: &Plane<3>| {
        let [a, b, c] = plane.weights;
        [a, b, c, plane.bias]
    };
    let ratios = [0, 1, 2, 3].map(|i| (all(after)[i] / all(before)[i]).log2());
    // What an epoch leaves alone is only multiplied by the common power of two: several numbers, or the bias.
    let is_power = |ratio: &f32| ratio.fract() == 0.0;
    let common = ratios.into_iter().find(|ratio| {
        let same = ratios.iter().filter(|other| *other == ratio);
        is_power(ratio) && same.count() >= 2
    });
    let common = common.or(Some(ratios[3]).filter(is_power));
    ratios.map(|ratio| Some(ratio) != common)
}

/// The directions of the first three turns from Fisher's discriminant.
fn turns(directions: Directions, draw: Draw) -> Vec<[bool; 4]> {
    let mut set = Finite::<3>::noisy(200, 2);
    let mut rcd = Rcd::<3>::new(directions, 9).with_draw(draw);
    rcd.restart(&Seeding::Fisher.plane(&set.samples()));
    let mut epoch = || {
        let before = rcd.plane();
        rcd.step(&mut set.samples());
        changed(&before, &rcd.plane())
    };
    (0..12).map(|_| epoch()).collect()
}

/// In the authors' directions nothing else moves the bias, in ours every one does.
#[test]
fn rcd_bias_searches_the_bias_alone_once_in_a_turn() {
    for (draw, with_bias) in [
        (Draw::Uniform, false),
        (Draw::FeatureNormal, false),
        (Draw::UnitBias, true),
        (Draw::StandardNormal, true),
    ] {
        for (epoch, changed) in turns(Directions::Bias, draw).into_iter().enumerate() {
            let expected = match epoch % 4 {
                0 => [false, false, false, true],
                _ => [true, true, true, with_bias],
            };
            assert_eq!(changed, expected, "{draw:?}, epoch {epoch}");
        }
    }
    for other in [
        Directions::Plain,
        Directions::Gradient,
        Directions::AnyExample,
    ] {
        let turns = turns(other, Draw::Uniform);
        assert!(
            turns.iter().all(|changed| *changed == [true; 4]),
            "{turns:?}"
        );
    }
}

#[test]
fn cyclic_descent_goes_through_the_weights_after_the_bias() {
    for (epoch, changed) in turns(Directions::Cyclic, Draw::Uniform)
        .into_iter()
        .enumerate()
    {
        let axis = (epoch + 3) % 4;
        assert_eq!(changed, [0, 1, 2, 3].map(|i| i == axis), "epoch {epoch}");
    }
}

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
