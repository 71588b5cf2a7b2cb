//! The laws of `pocketron::num::math`: accuracy against `f64`, monotonicity, the ends of the range.
//!
//! The laws of our own exponential are tried on every `f32`, not on samples.

use pocketron::num::math::{Fast, Math, Micro, Precise, exp, log2, probability_above_half};
use pocketron_testkit::accuracy::{self, BLOCK, Worst, bound, sweep};

/// `e^x` in `f64`; near 0, where most floats are, by Taylor's series: quicker, and exact to 1e-17 there.
fn exact_exp(x: f32) -> f64 {
    let x = f64::from(x);
    if x.abs() < 1.0 / 1024.0 {
        1.0 + x * (1.0 + x * (0.5 + x * (1.0 / 6.0 + x / 24.0)))
    } else {
        x.exp()
    }
}

fn exact_sqrt(x: f32) -> f64 {
    f64::from(x).sqrt()
}

/// Below this magnitude both `e^x` and its approximation are 1 within half a unit of the last place.
const NOTHING: f32 = 1.0 / (1 << 25) as f32;

/// Beyond these ends all arguments are one and the same to `exp`, which clamps them first.
const ENDS: (f32, f32) = (-104.0, 89.5);

#[test]
fn exp_never_decreases_from_any_float_to_the_next() {
    let worst = sweep(ENDS.0, ENDS.1, 1, |xs| {
        let mut ys = [0.0; BLOCK];
        let ys = &mut ys[..xs.len()];
        for (y, &x) in ys.iter_mut().zip(xs) {
            *y = exp(x);
        }
        let pairs = ys.iter().zip(&ys[1..]);
        let all_rise = pairs.fold(true, |all, (y, next)| all & (y <= next));
        Worst::NONE.or(if all_rise { 0.0 } else { 1.0 }, (xs[0], 0.0))
    });
    assert_eq!(
        worst,
        Worst::NONE,
        "out of order within {BLOCK} floats from this place"
    );
}

/// With the law above, nothing below 0 can exceed 1 and nothing above 0 fall short of it.
#[test]
fn exp_is_one_at_zero_and_next_to_it() {
    for x in [
        -NOTHING,
        -f32::MIN_POSITIVE,
        -0.0,
        0.0,
        f32::MIN_POSITIVE,
        NOTHING,
    ] {
        assert_eq!(exp(x).to_bits(), 1.0_f32.to_bits(), "exp({x})");
    }
}

/// Every float, since between -NOTHING and NOTHING the two laws above leave only 1.
#[test]
fn exp_keeps_its_bound_on_every_float() {
    let bound = bound("Fast::exp");
    for (from, to) in [(bound.from, -NOTHING), (NOTHING, bound.to)] {
        bound.check(sweep(from, to, 1, |xs| {
            xs.iter().fold(Worst::NONE, |worst, &x| {
                worst.or(bound.error(f64::from(exp(x)), exact_exp(x)), (x, 0.0))
            })
        }));
    }
}

/// What every [`Math`] promises at the special arguments.
fn check_special_values<M: Math>() {
    assert_eq!(M::exp(0.0).to_bits(), 1.0_f32.to_bits());
    assert_eq!(M::exp(-0.0).to_bits(), 1.0_f32.to_bits());
    for tiny in [f32::from_bits(1), f32::MIN_POSITIVE, 1e-9] {
        assert_eq!(M::exp(tiny), 1.0);
        assert_eq!(M::exp(-tiny), 1.0);
    }
    for low in [-104.0, -105.0, -1e4, f32::MIN, f32::NEG_INFINITY] {
        assert_eq!(M::exp(low).to_bits(), 0, "exp({low})");
    }
    for high in [88.8, 1e4, f32::MAX, f32::INFINITY] {
        assert_eq!(M::exp(high), f32::INFINITY, "exp({high})");
    }
    // Quiet, negative, with a payload: whatever its bits, it must not come out as a number.
    for bits in [
        0x7fc0_0000,
        0xffc0_0000,
        0x7f80_0001,
        0x7fc0_00ff,
        0xffff_ffff,
    ] {
        assert!(M::exp(f32::from_bits(bits)).is_nan(), "exp of NaN {bits:x}");
        assert!(
            M::sqrt(f32::from_bits(bits)).is_nan(),
            "sqrt of NaN {bits:x}"
        );
    }
    assert_eq!(M::sqrt(0.0), 0.0);
    assert_eq!(M::sqrt(f32::INFINITY), f32::INFINITY);
    assert!(M::sqrt(-1.0).is_nan());
}

