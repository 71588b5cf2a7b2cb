//! What an example of two classes teaches the kernel about features.

use pocketron::{
    budget::Candidate,
    kernel::{KernelIn, Relevance},
    label::Sign,
    memory::{Features, Inline},
    support::SupportSet,
};

use crate::{
    formulas::{Dice, exponents, weights, with_exponents},
    lessons::{Example, FARTHEST, Opinion, POWER, lesson, true_weights, unit},
};

/// How many changes were compared, and how many of them were larger than their tolerance by far.
#[derive(Debug, Default)]
struct Tally {
    compared: usize,
    telling: usize,
    /// Examples that were too far from everything.
    far: usize,
    skipped: usize,
    /// Weights that came to an end.
    ended: usize,
}

fn compare<const D: usize, const B: usize>(dice: &mut Dice, octaves: f64, tally: &mut Tally) {
    let kernel = dice.kernel::<D>(octaves);
    let reach = dice.even(10.0, 90.0);
    let set = dice.vectors::<D, B>(B, reach);
    compare_from(dice, kernel, &set, reach, tally);
}

fn compare_from<const D: usize, const B: usize>(
    dice: &mut Dice,
    mut kernel: Relevance<Features<D>>,
    set: &SupportSet<Inline<D, B, i8>>,
    reach: f64,
    tally: &mut Tally,
) {
    let x = dice.point::<D>(reach);
    // Steps of more than one, as for a rare class, say no more than one.
    let coefficient = dice.even(0.05, 1.3) as f32 * dice.sign();
    let score = dice.even(-1.0, 1.0) as f32;
    let label = Sign::of(coefficient);
    let row = set.similarities(&kernel, &x);
    let candidate = Candidate {
        x: &x,
        label,
        id: None,
        score,
        row: &row[..],
        self_similarity: 1.0,
        nearest: None,
    };
    let before = exponents(&kernel);
    let opinion = |alpha: f32| Opinion {
        value: f64::from(label.value() * alpha),
        off: 0.0,
        cut: 1.0 / 4096.0,
    };
    let example = Example {
        opinions: set.coefficients().map(opinion).collect(),
        eta: f64::from(coefficient.abs()).min(1.0),
        mistake: label.value() * score <= 0.0,
    };
    let expected = lesson(true_weights(before), set, &x, &example);
    kernel.adapt(set, &candidate, coefficient);
    let Some(expected) = expected else {
        tally.skipped += 1;
        return;
    };
    let nearest = row.iter().map(|near| near.raw()).max();
    tally.far += usize::from(example.mistake && nearest < Some(1 << 21));
    for ((before, now), change) in before.iter().zip(exponents(&kernel)).zip(expected) {
        let wanted = change.assert_led(*before, now);
        tally.compared += 1;
        tally.ended += usize::from(wanted.abs() == FARTHEST);
        tally.telling += usize::from(change.steps.abs() > 3.0 * change.tolerance);
    }
}

#[test]
fn an_example_changes_every_weight_as_the_formula_says() {
    let mut dice = Dice::new(5);
    let mut tally = Tally::default();
    for _ in 0..300 {
        compare::<2, 12>(&mut dice, 2.0, &mut tally);
        compare::<5, 10>(&mut dice, 1.0, &mut tally);
        compare::<16, 24>(&mut dice, 3.0, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.telling * 2 > tally.compared, "{tally:?}");
    assert!(tally.far > 20 && tally.skipped < 200, "{tally:?}");
}

#[test]
fn weights_end_where_the_formula_says() {
    let mut dice = Dice::new(6);
    let mut tally = Tally::default();
    for _ in 0..300 {
        let end = |dice: &mut Dice| (dice.sign() * dice.even(7.95, 8.0) as f32 * 2048.0) as i16;
        let kernel = with_exponents::<3>([end(&mut dice), 0, end(&mut dice)]);
        let set = dice.vectors::<3, 6>(6, 4.0);
        compare_from(&mut dice, kernel, &set, 4.0, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.ended > 50, "{tally:?}");
}

/// Before the first lesson all weights are one, and the first full set is no exception.
#[test]
fn a_kernel_that_has_learned_nothing_begins_at_one() {
    let mut dice = Dice::new(7);
    let mut tally = Tally::default();
    for _ in 0..200 {
        let set = dice.vectors::<4, 8>(8, 40.0);
        compare_from(&mut dice, Relevance::new(), &set, 40.0, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.telling * 2 > tally.compared, "{tally:?}");
}

#[test]
fn a_set_that_is_not_full_teaches_nothing() {
    let mut dice = Dice::new(8);
    let set = dice.vectors::<4, 8>(7, 40.0);
    let mut kernel = dice.kernel::<4>(2.0);
    let before = exponents(&kernel);
    let x = dice.point::<4>(40.0);
    let row = set.similarities(&kernel, &x);
    let candidate = Candidate {
        x: &x,
        label: Sign::Pos,
        id: None,
        score: 0.5,
        row: &row[..7],
        self_similarity: 1.0,
        nearest: None,
    };
    kernel.adapt(&set, &candidate, 1.0);
    assert_eq!(exponents(&kernel), before);
}

/// The whole numbers that distances are computed with are the powers of two of the exponents, as fine as there is room.
#[test]
fn whole_weights_are_powers_of_two_to_a_unit() {
    fn check<const D: usize>(dice: &mut Dice, octaves: f64) {
        let kernel = dice.kernel::<D>(octaves);
        let exact = true_weights(exponents(&kernel));
        let unit = unit(&exact);
        for (whole, exact) in weights(&kernel).into_iter().zip(exact) {
            assert!(
                (whole - exact).abs() <= unit + POWER * exact,
                "{whole} {exact} {unit}"
            );
        }
    }
    let mut dice = Dice::new(9);
    for _ in 0..300 {
        check::<1>(&mut dice, 8.0);
        check::<7>(&mut dice, 3.0);
        check::<64>(&mut dice, 8.0);
    }
}
