//! Random coordinate descent: the training error never rises, and turns follow the directions.

use super::{ALL, DRAWS};
use crate::common::{
    finite::{Finite, vector},
    streams::TestRng,
};
use pocketron::{
    label::Sign,
    learners::batch::{
        Directions, Draw, Plane, Pocket, RandomPerceptron, Rcd, Seeding, WeightedLearner,
    },
    rule::UnitSteps,
};
use pocketron_testkit::reference::batch as reference;

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
