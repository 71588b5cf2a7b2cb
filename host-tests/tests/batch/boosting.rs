//! Boosting: votes and weights, and its end.

use crate::common::finite::{Finite, vector};
use pocketron::{
    label::Sign,
    learners::batch::{
        AdaBoost, AveragedPerceptron, Boosting, Directions, LeastSquaresDescent, Plane, Pocket,
        Progress, RandomPerceptron, Rcd, ReweightedAverage, ReweightedPocket, Samples, Seeding,
        WeightedLearner,
    },
    rule::{LeastSquares, UnitSteps},
};
use pocketron_testkit::reference::batch as reference;

#[test]
fn boosting_has_the_votes_and_the_weights_of_the_reference() {
    for seed in 1..=5 {
        let mut set = Finite::<3>::noisy(120, seed.into());
        let start = set.reference();
        let learner = Rcd::<3>::new(Directions::Plain, seed);
        let mut boost = AdaBoost::<_, 3, 13>::new(learner, Seeding::Zero, 6);
        let mut rounds = Vec::new();
        while rounds.len() < 12 {
            let progress = boost.step(&mut set.samples());
            assert!(!progress.finished && !boost.is_finished());
            if progress.epochs == 6 {
                rounds.push((progress.rounds, progress.error));
            }
        }
        let members: Vec<_> = boost.ensemble().members().collect();
        assert_eq!(members.len(), 12);
        let planes: Vec<_> = members.iter().map(|(plane, _)| vector(plane)).collect();
        let (votes, weights) = reference::adaboost(&start, &planes);
        for (vote, (_, found)) in votes.iter().zip(&members) {
            assert!((vote - f64::from(*found)).abs() < 1e-4, "{vote} {found}");
        }
        for (round, (number, error)) in rounds.iter().enumerate() {
            assert_eq!(*number as usize, round + 1);
            // vote = ln((1 - e) / e) / 2
            let expected = 1.0 / (1.0 + (2.0 * votes[round]).exp());
            assert!(
                (f64::from(*error) - expected).abs() < 1e-5,
                "{error} {expected}"
            );
        }
        let mut moved = 0;
        for (found, expected) in set.weights.iter().zip(&weights) {
            let found = f64::from(found.abs());
            assert!(
                (found - expected).abs() < 1e-4 * expected.max(1.0),
                "{found} {expected}"
            );
            moved += usize::from((expected - 1.0).abs() > 0.1);
        }
        assert!(moved > 60);
    }
}

/// Whoever learns nothing, and has one plane after the other, a round each.
struct Told<'a, const D: usize> {
    planes: &'a [Plane<D>],
    starts: usize,
    epochs: u32,
}

impl<'a, const D: usize> Told<'a, D> {
    fn new(planes: &'a [Plane<D>]) -> Self {
        Told {
            planes,
            starts: 0,
            epochs: 0,
        }
    }
}

impl<const D: usize> WeightedLearner<D> for Told<'_, D> {
    fn restart(&mut self, _: &Plane<D>) {
        self.starts += 1;
        self.epochs = 0;
    }

    fn step(&mut self, samples: &mut Samples<'_, D>) -> Progress {
        self.epochs += 1;
        Progress {
            epochs: self.epochs,
            error: samples.error(&self.plane()),
        }
    }

    fn plane(&self) -> Plane<D> {
        self.planes[(self.starts - 1) % self.planes.len()]
    }

    fn epochs(&self) -> u32 {
        self.epochs
    }
}

/// Positive where the only feature is.
const UPWARDS: [Plane<1>; 1] = [Plane {
    weights: [1.0],
    bias: 0.0,
}];

/// Two points on either side, of which that plane gets those of the given labels right.
fn four(labels: [f32; 4]) -> Finite<1> {
    let x = vec![[1.0], [2.0], [-1.0], [-3.0]];
    Finite::new(x, labels.to_vec())
}

fn votes<T, const D: usize, const R: usize>(boost: &AdaBoost<T, D, R>) -> Vec<f32> {
    boost.ensemble().members().map(|(_, vote)| vote).collect()
}

