//! What an example of two classes teaches the kernel about features.

use pocketron::{
    kernel::{ArdGaussian, KernelIn},
    label::Sign,
    storage::{Evaluated, Features, Inline, SupportSet},
};
use pocketron_testkit::data::rng::TestRng;

use crate::{
    formulas::{exponents, kernel, point, vectors, weights, with_exponents},
    lessons::{Contribution, Example, FARTHEST, POWER, lesson, true_weights, unit},
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

fn compare<const D: usize, const B: usize>(rng: &mut TestRng, octaves: f64, tally: &mut Tally) {
    let kernel = kernel::<D>(rng, octaves);
    let reach = rng.between(10.0, 90.0);
    let set = vectors::<D, B>(rng, B, reach);
    compare_from(rng, kernel, &set, reach, tally);
}

fn compare_from<const D: usize, const B: usize>(
    rng: &mut TestRng,
    mut kernel: ArdGaussian<Features<D>>,
    set: &SupportSet<Inline<D, B, i8>>,
    reach: f64,
    tally: &mut Tally,
) {
    let x = point::<D>(rng, reach);
    // Steps of more than one, as for a rare class, say no more than one.
    let coefficient = rng.between(0.05, 1.3) as f32 * rng.sign();
    let score = rng.between(-1.0, 1.0) as f32;
    let label = Sign::of(coefficient);
    let row = set.similarities(&kernel, &x);
    let candidate = Evaluated {
        score,
        row: &row[..],
        self_similarity: 1.0,
        ..Evaluated::new(&x, label, None)
    };
    let before = exponents(&kernel);
    let contribution = |alpha: f32| Contribution {
        value: f64::from(label.value() * alpha),
        off: 0.0,
        cut: 1.0 / 4096.0,
    };
    let example = Example {
        contributions: set.coefficients().map(contribution).collect(),
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
    let mut rng = TestRng::new(5);
    let mut tally = Tally::default();
    for _ in 0..300 {
        compare::<2, 12>(&mut rng, 2.0, &mut tally);
        compare::<5, 10>(&mut rng, 1.0, &mut tally);
        compare::<16, 24>(&mut rng, 3.0, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.telling * 2 > tally.compared, "{tally:?}");
    assert!(tally.far > 20 && tally.skipped < 200, "{tally:?}");
}

#[test]
fn weights_end_where_the_formula_says() {
    let mut rng = TestRng::new(6);
    let mut tally = Tally::default();
    for _ in 0..300 {
        let end = |rng: &mut TestRng| (rng.sign() * rng.between(7.95, 8.0) as f32 * 2048.0) as i16;
        let kernel = with_exponents::<3>([end(&mut rng), 0, end(&mut rng)]);
        let set = vectors::<3, 6>(&mut rng, 6, 4.0);
        compare_from(&mut rng, kernel, &set, 4.0, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.ended > 50, "{tally:?}");
}

/// Before the first lesson all weights are one, and the first full set is no exception.
#[test]
fn a_kernel_that_has_learned_nothing_begins_at_one() {
    let mut rng = TestRng::new(7);
    let mut tally = Tally::default();
    for _ in 0..200 {
        let set = vectors::<4, 8>(&mut rng, 8, 40.0);
        compare_from(&mut rng, ArdGaussian::new(), &set, 40.0, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.telling * 2 > tally.compared, "{tally:?}");
}

#[test]
fn a_set_that_is_not_full_teaches_nothing() {
    let mut rng = TestRng::new(8);
    let set = vectors::<4, 8>(&mut rng, 7, 40.0);
    let mut kernel = kernel::<4>(&mut rng, 2.0);
    let before = exponents(&kernel);
    let x = point::<4>(&mut rng, 40.0);
    let row = set.similarities(&kernel, &x);
    let candidate = Evaluated {
        score: 0.5,
        row: &row[..7],
        self_similarity: 1.0,
        ..Evaluated::new(&x, Sign::Pos, None)
    };
    kernel.adapt(&set, &candidate, 1.0);
    assert_eq!(exponents(&kernel), before);
}

/// The whole numbers that distances are computed with are the powers of two of the exponents, as fine as there is room.
#[test]
fn whole_weights_are_powers_of_two_to_a_unit() {
    fn check<const D: usize>(rng: &mut TestRng, octaves: f64) {
        let kernel = kernel::<D>(rng, octaves);
        let exact = true_weights(exponents(&kernel));
        let unit = unit(&exact);
        for (whole, exact) in weights(&kernel).into_iter().zip(exact) {
            assert!(
                (whole - exact).abs() <= unit + POWER * exact,
                "{whole} {exact} {unit}"
            );
        }
    }
    let mut rng = TestRng::new(9);
    for _ in 0..300 {
        check::<1>(&mut rng, 8.0);
        check::<7>(&mut rng, 3.0);
        check::<64>(&mut rng, 8.0);
    }
}
