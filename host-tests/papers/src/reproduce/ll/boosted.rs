//! Table 4: test errors of AdaBoost over every learner.

use anyhow::Result;
use pocketron::learners::batch::Seeding;

use super::{
    alone::Alone,
    problem::{PROBLEMS, Problem},
    trial::{COLUMNS, Column, OTHER_DIRECTIONS, Trial},
};
use crate::{
    batch::{Learner, ROUNDS},
    reproduce::{
        About, Cell, Demand, Experiment, FinishedCells, Line, Printed, Scope, Target, Unit, printed,
    },
    spread::Spread,
};

const PRINTED: &str = include_str!("../../../printed/ll4.csv");

/// Table 4.
pub struct Boosted;

/// A learner that is boosted.
#[derive(Clone, Copy, Debug)]
struct Base {
    column: Column,
    seeding: Seeding,
    /// Runs that are usual.
    runs: u64,
}

impl Base {
    /// A column of the paper: from the zero plane, the weights multiplying the steps of pocket and averaged perceptron.
    fn printed(column: Column) -> Self {
        let learner = match column.learner {
            Learner::Pocket => Learner::PocketReweighted,
            Learner::AvePerc => Learner::AvePercReweighted,
            learner => learner,
        };
        Base {
            column: Column { learner, ..column },
            seeding: Seeding::Zero,
            runs: 100,
        }
    }

    /// Variants without printed figures: other directions, resampling, and the start that the paper mentions.
    fn others() -> Vec<Self> {
        let base = |column, seeding| Base {
            column,
            seeding,
            runs: 20,
        };
        let resampled = [
            Column::new("pocket, resampled", Learner::Pocket),
            Column::new("ave-perc, resampled", Learner::AvePerc),
        ];
        let from_fisher = [
            Column::new("rcd-plain from Fisher's", Learner::RcdPlain),
            Column::new("rcd-bias from Fisher's", Learner::RcdBias),
        ];
        let from_zero = OTHER_DIRECTIONS.into_iter().chain(resampled);
        let from_zero = from_zero.map(|column| base(column, Seeding::Zero));
        let from_fisher = from_fisher.map(|column| base(column, Seeding::Fisher));
        from_zero.chain(from_fisher).collect()
    }

    /// All of it.
    fn all() -> impl Iterator<Item = Self> {
        COLUMNS.map(Base::printed).into_iter().chain(Base::others())
    }

    /// The runs on a set: 200 rounds of 200 epochs.
    fn trials(self, problem: &'static Problem, scope: &Scope) -> impl Iterator<Item = Trial> {
        scope.runs(self.runs, 1).map(move |run| {
            Trial::alone(problem, self.column, (self.seeding, 200), run).boosted(ROUNDS)
        })
    }

    /// One figure, over the runs that are finished.
    fn ours(
        self,
        problem: &'static Problem,
        figure: &str,
        (scope, kept): (&Scope, &FinishedCells),
    ) -> Option<Spread> {
        let names = self.trials(problem, scope).map(|trial| trial.name());
        kept.spread(names, figure)
    }
}

/// Whether an error gets a star: better than the best of those without boosting by a standard error.
fn is_starred(boosted: &Spread, alone: impl Iterator<Item = Spread>) -> bool {
    let best = alone.map(|error| error.mean).fold(f64::INFINITY, f64::min);
    boosted.mean + boosted.standard_error() <= best
}

/// The part of the table that the paper prints.
const ERRORS: &str = "test error %";

/// Whether a line is a printed error of an artificial set.
fn is_drawn_error(line: &Line) -> bool {
    line.block == ERRORS && ["ringnorm", "threenorm", "yinyang"].contains(&line.row.as_str())
}

/// All of some errors within some points of the paper's.
const fn near(demands: &'static str, points: f64, about: fn(&Line) -> bool) -> Target {
    Target {
        demands,
        about,
        each: Demand::Near(points),
        percent: 100,
    }
}

const TARGETS: [Target; 3] = [
    near(
        "boosted rcd-bias is within 0.6 points of the paper on the artificial sets",
        0.6,
        |line| line.column == "rcd-bias" && is_drawn_error(line),
    ),
    near(
        "boosted rcd-plain is within 0.8 points of the paper on the artificial sets",
        0.8,
        |line| line.column == "rcd-plain" && is_drawn_error(line),
    ),
    near(
        "the boosted soft-svm is within 2 points of the paper on ringnorm",
        2.0,
        |line| line.column == "soft-svm" && line.row == "ringnorm" && is_drawn_error(line),
    ),
];

