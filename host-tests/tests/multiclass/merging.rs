//! Classes over shared vectors of bytes that merge: the default learner for several classes.

use pocketron::{
    budget::Admission,
    error::InputError,
    label::Class,
    learners::continual::{AllViolating, AnnealedSteps, BestWrongClass, StepContext, Update},
    persist,
    prelude::*,
};
use pocketron_cli::model::image_of;
use proptest::prelude::*;

use crate::common::streams::TestRng;

const D: usize = 3;
const B: usize = 12;
const C: usize = 5;

type Tops = BestWrongClass<AnnealedSteps<35, 3>>;
type Eachs = AllViolating<AnnealedSteps<35, 3>, C>;
type Model<U> = PocketronMulti<D, B, C, U>;

/// Clouds around as many centres as classes, and some labels that are wrong.
fn clouds(seed: u64, count: usize, wrong: f32) -> Vec<([f32; D], Class)> {
    let mut rng = TestRng::new(seed);
    let mut example = |row: usize| {
        let class = (row * 7 + row / 3) % C;
        let x = std::array::from_fn(|i| {
            let corner = (class >> i) & 1;
            3.0 * corner as f32 + if class > 3 { 1.5 } else { 0.0 } + 0.5 * rng.normal()
        });
        let class = if rng.chance(wrong) {
            (class + 1) % C
        } else {
            class
        };
        (x, Class(class as u8))
    };
    (0..count).map(&mut example).collect()
}

/// The coarse steps by which features are standardised, in double precision.
fn standardised<U: Update<C, C, Label = Class>>(model: &Model<U>, x: &[f32; D]) -> [f64; D] {
    std::array::from_fn(|k| {
        let moments = model.moments()[k];
        let variance = f32::from_bits(moments.variance.to_bits() & 0xffe0_0000);
        let deviation = f64::from(variance).sqrt();
        let quarter = 0.25 * deviation;
        let offset = (f64::from(moments.mean) / quarter).round() * quarter;
        let z = (f64::from(x[k]) - offset) / deviation;
        (z.clamp(-2.5, 2.5) * 127.0 / 4.0).round()
    })
}

/// Scores in double precision, from what the model shows of itself: `s_c(x) = sum_j A_jc k(x_j, x)`.
fn reference<U: Update<C, C, Label = Class>>(model: &Model<U>, x: &[f32; D]) -> [f64; C] {
    let x = standardised(model, x);
    let step = 4.0 / 127.0;
    let mut scores = [0.0; C];
    for (slot, row) in model.vectors().rows().iter().enumerate() {
        let own = model.vectors().point(slot);
        let pairs = own.iter().zip(x).zip(model.kernel().weights());
        let distance: f64 = pairs
            .map(|((own, x), weight)| f64::from(weight) * (step * (f64::from(*own) - x)).powi(2))
            .sum();
        for (class, score) in scores.iter_mut().enumerate() {
            *score += f64::from(row.coefficient(class)) * (-3.0 / D as f64 * distance).exp();
        }
    }
    scores
}

