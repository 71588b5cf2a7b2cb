//! Exponential and kernels in fixed point.

use pocketron::{
    budget::Ranking,
    kernel::{Kernel, KernelIn},
    num::{
        Base, Fixed, Number,
        math::power::{FRACTION, RESULT, half_to_the},
    },
    prelude::*,
    storage::point::Feature,
};

/// Largest relative error of the exponential, and what it is off by at most otherwise.
const RELATIVE: f64 = 7e-5;
const UNIT: f64 = 1.0 / (1_u32 << RESULT) as f64;

#[test]
fn the_power_of_a_half_is_right_for_every_exponent() {
    // The digits below are not looked at.
    let ignored = FRACTION - 16;
    let mut last = u32::MAX;
    for top in 0..1_u32 << (32 - ignored) {
        let t = top << ignored;
        let found = half_to_the(t);
        assert!(found <= last, "{t}");
        assert_eq!(found, half_to_the(t | ((1 << ignored) - 1)), "{t}");
        last = found;
        for t in [t, t | ((1 << ignored) - 1)] {
            let exact = (-f64::from(t) / f64::from(1 << FRACTION)).exp2();
            let error = (f64::from(found) * UNIT - exact).abs();
            assert!(error <= RELATIVE * exact + UNIT, "{t}: {error}");
        }
    }
    assert_eq!((half_to_the(0), last), (1 << RESULT, 0));
}

#[test]
fn the_whole_gaussian_is_the_gaussian_for_every_width() {
    for exponent in -20..20 {
        for mantissa in [1.0, 1.3, 1.82, 1.999_999] {
            let gamma = mantissa * 2_f32.powi(exponent);
            let kernel = Gaussian::new(gamma).expect("a width");
            let step = i8::step(16);
            let mut distances: Vec<i32> = (0..31).map(|digit| 1 << digit).collect();
            distances.extend(0..1000);
            distances.push(i32::MAX);
            distances.sort_unstable();
            let mut row: Vec<Fixed> = distances.iter().map(|d| Fixed::from_raw(*d)).collect();
            KernelIn::<i8>::map_in(&kernel, step, &mut row);
            assert!(row.is_sorted_by(|a, b| a >= b), "{gamma}");
            for (distance, similarity) in distances.iter().zip(row) {
                let exact = kernel_of(gamma, step, *distance);
                let error = (f64::from(similarity.value()) - exact).abs();
                // The rate has 16 digits, the distance as many as go with it.
                let bound = RELATIVE * exact + 2.0 * UNIT + 2e-4 * exact;
                assert!(error <= bound, "{gamma} {distance}: {error}");
            }
            assert_eq!(kernel.own_with(|| 7.0), 1.0);
        }
    }
}

fn kernel_of(gamma: f32, step: f32, distance: i32) -> f64 {
    (-f64::from(gamma) * f64::from(step).powi(2) * f64::from(distance)).exp()
}

#[test]
fn no_base_number_overflows() {
    fn try_with<F: Feature>(dim: usize, low: F, high: F) {
        let (a, b) = (vec![low; dim], vec![high; dim]);
        // With overflow checks on, reaching the end is the proof.
        for base in [Base::Product, Base::Distance] {
            base.of_pair(&a, &b);
            base.of_pair(&a, &a);
        }
    }
    for dim in [1, 2, 3, 16, 64, 100, 256, 784, 10_000, 33_025] {
        try_with(dim, i8::MIN, i8::MAX);
        let largest = i16::nearest(f32::MAX, dim);
        assert!(largest >= 127 && largest.fits(dim) && !(largest + 1).fits(dim));
        try_with(dim, -largest, largest);
        let mut x = vec![0; dim];
        x[dim - 1] = largest + 1;
        assert!(i16::check(&x).is_err(), "{dim}");
    }
}

#[test]
fn the_rank_of_a_partner_is_the_root_of_its_loss() {
    let (step, gamma) = (i8::step(1), 1.0);
    let kernel = Gaussian::constant(gamma);
    let weakest: i16 = 1000;
    let rank = Ranking::<i8>::ranking(&kernel, step, weakest);
    for partner in [1000_i16, 1100, 1500, 2500, 6000, 15_000, 32_000] {
        for distance in [1, 10, 50, 100, 300, 700, 1000, 1500, 3000, 10_000] {
            let found = f64::from(rank(partner, Fixed::from_raw(distance)));
            let k = kernel_of(gamma, step, distance);
            let exact = best_loss(k, f64::from(partner) / f64::from(weakest)).sqrt();
            // 19 digits of what is missing to one, 12 of the table.
            let found = found / 2_f64.powi(19 + 12);
            let error = (found - exact).abs();
            assert!(
                error <= 0.02 * exact + 2e-5,
                "{partner} {distance}: {found} {exact}"
            );
        }
    }
}

/// Loss of the best of many mergers, for coefficients 1 and `ratio`.
fn best_loss(k: f64, ratio: f64) -> f64 {
    let kept = |h: f64| k.powf((1.0 - h) * (1.0 - h)) + ratio * k.powf(h * h);
    let best = (0..=100_000).map(|step| kept(f64::from(step) / 1e5));
    let best = best.fold(0.0, f64::max);
    (1.0 + ratio * ratio + 2.0 * ratio * k - best * best).max(0.0)
}
