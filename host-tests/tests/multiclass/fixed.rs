//! Classes that are known in advance learn from the first row on.

use pocketron::{
    budget::NoBudget,
    classifier::OnlineClassifier,
    hypothesis::Expansion,
    label::{Class, Sign},
    learners::{multiclass::FixedClasses, perceptron::Perceptron},
    persist::{self, Persist, Restart as _},
    rule::UnitSteps,
    storage::Inline,
};
use proptest::prelude::*;

use super::models::{C, D, ROWS, Rows, classes, clouds, grid, quadratic, separate, shared};

type Binary =
    Perceptron<Expansion<pocketron::kernel::Polynomial, NoBudget, Inline<D, ROWS>>, UnitSteps>;

/// One binary learner per class, each taught all rows.
fn binaries(rows: &Rows) -> Vec<Binary> {
    let mut learners: Vec<_> = classes()
        .map(|_| Binary::from_parts(Expansion::new(quadratic(), NoBudget), UnitSteps))
        .collect();
    for (x, truth) in rows {
        for (class, learner) in classes().zip(&mut learners) {
            let side = if class == *truth {
                Sign::Pos
            } else {
                Sign::Neg
            };
            learner.learn(x, side).expect("finite");
        }
    }
    learners
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    /// On a grid on which all sums are exact.
    #[test]
    fn fixed_classes_are_binary_learners_that_are_taught_every_row(rows in grid()) {
        let mut one = FixedClasses::new(separate::<_, ROWS, _>(NoBudget, UnitSteps));
        let mut all = FixedClasses::new(shared::<_, ROWS, _>(NoBudget, UnitSteps));
        for (x, class) in &rows {
            let expected = one.predict(x).expect("finite");
            let (a, b) = (one.learn(x, *class).expect("finite"), all.learn(x, *class).expect("finite"));
            prop_assert_eq!((a.predicted, a.mistake), (expected, expected != *class));
            prop_assert_eq!((b.predicted, b.mistake), (expected, expected != *class));
        }
        let learners = binaries(&rows);
        for (x, _) in &rows {
            let (one, all) = (one.scores(x).expect("finite"), all.scores(x).expect("finite"));
            for ((learner, a), b) in learners.iter().zip(one).zip(all) {
                let score = learner.predict_scored(x).expect("finite").1;
                prop_assert_eq!((score, score), (a, b));
            }
        }
    }
}

/// Class 3 has no example; of those that wait for theirs it says nothing.
#[test]
fn a_class_without_an_example_learns_from_others_only_if_it_is_fixed() {
    let rows = clouds(5, 30).into_iter().filter(|(_, class)| class.0 < 3);
    let mut waiting = shared::<_, ROWS, _>(NoBudget, UnitSteps);
    let mut fixed = FixedClasses::new(waiting.clone());
    for (x, class) in rows {
        waiting.learn(&x, class).expect("finite");
        fixed.learn(&x, class).expect("finite");
    }
    let steps = |model: &[f32]| model.iter().filter(|step| **step != 0.0).count();
    assert_eq!(steps(waiting.coefficients(Class(3))), 0);
    assert!(steps(fixed.inner().coefficients(Class(3))) > 0);
}

#[test]
fn an_image_says_whether_the_classes_are_fixed() {
    fn image(model: &dyn Persist) -> Vec<u8> {
        let mut buffer = vec![0; 50_000];
        persist::to_bytes(model, &mut buffer)
            .expect("room")
            .to_vec()
    }
    let fresh = || separate::<_, ROWS, _>(NoBudget, UnitSteps);
    let (mut waiting, mut fixed) = (fresh(), FixedClasses::new(fresh()));
    for (x, class) in clouds(7, 20) {
        waiting.learn(&x, class).expect("finite");
        fixed.learn(&x, class).expect("finite");
    }
    let fixed_image = image(&fixed);
    let mut back = FixedClasses::new(fresh());
    persist::restore(&mut back, &mut &fixed_image[..]).expect("its own image");
    let x = [0.3, -0.4, 0.9];
    assert_eq!(back.scores(&x), fixed.scores(&x));
    assert!(persist::restore(&mut fresh(), &mut &fixed_image[..]).is_err());
    assert!(persist::restore(&mut back, &mut &image(&waiting)[..]).is_err());
    back.restart();
    assert_eq!(back.scores(&x).expect("finite"), [0.0; C]);
}
