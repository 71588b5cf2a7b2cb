//! Mean and standard deviation of one figure over several runs.

use std::fmt;

/// Mean and standard deviation (divisor N - 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Mean.
    pub mean: f64,
    /// Standard deviation; zero for a single value.
    pub sd: f64,
    /// Values.
    pub count: usize,
}

impl Spread {
    /// Of some values.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count();
        let mean = values.clone().sum::<f64>() / count as f64;
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        let sd = if count > 1 {
            (squares / (count as f64 - 1.0)).sqrt()
        } else {
            0.0
        };
        Spread { mean, sd, count }
    }

    /// Of a single value, which has none.
    pub fn single(value: f64) -> Self {
        Spread {
            mean: value,
            sd: 0.0,
            count: 1,
        }
    }

    /// The mean alone, of values between which a deviation says nothing.
    #[must_use]
    pub fn mean_alone(self) -> Self {
        Spread::single(self.mean)
    }

    /// Standard error of the mean: the deviation of a mean of `count` values.
    pub fn standard_error(&self) -> f64 {
        self.sd / (self.count as f64).sqrt()
    }

    /// Half the width of the interval that holds the true mean in 95 cases of 100 (Student).
    pub fn half_interval(&self) -> f64 {
        /// 97.5 % points of the T distribution with 1, 2, ... degrees of freedom; the last one for more.
        const POINTS: [f64; 9] = [
            12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262,
        ];
        let freedom = self.count.saturating_sub(1).clamp(1, POINTS.len());
        POINTS[freedom - 1] * self.standard_error()
    }

    /// Of some values, if there are any.
    pub fn over(values: impl Iterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.collect();
        (!values.is_empty()).then(|| Spread::of(values.iter().copied()))
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>10.2} {:>9.2}", self.mean, self.sd)
    }
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn spread_is_that_of_a_sample() {
        let spread = Spread::of([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter());
        assert_eq!((spread.mean, spread.count), (5.0, 8));
        assert!((spread.sd - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert!((spread.standard_error() - (32.0_f64 / 56.0).sqrt()).abs() < 1e-12);
        assert_eq!(Spread::of([3.0].into_iter()).sd, 0.0);
        assert_eq!(Spread::of([3.0].into_iter()).half_interval(), 0.0);
        assert_eq!(Spread::over(std::iter::empty()), None);
    }

    #[test]
    fn the_interval_of_ten_values_is_0754_of_their_deviation() {
        // Khardon and Wachman, footnote 5; their deviation has the divisor N.
        let spread = Spread::of((0..10).map(f64::from));
        let deviation = (99.0_f64 / 12.0).sqrt();
        assert!((spread.half_interval() / deviation - 0.754).abs() < 5e-4);
    }
}
