//! Learners of their own and a shared support set are the same thing.

use pocketron::{
    budget::{Guarantee, IgnoresCoefficients, NoBudget, Policy, WithIdentities},
    classifier::OnlineClassifier,
    kernel::Polynomial,
    label::Class,
    rule::{Always, MarginRule, PassiveAggressive, Rule, Shrinking, UnitSteps},
    storage::Inline,
};
use proptest::prelude::*;

use super::models::{
    D, Point, ROWS, Rows, Separate, Shared, again, classes, clouds, distinct, grid, once, points,
    separate, shared,
};

/// Learns the same rows with both. `near` is what scores may differ by, relative to the larger and to one; with zero
/// every decision must agree, otherwise a disagreement ends the comparison and is returned.
fn both<P, const B: usize, R>(
    separate: &mut Separate<P, B, R>,
    shared: &mut Shared<P, B, R>,
    rows: &[(Point, Class, Option<u32>)],
    near: f32,
) -> Result<bool, TestCaseError>
where
    P: Policy<Polynomial, Inline<D, B>> + Guarantee<IgnoresCoefficients>,
    R: Rule + Copy,
{
    for (step, (x, class, id)) in rows.iter().enumerate() {
        let (one, all) = (
            separate.scores(x).expect("finite"),
            shared.scores(x).expect("finite"),
        );
        for (a, b) in one.iter().zip(all) {
            let close = (a - b).abs() <= near * a.abs().max(1.0);
            prop_assert!(close, "step {step}: {one:?} and {all:?}");
        }
        let a = separate.learn_with_id(x, *class, *id).expect("finite");
        let b = shared.learn_with_id(x, *class, *id).expect("finite");
        if (a.predicted, a.mistake, a.changed()) != (b.predicted, b.mistake, b.changed()) {
            prop_assert!(near > 0.0, "step {step}: {a:?} and {b:?}");
            return Ok(false);
        }
    }
    for class in classes() {
        prop_assert_eq!(separate.seen(class), shared.seen(class));
    }
    Ok(true)
}

/// Every vector of every learner is in the shared set, once, with the same coefficient, and nothing else is there.
/// Points must be told apart, so they are all different.
fn union<P, const B: usize, R>(
    separate: &Separate<P, B, R>,
    shared: &Shared<P, B, R>,
    near: f32,
) -> Result<(), TestCaseError>
where
    P: Policy<Polynomial, Inline<D, B>> + Guarantee<IgnoresCoefficients>,
    R: Rule + Copy,
{
    let points = points(shared);
    for (i, x) in points.iter().enumerate() {
        prop_assert!(!points[..i].contains(x), "{x:?} is stored twice");
    }
    let mut used = vec![false; points.len()];
    for class in classes() {
        let own = separate.learner(class).expect("a class").support();
        let mut expected = vec![0.0; points.len()];
        for slot in 0..own.len() {
            let at = points.iter().position(|x| *x == own.point(slot));
            let at = at.expect("the union holds it");
            used[at] = true;
            expected[at] = own.alpha(slot);
        }
        let coefficients = shared.coefficients(class);
        prop_assert_eq!(coefficients.len(), points.len());
        for (ours, expected) in coefficients.iter().zip(&expected) {
            prop_assert!(
                (ours - expected).abs() <= near * expected.abs().max(1.0),
                "{class:?}: {ours} and {expected}"
            );
        }
    }
    prop_assert!(used.iter().all(|used| *used), "a point that nobody uses");
    Ok(())
}

fn the_same_thing<R: Rule + Copy>(rule: R, rows: &Rows) -> Result<(), TestCaseError> {
    let (mut one, mut all) = (
        separate::<_, ROWS, _>(NoBudget, rule),
        shared::<_, ROWS, _>(NoBudget, rule),
    );
    both(&mut one, &mut all, &once(rows), 0.0)?;
    union(&one, &all, 0.0)?;

    let policy = || WithIdentities::<_, Inline<D, ROWS>>::new(NoBudget);
    let (mut one, mut all) = (
        separate::<_, ROWS, _>(policy(), rule),
        shared::<_, ROWS, _>(policy(), rule),
    );
    both(&mut one, &mut all, &again(rows, 3), 0.0)?;
    union(&one, &all, 0.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn learners_of_their_own_and_a_shared_support_set_are_the_same(rows in grid()) {
        let rows = distinct(rows);
        the_same_thing(UnitSteps, &rows)?;
        the_same_thing(MarginRule::new(0.5).with_margins(0.25, 0.75), &rows)?;
        the_same_thing(MarginRule::new(0.5).with_margins(-0.25, 1.5), &rows)?;
        the_same_thing(Always, &rows)?;
    }
}

/// Rules whose steps are rounded, on streams that are not on a grid.
#[test]
fn they_are_the_same_for_rules_of_rounded_steps_but_for_rare_forks() {
    fn compare<R: Rule + Copy>(rule: R) {
        let mut alike = 0;
        for seed in 0..40 {
            let rows = clouds(seed, ROWS);
            let (mut one, mut all) = (
                separate::<_, ROWS, _>(NoBudget, rule),
                shared::<_, ROWS, _>(NoBudget, rule),
            );
            let same = both(&mut one, &mut all, &once(&rows), 1e-3);
            if same.unwrap_or_else(|why| panic!("seed {seed}: {why}")) {
                union(&one, &all, 1e-3).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
                alike += 1;
            }
        }
        assert!(alike >= 38, "{alike} of 40");
    }
    compare(PassiveAggressive::new(0.3).expect("an aggressiveness"));
    compare(Shrinking::new(0.1).expect("a regularisation"));
}
