//! What is refused, and that nothing changes.

use pocketron::{
    budget::NoBudget,
    classifier::OnlineClassifier,
    error::InputError,
    hypothesis::{Linear, UpdateCounts},
    kernel::{self, Gaussian},
    label::Class,
    learners::{
        multiclass::{OneVsRest, SharedSupport},
        perceptron::{KernelPerceptron, Perceptron},
    },
    persist::Blank,
    rule::{MarginRule, Soft, UnitSteps},
    storage::Inline,
};
use proptest::prelude::*;

use super::models::{C, D, ROWS, classes, grid, separate, shared};

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    /// No learner takes any notice of an example that is refused, and the counters neither.
    #[test]
    fn features_that_are_no_numbers_change_no_learner(rows in grid(), at in 0..D) {
        let mut bad = [0.5; D];
        bad[at] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY][at];
        let (mut one, mut all) = (separate::<_, ROWS, _>(NoBudget, UnitSteps), shared::<_, ROWS, _>(NoBudget, UnitSteps));
        let (mut one_alone, mut all_alone) = (one.clone(), all.clone());
        for (row, (x, class)) in rows.iter().enumerate() {
            prop_assert_eq!(all.learn(&bad, *class).err(), Some(InputError::NonFinite));
            prop_assert_eq!(all.predict(&bad).err(), Some(InputError::NonFinite));
            if row > 0 {
                // Before the first example: see the tests of what is refused below.
                prop_assert_eq!(one.learn(&bad, *class).err(), Some(InputError::NonFinite));
                prop_assert_eq!(one.predict(&bad).err(), Some(InputError::NonFinite));
            }
            prop_assert_eq!(one.learn(x, *class), one_alone.learn(x, *class));
            prop_assert_eq!(all.learn(x, *class), all_alone.learn(x, *class));
        }
        for class in classes() {
            prop_assert_eq!(one.seen(class), one_alone.seen(class));
            prop_assert_eq!(all.seen(class), all_alone.seen(class));
            prop_assert_eq!(all.coefficients(class), all_alone.coefficients(class));
        }
    }
}

#[test]
fn a_class_beyond_the_capacity_is_refused_and_changes_nothing() {
    let (mut one, mut all) = (
        separate::<_, 8, _>(NoBudget, UnitSteps),
        shared::<_, 8, _>(NoBudget, UnitSteps),
    );
    let x = [1.0, 0.5, 0.25];
    for (class, expected) in [
        (0, None),
        (C as u8 - 1, None),
        (C as u8, Some(InputError::UnknownClass)),
        (255, Some(InputError::UnknownClass)),
    ] {
        let before = (one.scores(&x), all.scores(&x), all.support().len());
        assert_eq!(one.learn(&x, Class(class)).err(), expected);
        assert_eq!(all.learn(&x, Class(class)).err(), expected);
        if expected.is_some() {
            assert_eq!(
                (one.scores(&x), all.scores(&x), all.support().len()),
                before
            );
            assert_eq!((one.seen(Class(class)), all.seen(Class(class))), (0, 0));
            assert!(
                one.learner(Class(class)).is_none() && all.coefficients(Class(class)).is_empty()
            );
        }
    }
    assert_eq!(
        classes().map(|class| one.seen(class)).collect::<Vec<_>>(),
        [1, 0, 0, 1]
    );
    assert_eq!(
        classes().map(|class| all.seen(class)).collect::<Vec<_>>(),
        [1, 0, 0, 1]
    );
}

/// The largest number of classes has them all.
#[test]
fn there_may_be_as_many_classes_as_a_byte_has_values() {
    let mut model =
        SharedSupport::<kernel::LinearKernel, NoBudget, Inline<1, 300>, 256, UnitSteps>::new(
            kernel::LinearKernel,
            NoBudget,
            UnitSteps,
        );
    for class in [255, 0, 128] {
        model.learn(&[1.0], Class(class)).expect("a class");
        assert_eq!(model.seen(Class(class)), 1);
    }
}