#[test]
fn special_values_are_the_same_for_every_arithmetic() {
    check_special_values::<Fast>();
    check_special_values::<Precise>();
    check_special_values::<Micro>();
}

#[test]
fn fast_is_our_exponential_and_the_precise_root() {
    for i in -2000..2000 {
        let x = i as f32 * 0.05;
        assert_eq!(Fast::exp(x).to_bits(), exp(x).to_bits());
        assert_eq!(
            Fast::sqrt(x.abs()).to_bits(),
            Precise::sqrt(x.abs()).to_bits()
        );
    }
}

/// Holds a function to its bound on every 101st float of the bound's range.
fn check_accuracy(name: &str, f: fn(f32) -> f32, exact: fn(f32) -> f64) {
    let bound = bound(name);
    bound.check(sweep(bound.from, bound.to, 101, |xs| {
        xs.iter().fold(Worst::NONE, |worst, &x| {
            worst.or(bound.error(f64::from(f(x)), exact(x)), (x, 0.0))
        })
    }));
}

#[test]
fn every_arithmetic_keeps_its_bound() {
    check_accuracy("Precise::exp", Precise::exp, exact_exp);
    check_accuracy("Precise::sqrt", Precise::sqrt, exact_sqrt);
    check_accuracy("Micro::exp", Micro::exp, exact_exp);
    check_accuracy("Micro::sqrt", Micro::sqrt, exact_sqrt);
    let exact_log2 = |x| f64::from(x).log2();
    check_accuracy("log2", log2, exact_log2);
    check_accuracy("log2, of more than two", log2, exact_log2);
}

#[test]
fn micro_exp_never_decreases_and_is_never_above_one_up_to_zero() {
    let mut last = 0.0;
    for i in 0..2_000_000 {
        let x = -100.0 + i as f32 * 5e-5;
        let y = Micro::exp(x);
        assert!(
            last <= y && (y <= 1.0 || x > 0.0),
            "exp({x}) = {y} after {last}"
        );
        last = y;
    }
}

/// `(plus, minus, P(p > 1/2))`, computed with 40 digits.
#[rustfmt::skip]
const EXACT: &[(f64, f64, f64)] = &[
    (0.0, 0.0, 5.0e-1),
    (1.0, 0.0, 7.5e-1),
    (0.0, 1.0, 2.5e-1),
    (2.0, 1.0, 6.875e-1),
    (3.0, 0.0, 9.375e-1),
    (0.0, 7.0, 3.90625e-3),
    (0.5, 0.0, 6.46446609406726e-1),
    (0.25, 0.75, 3.69502793189928e-1),
    (1.5, 2.5, 3.30234727368645e-1),
    (0.0625, 0.0, 5.21198359650713e-1),
    (10.0, 10.0, 5.0e-1),
    (10.0, 7.0, 7.59658813476563e-1),
    (7.25, 10.5, 2.26976620961277e-1),
    (20.0, 0.0, 9.99999523162842e-1),
    (0.0, 30.5, 3.2927225399136e-10),
    (33.25, 21.75, 9.38203470126057e-1),
    (50.0, 49.0, 5.39794618693589e-1),
    (49.0, 50.5, 4.40578232068574e-1),
    (100.0, 80.0, 9.31547469328597e-1),
    (80.125, 100.25, 6.74339694219765e-2),
    (99.0, 140.0, 3.99949501976988e-3),
    (200.0, 3.0, 1.0),
    (3.5, 40.0, 1.99920794371385e-9),
    (12.0, 1.75, 9.9729326584906e-1),
    (500.0, 470.0, 8.32160905940596e-1),
    (470.5, 500.75, 1.65988495006772e-1),
    (1000.0, 1000.5, 4.95541639937401e-1),
    (1000.0, 930.0, 9.44428110681799e-1),
    (930.25, 1111.5, 3.00122109859903e-5),
    (5000.0, 4900.0, 8.4254847960868e-1),
    (4800.0, 5000.0, 2.16784744473117e-2),
    (10000.0, 10050.5, 3.60684870234923e-1),
    (30000.0, 29700.0, 8.90240633718771e-1),
    (100000.0, 100100.0, 4.11553631548504e-1),
    (99600.0, 100000.0, 1.85307853619259e-1),
    (250000.0, 251000.5, 7.87535012910643e-2),
    (1000000.0, 1000000.0, 5.0e-1),
    (1000000.0, 999000.0, 7.60304820451487e-1),
    (998000.0, 1000000.0, 7.85458439555722e-2),
    (1000000.0, 997500.0, 9.61542427701894e-1),
    (1000000.0, 0.0, 1.0),
    (0.0, 1000000.0, 0.0),
    (123456.75, 123000.5, 8.20960882019779e-1),
    (1000000.0, 5.0, 1.0),
];

