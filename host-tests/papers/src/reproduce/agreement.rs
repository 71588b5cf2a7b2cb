//! How well figures agree with those of a paper: all of a kind together, those that were promised, and the worst.

use std::fmt;

use super::line::{Line, Unit, Verdict};

/// The figures of one kind in one part of a table. Counts and percentages never share one.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The part of the table, with the kind of figure if the part has several.
    pub part: String,
    /// Their kind.
    pub unit: Unit,
    /// Figures of the part.
    pub figures: usize,
    /// Those of them that are computed.
    pub computed: usize,
    /// Those of them that the paper prints.
    pub printed: usize,
    /// Of the printed figures whose spreads allow a verdict, those that lie within; all of them.
    pub judged: (usize, usize),
    /// Of those whose number of runs is known too, those whose means the test does not tell apart; all of them.
    pub tested: (usize, usize),
    /// How far printed and computed figures are apart.
    pub distances: Vec<f64>,
}

impl Agreement {
    /// Over some figures of one kind.
    fn of(part: String, unit: Unit, lines: &[&Line]) -> Self {
        let count = |wanted: &dyn Fn(&Line) -> bool| {
            let lines = lines.iter();
            lines.filter(|line| wanted(line)).count()
        };
        let by = |standard: fn(&Line) -> Verdict| {
            let within = count(&|line| standard(line) == Verdict::Within);
            let outside = count(&|line| standard(line) == Verdict::Outside);
            (within, within + outside)
        };
        Agreement {
            part,
            unit,
            figures: lines.len(),
            computed: count(&|line| line.ours.is_some()),
            printed: count(&|line| line.printed.is_some()),
            judged: by(Line::verdict),
            tested: by(Line::means),
            distances: lines.iter().filter_map(|line| line.distance()).collect(),
        }
    }

    /// One for each kind of figure in each part of a table.
    pub fn by_part(lines: &[Line]) -> Vec<Self> {
        let mut found = Vec::new();
        for block in lines.chunk_by(|a, b| a.block == b.block) {
            let units = units(block);
            for &unit in &units {
                let own: Vec<_> = block.iter().filter(|line| line.unit == unit).collect();
                let part = match (block[0].block.as_str(), units.len()) {
                    ("", 1) => "all".to_owned(),
                    (name, 1) => name.to_owned(),
                    (name, _) => format!("{name}, {}", plural(unit)),
                };
                found.push(Agreement::of(part, unit, &own));
            }
        }
        found
    }

    /// One for each kind of figure in the whole table.
    pub fn by_unit(lines: &[Line]) -> Vec<Self> {
        let units = units(lines).into_iter();
        let own = |unit| lines.iter().filter(move |line| line.unit == unit);
        units
            .map(|unit| Agreement::of(plural(unit).into(), unit, &own(unit).collect::<Vec<_>>()))
            .collect()
    }

    /// How many are computed: of those that are printed if any are, otherwise of our own.
    pub fn compared(&self) -> String {
        match self.printed {
            0 if self.computed < self.figures => {
                format!("{} of {} own", self.computed, self.figures)
            }
            0 => format!("{} own", self.figures),
            printed => format!("{} of {printed}", self.distances.len()),
        }
    }

    /// How many lie within the spreads, if any can be judged.
    pub fn within(&self) -> String {
        of_all(self.judged)
    }

    /// How many means the test does not tell apart, if any can be tested.
    pub fn means(&self) -> String {
        of_all(self.tested)
    }

    /// Their mean distance, if there are any.
    pub fn mean_distance(&self) -> String {
        let sum: f64 = self.distances.iter().sum();
        self.described(sum / self.distances.len() as f64)
    }

    /// The largest distance, if there are any.
    pub fn largest_distance(&self) -> String {
        self.described(self.distances.iter().copied().fold(0.0, f64::max))
    }

    fn described(&self, distance: f64) -> String {
        if self.distances.is_empty() {
            String::new()
        } else {
            self.unit.describe(distance)
        }
    }
}

fn of_all((part, all): (usize, usize)) -> String {
    match all {
        0 => String::new(),
        all => format!("{part} of {all}"),
    }
}

/// The kinds of figures, in the order of their first occurrence.
fn units(lines: &[Line]) -> Vec<Unit> {
    let mut units = Vec::new();
    for line in lines {
        if !units.contains(&line.unit) {
            units.push(line.unit);
        }
    }
    units
}