#[test]
fn boosting_ends_when_there_is_nothing_to_gain() {
    let boost = |labels| {
        let mut set = four(labels);
        let mut boost = AdaBoost::<_, 1, 9>::new(Told::new(&UPWARDS), Seeding::Zero, 3);
        let steps = (1..100).find(|_| boost.step(&mut set.samples()).finished);
        (steps.expect("an end"), votes(&boost), set.weights)
    };
    // Everything right: one vote, as if half an example of four were wrong.
    let (steps, votes, weights) = boost([1.0, 1.0, -1.0, -1.0]);
    assert_eq!(
        (steps, votes.len(), weights),
        (3, 1, vec![1.0, 1.0, -1.0, -1.0])
    );
    assert!((votes[0] - 0.5 * 8_f32.ln()).abs() < 1e-6);
    // Half wrong: no vote.
    let (steps, votes, _) = boost([1.0, -1.0, -1.0, 1.0]);
    assert_eq!((steps, votes.len()), (3, 0));
    // One in four wrong: once reweighted, the same plane has half the weight wrong.
    let (steps, votes, weights) = boost([1.0, 1.0, -1.0, 1.0]);
    assert_eq!((steps, votes.len()), (6, 1));
    assert!((votes[0] - 0.5 * 3_f32.ln()).abs() < 1e-6);
    let third = 2.0 / 3.0;
    for (found, expected) in weights.iter().zip([third, third, -third, 2.0]) {
        assert!((found - expected).abs() < 1e-6, "{weights:?}");
    }
}

/// Weights as they may get late in a boosting: the odds, or what a weight is to be multiplied by, are
/// beyond `f32`.
#[test]
fn a_weight_too_small_to_divide_by_is_not_wrong() {
    let boost = |weights: [f32; 4]| {
        let mut set = four([1.0, 1.0, -1.0, 1.0]);
        let mut boost = AdaBoost::<_, 1, 9>::new(Told::new(&UPWARDS), Seeding::Zero, 2);
        boost.step(&mut set.samples());
        set.weights = weights.to_vec();
        let finished = boost.step(&mut set.samples()).finished;
        (finished, votes(&boost)[0], set.weights)
    };
    let tiny = 1e-40;
    for weights in [
        [1.0, 1.0, -1.0, tiny],
        [9.0, 9.0, -9.0, f32::MIN_POSITIVE],
        [tiny, tiny, -tiny, tiny],
        [1e-37, 1e-37, -1e-37, 5e-39],
    ] {
        let (finished, vote, after) = boost(weights);
        assert!(finished, "{weights:?}");
        assert!((vote - 0.5 * 8_f32.ln()).abs() < 1e-6, "{vote}");
        assert_eq!(after, weights);
    }
    // Small, but not too small.
    let (finished, vote, weights) = boost([1.0, 1.0, -1.0, 1e-37]);
    assert!(!finished && (vote - 0.5 * 3e37_f32.ln()).abs() < 1e-4);
    assert!((weights[3] - 2.0).abs() < 1e-5, "{weights:?}");
}

/// Three examples are wrong in turn, and the fourth never: its weight falls by a third in every round.
#[test]
fn no_weight_of_a_long_boosting_is_lost() {
    let mut x = vec![[0.0; 4]; 4];
    (0..4).for_each(|i| x[i][i] = 1.0);
    let planes = [0, 1, 2].map(|wrong| {
        let mut weights = [1.0; 4];
        weights[wrong] = -1.0;
        Plane { weights, bias: 0.0 }
    });
    let mut set = Finite::new(x, vec![1.0; 4]);
    let mut boost = AdaBoost::<_, 4, 250>::new(Told::new(&planes), Seeding::Zero, 1);
    while !boost.step(&mut set.samples()).finished {
        assert!(set.weights.iter().all(|weight| weight.is_normal()));
    }
    assert_eq!(set.weights[3], f32::MIN_POSITIVE);
    assert_eq!(boost.ensemble().len(), 250);
    let score = boost.ensemble().score(&[0.0, 0.0, 0.0, 1.0]);
    assert!(score.is_ok_and(|score| score > 100.0), "{score:?}");
}

#[test]
fn a_finished_boosting_stays_as_it_is() {
    fn last<T: WeightedLearner<D>, const D: usize>(
        learner: T,
        set: &mut Finite<D>,
    ) -> (Boosting, usize) {
        let mut boost = AdaBoost::<_, D, 5>::new(learner, Seeding::Zero, 4);
        let last = loop {
            let progress = boost.step(&mut set.samples());
            assert_eq!(progress.finished, boost.is_finished());
            if progress.finished {
                break progress;
            }
        };
        let weights = set.weights.clone();
        for _ in 0..3 {
            assert_eq!(boost.step(&mut set.samples()), last);
            assert_eq!(set.weights, weights);
        }
        (last, boost.ensemble().len())
    }
    let (all, planes) = last(
        Rcd::<2>::new(Directions::Plain, 4),
        &mut Finite::noisy(60, 9),
    );
    assert_eq!((all.rounds, all.epochs, planes), (5, 4, 5));
    assert!(all.error > 0.0 && all.error < 0.5, "{all:?}");
    let (right, _) = last(Told::new(&UPWARDS), &mut four([1.0, 1.0, -1.0, -1.0]));
    assert_eq!((right.rounds, right.epochs, right.error), (1, 4, 0.0));
    let (lost, _) = last(Told::new(&UPWARDS), &mut four([1.0, -1.0, -1.0, 1.0]));
    assert_eq!((lost.rounds, lost.epochs, lost.error), (0, 4, 0.5));
}

