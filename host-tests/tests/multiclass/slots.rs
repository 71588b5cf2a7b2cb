//! Slots and coefficients of a shared support set, against a list of slots.

use pocketron::{
    budget::{
        Admission, Guarantee, IgnoresCoefficients, NoBudget, Oldest, Policy, Random, Stop,
        WithIdentities,
    },
    classifier::OnlineClassifier,
    kernel::{Kernel, Polynomial},
    rule::{MarginRule, UnitSteps},
    storage::Inline,
    stream::run_epochs,
};
use proptest::prelude::*;

use super::models::{
    C, D, Point, ROWS, Rows, Shared, again, classes, clouds, distinct, grid, points, quadratic,
    shared,
};

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
    P: Policy<Polynomial, Inline<D, SMALL>> + Guarantee<IgnoresCoefficients>,
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
        let admission = model
            .learn_with_id(&x, class, id)
            .expect("finite")
            .admission;
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]

    #[test]
    fn slots_and_coefficients_stay_together_whatever_is_given_up(rows in grid(), seed in any::<u32>()) {
        let rule = MarginRule::new(0.5).with_margins(0.25, 0.75);
        replay(shared::<_, SMALL, _>(Stop, rule), &rows, "stop")?;
        replay(shared::<_, SMALL, _>(Oldest::new(), rule), &rows, "oldest")?;
        replay(shared::<_, SMALL, _>(Random::new(seed), rule), &rows, "random")?;
        replay(shared::<_, SMALL, _>(WithIdentities::<_, Inline<D, SMALL>>::new(Stop), rule), &rows, "stop")?;
        replay(shared::<_, SMALL, _>(WithIdentities::<_, Inline<D, SMALL>>::new(Oldest::new()), rule), &rows, "oldest")?;
        replay(shared::<_, SMALL, _>(WithIdentities::<_, Inline<D, SMALL>>::new(Random::new(seed)), rule), &rows, "random")?;
    }
}

#[test]
fn an_example_that_comes_back_joins_its_vector() {
    let rows = distinct(clouds(1, ROWS));
    let policy = WithIdentities::<_, Inline<D, ROWS>>::new(NoBudget);
    let mut model = shared::<_, ROWS, _>(policy, UnitSteps);
    let mut joined = 0;
    for (x, class, id) in again(&rows, 20) {
        let admission = model
            .learn_with_id(&x, class, id)
            .expect("finite")
            .admission;
        joined += usize::from(matches!(admission, Some(Admission::Joined(_))));
        assert!(model.support().len() <= rows.len());
    }
    assert!(joined > 50, "{joined}");
    // The same through the loop of epochs; without numbers, every mistake would take a slot.
    let mut model = shared::<_, ROWS, _>(
        WithIdentities::<_, Inline<D, ROWS>>::new(NoBudget),
        UnitSteps,
    );
    let result = run_epochs(&mut model, &rows, 20);
    assert!(result.updates as usize > rows.len(), "{result:?}");
    assert!(model.support().len() <= rows.len());
    let mut plain = shared::<_, ROWS, _>(NoBudget, UnitSteps);
    run_epochs(&mut plain, &rows, 20);
    assert!(plain.support().is_full());
}
