//! One figure of a paper next to ours.

use super::{means, printed::Figure};
use crate::spread::Spread;

/// Measure that a paper prints behind the plus-minus.
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
    /// The measure that a column of that name holds.
    pub fn named(column: &str) -> Option<Self> {
        match column {
            "spread" => Some(Measure::Deviation),
            "standard_error" => Some(Measure::StandardError),
            "half_interval" => Some(Measure::HalfInterval),
            _ => None,
        }
    }

    /// The standard error of a mean of two or more runs behind which `spread` is printed.
    fn standard_error(self, spread: f64, runs: usize) -> f64 {
        match self {
            Measure::Deviation => spread / (runs as f64).sqrt(),
            Measure::StandardError => spread,
            Measure::HalfInterval => spread / means::quantile(0.975, runs - 1),
        }
    }

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
    /// The figure behind the plus-minus.
    pub spread: Option<f64>,
    /// Its measure.
    pub measure: Measure,
    /// How many runs it is the mean of, where the paper says so.
    pub runs: Option<usize>,
}

impl Printed {
    /// A figure without a plus-minus.
    pub const fn bare(value: f64) -> Self {
        Printed {
            value,
            spread: None,
            measure: Measure::Deviation,
            runs: None,
        }
    }
}

/// Unit of a figure; it determines how far two of them are apart.
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
    /// Its unit.
    pub unit: Unit,
    /// The printed figure, if the paper has one.
    pub printed: Option<Printed>,
    /// Our figure; none as long as no run is finished.
    pub ours: Option<Spread>,
    /// Digits behind the point that the paper prints.
    pub digits: usize,
}

/// How a figure compares, by one of two standards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The difference is not larger than both spreads together; the test of means does not tell the figures apart.
    Within,
    /// It is larger; the test tells them apart.
    Outside,
    /// There is no spread to judge by, or nothing to compare; the number of runs is not known.
    Open,
}

impl Line {
    /// A percentage of ours with one digit that no paper prints.
    pub fn percent(
        block: impl Into<String>,
        row: impl Into<String>,
        column: impl Into<String>,
        ours: Option<Spread>,
    ) -> Self {
        Line {
            block: block.into(),
            row: row.into(),
            column: column.into(),
            unit: Unit::Percent,
            printed: None,
            ours,
            digits: 1,
        }
    }

    /// The same in another unit.
    #[must_use]
    pub fn in_unit(self, unit: Unit) -> Self {
        Line { unit, ..self }
    }

    /// The same with as many digits.
    #[must_use]
    pub fn with_digits(self, digits: usize) -> Self {
        Line { digits, ..self }
    }

    /// The same beside a figure of a paper, with as many digits.
    #[must_use]
    pub fn beside(self, figure: &Figure) -> Self {
        Line {
            printed: Some(figure.printed),
            digits: figure.digits,
            ..self
        }
    }

    /// Ours minus theirs.
    pub fn difference(&self) -> Option<f64> {
        Some(self.ours?.mean - self.printed?.value)
    }

    /// How far the two are apart: in points, or in percent of a printed count.
    pub fn distance(&self) -> Option<f64> {
        let difference = self.difference()?;
        Some(self.unit.distance(difference, self.printed?.value))
    }

    /// Whether the two do not match: farther apart than their spreads, with means that differ, or, where there are no
    /// spreads, by more than a point or a percent. A value such as a star has to be the printed one.
    pub fn is_miss(&self) -> bool {
        let room = match self.unit {
            Unit::Value => self.rounding(),
            Unit::Percent | Unit::Share | Unit::Count => 1.0,
        };
        match (self.verdict(), self.means()) {
            (Verdict::Outside, _) | (_, Verdict::Outside) => true,
            (Verdict::Within, _) => false,
            (Verdict::Open, _) => self.distance().is_some_and(|distance| distance > room),
        }
    }

    /// Rounding error of the printed figure.
    fn rounding(&self) -> f64 {
        0.5 * 10_f64.powi(-(self.digits as i32)) + 1e-9
    }

