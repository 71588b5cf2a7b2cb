//! Figures 3 and 4: how errors on pima fall with the epochs.

use std::path::Path;

use anyhow::Result;
use pocketron::learners::batch::Seeding;

use super::{
    problem::Problem,
    trial::{Trial, start},
};
use crate::{
    batch::Learner,
    plot::{Axis, Lines, Trend},
    reproduce::{
        cell::Cell,
        experiment::{Experiment, Scope},
        kept::Kept,
        line::{Line, Unit},
    },
    spread::Spread,
};

/// Where the curves are looked at. A short training is the beginning of a longer one, so each is a training of its
/// own: all together take no more than twice the longest.
const EPOCHS: [u32; 11] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000];

/// Figures 3 and 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// Figure 3: the variants of coordinate descent from both starts.
    Variants,
    /// Figure 4: the stochastic learners, and how they do on unseen examples.
    Learners,
}

/// One curve.
#[derive(Clone, Copy, Debug)]
struct Curve {
    learner: (&'static str, Learner),
    seeding: Seeding,
    figure: &'static str,
    colour: usize,
}

impl Curve {
    fn name(&self, course: Course) -> String {
        let what = match course {
            Course::Variants => start(self.seeding),
            Course::Learners => self.figure,
        };
        format!("{}, {what}", self.learner.0)
    }

    fn trials(&self, epochs: u32, scope: &Scope) -> impl Iterator<Item = Trial> {
        let Curve {
            learner, seeding, ..
        } = *self;
        let pima = Problem::named("pima");
        scope
            .runs(100, 3)
            .map(move |run| Trial::alone(pima, learner, (seeding, epochs), run))
    }

    /// Error after so many epochs.
    fn at(&self, epochs: u32, scope: &Scope, kept: &Kept) -> Option<Spread> {
        let names = self.trials(epochs, scope).map(|trial| trial.name());
        kept.spread(names, self.figure)
    }
}

impl Course {
    fn curves(self) -> Vec<Curve> {
        let learners = match self {
            Course::Variants => [
                ("ccd", Learner::Ccd),
                ("rcd-grad", Learner::RcdGrad),
                ("rcd-plain", Learner::RcdPlain),
                ("rcd-bias", Learner::RcdBias),
            ],
            Course::Learners => [
                ("sgd-mls", Learner::SgdMls),
                ("ave-perc", Learner::AvePerc),
                ("pocket", Learner::Pocket),
                ("rcd-bias", Learner::RcdBias),
            ],
        };
        let kinds = match self {
            Course::Variants => [(Seeding::Zero, "training"), (Seeding::Fisher, "training")],
            Course::Learners => [(Seeding::Fisher, "training"), (Seeding::Fisher, "test")],
        };
        let curve = |(seeding, figure)| {
            let numbered = learners.into_iter().enumerate();
            numbered.map(move |(colour, learner)| Curve {
                learner,
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
            Course::Variants => curve.seeding == Seeding::Zero,
            Course::Learners => curve.figure == "test",
        }
    }
}

impl Experiment for Course {
    fn name(&self) -> &'static str {
        match self {
            Course::Variants => "ll-fig3",
            Course::Learners => "ll-fig4",
        }
    }

    fn title(&self) -> &'static str {
        match self {
            Course::Variants => {
                "training errors of coordinate descent on pima against epochs (Li and Lin, Figure 3)"
            }
            Course::Learners => {
                "training and test errors of stochastic learners on pima against epochs (Li and Lin, Figure 4)"
            }
        }
    }

    fn remarks(&self) -> &'static str {
        "The splits of Table II; lines are means over 100 of them unless `--runs` says otherwise, bars standard errors of these."
    }

    fn sets(&self) -> Vec<&'static str> {
        vec!["pima"]
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

    fn lines(&self, scope: &Scope, kept: &Kept) -> Vec<Line> {
        let curves = self.curves().into_iter();
        curves
            .flat_map(|curve| EPOCHS.map(|epochs| (curve, epochs)))
            .map(|(curve, epochs)| Line {
                block: "error % on pima after so many epochs (the paper prints no numbers)".into(),
                row: curve.name(*self),
                column: epochs.to_string(),
                unit: Unit::Percent,
                printed: None,
                ours: curve.at(epochs, scope, kept),
                digits: 2,
            })
            .collect()
    }

    fn pictures(
        &self,
        scope: &Scope,
        kept: &Kept,
        directory: &Path,
    ) -> Result<Vec<(String, String)>> {
        let trend = |curve: Curve| {
            let points = EPOCHS.iter().filter_map(|&epochs| {
                let error = curve.at(epochs, scope, kept)?;
                Some((f64::from(epochs), error.mean, error.standard_error()))
            });
            Trend {
                name: curve.name(*self),
                colour: curve.colour,
                dashed: self.is_dashed(&curve),
                points: points.collect(),
            }
        };
        let lines: Vec<_> = self.curves().into_iter().map(trend).collect();
        if lines.iter().all(|line| line.points.is_empty()) {
            return Ok(Vec::new());
        }
        let (file, title) = match self {
            Course::Variants => (
                "ll-fig3.svg",
                "Training error of coordinate descent on pima",
            ),
            Course::Learners => ("ll-fig4.svg", "Errors of stochastic learners on pima"),
        };
        let chart = Lines {
            title,
            axes: [Axis::logarithmic("epochs"), Axis::even("error (%)")],
            lines: &lines,
        };
        chart.write(&directory.join(file))?;
        Ok(vec![(file.into(), title.into())])
    }
}