fn assert_scores_are_those_of_a_reference<U: Update<C, C, Label = Class>>() {
    let mut model = Model::<U>::new();
    let mut compared = 0;
    for (row, (x, class)) in clouds(3, 900, 0.1).iter().enumerate() {
        model.learn(x, *class).expect("good");
        if row % 20 == 19 {
            let scores = model.scores(x).expect("good");
            let rows = model.vectors().rows().iter();
            let size: f64 = rows
                .flat_map(|row| (0..C).map(|class| f64::from(row.coefficient(class).abs())))
                .sum();
            for (ours, theirs) in scores.iter().zip(reference(&model, x)) {
                // The exponential is off by 2.7e-4 of itself, and coefficients cancel.
                assert!(
                    (f64::from(*ours) - theirs).abs() <= 5e-4 * size,
                    "{ours} {theirs}"
                );
                compared += usize::from(theirs.abs() > 0.1);
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn scores_are_those_of_a_reference_in_double_precision() {
    assert_scores_are_those_of_a_reference::<Tops>();
    assert_scores_are_those_of_a_reference::<Eachs>();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn the_budget_is_respected_and_nothing_overflows(
        rows in prop::collection::vec((prop::array::uniform3(-1e30_f32..1e30), 0..C as u8), 1..300),
        each: bool,
    ) {
        fn run<U>(rows: &[([f32; 3], u8)]) -> Result<(), TestCaseError>
        where
            U: Update<C, C, Label = Class>,
        {
            let mut model = Model::<U>::new();
            for (x, class) in rows {
                let before = model.vectors().len();
                let outcome = model.learn(x, Class(*class)).expect("good");
                let grew = model.vectors().len() - before;
                prop_assert!(model.vectors().len() <= B);
                prop_assert_eq!(grew, usize::from(outcome.admission == Some(Admission::Inserted)));
                prop_assert!(model.scores(x).expect("good").iter().all(|score| score.is_finite()));
            }
            Ok(())
        }
        if each { run::<Eachs>(&rows)? } else { run::<Tops>(&rows)? }
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
    assert_eq!(model.seen(Class(2)), 0);
    for (x, class) in &late {
        model.learn(x, *class).expect("good");
    }
    let of_class = || early.iter().filter(|(_, class)| *class == Class(2));
    let found = of_class().filter(|(x, class)| model.predict(x) == Ok(*class));
    assert!(found.count() * 10 > of_class().count() * 9);
}

#[test]
fn an_image_brings_back_every_bit() {
    fn check<U: Update<C, C, Label = Class> + Clone>(fresh: PocketronMulti<D, B, C, U>) {
        let stream = clouds(9, 900, 0.1);
        let mut model = fresh.clone();
        for (x, class) in &stream[..600] {
            model.learn(x, *class).expect("good");
        }
        let bytes = image_of(&model);
        let mut restored = fresh;
        persist::restore(&mut restored, &mut &bytes[..]).expect("its own image");
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
    // Nor as the first example.
    let mut fresh = PocketronMulti::<D, B, C>::new();
    let before = image_of(&fresh);
    let refused = fresh.learn(&[0.0; D], Class(C as u8));
    assert_eq!(refused, Err(InputError::UnknownClass));
    assert!(image_of(&fresh) == before);
}

#[test]
fn only_the_true_class_and_the_best_wrong_one_move() {
    let context = StepContext {
        slots: B,
        gain: 2.0,
        new_class: false,
        full: false,
        merged: false,
        mostly_absent: false,
        error_rate: 0.0,
        immaturity: 1.0,
        annealing: true,
        robust_to_noise: true,
    };
    let scores = [0.5, 0.2, 9.0, 0.4, -3.0];
    // Nobody has seen the third.
    let present = [true, true, false, true, true];
    let mut top = Tops::BLANK;
    let steps = top.steps(&scores, &present, 1, &context);
    let size = steps.largest();
    assert!(size > 0.3 && steps.mistake && steps.mobility == 1.0);
    assert_eq!(steps.of, [-size, size, 0.0, 0.0, 0.0]);
    let far = top.steps(&[1.6, 0.5, 0.0, 0.0, 0.0], &present, 0, &context);
    assert_eq!(far.largest(), 0.0);

    let mut each = Eachs::BLANK;
    let steps = each.steps(&scores, &present, 1, &context);
    let signs = steps
        .of
        .map(|step| if step == 0.0 { 0.0 } else { step.signum() });
    // The last one is far enough on its side.
    assert_eq!(signs, [-1.0, 1.0, 0.0, -1.0, 0.0]);
    assert!(steps.mistake);
    assert_eq!(<Tops as Update<C, C>>::winner(&scores, &present), (0, 0.5));
    let margin = <Tops as Update<C, C>>::margin(&scores, &present, 3);
    assert!((margin + 0.1).abs() < 1e-6);
}

#[test]
fn support_vectors_have_the_units_of_the_input() {
    let mut model = PocketronMulti::<D, B, C>::new();
    for (n, (x, class)) in clouds(3, 200, 0.1).into_iter().enumerate() {
        model.learn(&x, class).expect("good");
        let vectors: Vec<_> = model.support_vectors().collect();
        assert_eq!(vectors.len(), model.len());
        for (slot, vector) in vectors.iter().enumerate() {
            // What is far out of the present scale is clamped when it comes again.
            let bytes = model.vectors().point(slot);
            let bytes = bytes.map(|byte| f64::from(byte.clamp(-79, 79)));
            assert!(
                n < 2 || standardised(&model, &vector.x) == bytes,
                "{vector:?}"
            );
            let row = model.vectors().row(slot);
            assert_eq!(vector.coefficient, row.coefficient(vector.label.0.into()));
            assert!((0..C).all(|class| row.coefficient(class) <= vector.coefficient));
        }
    }
}
