//! Figures 3 and 4: accuracy by epochs, and by each parameter.

use anyhow::Result;

use super::{
    folds::FOLDS,
    problem::{Problem, USUAL},
    search::{narrow, wants},
    setting::{BOUNDS, STRENGTHS, Setting},
    task::{PREDICTIONS, Part, Task},
};
use crate::{
    plot::{Axis, Trend},
    reproduce::{
        About, Bench, Cell, Experiment, Figures, FinishedCells, Name, Pictures, Scope, Watch,
    },
};

/// The axis of all charts.
const ACCURACY: Axis<'_> = Axis::even("accuracy (%) in cross-validation");

/// Figure 3.
pub struct LearningCurve;

/// The figure of the paper does not say on which of its sets it was made.
const CURVE: &str = "sonar";

/// Epochs that are shown.
const EPOCHS: [usize; 13] = [1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100];

/// Settings of the curves, and the predictions that are shown.
const SHOWN: [(&str, Setting, &[&str]); 4] = [
    ("", Setting::margin(0.0), &PREDICTIONS),
    (", tau 0.5", Setting::margin(0.5), &["last"]),
    (
        ", lambda 0.5",
        Setting {
            lambda: 0.5,
            ..Setting::margin(0.0)
        },
        &["last"],
    ),
    (
        ", alpha 20",
        Setting {
            alpha: Some(20),
            ..Setting::margin(0.0)
        },
        &["last"],
    ),
];

fn curve_name(run: u64, fold: usize) -> Name {
    Name::new("kw-curve")
        .with("set", CURVE)
        .with("run", run)
        .with("fold", fold)
}

fn curve_figure(setting: Setting, prediction: &str, epoch: usize) -> String {
    format!("{setting}, {prediction}, epoch {epoch}")
}

fn learn_curves(bench: &Bench, watch: &Watch<'_>, run: u64, fold: usize) -> Result<Figures> {
    let task = Task::new(Problem::whole(CURVE), run, Part::Fold(fold));
    let lessons = task.lessons(bench, watch, |lesson, watch| {
        let mut figures = Figures::new();
        for (number, (_, setting, _)) in SHOWN.into_iter().enumerate() {
            let curve = lesson.curve(setting, &watch.part(number, SHOWN.len()))?;
            for epoch in EPOCHS {
                let accuracies = PREDICTIONS
                    .into_iter()
                    .zip(curve[epoch - 1].by_prediction());
                figures.extend(accuracies.map(|(prediction, accuracy)| {
                    (curve_figure(setting, prediction, epoch), accuracy)
                }));
            }
        }
        Ok(figures)
    })?;
    Ok(lessons.into_iter().flatten().collect())
}

