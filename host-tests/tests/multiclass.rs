//! Several classes: each learner of its own and the shared support set are the same thing.

mod common;

use common::streams::Dice;
use pocketron::{
    budget::{Admission, Indifferent, Oldest, Policy, Random, Remembering, Stop, Unbounded},
    error::InputError,
    history::{Prefixes, Voted},
    hypothesis::{Expansion, Ledgered, Linear},
    kernel::{self, Gaussian, Kernel, Polynomial},
    label::{Class, Sign},
    memory::{Blank, Inline},
    multiclass::{OneVsRest, SharedSupport},
    perceptron::{KernelPerceptron, LinearPerceptron, OnlineClassifier, Perceptron},
    rule::{Always, MarginRule, Memoryless, PassiveAggressive, Shrinking, Soft, UnitSteps},
    stream::run_epochs,
};
use proptest::{collection::vec, prelude::*};

const D: usize = 3;
/// Examples of a set at most, which is also the capacity of what forgets nothing.
const ROWS: usize = 40;
/// Classes.
const C: usize = 4;

type Point = [f32; D];
type Rows = Vec<(Point, Class)>;

/// A grid of quarters, on which the kernel below and all sums are exact. The last class comes late, if at all.
fn grid() -> impl Strategy<Value = Rows> {
    let feature = (-4i8..=4).prop_map(|step| f32::from(step) / 4.0);
    let x = [feature.clone(), feature.clone(), feature];
    vec((x, 0..C as u8), 1..=ROWS).prop_map(|rows| {
        let late = |(row, (x, class)): (usize, (Point, u8))| {
            (x, Class(if row < 10 { class % 3 } else { class }))
        };
        rows.into_iter().enumerate().map(late).collect()
    })
}

/// Points around as many centres as classes, a fifth with another label.
fn clouds(seed: u64, count: usize) -> Rows {
    let mut dice = Dice::new(seed);
    let mut example = |row: usize| {
        let class = row % C;
        let centre = |i: usize| if i == class { 1.0 } else { -0.2 * class as f32 };
        let x = std::array::from_fn(|i| centre(i) + 0.6 * dice.normal());
        let class = if dice.chance(0.2) {
            (class + 1) % C
        } else {
            class
        };
        (x, Class(class as u8))
    };
    (0..count).map(|row| example(row * 7 + row / 3)).collect()
}

fn quadratic() -> Polynomial {
    Polynomial::new(2, 1.0, 1.0).expect("a kernel")
}

type Separate<P, const B: usize, R> =
    OneVsRest<KernelPerceptron<Polynomial, P, Inline<D, B>, R>, C>;
type Shared<P, const B: usize, R> = SharedSupport<Polynomial, P, Inline<D, B>, C, R>;

fn separate<P: Clone, const B: usize, R: Copy>(policy: P, rule: R) -> Separate<P, B, R> {
    OneVsRest::of(&Perceptron::from_parts(
        Expansion::new(quadratic(), policy),
        rule,
    ))
}

fn shared<P, const B: usize, R: Copy>(policy: P, rule: R) -> Shared<P, B, R> {
    SharedSupport::new(quadratic(), policy, rule)
}

fn classes() -> impl Iterator<Item = Class> {
    (0..C as u8).map(Class)
}

fn points<P, const B: usize, R: Copy>(model: &Shared<P, B, R>) -> Vec<Point> {
    let set = model.support();
    (0..set.len()).map(|slot| set.point(slot)).collect()
}

/// Learns the same rows with both. `near` is what scores may differ by, relative to the larger and to one; with zero
/// every decision must agree, otherwise a disagreement ends the comparison and is returned.
fn both<P, const B: usize, R>(
    separate: &mut Separate<P, B, R>,
    shared: &mut Shared<P, B, R>,
    rows: &[(Point, Class, Option<u32>)],
    near: f32,
) -> Result<bool, TestCaseError>
where
    P: Policy<Polynomial, Inline<D, B>> + Indifferent,
    R: Memoryless + Copy,
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
        let a = separate.learn_known(x, *class, *id).expect("finite");
        let b = shared.learn_known(x, *class, *id).expect("finite");
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
    P: Policy<Polynomial, Inline<D, B>> + Indifferent,
    R: Memoryless + Copy,
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

fn once(rows: &Rows) -> Vec<(Point, Class, Option<u32>)> {
    rows.iter().map(|(x, class)| (*x, *class, None)).collect()
}