/// Counts from 0 to a million: fractions, whole numbers, then a geometric grid.
fn counts() -> Vec<f32> {
    let small = (0..40).map(|i| i as f32 * 0.25);
    let large = (0..=60).map(|i| 10.0 * 1e5_f32.powf(i as f32 / 60.0));
    [1e-6, 0.01, 0.1]
        .into_iter()
        .chain(small)
        .chain(large)
        .collect()
}

/// Every pair of those counts, and around each count the pairs near the diagonal, where the answer turns from 0 to 1.
fn pairs() -> Vec<(f32, f32)> {
    let counts = counts();
    let mut pairs = Vec::new();
    for &minus in &counts {
        pairs.extend(counts.iter().map(|&plus| (plus, minus)));
        let deviation = (2.0 * minus + 2.0).sqrt();
        let near = (-120..=120).map(|i| minus + deviation * i as f32 * 0.05);
        pairs.extend(
            near.filter(|plus| (0.0..=1e6).contains(plus))
                .map(|plus| (plus, minus)),
        );
    }
    pairs
}

#[test]
fn the_reference_agrees_with_forty_digits() {
    let bound = bound("reference probability");
    let worst = EXACT
        .iter()
        .fold(Worst::NONE, |worst, &(plus, minus, exact)| {
            let error = bound.error(accuracy::probability_above_half(plus, minus), exact);
            worst.or(error, (plus as f32, minus as f32))
        });
    bound.check(worst);
}

#[test]
fn probability_agrees_with_forty_digits() {
    let bound = bound("probability_above_half");
    for &(plus, minus, exact) in EXACT {
        let actual = probability_above_half(plus as f32, minus as f32);
        let error = bound.error(f64::from(actual), exact);
        assert!(
            error <= bound.allowed,
            "({plus}, {minus}): {actual} instead of {exact}"
        );
    }
}

#[test]
fn probability_agrees_with_the_reference_at_all_counts() {
    let bound = bound("probability_above_half");
    let worst = pairs().iter().fold(Worst::NONE, |worst, &(plus, minus)| {
        let exact = accuracy::probability_above_half(f64::from(plus), f64::from(minus));
        worst.or(
            bound.error(f64::from(probability_above_half(plus, minus)), exact),
            (plus, minus),
        )
    });
    bound.check(worst);
}

#[test]
fn exchanging_the_counts_gives_the_complement() {
    let bound = bound("probability_above_half, complement");
    let worst = pairs().iter().fold(Worst::NONE, |worst, &(plus, minus)| {
        let p = f64::from(probability_above_half(plus, minus));
        let q = f64::from(probability_above_half(minus, plus));
        assert!((0.0..=1.0).contains(&p), "{p} at {plus}, {minus}");
        worst.or(bound.error(p, 1.0 - q), (plus, minus))
    });
    bound.check(worst);
}

#[test]
fn equal_counts_give_exactly_one_half() {
    for count in counts()
        .into_iter()
        .chain([1e9, 1e20, f32::MAX, f32::INFINITY])
    {
        assert_eq!(probability_above_half(count, count), 0.5, "{count}");
    }
}

#[test]
fn one_more_for_a_side_never_speaks_against_it() {
    let bound = bound("probability_above_half, step back");
    let mut worst = Worst::NONE;
    let more = |c: f32| [c.next_up(), c + 0.01, c * 1.001, c + 1.0, c * 1.1];
    for (plus, minus) in pairs() {
        let p = probability_above_half(plus, minus);
        for (plus_more, minus_more) in more(plus).into_iter().zip(more(minus)) {
            let step_down = p - probability_above_half(plus_more, minus);
            let step_up = probability_above_half(plus, minus_more) - p;
            worst = worst.or(f64::from(step_down.max(step_up)), (plus, minus));
        }
    }
    bound.check(worst);
}

#[test]
fn counts_out_of_range_are_harmless() {
    assert!(probability_above_half(f32::NAN, 1.0).is_nan());
    assert!(probability_above_half(1.0, f32::NAN).is_nan());
    assert_eq!(probability_above_half(f32::INFINITY, 5.0), 1.0);
    assert_eq!(probability_above_half(5.0, f32::MAX), 0.0);
    assert_eq!(
        probability_above_half(-3.0, 2.0),
        probability_above_half(0.0, 2.0)
    );
}