impl Experiment for Boosted {
    fn about(&self) -> About {
        About {
            name: "ll4",
            title: "test errors of AdaBoost, 200 rounds of 200 epochs from the zero plane (Li and Lin, Table IV)",
            remarks: "As Table II, with 100 runs unless `--runs` says otherwise: a run trains 200 planes. A star in the paper marks what \
                     is better than the best single plane by a standard error; ours by the same rule. In `pocket` and `ave-perc` the \
                     weights of the examples multiply steps and runs, as in the paper; `sgd-mls` draws examples by their weights. The \
                     cost of `soft-svm` is chosen once, before the first round. The last part, over 20 runs, has what the paper does not \
                     print: other directions (see ll2), pocket and averaged perceptron on examples drawn by their weights, and \
                     coordinate descent that starts each round at Fisher's discriminant.",
            why: "As Tables II and III. The rule of the stars is the paper's own, but two of its stars do not follow it: on threenorm, \
                     16.14 and 16.17 are not below the best single plane's 16.08. As the paper says of its own runs, averaged perceptrons, \
                     gradient descent and soft machines end AdaBoost early; when they do depends on how a machine takes weights and on its \
                     cost, of which the paper tells nothing. That shows on ringnorm, where a plane alone is poor: ours end after fewer \
                     rounds there, it seems. Sonar has 208 examples, and all learners deviate from the paper alike there.",
            targets: &TARGETS,
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        Problem::names()
    }

    /// The stars need the learners alone, too.
    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Alone::Test.cells(scope)?;
        let problems = PROBLEMS.iter().filter(|problem| problem.wanted(scope));
        let bases = problems.flat_map(|problem| Base::all().map(move |base| (problem, base)));
        let trials = bases.flat_map(|(problem, base)| base.trials(problem, scope));
        cells.extend(trials.map(Trial::cell));
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let figures = printed::figures(PRINTED);
        let wanted = |figure: &&printed::Figure| Problem::named(figure.label("set")).wanted(scope);
        let (mut errors, mut stars, mut planes) = (Vec::new(), Vec::new(), Vec::new());
        for figure in figures.iter().filter(wanted) {
            let (row, column) = (figure.label("set"), Column::named(figure.label("learner")));
            let problem = Problem::named(row);
            let line = |block: &str, unit, printed, ours, digits| Line {
                block: block.into(),
                row: row.into(),
                column: column.name.into(),
                unit,
                printed,
                ours,
                digits,
            };
            let base = Base::printed(column);
            let ours = base.ours(problem, "test", (scope, kept));
            errors.push(line(
                ERRORS,
                Unit::Percent,
                Some(figure.printed),
                ours,
                figure.digits,
            ));
            let alone = COLUMNS.map(|other| Alone::Test.ours(problem, other, scope, kept));
            let alone: Option<Vec<Spread>> = alone.into_iter().collect();
            // A single run has no standard error.
            let judged = ours.filter(|ours| ours.count > 1);
            let starred = judged.zip(alone).map(|(ours, alone)| {
                let starred = is_starred(&ours, alone.into_iter());
                Spread::single(f64::from(u8::from(starred)))
            });
            let star = Printed::bare(f64::from(u8::from(figure.label("star") == "1")));
            // A count, so that a wrong star is a miss.
            stars.push(line(
                "stars: better than the best of Table III by a standard error",
                Unit::Count,
                Some(star),
                starred,
                0,
            ));
            let count = base.ours(problem, "planes", (scope, kept));
            planes.push(line(
                "planes in the ensemble (not printed)",
                Unit::Count,
                None,
                count,
                0,
            ));
        }
        let others = self.others(scope, kept);
        let lines = errors.into_iter().chain(stars).chain(planes);
        lines.chain(others).collect()
    }
}

impl Boosted {
    /// The errors of learners of which the paper prints none.
    fn others(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let problems = PROBLEMS.iter().filter(|problem| problem.wanted(scope));
        let places = problems
            .flat_map(|problem| Base::others().into_iter().map(move |base| (problem, base)));
        let line = |(problem, base): (&'static Problem, Base)| {
            let ours = base.ours(problem, "test", (scope, kept));
            let block =
                "test error % of other learners (not printed; ± is the deviation of the runs)";
            Line::percent(block, problem.name, base.column.name, ours).with_digits(2)
        };
        places.map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All stars of the paper but two follow the rule that it states: threenorm has them although 16.14 and 16.17
    /// are above 16.08.
    #[test]
    fn the_stars_of_the_paper_follow_its_rule() {
        let spread = |figure: &printed::Figure| Spread {
            mean: figure.printed.value,
            // So that the standard error is the printed one.
            sd: figure.printed.spread.unwrap() * 500_f64.sqrt(),
            count: 500,
        };
        let alone = printed::figures(include_str!("../../../printed/ll3.csv"));
        let mut odd = Vec::new();
        for figure in printed::figures(PRINTED) {
            let set = figure.label("set");
            let same = alone.iter().filter(|other| other.label("set") == set);
            if is_starred(&spread(&figure), same.map(spread)) != (figure.label("star") == "1") {
                odd.push((set, figure.label("learner")));
            }
        }
        assert_eq!(odd, [("threenorm", "ave-perc"), ("threenorm", "sgd-mls")]);
    }
}
