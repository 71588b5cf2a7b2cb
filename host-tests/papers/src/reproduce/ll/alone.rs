//! Tables 2 and 3: training and test errors of every learner alone.

use anyhow::Result;
use pocketron::learners::batch::Seeding;

use super::{
    problem::{PROBLEMS, Problem},
    trial::{COLUMNS, Column, OTHER_DIRECTIONS, Trial},
};
use crate::{
    reproduce::{About, Cell, Demand, Experiment, FinishedCells, Line, Scope, Target, printed},
    spread::Spread,
};

/// Tables 2 and 3, which come of the same runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alone {
    /// Table 2.
    Training,
    /// Table 3.
    Test,
}

/// Known reasons for differences in both tables, and in one of them.
macro_rules! why {
    ($own:literal) => {
        concat!(
            "The printed standard errors are those of means over 500 splits, a few hundredths of a point, and so are ours: differences of \
            a tenth of a point are outside of both, although the splits themselves are others. The learners of a set see the same \
            splits, so that their differences have a part in common. How the paper's sets were prepared is known only from their \
            sizes. ",
            $own,
            " `soft-svm` chooses its cost on folds of our own."
        )
    };
}

const TRAINING_WHY: &str = why!(
    "The three artificial sets are drawn anew in each run here, but not in the paper, see ll3. Whatever set it had, its mean deviates \
    from ours. On ringnorm 500 drawn sets have training errors that are 0.1 to 0.9 points below print for all six learners, 0.4 for RCD-bias \
    and 0.9 for the averaged perceptron, with standard errors of 0.1: more splits do not change that. One set that is harder than most \
    explains it: of eight sets of 5,000 points from ringnorm, each divided 60 times into 600 to learn and the rest, the averaged \
    perceptron has training errors from 33.0 to 35.5, with a deviation of 0.8 and the printed 35.49 among them."
);

const TEST_WHY: &str = why!(
    "The three artificial sets are drawn anew in each run here. The paper must have drawn one of each and divided it again and \
    again: its test errors on yinyang deviate by 0.45 points from run to run, ours by 0.74, and 0.59 of that is what 4,400 new \
    points add. So all its figures of such a set are off in one direction. On ringnorm ours are 0.5 to 1.1 points below print for all six learners, \
    over 500 drawn sets."
);

impl Alone {
    fn figure(self) -> &'static str {
        match self {
            Alone::Training => "training",
            Alone::Test => "test",
        }
    }

    fn printed(self) -> &'static str {
        match self {
            Alone::Training => include_str!("../../../printed/ll2.csv"),
            Alone::Test => include_str!("../../../printed/ll3.csv"),
        }
    }

    /// The error that a column has on a set, over the runs that are finished.
    pub(super) fn ours(
        self,
        problem: &'static Problem,
        column: Column,
        scope: &Scope,
        kept: &FinishedCells,
    ) -> Option<Spread> {
        let names = trials(problem, column, scope).map(|trial| trial.name());
        kept.spread(names, self.figure())
    }

    /// The errors of directions that the paper does not print.
    fn other_directions(self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let block = format!(
            "{} error % with other directions (not printed; ± is the deviation of the runs)",
            self.figure()
        );
        let problems = PROBLEMS.iter().filter(|problem| problem.wanted(scope));
        let line = |(problem, column): (&'static Problem, Column)| {
            let ours = self.ours(problem, column, scope, kept);
            Line::percent(&block, problem.name, column.name, ours).with_digits(2)
        };
        let places = problems.flat_map(|problem| OTHER_DIRECTIONS.map(|column| (problem, column)));
        places.map(line).collect()
    }
}

/// The runs of a column on a set: 2000 epochs from Fisher's discriminant.
fn trials(problem: &'static Problem, column: Column, scope: &Scope) -> impl Iterator<Item = Trial> {
    let runs = match COLUMNS.contains(&column) {
        true => scope.runs(500, 5),
        false => scope.runs(100, 5),
    };
    runs.map(move |run| Trial::alone(problem, column, (Seeding::Fisher, 2000), run))
}

impl Experiment for Alone {
    fn about(&self) -> About {
        About {
            name: match self {
                Alone::Training => "ll2",
                Alone::Test => "ll3",
            },
            title: match self {
                Alone::Training => {
                    "training errors of 2000 epochs from Fisher's discriminant (Li and Lin, Table II)"
                }
                Alone::Test => {
                    "test errors of 2000 epochs from Fisher's discriminant (Li and Lin, Table III)"
                }
            },
            remarks: "Four fifths of a set are learned, features scaled to [-1, 1] on them. Spreads are standard errors of the mean over \
                     500 splits, unless `--runs` says otherwise. Directions are the authors': uniform in [-1, 1), the bias component \
                     too in `rcd-plain`; in `rcd-bias` the bias alone comes first in each turn of D + 1 epochs, and no other direction \
                     has a bias component. Fisher's bias is weighted by the shares of the classes. A step of `sgd-mls` is 0.002 (1 - y f). \
                     The second part, over 100 splits, has our own directions (`own`: weights uniform, bias one, in every epoch but \
                     those of the bias alone) and Gaussian ones with mean and deviation of the features.",
            why: match self {
                Alone::Training => TRAINING_WHY,
                Alone::Test => TEST_WHY,
            },
            ..About::EMPTY
        }
    }

    fn targets(&self) -> &'static [Target] {
        match self {
            Alone::Training => &[
                Target {
                    demands: "66 of 72 training errors are within 0.3 points of the paper's",
                    about: |line| line.printed.is_some(),
                    each: Demand::Near(0.3),
                    percent: 91,
                },
                Target {
                    demands: "those of sgd-mls on sonar and german are",
                    about: |line| {
                        line.column == "sgd-mls" && ["sonar", "german"].contains(&line.row.as_str())
                    },
                    each: Demand::Near(0.3),
                    percent: 100,
                },
            ],
            Alone::Test => &[],
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        Problem::names()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let problems = PROBLEMS.iter().filter(|problem| problem.wanted(scope));
        let columns = || COLUMNS.into_iter().chain(OTHER_DIRECTIONS);
        let places = problems.flat_map(|problem| columns().map(move |column| (problem, column)));
        let trials = places.flat_map(|(problem, column)| trials(problem, column, scope));
        Ok(trials.map(Trial::cell).collect())
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let figures = printed::figures(self.printed()).into_iter();
        let wanted = figures.filter(|figure| Problem::named(figure.label("set")).wanted(scope));
        let line = |figure: printed::Figure| {
            let (row, column) = (figure.label("set"), Column::named(figure.label("learner")));
            Line::percent(
                format!("{} error %", self.figure()),
                row,
                column.name,
                self.ours(Problem::named(row), column, scope, kept),
            )
            .beside(&figure)
        };
        let mut lines: Vec<_> = wanted.map(line).collect();
        lines.extend(self.other_directions(scope, kept));
        lines
    }
}