/// Whatever the learner has learned, and whatever the weights are.
#[test]
fn a_boosting_starts_afresh() {
    fn grown(boost: &mut AdaBoost<Rcd<2>, 2, 5>, set: &mut Finite<2>) -> Vec<(Plane<2>, f32)> {
        while !boost.step(&mut set.samples()).finished {}
        let members = boost.ensemble().members();
        members.map(|(plane, vote)| (*plane, vote)).collect()
    }
    // Draws nothing, so that it takes the same way twice.
    let learner = Rcd::<2>::new(Directions::Cyclic, 4);
    let boost = |learner| AdaBoost::new(learner, Seeding::Fisher, 4);
    let mut set = Finite::<2>::noisy(60, 9);
    let mut first = boost(learner.clone());
    let expected = grown(&mut first, &mut set);
    assert_eq!(expected.len(), 5);
    assert!(set.weights.iter().any(|weight| weight.abs() != 1.0));
    let mut trained = learner.clone();
    for _ in 0..3 {
        trained.step(&mut set.samples());
    }
    assert_eq!(grown(&mut boost(trained), &mut set), expected);
    for weight in &mut set.weights {
        *weight = 0_f32.copysign(*weight);
    }
    assert_eq!(grown(&mut boost(learner), &mut set), expected);

    first.restart(&mut set.samples());
    assert!(first.ensemble().is_empty() && !first.is_finished());
    assert!(set.weights.iter().all(|weight| weight.abs() == 1.0));
    assert_eq!(first.ensemble().score(&[0.1, 0.2]), Ok(0.0));
    assert_eq!(grown(&mut first, &mut set), expected);
}

#[test]
fn one_class_is_learned_at_once() {
    for label in [Sign::Pos, Sign::Neg] {
        let mut set = Finite::<3>::noisy(40, 3);
        set.weights.fill(label.value());
        for seeding in [Seeding::Zero, Seeding::Fisher] {
            let mut pocket = AdaBoost::<_, 3, 5>::new(Pocket::<3>::new(1), seeding, 20);
            let rcd = Rcd::<3>::new(Directions::Bias, 1);
            let mut rcd = AdaBoost::<_, 3, 5>::new(rcd, seeding, 20);
            while !pocket.step(&mut set.samples()).finished {}
            while !rcd.step(&mut set.samples()).finished {}
            for ensemble in [pocket.ensemble(), rcd.ensemble()] {
                assert_eq!(ensemble.len(), 1);
                assert!(set.x.iter().all(|x| ensemble.predict(x) == Ok(label)));
            }
        }
    }
}

#[test]
fn a_boosting_waits_for_its_first_example() {
    let mut boost = AdaBoost::<_, 1, 9>::new(Told::new(&UPWARDS), Seeding::Zero, 1);
    let mut nothing = Finite::<1>::new(vec![], vec![]);
    for _ in 0..3 {
        let progress = boost.step(&mut nothing.samples());
        assert_eq!((progress.rounds, progress.finished), (0, false));
    }
    let mut set = four([1.0, 1.0, -1.0, -1.0]);
    assert_eq!(boost.step(&mut set.samples()).rounds, 1);
}

#[test]
fn every_training_begins_at_the_plane_that_it_is_given() {
    fn begins<T: WeightedLearner<3>>(mut learner: T) {
        let mut set = Finite::<3>::noisy(50, 7);
        let start = Seeding::Fisher.plane(&set.samples());
        learner.step(&mut set.samples());
        learner.restart(&start);
        assert_eq!(learner.epochs(), 0);
        let plane = learner.plane();
        // A plane may be multiplied by a power of two.
        let factor = plane.bias / start.bias;
        assert!(factor > 0.0 && factor.log2().fract() == 0.0, "{factor}");
        assert_eq!(plane.weights, start.weights.map(|weight| factor * weight));
    }
    begins(Rcd::new(Directions::Plain, 1));
    begins(Pocket::new(1));
    begins(RandomPerceptron::new(UnitSteps, 1));
    begins(AveragedPerceptron::new(UnitSteps, 1));
    begins(ReweightedPocket::new(1));
    begins(ReweightedAverage::new(1));
    begins(LeastSquaresDescent::new(
        LeastSquares::new(0.01).unwrap(),
        1,
    ));
}
