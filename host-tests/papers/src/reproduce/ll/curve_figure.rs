//! Figures 3 and 4: how errors on pima fall with the epochs.

use anyhow::Result;
use pocketron::learners::batch::Seeding;

use super::{
    problem::Problem,
    trial::{Column, Trial, start},
};
use crate::{
    batch::Learner,
    plot::{Axis, Trend},
    reproduce::{About, Cell, Experiment, FinishedCells, Line, Pictures, Scope},
    spread::Spread,
};

/// Where the curves are looked at. A short training is the beginning of a longer one, so each is a training of its
/// own: all together take no more than twice the longest.
const EPOCHS: [u32; 11] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/// Figures 3 and 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CurveFigure {
    /// Figure 3: the variants of coordinate descent from both starts.
    Variants,
    /// Figure 4: the stochastic learners, and how they do on unseen examples.
    Learners,
}

/// One curve.
#[derive(Clone, Copy, Debug)]
struct Curve {
    column: Column,
    seeding: Seeding,
    figure: &'static str,
    colour: usize,
}

impl Curve {
    fn name(&self, figure: CurveFigure) -> String {
        let what = match figure {
            CurveFigure::Variants => start(self.seeding),
            CurveFigure::Learners => self.figure,
        };
        format!("{}, {what}", self.column.name)
    }

    fn trials(&self, epochs: u32, scope: &Scope) -> impl Iterator<Item = Trial> {
        let Curve {
            column, seeding, ..
        } = *self;
        let pima = Problem::named("pima");
        scope
            .runs(100, 3)
            .map(move |run| Trial::alone(pima, column, (seeding, epochs), run))
    }

    /// Error after so many epochs.
    fn at(&self, epochs: u32, scope: &Scope, kept: &FinishedCells) -> Option<Spread> {
        let names = self.trials(epochs, scope).map(|trial| trial.name());
        kept.spread(names, self.figure)
    }
}

impl CurveFigure {
    fn curves(self) -> Vec<Curve> {
        let learners = match self {
            CurveFigure::Variants => [
                ("ccd", Learner::Ccd),
                ("rcd-grad", Learner::RcdGrad),
                ("rcd-plain", Learner::RcdPlain),
                ("rcd-bias", Learner::RcdBias),
            ],
            CurveFigure::Learners => [
                ("sgd-mls", Learner::SgdMls),
                ("ave-perc", Learner::AvePerc),
                ("pocket", Learner::Pocket),
                ("rcd-bias", Learner::RcdBias),
            ],
        };
        let kinds = match self {
            CurveFigure::Variants => [(Seeding::Zero, "training"), (Seeding::Fisher, "training")],
            CurveFigure::Learners => [(Seeding::Fisher, "training"), (Seeding::Fisher, "test")],
        };
        let curve = |(seeding, figure)| {
            let numbered = learners.into_iter().enumerate();
            numbered.map(move |(colour, (name, learner))| Curve {
                column: Column::new(name, learner),
                seeding,
                figure,
                colour,
            })
        };
        kinds.into_iter().flat_map(curve).collect()
    }

    /// Whether a curve is one of the second kind.
    fn is_dashed(self, curve: &Curve) -> bool {
        match self {
            CurveFigure::Variants => curve.seeding == Seeding::Zero,
            CurveFigure::Learners => curve.figure == "test",
        }
    }
}

impl Experiment for CurveFigure {
    fn about(&self) -> About {
        About {
            name: match self {
                CurveFigure::Variants => "ll-fig3",
                CurveFigure::Learners => "ll-fig4",
            },
            title: match self {
                CurveFigure::Variants => {
                    "training errors of coordinate descent on pima against epochs (Li and Lin, Figure 3)"
                }
                CurveFigure::Learners => {
                    "training and test errors of stochastic learners on pima against epochs (Li and Lin, Figure 4)"
                }
            },
            remarks: "The first 100 splits of Table II, unless `--runs` says otherwise. The table prints mean and standard deviation of the \
                     runs; in the picture lines are means and bars are standard deviations.",
            sets: &["pima"],
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        if !Problem::named("pima").wanted(scope) {
            return Ok(Vec::new());
        }
        let curves = self.curves();
        // Training and test error come of one training.
        let curves = curves.iter().filter(|curve| curve.figure == "training");
        let trials = curves.flat_map(|curve| {
            EPOCHS
                .into_iter()
                .flat_map(move |epochs| curve.trials(epochs, scope))
        });
        Ok(trials.map(Trial::cell).collect())
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let curves = self.curves().into_iter();
        curves
            .flat_map(|curve| EPOCHS.map(|epochs| (curve, epochs)))
            .map(|(curve, epochs)| {
                Line::percent(
                    "error % on pima after so many epochs (the paper prints no numbers)",
                    curve.name(*self),
                    epochs.to_string(),
                    curve.at(epochs, scope, kept),
                )
                .with_digits(2)
            })
            .collect()
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        let trend = |curve: Curve| {
            let points = EPOCHS.iter().filter_map(|&epochs| {
                let error = curve.at(epochs, scope, kept)?;
                Some((f64::from(epochs), error.mean, error.sd))
            });
            Trend {
                name: curve.name(*self),
                colour: curve.colour,
                dashed: self.is_dashed(&curve),
                points: points.collect(),
            }
        };
        let lines: Vec<_> = self.curves().into_iter().map(trend).collect();
        let title = match self {
            CurveFigure::Variants => "Training error of coordinate descent on pima",
            CurveFigure::Learners => "Errors of stochastic learners on pima",
        };
        let axes = [Axis::logarithmic("epochs"), Axis::even("error (%)")];
        to.lines(self.name(), "", title, axes, &lines)
    }
}
