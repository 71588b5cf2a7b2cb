//! One figure of a paper next to ours.

use crate::spread::Spread;

/// What a paper prints behind the plus-minus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Standard deviation of the runs.
    #[default]
    Deviation,
    /// Standard error of their mean.
    StandardError,
    /// Half of the 95 % interval of their mean.
    HalfInterval,
}

impl Measure {
    /// The same of our runs; nothing for a single one.
    pub fn of(self, ours: &Spread) -> Option<f64> {
        let measured = match self {
            Measure::Deviation => ours.sd,
            Measure::StandardError => ours.standard_error(),
            Measure::HalfInterval => ours.half_interval(),
        };
        (ours.count > 1).then_some(measured)
    }
}

/// A figure as a paper prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Printed {
    /// The figure.
    pub value: f64,
    /// What stands behind the plus-minus.
    pub spread: Option<f64>,
    /// What that is.
    pub measure: Measure,
}

impl Printed {
    /// A figure without a plus-minus.
    pub const fn bare(value: f64) -> Self {
        Printed {
            value,
            spread: None,
            measure: Measure::Deviation,
        }
    }
}

/// A figure in a table of a paper, and what we get.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The part of the table, such as `B = 20`; empty if it has no parts.
    pub block: String,
    /// The row in it, such as a set.
    pub row: String,
    /// The column in it, such as an algorithm.
    pub column: String,
    /// What the paper prints; nothing for what it does not have.
    pub printed: Option<Printed>,
    /// What we get; nothing as long as no run is finished.
    pub ours: Option<Spread>,
    /// Digits behind the point that the paper prints.
    pub digits: usize,
}

/// How a figure compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The difference is not larger than both spreads together.
    Within,
    /// It is larger.
    Outside,
    /// There is no spread to judge by, or nothing to compare.
    Open,
}

impl Line {
    /// Ours minus theirs.
    pub fn difference(&self) -> Option<f64> {
        Some(self.ours?.mean - self.printed?.value)
    }

    /// What stands behind the plus-minus of ours: the same as in the paper.
    pub fn our_spread(&self) -> Option<f64> {
        let measure = self.printed.map_or(Measure::default(), |it| it.measure);
        measure.of(&self.ours?)
    }

    /// Whether the two agree, as far as their spreads can tell. Figures that are equal as printed agree.
    pub fn verdict(&self) -> Verdict {
        let (Some(difference), Some(printed)) = (self.difference(), self.printed) else {
            return Verdict::Open;
        };
        let rounding = 0.5 * 10_f64.powi(-(self.digits as i32)) + 1e-9;
        let room = match (self.our_spread(), printed.spread) {
            (None, None) if difference.abs() <= rounding => return Verdict::Within,
            (None, None) => return Verdict::Open,
            (ours, theirs) => ours.unwrap_or(0.0) + theirs.unwrap_or(0.0),
        };
        if difference.abs() <= room + rounding {
            Verdict::Within
        } else {
            Verdict::Outside
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(printed: Option<(f64, Option<f64>)>, ours: &[f64]) -> Line {
        Line {
            block: String::new(),
            row: "row".into(),
            column: "column".into(),
            printed: printed.map(|(value, spread)| Printed {
                value,
                spread,
                measure: Measure::Deviation,
            }),
            ours: Spread::over(ours.iter().copied()),
            digits: 1,
        }
    }

    #[test]
    fn figures_agree_when_their_spreads_touch() {
        let wide = line(Some((80.0, Some(1.0))), &[82.0, 84.0]);
        assert!((wide.difference().unwrap() - 3.0).abs() < 1e-12);
        assert_eq!(wide.verdict(), Verdict::Outside);
        assert_eq!(
            line(Some((80.0, Some(2.0))), &[82.0, 84.0]).verdict(),
            Verdict::Within
        );
        assert_eq!(
            line(Some((80.0, Some(1.0))), &[81.0]).verdict(),
            Verdict::Within
        );
        assert_eq!(
            line(Some((80.0, Some(1.0))), &[81.2]).verdict(),
            Verdict::Outside
        );
    }

    #[test]
    fn errors_of_means_are_compared_with_errors_of_means() {
        let mut line = line(Some((80.0, Some(0.1))), &[80.0, 82.0, 80.0, 82.0]);
        assert_eq!(line.verdict(), Verdict::Within);
        line.printed.as_mut().unwrap().measure = Measure::StandardError;
        // The deviation is 1.15, the error of the mean half of that.
        assert!((line.our_spread().unwrap() - 0.577).abs() < 1e-3);
        assert_eq!(line.verdict(), Verdict::Outside);
    }

    #[test]
    fn without_spreads_only_equal_figures_agree() {
        assert_eq!(line(Some((2.2, None)), &[2.24]).verdict(), Verdict::Within);
        assert_eq!(line(Some((2.2, None)), &[2.26]).verdict(), Verdict::Open);
        assert_eq!(line(None, &[2.2]).verdict(), Verdict::Open);
        assert_eq!(line(Some((2.2, None)), &[]).verdict(), Verdict::Open);
    }
}