fn plural(unit: Unit) -> &'static str {
    match unit {
        Unit::Percent => "percentages",
        Unit::Share => "precisions",
        Unit::Count => "counts",
        Unit::Value => "values",
    }
}

/// Demand of a target on a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Demand {
    /// Not farther than that from what is printed: in points, or in percent of a printed count.
    Near(f64),
    /// Not less than that, whatever is printed.
    AtLeast(f64),
    /// Not more than that, whatever is printed.
    AtMost(f64),
}

impl Demand {
    /// Whether a figure does; nothing as long as that cannot be said.
    fn is_met(self, line: &Line) -> Option<bool> {
        match self {
            Demand::Near(room) => Some(line.distance()? <= room + 1e-9),
            Demand::AtLeast(least) => Some(line.ours?.mean >= least - 1e-9),
            Demand::AtMost(most) => Some(line.ours?.mean <= most + 1e-9),
        }
    }
}

/// A condition on some figures.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Which figures, and what they have to be, in words.
    pub demands: &'static str,
    /// Whether it is about a figure.
    pub about: fn(&Line) -> bool,
    /// The same of each of them.
    pub each: Demand,
    /// How many percent of the figures have to be so.
    pub percent: usize,
}

/// How a target is met so far.
#[derive(Clone, Debug)]
pub struct Standing<'a> {
    /// Figures that it is about.
    pub figures: usize,
    /// Those of them that are computed.
    pub computed: usize,
    /// Those of them that are not as demanded.
    pub misses: Vec<&'a Line>,
    percent: usize,
}

impl Target {
    /// How it is met by the figures of a table.
    pub fn judge<'a>(&self, lines: &'a [Line]) -> Standing<'a> {
        let about: Vec<_> = lines.iter().filter(|line| (self.about)(line)).collect();
        let judged = |line: &&&Line| self.each.is_met(line).is_some();
        let missed = |line: &&&Line| self.each.is_met(line) == Some(false);
        Standing {
            figures: about.len(),
            computed: about.iter().filter(judged).count(),
            misses: about.iter().filter(missed).copied().collect(),
            percent: self.percent,
        }
    }
}

impl Standing<'_> {
    /// Figures that are as demanded.
    pub fn good(&self) -> usize {
        self.computed - self.misses.len()
    }

    /// Whether the target is met; open while figures are missing that may decide it.
    pub fn is_met(&self) -> Option<bool> {
        let enough = |good: usize| 100 * good >= self.percent * self.figures;
        let open = self.figures - self.computed;
        match (enough(self.good()), enough(self.good() + open)) {
            _ if self.figures == 0 => None,
            (true, _) => Some(true),
            (_, false) => Some(false),
            _ => None,
        }
    }
}

impl fmt::Display for Standing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.is_met() {
            Some(true) => "met",
            Some(false) => "missed",
            None => "open",
        };
        write!(f, "{} of {}, {verdict}", self.good(), self.figures)?;
        match self.figures - self.computed {
            0 => Ok(()),
            open => write!(f, ", {open} not computed"),
        }
    }
}

