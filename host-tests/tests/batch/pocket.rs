//! The pocket, reweighting and resampling.

use crate::common::{
    finite::{Finite, vector},
    streams::TestRng,
};
use pocketron::{
    learners::{
        batch::{
            BiasedLinear, MultiEpoch, Plane, Pocket, ReweightedAverage, ReweightedPocket,
            WeightedLearner,
        },
        perceptron::Perceptron,
    },
    persist::Blank,
    rule::Always,
};
use pocketron_testkit::reference::batch as reference;

#[test]
fn the_pocket_holds_the_best_plane_that_was_looked_at() {
    for seed in 1..=30 {
        let mut rng = TestRng::new(seed);
        let mut set = Finite::<2>::grid(31, 3, &mut rng);
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

/// Whole weights from 0 to 3, so that no sum is rounded.
#[test]
fn reweighted_learners_multiply_steps_and_runs_by_the_weights() {
    let mut pockets_differ = 0;
    for seed in 1..=30 {
        let mut rng = TestRng::new(seed);
        let mut set = Finite::<2>::grid(31, 3, &mut rng);
        let (rows, seed) = (set.reference(), seed as u32);
        let mut pocket = ReweightedPocket::<2>::new(seed);
        let mut average = ReweightedAverage::<2>::new(seed);
        let mut errors = Vec::new();
        for _ in 0..12 {
            errors.push(pocket.step(&mut set.samples()).error);
            average.step(&mut set.samples());
        }
        let expected = reference::reweighted_pocket(&rows, 12, seed);
        assert_eq!(vector(&pocket.plane()), expected, "seed {seed}");
        assert!(errors.is_sorted_by(|a, b| a >= b), "{errors:?}");
        let expected = reference::reweighted_average(&rows, 12, seed);
        assert_eq!(vector(&average.plane()), expected, "seed {seed}");
        // The weights are part of it.
        let even: Vec<_> = rows
            .iter()
            .map(|one| reference::Weighted {
                weight: 1.0,
                ..one.clone()
            })
            .collect();
        let without = reference::reweighted_pocket(&even, 12, seed);
        pockets_differ += usize::from(without != vector(&pocket.plane()));
    }
    assert!(pockets_differ > 20, "{pockets_differ}");
}

/// An example of weight three is worth three of weight one: both ways minimise the same weighted loss.
#[test]
fn reweighting_and_resampling_reach_the_same_weighted_error() {
    let (mut sum, mut seeds) = ([0.0; 2], 0);
    for seed in 1..=20 {
        let mut set = Finite::<3>::noisy(100, seed.into()).reweighted(seed.into());
        let mut resampled = Pocket::<3>::new(seed);
        let mut reweighted = ReweightedPocket::<3>::new(seed);
        let last = |learner: &mut dyn WeightedLearner<3>, set: &mut Finite<3>| {
            (0..200)
                .map(|_| learner.step(&mut set.samples()).error)
                .last()
                .expect("epochs")
        };
        sum[0] += last(&mut resampled, &mut set);
        sum[1] += last(&mut reweighted, &mut set);
        seeds += 1;
    }
    let [resampled, reweighted] = sum.map(|sum| sum / seeds as f32);
    assert!(
        (resampled - reweighted).abs() < 0.01,
        "{resampled} {reweighted}"
    );
}

#[test]
fn a_pocket_that_starts_again_forgets_its_record() {
    let mut easy = Finite::<2>::noisy(40, 2);
    for (x, weight) in easy.x.iter().zip(&mut easy.weights) {
        *weight = x[0].signum();
    }
    let mut pocket = Pocket::<2>::new(3);
    while pocket.step(&mut easy.samples()).error > 0.0 {}
    // Every point has both labels: no long runs any more.
    let other: Vec<_> = easy.weights.iter().map(|weight| -weight).collect();
    let weights = [&easy.weights[..], &other].concat();
    let mut hard = Finite::new([&easy.x[..], &easy.x].concat(), weights);
    pocket.restart(&Plane::BLANK);
    assert_eq!(pocket.step(&mut hard.samples()).error, 0.5);
}

#[test]
fn draws_follow_the_weights() {
    // Each example has a feature of its own, and `Always` counts how often it came.
    let mut x = vec![[0.0; 4]; 4];
    (0..4).for_each(|i| x[i][i] = 1.0);
    let mut set = Finite::new(x, vec![1.0, 2.0, 0.0, 5.0]);
    type Counting = MultiEpoch<Perceptron<BiasedLinear<4>, Always>>;
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
fn examples_without_weight_are_not_there_for_the_pocket() {
    let without = Finite::<2>::noisy(30, 8);
    // The same points again, with the other label, and as many draws in an epoch as before in two.
    let others = without.weights.iter().map(|weight| -0.0 * weight);
    let weights = others.chain(without.weights.clone()).collect();
    let mut with = Finite::new([&without.x[..], &without.x].concat(), weights);
    let mut without = without;
    let (mut one, mut other) = (Pocket::<2>::new(6), Pocket::<2>::new(6));
    for _ in 0..20 {
        one.step(&mut without.samples());
        let error = one.step(&mut without.samples()).error;
        assert_eq!(other.step(&mut with.samples()).error, error);
        assert_eq!(
            (other.plane(), other.present()),
            (one.plane(), one.present())
        );
    }
    // Nothing has weight: nothing is learned, and nothing is wrong.
    with.weights.fill(0.0);
    for _ in 0..5 {
        assert_eq!(other.step(&mut with.samples()).error, 0.0);
    }
    assert_eq!(
        (other.plane(), other.present()),
        (one.plane(), one.present())
    );
}
