//! What an example of several classes teaches the kernel: a vector speaks for it as far as its coefficients go the same
//! way as the example's steps.

use pocketron::{
    kernel::Relevance,
    memory::Blank,
    multiclass::{Each, Top, Update},
    prelude::*,
    rule::{SelfTuned, SelfTunedBelow},
};

use crate::{
    classes::{C, Model, clouds, rows, steps},
    formulas::exponents,
    lessons::{Example, Opinion, lesson, true_weights},
};

/// How many changes were compared, and how many of them were larger than their tolerance by far.
#[derive(Debug, Default)]
struct Tally {
    compared: usize,
    telling: usize,
}

fn follow<U: Update<C> + Clone>(update: U, seed: u64, tally: &mut Tally) {
    let mut model = Model::new(Relevance::new(), update);
    for (x, class) in clouds(seed, 400) {
        let before = model.clone();
        model.learn(&x, class).expect("good");
        let steps = steps(&before, &x, class);
        let eta = f64::from(steps.largest());
        let (old, new) = (exponents(before.kernel()), exponents(model.kernel()));
        if eta == 0.0 || !before.support().is_full() {
            assert_eq!(old, new, "nothing is learned yet, or from this example");
            continue;
        }
        let opinion = |(row, size): ([f64; C], f32)| Opinion {
            value: row
                .iter()
                .zip(steps.of)
                .map(|(a, b)| a * f64::from(b))
                .sum::<f64>()
                / eta,
            // A row is in units of 1/64 of its size, so is the one of steps, and the product is cut to as much.
            off: f64::from(size) / 64.0 + row.iter().map(|a| a.abs()).sum::<f64>() / 128.0,
        };
        let sizes = before.support().coefficients();
        let example = Example {
            opinions: rows(&before).into_iter().zip(sizes).map(opinion).collect(),
            eta,
            mistake: steps.mistake,
        };
        let Some(changes) = lesson(true_weights(old), before.support(), &x, &example) else {
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
    for seed in 0..5 {
        follow(Top::<SelfTunedBelow<35, 3>>::BLANK, seed, &mut tally);
        follow(Each::<SelfTuned, C>::BLANK, seed, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.telling * 2 > tally.compared, "{tally:?}");
    assert!(tally.compared > 5000, "{tally:?}");
}