/// The figures that do not match, the farthest first.
pub fn misses(lines: &[Line]) -> Vec<&Line> {
    let mut misses: Vec<_> = lines.iter().filter(|line| line.is_miss()).collect();
    misses.sort_by(|a, b| b.distance().partial_cmp(&a.distance()).expect("finite"));
    misses
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{
        reproduce::line::{Measure, Printed},
        spread::Spread,
    };

    /// A part of a table: two figures computed, one not yet.
    pub fn lines() -> Vec<Line> {
        let line = |row: &str, column: &str, printed: f64, ours: &[f64]| Line {
            block: "B = 20".into(),
            row: row.into(),
            column: column.into(),
            unit: Unit::Percent,
            printed: Some(Printed {
                value: printed,
                spread: Some(0.5),
                measure: Measure::Deviation,
                runs: Some(10),
            }),
            ours: Spread::over(ours.iter().copied()),
            digits: 1,
        };
        vec![
            line("gauss", "tightest", 80.8, &[80.0, 81.0]),
            line("gauss", "random", 70.0, &[80.0]),
            line("banana", "tightest", 86.7, &[]),
        ]
    }

    #[test]
    fn counts_and_percentages_are_summed_up_apart() {
        let mut lines = lines();
        lines.push(Line {
            column: "vectors".into(),
            unit: Unit::Count,
            printed: Some(Printed::bare(1000.0)),
            ours: Some(Spread::single(1100.0)),
            ..lines[0].clone()
        });
        let [percents, counts] = &Agreement::by_part(&lines)[..] else {
            panic!("two kinds of figures");
        };
        assert_eq!(percents.part, "B = 20, percentages");
        assert_eq!(percents.compared(), "2 of 3");
        assert_eq!(percents.within(), "1 of 2");
        assert_eq!(percents.means(), "1 of 1", "a single run has no error");
        assert_eq!(percents.mean_distance(), "5.15 points");
        assert_eq!(percents.largest_distance(), "10.00 points");
        assert_eq!(counts.part, "B = 20, counts");
        assert_eq!(
            (counts.within(), counts.mean_distance()),
            (String::new(), "10.0 %".into())
        );
        let whole = Agreement::by_unit(&lines);
        assert_eq!(whole[0].distances, percents.distances);
        assert_eq!(whole[1].distances, counts.distances);
    }

    #[test]
    fn figures_of_our_own_are_counted() {
        let mut lines = lines();
        lines.iter_mut().for_each(|line| line.printed = None);
        let [all] = &Agreement::by_part(&lines)[..] else {
            panic!("one kind of figures");
        };
        assert_eq!(all.compared(), "2 of 3 own");
        assert_eq!(all.mean_distance() + &all.largest_distance(), "");
    }

    #[test]
    fn a_target_is_settled_when_the_open_figures_cannot_change_it() {
        let lines = lines();
        let target = |room, percent| Target {
            demands: "",
            about: |_| true,
            each: Demand::Near(room),
            percent,
        };
        // Distances are 0.3 and 10; the third figure is open.
        for (room, percent, good, met) in [
            (0.2, 90, 0, Some(false)),
            (0.3, 90, 1, Some(false)),
            (0.3, 60, 1, None),
            (0.3, 33, 1, Some(true)),
            (10.0, 100, 2, None),
        ] {
            let standing = target(room, percent).judge(&lines);
            assert_eq!((standing.computed, standing.figures), (2, 3));
            assert_eq!(
                (standing.good(), standing.is_met()),
                (good, met),
                "{room} {percent}"
            );
        }
        assert_eq!(target(0.3, 90).judge(&[]).is_met(), None);
        for (room, percent, text) in [
            (0.3, 33, "1 of 3, met, 1 not computed"),
            (0.2, 90, "0 of 3, missed, 1 not computed"),
            (10.0, 100, "2 of 3, open, 1 not computed"),
        ] {
            assert_eq!(target(room, percent).judge(&lines).to_string(), text);
        }
        assert_eq!(
            target(0.3, 50).judge(&lines[..2]).to_string(),
            "1 of 2, met"
        );
    }

    #[test]
    fn a_least_figure_is_demanded_whatever_is_printed() {
        let mut lines = lines();
        lines.iter_mut().for_each(|line| line.printed = None);
        let met = |least, lines: &[Line]| {
            let target = Target {
                demands: "",
                about: |_| true,
                each: Demand::AtLeast(least),
                percent: 100,
            };
            target.judge(lines).is_met()
        };
        let computed: Vec<_> = lines.iter().filter_map(|line| line.ours).collect();
        let least = computed.iter().map(|ours| ours.mean).reduce(f64::min);
        let least = least.expect("computed figures");
        assert_eq!(met(least, &lines), None, "one is not computed yet");
        assert_eq!(met(least + 0.1, &lines), Some(false));
        lines.retain(|line| line.ours.is_some());
        assert_eq!(met(least, &lines), Some(true));
    }

    #[test]
    fn a_figure_above_the_most_is_a_miss() {
        let lines = lines();
        let misses = |most| {
            let target = Target {
                demands: "",
                about: |line| line.ours.is_some(),
                each: Demand::AtMost(most),
                percent: 100,
            };
            target.judge(&lines).misses.len()
        };
        assert_eq!([80.0, 80.4, 80.5].map(misses), [1, 1, 0]);
    }

    #[test]
    fn the_worst_miss_comes_first() {
        let mut lines = lines();
        lines[0].unit = Unit::Share;
        lines[0].ours = Some(Spread::single(79.0));
        let columns: Vec<_> = misses(&lines).iter().map(|line| &line.column).collect();
        assert_eq!(columns, ["tightest", "random"]);
        assert_eq!(misses(&tests::lines()).len(), 1);
    }
}