impl Experiment for LearningCurve {
    fn about(&self) -> About {
        About {
            name: "kw-fig3",
            title: "accuracy by epochs (Khardon and Wachman, Figure 3)",
            remarks: "The paper does not say on which of its sets it drew the curve; this is sonar, on the folds of Table 3. The \
                     votes settle after a few epochs; the last hypothesis goes on to jump.",
            sets: &[CURVE],
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let run = scope.seed;
        let cell = |fold| {
            let work =
                move |bench: &Bench, watch: &Watch<'_>| learn_curves(bench, watch, run, fold);
            Cell::new(curve_name(run, fold), 10, work).needing([CURVE])
        };
        let folds = (0..FOLDS).filter(|_| wants(scope, CURVE));
        Ok(folds.map(cell).collect())
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        let mean = |setting, prediction: &str, epoch| {
            let figure = curve_figure(setting, prediction, epoch);
            let names = (0..FOLDS).map(|fold| curve_name(scope.seed, fold));
            Some((epoch as f64, kept.spread(names, &figure)?.mean, 0.0))
        };
        let shown = SHOWN
            .into_iter()
            .flat_map(|(addition, setting, predictions)| {
                predictions
                    .iter()
                    .map(move |prediction| (addition, setting, *prediction))
            });
        let line = |(colour, (addition, setting, prediction)): (usize, (&str, Setting, &str))| {
            let points = EPOCHS
                .iter()
                .filter_map(|&epoch| mean(setting, prediction, epoch));
            Trend {
                name: format!("{prediction}{addition}"),
                colour,
                dashed: !addition.is_empty(),
                points: points.collect(),
            }
        };
        let lines: Vec<_> = shown.enumerate().map(line).collect();
        let title = format!("Accuracy on {CURVE} by epochs");
        let axes = [Axis::logarithmic("epochs"), ACCURACY];
        to.lines(self.name(), "", &title, axes, &lines)
    }
}

/// Figure 4.
pub struct Landscape;

impl Landscape {
    fn problems() -> [(&'static str, Problem); 4] {
        [
            ("artificial", narrow(0.05)),
            ("sonar", Problem::whole("sonar")),
            ("ionosphere", Problem::whole("ionosphere")),
            ("wdbc", Problem::whole("wdbc")),
        ]
    }

    fn wanted(scope: &Scope) -> impl Iterator<Item = (&'static str, Problem)> {
        let problems = Self::problems().into_iter();
        problems.filter(|(set, _)| wants(scope, set))
    }
}

/// Settings in which one parameter alone has an effect, with its value: by what the parameter is called.
fn alone() -> [(&'static str, Vec<(f64, Setting)>); 3] {
    let nothing = Setting::default();
    let strengths = |setting: fn(f32) -> Setting| {
        let pairs = STRENGTHS.map(|strength| (f64::from(strength), setting(strength)));
        pairs.to_vec()
    };
    // As many updates as there are epochs are no bound.
    let bound = |alpha: Option<u32>| alpha.map_or(USUAL.epochs as f64, f64::from);
    let bounds = BOUNDS.map(|alpha| (bound(alpha), Setting { alpha, ..nothing }));
    [
        ("tau", strengths(Setting::margin)),
        (
            "lambda",
            strengths(|lambda| Setting {
                lambda,
                ..Setting::default()
            }),
        ),
        ("alpha", bounds.to_vec()),
    ]
}

impl Experiment for Landscape {
    fn about(&self) -> About {
        About {
            name: "kw-fig4",
            title: "accuracy by tau, lambda and alpha (Khardon and Wachman, Figure 4)",
            remarks: "One parameter at a time, the others without effect, on the folds of Tables 3 and 4 in one order. An `alpha` of 100 \
                     is no bound: an example is seen 100 times.",
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        Self::problems().map(|(set, _)| set).to_vec()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let settings = alone().into_iter().flat_map(|(_, settings)| settings);
        let settings: Vec<_> = settings.map(|(_, setting)| setting).collect();
        let tasks = Self::wanted(scope).flat_map(|(_, problem)| Task::folds(problem, scope.seed));
        Ok(tasks
            .flat_map(|task| task.cells(settings.iter().copied()))
            .collect())
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        for (parameter, settings) in alone() {
            let mut lines = Vec::new();
            for (colour, (set, problem)) in Self::wanted(scope).enumerate() {
                for (prediction, dashed) in [("last", false), ("voted", true)] {
                    let points = settings.iter().filter_map(|(value, setting)| {
                        let folds = Task::folds(problem, scope.seed);
                        Some((*value, Task::mean(folds, kept, *setting, prediction)?, 0.0))
                    });
                    lines.push(Trend {
                        name: format!("{set}, {prediction}"),
                        colour,
                        dashed,
                        points: points.collect(),
                    });
                }
            }
            let file = format!("{}-{parameter}", self.name());
            let title = format!("Accuracy by {parameter}");
            let axis = Axis::rooted(match parameter {
                "alpha" => "alpha: updates on one example at most",
                "tau" => "tau: margin in units of the initial threshold",
                _ => "lambda: credit in steps on the example itself",
            });
            to.lines(&file, "", &title, [axis, ACCURACY], &lines)?;
        }
        Ok(())
    }
}
