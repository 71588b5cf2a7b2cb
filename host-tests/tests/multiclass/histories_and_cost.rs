//! Learners with histories, and the bytes of it all.

use pocketron::{
    budget::{NoBudget, Oldest, Stop, WithIdentities},
    classifier::{OnlineClassifier, Scorer as _},
    history::{Prefixes, Voted},
    hypothesis::Expansion,
    kernel::Gaussian,
    label::Sign,
    learners::{
        multiclass::{OneVsRest, SharedSupport},
        perceptron::{KernelPerceptron, Perceptron},
    },
    persist::Blank,
    rule::{MarginRule, UnitSteps},
    storage::Inline,
};

use super::models::{C, D, ROWS, Separate, classes, clouds, quadratic, separate};

/// A class that was refused must not hide another one that was stored: epochs would end too early.
#[test]
fn an_example_that_moved_any_class_is_reported_as_a_change() {
    let mut changes = 0;
    for seed in 0..10 {
        let mut model = separate::<_, 3, _>(Stop, UnitSteps);
        for (x, class) in clouds(seed, ROWS) {
            let alphas = |model: &Separate<Stop, 3, UnitSteps>| -> Vec<Vec<f32>> {
                let of = |c| model.learner(c).expect("a class").support().alphas();
                classes().map(|c| of(c).to_vec()).collect()
            };
            let before = alphas(&model);
            let outcome = model.learn(&x, class).expect("finite");
            let after = alphas(&model);
            changes += u32::from(before != after);
            assert_eq!(
                outcome.changed(),
                before != after,
                "seed {seed}: {:?}",
                outcome.admission
            );
        }
    }
    assert!(changes > 30, "{changes}");
}

/// Any learner will do: here one that votes, and whose votes decide.
#[test]
fn learners_of_their_own_may_have_histories() {
    type Votes = Voted<Prefixes<Inline<D, ROWS>>>;
    let binary = Perceptron::with_history(
        Expansion::<_, _, Inline<D, ROWS>>::new(quadratic(), NoBudget),
        UnitSteps,
        Votes::BLANK,
    );
    let rows = clouds(2, ROWS);
    let mut model = OneVsRest::<_, C>::of(&binary);
    let mut alone: Vec<_> = classes().map(|_| binary.clone()).collect();
    let mut seen = [false; C];
    for (x, class) in &rows {
        model.learn(x, *class).expect("finite");
        seen[usize::from(class.0)] = true;
        for of in classes().filter(|of| seen[usize::from(of.0)]) {
            let side = if of == *class { Sign::Pos } else { Sign::Neg };
            alone[usize::from(of.0)].learn(x, side).expect("finite");
        }
        let scores = model.scores(x).expect("finite");
        for (score, (alone, seen)) in scores.iter().zip(alone.iter().zip(seen)) {
            let own = if seen {
                alone.score(x).expect("finite")
            } else {
                0.0
            };
            assert_eq!(
                (*score, score.fract()),
                (own, 0.0),
                "votes are whole numbers"
            );
        }
    }
}

/// `B (4 D + 4 C + 4)` bytes and a constant: the length, a count and a rule for every class, kernel and policy.
#[test]
fn a_shared_support_set_has_the_size_that_its_documentation_states() {
    fn of<const D: usize, const B: usize, const C: usize>() {
        let slots = B * (4 * D + 4 * C + 4);
        type Unit<const D: usize, const B: usize, const C: usize> =
            SharedSupport<Gaussian, NoBudget, Inline<D, B>, C, UnitSteps>;
        assert_eq!(size_of::<Unit<D, B, C>>(), slots + 4 + 4 * C + 4);
        type Margin<const D: usize, const B: usize, const C: usize> =
            SharedSupport<Gaussian, Oldest, Inline<D, B>, C, MarginRule>;
        assert_eq!(
            size_of::<Margin<D, B, C>>(),
            slots + 4 + 4 * C + 4 + 4 + 12 * C
        );
        type Known<const D: usize, const B: usize, const C: usize> =
            SharedSupport<Gaussian, WithIdentities<Stop, Inline<D, B>>, Inline<D, B>, C, UnitSteps>;
        assert_eq!(
            size_of::<Known<D, B, C>>(),
            slots + 8 * B + 4 + 4 * C + 4,
            "8 bytes a slot to remember"
        );
        assert_eq!(align_of::<Known<D, B, C>>(), 4);
    }
    of::<1, 1, 2>();
    of::<2, 20, 3>();
    of::<64, 100, 10>();
    type Binary = KernelPerceptron<Gaussian, NoBudget, Inline<2, 20>>;
    assert_eq!(
        size_of::<OneVsRest<Binary, 3>>(),
        3 * size_of::<Binary>() + 3 * 4
    );
}
