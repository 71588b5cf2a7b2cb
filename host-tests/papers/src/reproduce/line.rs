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

/// What kind of number a figure is, and so how far two of them are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Percent of examples: the distance is in points.
    Percent,
    /// A precision between 0 and 1: the distance is in points as well.
    Share,
    /// How many there are of something: the distance is in percent of what is printed.
    Count,
    /// Anything else, such as a parameter: the distance is the difference.
    Value,
}

impl Unit {
    /// How far a figure is from a printed one.
    fn distance(self, difference: f64, printed: f64) -> f64 {
        let scale = match self {
            Unit::Percent | Unit::Value => 1.0,
            Unit::Share => 0.01,
            Unit::Count => 0.01 * printed.abs().max(1.0),
        };
        difference.abs() / scale
    }

    /// A distance in words.
    pub fn describe(self, distance: f64) -> String {
        match self {
            Unit::Percent | Unit::Share => format!("{distance:.2} points"),
            Unit::Count => format!("{distance:.1} %"),
            Unit::Value => format!("{distance:.2}"),
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
    /// What kind of number it is.
    pub unit: Unit,
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

    /// How far the two are apart: in points, or in percent of a printed count.
    pub fn distance(&self) -> Option<f64> {
        let difference = self.difference()?;
        Some(self.unit.distance(difference, self.printed?.value))
    }

    /// Whether the two do not match: farther apart than their spreads, or, where there are none, by more than a point
    /// or a percent.
    pub fn is_miss(&self) -> bool {
        match self.verdict() {
            Verdict::Within => false,
            Verdict::Outside => true,
            Verdict::Open => self.distance().is_some_and(|distance| distance > 1.0),
        }
    }

    /// What stands behind the plus-minus of ours: the same as in the paper.
    pub fn our_spread(&self) -> Option<f64> {
        let measure = self.printed.map_or(Measure::default(), |it| it.measure);
        measure.of(&self.ours?)
    }

    /// Whether the two agree, as far as their spreads can tell.
    pub fn verdict(&self) -> Verdict {
        let (Some(difference), Some(printed)) = (self.difference(), self.printed) else {
            return Verdict::Open;
        };
        let rounding = 0.5 * 10_f64.powi(-(self.digits as i32)) + 1e-9;
        let room = match (self.our_spread(), printed.spread) {
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
            unit: Unit::Percent,
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
    fn without_spreads_there_is_no_verdict() {
        assert_eq!(line(Some((2.2, None)), &[2.2]).verdict(), Verdict::Open);
        assert_eq!(line(Some((2.2, None)), &[2.9]).verdict(), Verdict::Open);
        assert_eq!(line(None, &[2.2]).verdict(), Verdict::Open);
        assert_eq!(line(Some((2.2, None)), &[]).verdict(), Verdict::Open);
    }

    #[test]
    fn distances_of_all_kinds_can_be_compared() {
        let apart = |unit, printed, ours: f64| {
            let line = Line {
                unit,
                ..line(Some((printed, None)), &[ours])
            };
            (line.distance().unwrap(), line.is_miss())
        };
        let near = |(distance, miss): (f64, bool), wanted: f64, missed: bool| {
            assert!((distance - wanted).abs() < 1e-9, "{distance} {wanted}");
            assert_eq!(miss, missed);
        };
        near(apart(Unit::Percent, 80.0, 79.5), 0.5, false);
        near(apart(Unit::Share, 0.70, 0.73), 3.0, true);
        near(apart(Unit::Count, 200.0, 202.0), 1.0, false);
        near(apart(Unit::Count, 0.0, 3.0), 300.0, true);
        near(apart(Unit::Value, 50.0, 10.0), 40.0, true);
        assert!(!line(None, &[1.0]).is_miss());
    }
}
