//! The weight w = P(p > 1/2) for p ~ Beta(c+ + 1, c- + 1), to about 1e-13.

/// How sure we are, after `cplus` positive and `cminus` negative labels, that a point is positive
/// rather than negative.
///
/// w = integral from 1/2 to 1 of p^c+ (1 - p)^c- dp / B(c+ + 1, c- + 1).
///
/// A count below 0, which only a kernel with negative values can make, is as good as none.
pub fn weight(cplus: f64, cminus: f64) -> f64 {
    let (cplus, cminus) = (cplus.max(0.0), cminus.max(0.0));
    if cplus >= cminus {
        1.0 - minority(cplus + 1.0, cminus + 1.0)
    } else {
        minority(cminus + 1.0, cplus + 1.0)
    }
}

/// I_1/2(a, b), the share of Beta(a, b) below 1/2, for a >= b, by the series
///
/// 2^-(a+b) / (a B(a, b)) * sum_n 2^-n (a+b)(a+b+1)...(a+b+n-1) / ((a+1)(a+2)...(a+n)).
///
/// All terms are positive and, because a >= b, each is smaller than the one before.
fn minority(a: f64, b: f64) -> f64 {
    let ln_beta = ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b);
    let front = (-(a + b) * std::f64::consts::LN_2 - ln_beta).exp() / a;
    let (mut term, mut sum, mut n) = (1.0, 0.0, 0.0);
    while term > 1e-18 * sum {
        sum += term;
        term *= 0.5 * (a + b + n) / (a + 1.0 + n);
        n += 1.0;
    }
    front * sum
}

/// ln Gamma(x) for x > 0: Gamma(x) = Gamma(x + n) / (x (x+1) ... (x+n-1)), then Stirling's series
/// above 20, where its fifth term is below 2e-15.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut product) = (x, 1.0);
    while x < 20.0 {
        product *= x;
        x += 1.0;
    }
    // Bernoulli numbers: B_2k / (2k (2k - 1) x^(2k-1)).
    let bernoulli = [1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0];
    let terms = bernoulli
        .iter()
        .zip(1..)
        .map(|(b, k)| b / (f64::from(2 * k * (2 * k - 1)) * x.powi(2 * k - 1)));
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + terms.sum::<f64>()
        - f64::ln(product)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With whole counts w is a binomial sum: of c+ + c- + 1 tosses of a fair coin, at most c+ fall
    /// heads.
    fn by_coins(cplus: u32, cminus: u32) -> f64 {
        let tosses = cplus + cminus + 1;
        let mut ways = 0.5f64.powi(tosses as i32);
        let mut sum = 0.0;
        for heads in 0..=cplus {
            sum += ways;
            ways *= f64::from(tosses - heads) / f64::from(heads + 1);
        }
        sum
    }

    #[test]
    fn whole_counts_agree_with_the_binomial_sum() {
        for cplus in (0..30).chain([100, 400]) {
            for cminus in (0..30).chain([100, 400]) {
                let (ours, coins) = (
                    weight(f64::from(cplus), f64::from(cminus)),
                    by_coins(cplus, cminus),
                );
                assert!(
                    (ours - coins).abs() <= 1e-12,
                    "{cplus} {cminus}: {ours} {coins}"
                );
            }
        }
        assert!(
            (weight(1.0, 0.0) - 0.75).abs() <= 1e-15 && (weight(0.0, 2.0) - 0.125).abs() <= 1e-15
        );
    }

    #[test]
    fn factorials_have_their_logarithms() {
        let mut factorial = 1.0;
        for n in 1..=22 {
            assert!(
                (ln_gamma(f64::from(n)) - f64::ln(factorial)).abs() <= 5e-14,
                "{n}"
            );
            factorial *= f64::from(n);
        }
        assert!((ln_gamma(0.5) - 0.5 * std::f64::consts::PI.ln()).abs() <= 5e-14);
    }

    #[test]
    fn one_sided_counts_have_a_closed_form() {
        // c- = 0: P(p > 1/2) = 1 - 2^-(c+ + 1), whole or not.
        for cplus in [0.0, 0.25, 1.5, 7.125, 33.3, 900.5] {
            let exact = 1.0 - (-(cplus + 1.0) * std::f64::consts::LN_2).exp();
            assert!((weight(cplus, 0.0) - exact).abs() <= 1e-12, "{cplus}");
        }
    }

    #[test]
    fn fractional_counts_agree_with_a_numerical_integral() {
        for (cplus, cminus) in [(0.3, 0.7), (2.5, 1.25), (34.07, 9.66), (4.98, 157.01)] {
            let density = |p: f64| p.powf(cplus) * (1.0 - p).powf(cminus);
            let integral = |from: f64, to: f64| -> f64 {
                let steps = 2_000_000;
                let width = (to - from) / f64::from(steps);
                (0..steps)
                    .map(|i| density(from + (f64::from(i) + 0.5) * width))
                    .sum::<f64>()
                    * width
            };
            let share = integral(0.5, 1.0) / integral(0.0, 1.0);
            assert!(
                (weight(cplus, cminus) - share).abs() <= 1e-8,
                "{cplus} {cminus}"
            );
        }
    }

    #[test]
    fn a_negative_count_is_none() {
        assert_eq!(weight(-1.25, 3.0), weight(0.0, 3.0));
        assert_eq!(weight(2.0, -0.5), weight(2.0, 0.0));
        assert_eq!(weight(-1.0, -7.0), 0.5);
    }

    #[test]
    fn swapping_the_labels_swaps_the_sides() {
        for (p, m) in [
            (0.0, 0.0),
            (0.1, 3.7),
            (12.5, 12.5),
            (1e4, 9.9e3),
            (5e5, 10.0),
        ] {
            assert!(
                (weight(p, m) + weight(m, p) - 1.0).abs() <= 1e-11,
                "{p} {m}"
            );
        }
        assert!((weight(0.0, 0.0) - 0.5).abs() <= 1e-15);
    }
}
