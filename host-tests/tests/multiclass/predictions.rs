//! Who is predicted: classes with examples, the lowest on a tie, late ones from zero.

use pocketron::{
    budget::NoBudget,
    classifier::OnlineClassifier,
    kernel,
    label::Class,
    learners::{
        multiclass::{OneVsRest, SharedSupport},
        perceptron::LinearPerceptron,
    },
    rule::UnitSteps,
    storage::Inline,
};
use proptest::prelude::*;

use super::models::{C, ROWS, Rows, classes, clouds, grid, separate, shared};

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    /// Each class counts its examples, and only those that have some are ever predicted.
    #[test]
    fn only_classes_with_examples_are_predicted(rows in grid()) {
        let (mut one, mut all) = (separate::<_, ROWS, _>(NoBudget, UnitSteps), shared::<_, ROWS, _>(NoBudget, UnitSteps));
        let mut seen = [0; C];
        for (x, class) in &rows {
            let (a, b) = (one.learn(x, *class).expect("finite"), all.learn(x, *class).expect("finite"));
            if seen[usize::from(class.0)] == 0 {
                prop_assert!(a.mistake && b.mistake, "nobody knows a class before its first example");
            }
            if seen.iter().any(|seen| *seen > 0) {
                prop_assert!(seen[usize::from(a.predicted.0)] > 0);
                prop_assert!(seen[usize::from(b.predicted.0)] > 0);
            }
            seen[usize::from(class.0)] += 1;
            for class in classes() {
                prop_assert_eq!(one.seen(class), seen[usize::from(class.0)]);
                prop_assert_eq!(all.seen(class), seen[usize::from(class.0)]);
            }
        }
    }
}

/// At right angles to all that was learned every class scores zero.
#[test]
fn a_tie_goes_to_the_lowest_class() {
    fn tied<M: OnlineClassifier<Input = [f32; 2], Label = Class>>(mut model: M) {
        assert_eq!(
            model.predict(&[0.0, 1.0]),
            Ok(Class(0)),
            "nobody takes part"
        );
        for (class, lowest) in [(3, 3), (1, 1), (2, 1), (0, 0)] {
            model.learn(&[1.0, 0.0], Class(class)).expect("finite");
            for x in [[0.0, 1.0], [0.0, -3.0]] {
                assert_eq!(
                    model.predict(&x),
                    Ok(Class(lowest)),
                    "the lowest class that has an example"
                );
            }
        }
    }
    tied(OneVsRest::<_, C>::of(&LinearPerceptron::<2>::new()));
    tied(SharedSupport::<_, _, Inline<2, 8>, C, _>::new(
        kernel::LinearKernel,
        NoBudget,
        UnitSteps,
    ));
}

#[test]
fn a_class_that_appears_late_starts_from_zero() {
    let rows = clouds(5, 30);
    let early: Rows = rows
        .iter()
        .filter(|(_, class)| class.0 < 2)
        .copied()
        .collect();
    let (mut one, mut all) = (
        separate::<_, ROWS, _>(NoBudget, UnitSteps),
        shared::<_, ROWS, _>(NoBudget, UnitSteps),
    );
    for (x, class) in &early {
        one.learn(x, *class).expect("finite");
        all.learn(x, *class).expect("finite");
    }
    let stored = all.support().len();
    assert!(stored > 3);
    assert!(all.coefficients(Class(3)).iter().all(|step| *step == 0.0));
    let (x, new) = ([0.3, -0.4, 0.9], Class(3));
    assert_eq!(all.scores(&x).expect("finite")[3], 0.0);
    one.learn(&x, new).expect("finite");
    all.learn(&x, new).expect("finite");
    assert_eq!(all.seen(new), 1);
    // What was stored before does not speak for or against it.
    let coefficients = all.coefficients(new);
    assert_eq!(coefficients.len(), stored + 1);
    assert!(coefficients[..stored].iter().all(|step| *step == 0.0));
    assert_eq!(coefficients[stored], 1.0);
    assert_eq!(one.learner(new).expect("a class").support().alphas(), [1.0]);
    // (1 + |x|^2)^2
    assert_eq!(
        one.scores(&x).expect("finite")[3],
        all.scores(&x).expect("finite")[3]
    );
}