#[test]
fn a_shared_support_set_refuses_the_very_first_example_if_it_is_no_number() {
    let mut model = shared::<_, 8, _>(NoBudget, UnitSteps);
    assert_eq!(model.predict(&[f32::NAN; D]), Err(InputError::NonFinite));
    assert_eq!(
        model.learn(&[f32::NAN; D], Class(0)).err(),
        Some(InputError::NonFinite)
    );
    assert_eq!(model.seen(Class(0)), 0);
}

/// Even while no class takes part, somebody looks at the features; otherwise the class would be counted without having
/// learned.
#[test]
fn learners_of_their_own_refuse_the_very_first_example_if_it_is_no_number() {
    let mut model = separate::<_, 8, _>(NoBudget, UnitSteps);
    let learned = model.learn(&[f32::NAN; D], Class(0));
    assert_eq!(learned.err(), Some(InputError::NonFinite));
    assert_eq!(model.seen(Class(0)), 0);
    assert_eq!(model.predict(&[f32::NAN; D]), Err(InputError::NonFinite));
}

/// A score is not all that can go wrong: here it is `k(x, x)` that overflows.
#[test]
fn learners_of_their_own_refuse_what_one_of_them_refuses() {
    let line = KernelPerceptron::<kernel::LinearKernel, NoBudget, Inline<2, 8>, UnitSteps>::new(
        kernel::LinearKernel,
    );
    let mut model = OneVsRest::<_, 3>::of(&line);
    model.learn(&[0.0, 1.0], Class(0)).expect("finite");
    // At right angles to what is stored: every score is 0.
    let far = [1e30, 0.0];
    assert_eq!(model.scores(&far), Ok([0.0; 3]));
    assert_eq!(
        model.learn(&far, Class(0)).err(),
        Some(InputError::Overflow)
    );
    assert_eq!(model.seen(Class(0)), 1);
}

/// The number of an example that no ledger has room for.
#[test]
fn learners_of_their_own_refuse_an_id_beyond_their_counts() {
    let rule = Soft::new(MarginRule::new(1.0)).with_bound(3);
    let counts = UpdateCounts::new(Linear::<[f32; 2]>::BLANK, [0; 4]);
    let mut model = OneVsRest::<_, 3>::of(&Perceptron::from_parts(counts, rule));
    model
        .learn_with_id(&[1.0, 0.0], Class(0), Some(3))
        .expect("a known example");
    let unknown = model.learn_with_id(&[0.0, 1.0], Class(1), Some(4));
    assert_eq!(unknown.err(), Some(InputError::UnknownExample));
    assert_eq!(model.seen(Class(1)), 0);
}

/// A model that was left blank.
#[test]
fn learners_of_their_own_refuse_to_learn_while_they_are_blank() {
    let mut model =
        OneVsRest::<KernelPerceptron<Gaussian, NoBudget, Inline<2, 8>, UnitSteps>, 3>::BLANK;
    assert!(model.learn(&[1.0, 0.0], Class(1)).is_err());
    assert_eq!(model.seen(Class(1)), 0);
}

#[test]
fn a_shared_support_set_refuses_parameters_outside_their_domain() {
    type Model = SharedSupport<Gaussian, NoBudget, Inline<2, 8>, 3, MarginRule>;
    let (kernel, rule) = (Gaussian::constant(1.0), MarginRule::new(1.0));
    let bad = [
        Model::new(Gaussian::BLANK, NoBudget, rule),
        Model::new(kernel, NoBudget, rule.with_margin(f32::NAN)),
        Model::new(kernel, NoBudget, MarginRule::new(0.0)),
    ];
    for mut model in bad {
        assert!(model.learn(&[1.0, 0.0], Class(1)).is_err());
        assert_eq!((model.seen(Class(1)), model.support().len()), (0, 0));
    }
    assert!(
        Model::new(kernel, NoBudget, rule)
            .learn(&[1.0, 0.0], Class(1))
            .is_ok()
    );
}