    /// Our figure behind the plus-minus: the same measure as in the paper.
    pub fn our_spread(&self) -> Option<f64> {
        let measure = self.printed.map_or(Measure::default(), |it| it.measure);
        measure.of(&self.ours?)
    }

    /// Whether Welch's t-test tells the two means apart, at a level of [`means::LEVEL`]. What rounding may have changed
    /// in the printed figure does not count as a difference, and a printed spread is at least half its last digit.
    pub fn means(&self) -> Verdict {
        let (Some(ours), Some(printed)) = (self.ours, self.printed) else {
            return Verdict::Open;
        };
        let (Some(spread), Some(runs)) = (printed.spread, printed.runs) else {
            return Verdict::Open;
        };
        if runs < 2 || ours.count < 2 {
            return Verdict::Open;
        }
        let difference = (ours.mean - printed.value).abs() - self.rounding();
        let theirs = printed
            .measure
            .standard_error(spread.max(self.rounding()), runs);
        let errors = [(theirs, runs), (ours.standard_error(), ours.count)];
        if means::chance(difference.max(0.0), errors) < means::LEVEL {
            Verdict::Outside
        } else {
            Verdict::Within
        }
    }

    /// Whether the two agree, as far as their spreads can tell.
    pub fn verdict(&self) -> Verdict {
        let (Some(difference), Some(printed)) = (self.difference(), self.printed) else {
            return Verdict::Open;
        };
        let room = match (self.our_spread(), printed.spread) {
            (None, None) => return Verdict::Open,
            (ours, theirs) => ours.unwrap_or(0.0) + theirs.unwrap_or(0.0),
        };
        if difference.abs() <= room + self.rounding() {
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
                runs: None,
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

    /// Ten runs of a deviation of 1.05 on either side: the standard error of the difference is 0.47, and 2.88 of it are
    /// needed with 18 degrees of freedom.
    #[test]
    fn means_differ_where_spreads_still_touch() {
        let runs = [79.0, 81.0].repeat(5);
        let against = |value: f64, runs_printed| {
            let mut line = line(Some((value, Some(1.05))), &runs);
            line.printed.as_mut().unwrap().runs = runs_printed;
            (line.verdict(), line.means(), line.is_miss())
        };
        use Verdict::{Open, Outside, Within};
        assert_eq!(against(81.3, Some(10)), (Within, Within, false));
        assert_eq!(against(81.5, Some(10)), (Within, Outside, true));
        assert_eq!(against(78.5, Some(10)), (Within, Outside, true));
        assert_eq!(against(81.5, None), (Within, Open, false));
        // Less is known of fewer runs.
        assert_eq!(against(81.5, Some(3)), (Within, Within, false));
        assert_eq!(against(85.0, Some(10)), (Outside, Outside, true));
    }

    #[test]
    fn the_kind_of_a_printed_spread_decides_about_means() {
        let runs = [79.0, 81.0].repeat(5);
        let means = |measure| {
            let mut line = line(Some((81.5, Some(0.7))), &runs);
            let printed = line.printed.as_mut().unwrap();
            (printed.measure, printed.runs) = (measure, Some(10));
            line.means()
        };
        assert_eq!(means(Measure::Deviation), Verdict::Outside);
        // Half an interval of 0.7 is a standard error of 0.31.
        assert_eq!(means(Measure::HalfInterval), Verdict::Outside);
        assert_eq!(means(Measure::StandardError), Verdict::Within);
    }

    #[test]
    fn a_star_too_many_is_a_miss() {
        let star = |printed, ours: f64| {
            let line = Line {
                unit: Unit::Value,
                digits: 0,
                ..line(Some((printed, None)), &[ours])
            };
            line.is_miss()
        };
        assert!(star(0.0, 1.0) && star(1.0, 0.0));
        assert!(!star(0.0, 0.0) && !star(1.0, 1.0));
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
