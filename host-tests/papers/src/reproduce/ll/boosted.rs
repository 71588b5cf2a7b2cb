//! Table 4: test errors of AdaBoost over every learner.

use anyhow::Result;
use pocketron::learners::batch::Seeding;

use super::{
    alone::Alone,
    problem::{PROBLEMS, Problem},
    trial::{COLUMNS, Trial},
};
use crate::{
    batch::ROUNDS,
    reproduce::{
        cell::Cell,
        experiment::{Experiment, Scope},
        kept::Kept,
        line::{Line, Printed, Unit},
        printed,
    },
    spread::Spread,
};

const PRINTED: &str = include_str!("../../../printed/ll4.csv");

/// Table 4.
pub struct Boosted;

/// All runs on a set: 200 rounds of 200 epochs from the zero plane.
fn trials(problem: &'static Problem, scope: &Scope) -> impl Iterator<Item = Trial> {
    scope.runs(20, 1).flat_map(move |run| {
        COLUMNS
            .map(|column| Trial::alone(problem, column, (Seeding::Zero, 200), run).boosted(ROUNDS))
    })
}

/// Whether an error gets a star: better than the best of those without boosting by a standard error.
fn is_starred(boosted: &Spread, alone: impl Iterator<Item = Spread>) -> bool {
    let best = alone.map(|error| error.mean).fold(f64::INFINITY, f64::min);
    boosted.mean + boosted.standard_error() <= best
}

impl Boosted {
    /// One figure of one column, over the runs that are finished.
    fn ours(
        problem: &'static Problem,
        column: &str,
        figure: &str,
        (scope, kept): (&Scope, &Kept),
    ) -> Option<Spread> {
        let trials = trials(problem, scope).filter(|trial| trial.learner == column);
        kept.spread(trials.map(|trial| trial.name()), figure)
    }
}

impl Experiment for Boosted {
    fn name(&self) -> &'static str {
        "ll4"
    }

    fn title(&self) -> &'static str {
        "test errors of AdaBoost, 200 rounds of 200 epochs from the zero plane (Li and Lin, Table IV)"
    }

    fn remarks(&self) -> &'static str {
        "As Table II, with 20 runs unless `--runs` says otherwise: a run trains 200 planes. A star in the paper marks what \
         is better than the best single plane by a standard error; ours by the same rule. `soft-svm` learns examples that are \
         drawn by their weights, and its cost is chosen once, before the first round."
    }

    fn why(&self) -> &'static str {
        "As Tables II and III. The rule of the stars is the paper's own, but two of its stars do not follow it: on threenorm, \
         16.14 and 16.17 are not below the best single plane's 16.08. As the paper says of its own runs, averaged perceptrons, \
         gradient descent and soft machines end AdaBoost early; when they do depends on how a machine takes weights and on its \
         cost, of which the paper tells nothing. That shows on ringnorm, where a plane alone is poor: ours end after fewer \
         rounds there, it seems. Sonar has 208 examples, and all learners deviate from the paper alike there."
    }

    fn sets(&self) -> Vec<&'static str> {
        Problem::names()
    }

    /// The stars need the learners alone, too.
    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Alone::Test.cells(scope)?;
        let problems = PROBLEMS.iter().filter(|problem| problem.wanted(scope));
        let trials = problems.flat_map(|problem| trials(problem, scope));
        cells.extend(trials.map(Trial::cell));
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &Kept) -> Vec<Line> {
        let figures = printed::figures(PRINTED);
        let wanted = |figure: &&printed::Figure| Problem::named(figure.label("set")).wanted(scope);
        let (mut errors, mut stars, mut planes) = (Vec::new(), Vec::new(), Vec::new());
        for figure in figures.iter().filter(wanted) {
            let (row, column) = (figure.label("set"), figure.label("learner"));
            let problem = Problem::named(row);
            let line = |block: &str, unit, printed, ours, digits| Line {
                block: block.into(),
                row: row.into(),
                column: column.into(),
                unit,
                printed,
                ours,
                digits,
            };
            let ours = Boosted::ours(problem, column, "test", (scope, kept));
            errors.push(line(
                "test error %",
                Unit::Percent,
                Some(figure.printed),
                ours,
                figure.digits,
            ));
            let alone = COLUMNS.map(|(other, _)| Alone::Test.ours(problem, other, scope, kept));
            let alone: Option<Vec<Spread>> = alone.into_iter().collect();
            // A single run has no standard error.
            let judged = ours.filter(|ours| ours.count > 1);
            let starred = judged.zip(alone).map(|(ours, alone)| {
                let starred = is_starred(&ours, alone.into_iter());
                Spread::single(f64::from(u8::from(starred)))
            });
            let star = Printed::bare(f64::from(u8::from(figure.label("star") == "1")));
            stars.push(line(
                "better than the best of Table III by a standard error (1: yes)",
                Unit::Value,
                Some(star),
                starred,
                0,
            ));
            let count = Boosted::ours(problem, column, "planes", (scope, kept));
            planes.push(line(
                "planes in the ensemble (not printed)",
                Unit::Count,
                None,
                count,
                0,
            ));
        }
        errors.into_iter().chain(stars).chain(planes).collect()
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