fn again(rows: &Rows, epochs: usize) -> Vec<(Point, Class, Option<u32>)> {
    let numbered = rows
        .iter()
        .enumerate()
        .map(|(id, (x, class))| (*x, *class, Some(id as u32)));
    let numbered: Vec<_> = numbered.collect();
    numbered.repeat(epochs)
}

/// The first of all rows with the same point.
fn distinct(rows: Rows) -> Rows {
    let mut kept: Rows = vec![];
    for row in rows {
        if !kept.iter().any(|(x, _)| *x == row.0) {
            kept.push(row);
        }
    }
    kept
}

fn the_same_thing<R: Memoryless + Copy>(rule: R, rows: &Rows) -> Result<(), TestCaseError> {
    let (mut one, mut all) = (
        separate::<_, ROWS, _>(Unbounded, rule),
        shared::<_, ROWS, _>(Unbounded, rule),
    );
    both(&mut one, &mut all, &once(rows), 0.0)?;
    union(&one, &all, 0.0)?;

    let policy = || Remembering::<_, Inline<D, ROWS>>::new(Unbounded);
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

    #[test]
    fn slots_and_coefficients_stay_together_whatever_is_given_up(rows in grid(), seed in any::<u32>()) {
        let rule = MarginRule::new(0.5).with_margins(0.25, 0.75);
        replay(shared::<_, SMALL, _>(Stop, rule), &rows, "stop")?;
        replay(shared::<_, SMALL, _>(Oldest::new(), rule), &rows, "oldest")?;
        replay(shared::<_, SMALL, _>(Random::new(seed), rule), &rows, "random")?;
        replay(shared::<_, SMALL, _>(Remembering::<_, Inline<D, SMALL>>::new(Stop), rule), &rows, "stop")?;
        replay(shared::<_, SMALL, _>(Remembering::<_, Inline<D, SMALL>>::new(Oldest::new()), rule), &rows, "oldest")?;
        replay(shared::<_, SMALL, _>(Remembering::<_, Inline<D, SMALL>>::new(Random::new(seed)), rule), &rows, "random")?;
    }

    /// No learner takes any notice of an example that is refused, and the counters neither.
    #[test]
    fn features_that_are_no_numbers_change_no_learner(rows in grid(), at in 0..D) {
        let mut bad = [0.5; D];
        bad[at] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY][at];
        let (mut one, mut all) = (separate::<_, ROWS, _>(Unbounded, UnitSteps), shared::<_, ROWS, _>(Unbounded, UnitSteps));
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

    /// Each class counts its examples, and only those that have some are ever predicted.
    #[test]
    fn only_classes_with_examples_are_predicted(rows in grid()) {
        let (mut one, mut all) = (separate::<_, ROWS, _>(Unbounded, UnitSteps), shared::<_, ROWS, _>(Unbounded, UnitSteps));
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

const SMALL: usize = 4;

/// What is in a slot.
#[derive(Clone, Debug)]
struct Slot {
    x: Point,
    id: u32,
    steps: [f64; C],
    born: usize,
}

/// Two epochs of the rows against a list of slots. Scores and rule are computed anew; only `random` takes the slot
/// from the model, and only a policy that remembers joins.
fn replay<P>(
    mut model: Shared<P, SMALL, MarginRule>,
    rows: &Rows,
    policy: &str,
) -> Result<(), TestCaseError>
where
    P: Policy<Polynomial, Inline<D, SMALL>> + Indifferent,
{
    let (mut slots, mut seen): (Vec<Slot>, [bool; C]) = (vec![], [false; C]);
    for (step, (x, class, id)) in again(rows, 2).into_iter().enumerate() {
        seen[usize::from(class.0)] = true;
        let mut steps = [0.0; C];
        for of in classes().filter(|of| seen[usize::from(of.0)]) {
            let of = usize::from(of.0);
            let near = |slot: &Slot| f64::from(quadratic().pair(&slot.x, &x));
            let score: f64 = slots.iter().map(|slot| slot.steps[of] * near(slot)).sum();
            let (y, tau) = if of == usize::from(class.0) {
                (1.0, 0.75)
            } else {
                (-1.0, 0.25)
            };
            if y * score <= tau {
                steps[of] = 0.5 * y;
            }
        }
        let admission = model.learn_known(&x, class, id).expect("finite").admission;
        prop_assert_eq!(admission.is_some(), steps != [0.0; C], "step {}", step);
        let id = id.expect("numbered");
        let newcomer = Slot {
            x,
            id,
            steps,
            born: step,
        };
        match admission {
            None => {}
            Some(Admission::Inserted) => {
                prop_assert!(slots.len() < SMALL);
                slots.push(newcomer);
            }
            Some(Admission::Replaced(slot)) => {
                prop_assert_eq!(slots.len(), SMALL);
                let oldest = slots.iter().map(|slot| slot.born).min();
                prop_assert!(
                    policy == "random" || Some(slots[slot].born) == oldest,
                    "{policy}: slot {slot}"
                );
                prop_assert!(policy != "stop");
                slots[slot] = newcomer;
            }
            Some(Admission::Joined(slot)) => {
                prop_assert_eq!(slots[slot].id, id, "the slot of this very example");
                for (sum, step) in slots[slot].steps.iter_mut().zip(steps) {
                    *sum += step;
                }
            }
            Some(Admission::Refused) => prop_assert!(policy == "stop" && slots.len() == SMALL),
            Some(other) => prop_assert!(false, "{other:?}"),
        }
        prop_assert_eq!(
            points(&model),
            slots.iter().map(|slot| slot.x).collect::<Vec<_>>()
        );
        for class in classes() {
            let naive: Vec<f32> = slots
                .iter()
                .map(|slot| slot.steps[usize::from(class.0)] as f32)
                .collect();
            prop_assert_eq!(
                model.coefficients(class),
                naive,
                "step {}, {:?}",
                step,
                class
            );
        }
    }
    Ok(())
}

/// Rules whose steps are rounded, on streams that are not on a grid.
#[test]
fn they_are_the_same_for_rules_of_rounded_steps_but_for_rare_forks() {
    fn compare<R: Memoryless + Copy>(rule: R) {
        let mut alike = 0;
        for seed in 0..40 {
            let rows = clouds(seed, ROWS);
            let (mut one, mut all) = (
                separate::<_, ROWS, _>(Unbounded, rule),
                shared::<_, ROWS, _>(Unbounded, rule),
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

#[test]
fn an_example_that_comes_back_joins_its_vector() {
    let rows = distinct(clouds(1, ROWS));
    let policy = Remembering::<_, Inline<D, ROWS>>::new(Unbounded);
    let mut model = shared::<_, ROWS, _>(policy, UnitSteps);
    let mut joined = 0;
    for (x, class, id) in again(&rows, 20) {
        let admission = model.learn_known(&x, class, id).expect("finite").admission;
        joined += usize::from(matches!(admission, Some(Admission::Joined(_))));
        assert!(model.support().len() <= rows.len());
    }
    assert!(joined > 50, "{joined}");
    // The same through the loop of epochs; without numbers, every mistake would take a slot.
    let mut model =
        shared::<_, ROWS, _>(Remembering::<_, Inline<D, ROWS>>::new(Unbounded), UnitSteps);
    let result = run_epochs(&mut model, &rows, 20);
    assert!(result.updates as usize > rows.len(), "{result:?}");
    assert!(model.support().len() <= rows.len());
    let mut plain = shared::<_, ROWS, _>(Unbounded, UnitSteps);
    run_epochs(&mut plain, &rows, 20);
    assert!(plain.support().is_full());
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
        kernel::Linear,
        Unbounded,
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
        separate::<_, ROWS, _>(Unbounded, UnitSteps),
        shared::<_, ROWS, _>(Unbounded, UnitSteps),
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

// ---------------------------------------------------------------------------------------------------------------
// What is refused
// ---------------------------------------------------------------------------------------------------------------

#[test]
fn a_class_beyond_the_capacity_is_refused_and_changes_nothing() {
    let (mut one, mut all) = (
        separate::<_, 8, _>(Unbounded, UnitSteps),
        shared::<_, 8, _>(Unbounded, UnitSteps),
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
    let mut model = SharedSupport::<kernel::Linear, Unbounded, Inline<1, 300>, 256, UnitSteps>::new(
        kernel::Linear,
        Unbounded,
        UnitSteps,
    );
    for class in [255, 0, 128] {
        model.learn(&[1.0], Class(class)).expect("a class");
        assert_eq!(model.seen(Class(class)), 1);
    }
}

#[test]
fn a_shared_support_set_refuses_the_very_first_example_if_it_is_no_number() {
    let mut model = shared::<_, 8, _>(Unbounded, UnitSteps);
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
    let mut model = separate::<_, 8, _>(Unbounded, UnitSteps);
    let learned = model.learn(&[f32::NAN; D], Class(0));
    assert_eq!(learned.err(), Some(InputError::NonFinite));
    assert_eq!(model.seen(Class(0)), 0);
    assert_eq!(model.predict(&[f32::NAN; D]), Err(InputError::NonFinite));
}

/// A score is not all that can go wrong: here it is `k(x, x)` that overflows.
#[test]
fn learners_of_their_own_refuse_what_one_of_them_refuses() {
    let line =
        KernelPerceptron::<kernel::Linear, Unbounded, Inline<2, 8>, UnitSteps>::new(kernel::Linear);
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
fn learners_of_their_own_refuse_a_number_beyond_their_ledgers() {
    let rule = Soft::new(MarginRule::new(1.0)).with_bound(3);
    let ledger = Ledgered::new(Linear::<[f32; 2]>::BLANK, [0; 4]);
    let mut model = OneVsRest::<_, 3>::of(&Perceptron::from_parts(ledger, rule));
    model
        .learn_known(&[1.0, 0.0], Class(0), Some(3))
        .expect("a known example");
    let unknown = model.learn_known(&[0.0, 1.0], Class(1), Some(4));
    assert_eq!(unknown.err(), Some(InputError::UnknownExample));
    assert_eq!(model.seen(Class(1)), 0);
}

/// A model that was left blank.
#[test]
fn learners_of_their_own_refuse_to_learn_while_they_are_blank() {
    let mut model =
        OneVsRest::<KernelPerceptron<Gaussian, Unbounded, Inline<2, 8>, UnitSteps>, 3>::BLANK;
    assert!(model.learn(&[1.0, 0.0], Class(1)).is_err());
    assert_eq!(model.seen(Class(1)), 0);
}

#[test]
fn a_shared_support_set_refuses_parameters_outside_their_domain() {
    type Model = SharedSupport<Gaussian, Unbounded, Inline<2, 8>, 3, MarginRule>;
    let (kernel, rule) = (Gaussian::constant(1.0), MarginRule::new(1.0));
    let bad = [
        Model::new(Gaussian::BLANK, Unbounded, rule),
        Model::new(kernel, Unbounded, rule.with_margin(f32::NAN)),
        Model::new(kernel, Unbounded, MarginRule::new(0.0)),
    ];
    for mut model in bad {
        assert!(model.learn(&[1.0, 0.0], Class(1)).is_err());
        assert_eq!((model.seen(Class(1)), model.support().len()), (0, 0));
    }
    assert!(
        Model::new(kernel, Unbounded, rule)
            .learn(&[1.0, 0.0], Class(1))
            .is_ok()
    );
}

/// A class that was refused must not hide another one that was stored: epochs would end too early.
#[test]
fn an_example_that_moved_any_class_is_reported_as_a_change() {
    let mut changes = 0;
    for seed in 0..10 {
        let mut model = separate::<_, 3, _>(Stop, UnitSteps);
        for (x, class) in clouds(seed, ROWS) {
            let before: Vec<Vec<f32>> = classes()
                .map(|c| {
                    model
                        .learner(c)
                        .expect("a class")
                        .support()
                        .alphas()
                        .to_vec()
                })
                .collect();
            let outcome = model.learn(&x, class).expect("finite");
            let after: Vec<Vec<f32>> = classes()
                .map(|c| {
                    model
                        .learner(c)
                        .expect("a class")
                        .support()
                        .alphas()
                        .to_vec()
                })
                .collect();
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

// ---------------------------------------------------------------------------------------------------------------
// Histories and cost
// ---------------------------------------------------------------------------------------------------------------

/// Any learner will do: here one that votes, and whose votes decide.
#[test]
fn learners_of_their_own_may_have_histories() {
    type Votes = Voted<Prefixes<Inline<D, ROWS>>>;
    let binary = Perceptron::with_history(
        Expansion::<_, _, Inline<D, ROWS>>::new(quadratic(), Unbounded),
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
            SharedSupport<Gaussian, Unbounded, Inline<D, B>, C, UnitSteps>;
        assert_eq!(size_of::<Unit<D, B, C>>(), slots + 4 + 4 * C + 4);
        type Margin<const D: usize, const B: usize, const C: usize> =
            SharedSupport<Gaussian, Oldest, Inline<D, B>, C, MarginRule>;
        assert_eq!(
            size_of::<Margin<D, B, C>>(),
            slots + 4 + 4 * C + 4 + 4 + 12 * C
        );
        type Known<const D: usize, const B: usize, const C: usize> =
            SharedSupport<Gaussian, Remembering<Stop, Inline<D, B>>, Inline<D, B>, C, UnitSteps>;
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
    type Binary = KernelPerceptron<Gaussian, Unbounded, Inline<2, 20>>;
    assert_eq!(
        size_of::<OneVsRest<Binary, 3>>(),
        3 * size_of::<Binary>() + 3 * 4
    );
}
