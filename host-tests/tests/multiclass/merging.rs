//! Classes over shared vectors of bytes that merge: the default learner for several classes.

use pocketron::{
    budget::Admission,
    error::InputError,
    image,
    kernel::Relevance,
    label::Class,
    memory::{Features, Inline},
    multiclass::{Each, SharedMerging, Top, Update},
    prelude::*,
    rule::{SelfTuned, SelfTunedBelow},
};
use pocketron_host::model::image_of;
use proptest::prelude::*;

use crate::common::streams::Dice;

const D: usize = 3;
const B: usize = 12;
const C: usize = 5;

type Bare<K, U, const B: usize = 12> = SharedMerging<K, Inline<D, B, i8>, C, U>;
type Tops = Top<SelfTunedBelow<35, 3>>;
type Eachs = Each<SelfTuned, C>;
/// Unit steps while the margin is at most one.
type Units = Top<MarginRule>;

fn units() -> Units {
    Top::new(MarginRule::new(1.0).with_margin(1.0))
}

/// Clouds around as many centres as classes, and some labels that are wrong.
fn clouds(seed: u64, count: usize, wrong: f32) -> Vec<([f32; D], Class)> {
    let mut dice = Dice::new(seed);
    let mut example = |row: usize| {
        let class = (row * 7 + row / 3) % C;
        let x = std::array::from_fn(|i| {
            let corner = (class >> i) & 1;
            3.0 * corner as f32 + if class > 3 { 1.5 } else { 0.0 } + 0.5 * dice.normal()
        });
        let class = if dice.chance(wrong) {
            (class + 1) % C
        } else {
            class
        };
        (x, Class(class as u8))
    };
    (0..count).map(&mut example).collect()
}

fn bytes(x: &[f32; D]) -> [i8; D] {
    x.map(|x| (20.0 * x - 30.0).clamp(-127.0, 127.0) as i8)
}

/// Scores in double precision, from what the model shows of itself.
fn reference<K: Clone, U>(
    model: &Bare<K, U>,
    weights: &[f64],
    gamma: f64,
    x: &[i8; D],
) -> [f64; C] {
    let set = model.support();
    let step = 4.0 / 127.0;
    let mut scores = [0.0; C];
    for slot in 0..set.len() {
        let own = set.point(slot);
        let pairs = own.iter().zip(x).zip(weights);
        let distance: f64 = pairs
            .map(|((own, x), weight)| weight * (step * (f64::from(*own) - f64::from(*x))).powi(2))
            .sum();
        for (class, score) in (0..).map(Class).zip(&mut scores) {
            let coefficient = model.coefficients(class).nth(slot).expect("stored");
            *score += f64::from(coefficient) * (-gamma * distance).exp();
        }
    }
    scores
}

fn assert_scores_are_those_of_a_reference<U: Update<C>>(update: U) {
    let mut model = Bare::<Relevance<Features<D>>, U>::new(Relevance::new(), update);
    for (row, (x, class)) in clouds(3, 900, 0.1).iter().enumerate() {
        let x = bytes(x);
        model.learn(&x, *class).expect("good");
        if row % 50 == 0 {
            let mut weights: Vec<f64> = model.kernel().weights().map(f64::from).collect();
            if weights.iter().all(|weight| *weight == 0.0) {
                weights.fill(1.0);
            }
            let scores = model.scores(&x).expect("good");
            let reference = reference(&model, &weights, 1.0, &x);
            let size: f64 = (0..C as u8)
                .flat_map(|class| model.coefficients(Class(class)))
                .map(|coefficient| f64::from(coefficient.abs()))
                .sum();
            for (ours, theirs) in scores.iter().zip(reference) {
                // The exponential is off by 2.7e-4 of itself, and coefficients cancel.
                assert!(
                    (f64::from(*ours) - theirs).abs() <= 5e-4 * size,
                    "{ours} {theirs}"
                );
            }
        }
    }
}

#[test]
fn scores_are_those_of_a_reference_in_double_precision() {
    assert_scores_are_those_of_a_reference(Tops::BLANK);
    assert_scores_are_those_of_a_reference(Eachs::BLANK);
}

