//! Welch's t-test: whether the means of two groups of runs differ by more than chance explains.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The level of the test: two means that are the same are told apart in one case of a hundred.
pub const LEVEL: f64 = 0.01;

fn student(freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom).expect("at least one degree of freedom")
}

/// Student's quantile.
///
/// # Panics
///
/// Without a degree of freedom.
pub fn quantile(share: f64, freedom: usize) -> f64 {
    student(freedom as f64).inverse_cdf(share)
}

/// How likely a difference of that size or a larger one is, to either side, if both means are the same. Of each group
/// the standard error of its mean and its number of runs, two or more.
pub fn chance(difference: f64, groups: [(f64, usize); 2]) -> f64 {
    let squares = groups.map(|(error, _)| error * error);
    let sum = squares[0] + squares[1];
    if sum == 0.0 {
        return f64::from(u8::from(difference == 0.0));
    }
    let share = |group: usize| squares[group].powi(2) / (groups[group].1 as f64 - 1.0);
    let freedom = sum * sum / (share(0) + share(1));
    2.0 * student(freedom).sf(difference / sum.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-3 * b, "{a} {b}");
    }

    /// From tables of Student's distribution.
    #[test]
    fn quantiles_are_those_of_tables() {
        near(quantile(0.975, 1), 12.706);
        near(quantile(0.975, 9), 2.262);
        near(quantile(0.995, 18), 2.878);
        near(quantile(0.995, 998), 2.581);
    }

    /// Welch's own case: as many degrees of freedom as both groups have together if they are alike, and those of the
    /// group with the larger error if the other has none.
    #[test]
    fn the_group_with_the_larger_error_decides_about_the_degrees_of_freedom() {
        let alike = [(0.5, 10), (0.5, 10)];
        near(chance(2.878 * 0.5_f64.sqrt(), alike), 0.01);
        let single = [(1.0, 10), (0.0, 500)];
        near(chance(3.250, single), 0.01);
        near(chance(0.0, alike), 1.0);
        assert_eq!(chance(0.1, [(0.0, 3), (0.0, 3)]), 0.0);
        assert_eq!(chance(0.0, [(0.0, 3), (0.0, 3)]), 1.0);
    }
}
