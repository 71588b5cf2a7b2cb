//! What an example of several classes teaches the kernel: a vector speaks for it as far as its coefficients go the same
//! way as the example's steps.

use pocketron::{
    label::Class,
    learners::continual::{AllViolating, AnnealedSteps, BestWrongClass, CoefficientRow, Update},
    prelude::*,
    storage::{Inline, SupportSet},
};

use crate::{
    classes::{B, C, D, Model, clouds, coefficients, standardised, steps, unit},
    formulas::exponents,
    lessons::{Contribution, Example, lesson, true_weights},
};

/// How many changes were compared, and how many of them were larger than their tolerance by far.
#[derive(Debug, Default)]
struct Tally {
    compared: usize,
    telling: usize,
}

fn follow<U: Update<C, C, Label = Class> + Clone>(seed: u64, tally: &mut Tally) {
    let mut model = Model::<U>::new();
    for (x, class) in clouds(seed, 400) {
        let before = model.clone();
        model.learn(&x, class).expect("good");
        let x = standardised(model.moments(), &x);
        let steps = steps(&before, &x, class);
        let eta = f64::from(steps.largest());
        let (old, new) = (exponents(before.kernel()), exponents(model.kernel()));
        let vectors = before.vectors();
        if eta == 0.0 || !vectors.is_full() {
            assert_eq!(old, new, "nothing is learned yet, or from this example");
            continue;
        }
        let contribution = |row: &CoefficientRow<C>| {
            let own = coefficients(row);
            let along = own.iter().zip(steps.of).map(|(a, b)| a * f64::from(b));
            Contribution {
                value: along.sum::<f64>() / eta,
                // The row of steps is rounded to half a unit, and the product cut to a unit.
                off: unit(row) + own.iter().map(|a| a.abs()).sum::<f64>() / 127.0,
                // A similarity has as many digits as the row's unit leaves it.
                cut: (-1.0 - f64::from(row.exponent())).exp2(),
            }
        };
        let example = Example {
            contributions: vectors.rows().iter().map(contribution).collect(),
            eta,
            mistake: steps.mistake,
        };
        let mut set = SupportSet::<Inline<D, B, i8>>::new();
        for slot in 0..vectors.len() {
            set.push(&vectors.point(slot), 1.0);
        }
        let Some(changes) = lesson(true_weights(old), &set, &x, &example) else {
            continue;
        };
        for ((old, new), change) in old.into_iter().zip(new).zip(changes) {
            change.assert_led(old, new);
            tally.compared += 1;
            tally.telling += usize::from(change.steps.abs() > 3.0 * change.tolerance);
        }
    }
}

#[test]
fn an_example_of_several_classes_changes_every_weight_as_the_formula_says() {
    let mut tally = Tally::default();
    for seed in 0..10 {
        follow::<BestWrongClass<AnnealedSteps<35, 3>>>(seed, &mut tally);
        follow::<AllViolating<AnnealedSteps<35, 3>, C>>(seed, &mut tally);
    }
    println!("{tally:?}");
    // Fewer than of two classes: similarities are cut to ten digits or so.
    assert!(tally.telling * 4 > tally.compared, "{tally:?}");
    assert!(tally.compared > 5000, "{tally:?}");
}