#[test]
fn two_equal_rows_merge_without_loss() {
    // A kernel so narrow that a vector knows only itself, and all three classes meet all vectors.
    let mut model = Bare::<Gaussian, Units, 3>::new(Gaussian::constant(900.0), units());
    let points = [[10, 0, 0], [0, 90, 0], [-90, -90, 0]];
    for (x, class) in points.iter().zip(0..) {
        model.learn(x, Class(class)).expect("good");
    }
    assert_eq!(model.support().len(), 3);
    // The first class had nobody to be told from, and so is not far enough ahead of the second.
    let before: Vec<f32> = model.coefficients(Class(0)).collect();
    assert_eq!(before[0], 1.0);
    let outcome = model.learn(&points[0], Class(0)).expect("good");
    assert_eq!(
        outcome.admission,
        Some(Admission::Merged {
            into: 3,
            freed: Some(0)
        })
    );
    // It took the place of the one that it equals, with the sum of both.
    let scores = model.scores(&points[0]).expect("good");
    assert_eq!(scores[0], 2.0, "{scores:?}");
    assert_eq!(model.support().point(2), points[0]);
    assert_eq!(scores[1], model.scores(&points[0]).expect("good")[1]);
    assert_eq!(model.scores(&points[1]).expect("good")[1], 1.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn the_budget_is_respected_and_nothing_overflows(
        rows in prop::collection::vec((prop::array::uniform3(any::<i8>()), 0..C as u8), 1..300),
        each: bool,
    ) {
        fn run<U: Update<C>>(update: U, rows: &[([i8; 3], u8)]) -> Result<(), TestCaseError> {
            let mut model = Bare::<Relevance<Features<D>>, U>::new(Relevance::new(), update);
            for (x, class) in rows {
                let x = x.map(|x| x.max(-127));
                let before = model.support().len();
                let outcome = model.learn(&x, Class(*class)).expect("good");
                let grew = model.support().len() - before;
                prop_assert!(model.support().len() <= B);
                prop_assert_eq!(grew, usize::from(outcome.admission == Some(Admission::Inserted)));
                prop_assert!(model.scores(&x).expect("good").iter().all(|score| score.is_finite()));
            }
            Ok(())
        }
        if each { run(Eachs::BLANK, &rows)? } else { run(Tops::BLANK, &rows)? }
    }

    /// Two classes that tie are told apart by their numbers, so rows whose best scores tie end the comparison.
    #[test]
    fn permuted_class_numbers_permute_predictions(seed in 0_u64..1000, shift in 1..C as u8) {
        let other = |class: Class| Class((class.0 + shift) % C as u8);
        let mut plain = Bare::<Relevance<Features<D>>, Eachs>::new(Relevance::new(), Eachs::BLANK);
        let mut moved = plain.clone();
        // All classes take part before anybody is asked.
        for (x, class) in clouds(seed, 400, 0.1) {
            let x = bytes(&x);
            let (here, there) = (plain.learn(&x, class), moved.learn(&x, other(class)));
            let (here, there) = (here.expect("good"), there.expect("good"));
            prop_assert_eq!(here.admission, there.admission);
            let scores = plain.scores(&x).expect("good");
            let highest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            if scores.iter().filter(|score| **score == highest).count() == 1 {
                let (here, there) = (plain.predict(&x), moved.predict(&x));
                prop_assert_eq!(here.map(other), there);
            }
        }
        prop_assert_eq!(plain.support().len(), B);
    }
}

/// Share of the second half that is right before it is learned.
fn accuracy<M>(model: &mut M, stream: &[([f32; D], Class)]) -> f64
where
    M: OnlineClassifier<Input = [f32; D], Label = Class>,
{
    let learn = |(x, class): &([f32; D], Class)| !model.learn(x, *class).expect("good").mistake;
    let right: Vec<bool> = stream.iter().map(learn).collect();
    let half = &right[right.len() / 2..];
    half.iter().filter(|right| **right).count() as f64 / half.len() as f64
}

#[test]
fn clouds_are_told_apart_by_either_update() {
    let stream = clouds(1, 4000, 0.0);
    let top = accuracy(&mut PocketronMulti::<D, B, C>::new(), &stream);
    let each = accuracy(&mut PocketronMulti::<D, B, C, Eachs>::new(), &stream);
    assert!(top > 0.95 && each > 0.95, "{top} {each}");
    // A fifth of the labels is wrong, the others are not forgotten for them.
    let noisy = clouds(2, 4000, 0.2);
    let top = accuracy(&mut PocketronMulti::<D, B, C>::new(), &noisy);
    let each = accuracy(&mut PocketronMulti::<D, B, C, Eachs>::new(), &noisy);
    assert!(top > 0.68 && each > 0.68, "{top} {each}");
}

#[test]
fn a_class_that_appears_late_is_learned() {
    let mut model = PocketronMulti::<D, B, C>::new();
    let (early, late) = (clouds(5, 3000, 0.0), clouds(6, 3000, 0.0));
    for (x, class) in early.iter().filter(|(_, class)| *class != Class(2)) {
        model.learn(x, *class).expect("good");
        assert_ne!(model.predict(x), Ok(Class(2)), "nobody has seen it");
    }
    assert_eq!(model.learner().seen(Class(2)), 0);
    for (x, class) in &late {
        model.learn(x, *class).expect("good");
    }
    let of_class = || early.iter().filter(|(_, class)| *class == Class(2));
    let found = of_class().filter(|(x, class)| model.predict(x) == Ok(*class));
    assert!(found.count() * 10 > of_class().count() * 9);
}

#[test]
fn an_image_brings_back_every_bit() {
    fn check<U: Update<C> + Clone + image::Persist>(fresh: PocketronMulti<D, B, C, U>) {
        let stream = clouds(9, 900, 0.1);
        let mut model = fresh.clone();
        for (x, class) in &stream[..600] {
            model.learn(x, *class).expect("good");
        }
        let bytes = image_of(&model);
        let mut restored = fresh;
        image::restore(&mut restored, &mut &bytes[..]).expect("its own image");
        for (x, class) in &stream[600..] {
            assert_eq!(model.learn(x, *class), restored.learn(x, *class));
        }
        assert!(image_of(&model) == image_of(&restored));
    }
    check(PocketronMulti::<D, B, C>::new());
    check(PocketronMulti::<D, B, C, Eachs>::new());
}

#[test]
fn what_is_no_example_changes_nothing() {
    let mut model = PocketronMulti::<D, B, C>::new();
    for (x, class) in clouds(4, 200, 0.0) {
        model.learn(&x, class).expect("good");
    }
    let before = image_of(&model);
    assert!(model.learn(&[f32::NAN, 0.0, 0.0], Class(0)).is_err());
    assert!(model.learn(&[0.0; D], Class(C as u8)).is_err());
    assert!(image_of(&model) == before);
    // Nor while examples only count for the scale.
    let mut fresh = PocketronMulti::<D, B, C>::new();
    let before = image_of(&fresh);
    let refused = fresh.learn(&[0.0; D], Class(C as u8));
    assert_eq!(refused, Err(InputError::UnknownClass));
    assert!(image_of(&fresh) == before);
}

#[test]
fn only_the_true_class_and_the_best_wrong_one_move() {
    let mut update = units();
    let scores = [Some(0.5), Some(0.2), None, Some(0.4), Some(-3.0)];
    let steps = update.steps(&scores, Class(1));
    assert_eq!(steps.of, [-1.0, 1.0, 0.0, 0.0, 0.0]);
    assert!(steps.mistake);
    let far = update.steps(&[Some(1.6), Some(0.5), None, None, None], Class(0));
    assert_eq!(far.largest(), 0.0);
    let mut each = Each::<_, C>::new(MarginRule::new(1.0).with_margin(1.0));
    let steps = each.steps(&scores, Class(1));
    assert_eq!(steps.of, [-1.0, 1.0, 0.0, -1.0, 0.0]);
    assert!(steps.mistake);
}
