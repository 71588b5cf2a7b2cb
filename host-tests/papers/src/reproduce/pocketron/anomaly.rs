//! Anomalies from normal data alone: what is found, and at how many false alarms.

mod detectors;
mod vibration;

use anyhow::{Context, Result, bail};
use pocketron::learners::Normal;

use super::{
    detection::area,
    watch::person::{self, Window},
};
use crate::{
    data::shuffle::{SplitMix64, permutation},
    reproduce::{
        bench::Bench,
        cell::{Cell, Figures, Name},
        experiment::{About, Experiment, Scope},
        finished_cells::FinishedCells,
        line::{Line, Unit},
        progress::Watch,
    },
    spread::Spread,
};
use detectors::{Detector, Kind};
use vibration::Fault;

/// A feature vector.
type Row = Vec<f32>;

/// Where samples come from. A further source needs its samples and a number of features in [`detector`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// Handwritten digits, one of which is not normal.
    Digits,
    /// A drawn signal of a rotating machine.
    Vibration,
    /// A smartwatch on ten people, and an exercise that is not normal.
    Watch,
}

const SOURCES: [Source; 3] = [Source::Digits, Source::Vibration, Source::Watch];

/// Samples of one task.
struct Samples {
    /// To learn, in order.
    normal: Vec<Row>,
    /// Normal ones to test.
    test: Vec<Row>,
    /// Those that creep in where some do.
    learned: Vec<Row>,
    /// To be found.
    anomalies: Vec<Row>,
}

/// Normal samples after which the detectors are asked.
const AFTER: [usize; 4] = [20, 50, 200, 1000];
/// Share of the normal samples that may be called anomalous.
const SHARE: f64 = 0.02;
/// Where anomalies creep in, it is one sample in so many.
const ONE_IN: u64 = 100;
/// Micro-clusters.
const SLOTS: usize = 32;

impl Source {
    const fn name(self) -> &'static str {
        match self {
            Source::Digits => "digits",
            Source::Vibration => "vibration",
            Source::Watch => "watch",
        }
    }

    /// Kinds of anomalies, each a task of its own.
    fn tasks(self, quick: bool) -> Vec<String> {
        match self {
            Source::Digits => {
                let digits = 0..if quick { 2 } else { 10 };
                digits.map(|digit| digit.to_string()).collect()
            }
            Source::Vibration => Fault::ALL.map(|fault| fault.name().to_owned()).to_vec(),
            Source::Watch => {
                let exercises = 0..if quick { 2 } else { person::CLASSES };
                exercises.map(|exercise| exercise.to_string()).collect()
            }
        }
    }

    fn samples(self, task: &str, bench: &Bench, run: u64) -> Result<Samples> {
        let most = AFTER[AFTER.len() - 1];
        let (normal, test, mut anomalies) = match self {
            Source::Digits => {
                let left_out: f64 = task.parse()?;
                let rows = bench.places.load("digits")?.permuted(run);
                let rows = rows.to_dense()?.to_f32()?;
                let of = |wanted: bool| {
                    let rows = rows.iter();
                    let rows = rows.filter(|(_, label)| (*label == left_out) == wanted);
                    rows.map(|(x, _)| x.to_vec()).collect::<Vec<Row>>()
                };
                let mut normal = of(false);
                let test = normal.split_off(most);
                (normal, test, of(true))
            }
            Source::Vibration => {
                let fault = Fault::ALL.into_iter().find(|fault| fault.name() == task);
                let fault = fault.context("an unknown fault")?;
                let mut rng = SplitMix64::new(run);
                let mut windows = |fault, count| {
                    let windows = (0..count).map(|_| vibration::window(fault, &mut rng));
                    windows.collect::<Vec<Row>>()
                };
                (
                    windows(None, most),
                    windows(None, 600),
                    windows(Some(fault), 400),
                )
            }
            Source::Watch => {
                let left_out: u8 = task.parse()?;
                let people = person::people(bench)?;
                let of = |halves: Vec<&[Window]>, wanted: bool| {
                    let windows = halves.concat().into_iter();
                    let windows: Vec<_> = windows
                        .filter(|window| (window.class == left_out) == wanted)
                        .collect();
                    let order = permutation(windows.len(), run).into_iter();
                    order
                        .map(|at| windows[at].features.to_vec())
                        .collect::<Vec<Row>>()
                };
                let first = || people.iter().map(|person| &person.own[..]);
                let second = || people.iter().map(|person| &person.test[..]);
                let mut normal = of(first().collect(), false);
                normal.truncate(most);
                let test = of(second().collect(), false);
                (normal, test, of(first().chain(second()).collect(), true))
            }
        };
        let found = anomalies.split_off(anomalies.len() / 2);
        Ok(Samples {
            normal,
            test,
            learned: anomalies,
            anomalies: found,
        })
    }
}

/// A detector that has learned the rows.
fn detector(kind: Kind, rows: &[Row]) -> Result<Box<dyn Detector>> {
    fn taught<const D: usize>(rows: &[Row]) -> Result<Box<dyn Detector>> {
        let mut model = Normal::<D, SLOTS>::new();
        for row in rows {
            model.learn(row.as_slice().try_into()?)?;
        }
        Ok(Box::new(model))
    }
    let dim = rows.first().map_or(0, Vec::len);
    match (kind, dim) {
        (Kind::Normal, vibration::FEATURES) => taught::<{ vibration::FEATURES }>(rows),
        (Kind::Normal, person::DIM) => taught::<{ person::DIM }>(rows),
        (Kind::Normal, 64) => taught::<64>(rows),
        (Kind::Normal, dim) => bail!("no model of {dim} features"),
        (Kind::Neighbour, _) => Ok(Box::new(detectors::Neighbour::train(rows))),
        (Kind::OneClassSvm, _) => Ok(Box::new(detectors::OneClassSvm::train(rows)?)),
    }
}

/// Figures of every detector.
const COLUMNS: [(&str, &str); 3] = [
    ("AUROC %", "auroc"),
    ("anomalies found %", "found"),
    ("normal called anomalous %", "false"),
];

fn measure(samples: &Samples, run: u64, watch: &Watch<'_>) -> Result<Figures> {
    let mut figures = Figures::new();
    let mut rng = SplitMix64::new(run);
    let dirty: Vec<Row> = samples
        .normal
        .iter()
        .map(|row| {
            let creeps_in = rng.below(ONE_IN) == 0;
            let anomaly = rng.below(samples.learned.len().max(1) as u64) as usize;
            let anomaly = samples.learned.get(anomaly).filter(|_| creeps_in);
            anomaly.unwrap_or(row).clone()
        })
        .collect();
    let trainings = AFTER.map(|count| (false, count)).into_iter();
    let trainings = trainings.chain([(true, AFTER[AFTER.len() - 1])]);
    for (number, (creeping, count)) in trainings.enumerate() {
        let rows = if creeping { &dirty } else { &samples.normal };
        for kind in Kind::ALL {
            let detector = detector(kind, &rows[..count.min(rows.len())])?;
            let scores =
                |rows: &[Row]| -> Vec<f32> { rows.iter().map(|row| detector.score(row)).collect() };
            let (usual, strange) = (scores(&samples.test), scores(&samples.anomalies));
            let beyond = |scores: &[f32]| {
                let beyond = scores.iter().filter(|score| **score > detector.threshold());
                100.0 * beyond.count() as f64 / scores.len().max(1) as f64
            };
            let mut put = |figure: &str, value| {
                figures.insert(figure_name(kind, creeping, count, figure), value);
            };
            put("auroc", 100.0 * area(&strange, &usual));
            put("found", beyond(&strange));
            put("false", beyond(&usual));
        }
        watch.done(number, AFTER.len() + 1);
    }
    Ok(figures)
}

fn figure_name(kind: Kind, creeping: bool, count: usize, figure: &str) -> String {
    let creeping = if creeping { " creeping" } else { "" };
    format!("{kind:?} {count}{creeping} {figure}")
}

fn cell_name(source: Source, task: &str, run: u64) -> Name {
    let name = Name::new("anomaly").with("set", source.name());
    name.with("task", task)
        .with("slots", SLOTS)
        .with("run", run)
}

/// Anomalies.
pub struct Anomaly;

impl Experiment for Anomaly {
    fn about(&self) -> About {
        About {
            name: "anomaly",
            title: "anomalies from normal data alone, beside detectors that keep all of it",
            remarks: "`Normal` with 32 micro-clusters learns normal samples one after the other, and is asked after 20, 50, 200 and 1000 of \
         them; 2 % of the normal samples may be called anomalous. *digits*: one digit is left out, in turn; its rows are the \
         anomalies. *vibration*: a drawn signal of a machine with two loads, five harmonics and noise, in windows of 512 samples \
         with the features of `Vibration<512, f32>`; anomalies are impulses of a bearing, an imbalance and a missing harmonic. *watch*: windows of \
         `Motion<128>` of ten people; one of seven exercises is left out, in turn. The first halves of the recordings are learned, shuffled, and the \
         second halves are tested. *1 in 100*: of 1000 samples learned one in a hundred is such an anomaly, though not one of those that are to be found. Beside it: the \
         distance to the nearest of all rows, with the threshold that leave-one-out gives, and the one-class support vector machine \
         of `libsvm-rs` with `nu = 0.02` and `gamma = 1 / D`; both get standardised features and keep all rows or a part of them. \
         Means over the anomalies; three orders or drawn signals.",
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        SOURCES.map(Source::name).to_vec()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for source in wanted(scope) {
            for task in source.tasks(scope.quick) {
                for run in scope.runs(3, 1) {
                    let name = cell_name(source, &task, run);
                    let task = task.clone();
                    let work = move |bench: &Bench, watch: &Watch<'_>| {
                        measure(&source.samples(&task, bench, run)?, run, watch)
                    };
                    let cell = Cell::new(name, 200, work);
                    cells.push(match source {
                        Source::Digits => cell.needing(["digits"]),
                        Source::Vibration | Source::Watch => cell,
                    });
                }
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for source in wanted(scope) {
            let trainings = AFTER.map(|count| (false, count)).into_iter();
            let trainings = trainings.chain([(true, AFTER[AFTER.len() - 1])]);
            for (creeping, count) in trainings {
                for kind in Kind::ALL {
                    for (column, figure) in COLUMNS {
                        let figure = figure_name(kind, creeping, count, figure);
                        let tasks = source.tasks(scope.quick).into_iter().map(|task| {
                            let runs = scope.runs(3, 1).map(|run| cell_name(source, &task, run));
                            Some(kept.spread(runs, &figure)?.mean)
                        });
                        let means: Option<Vec<f64>> = tasks.collect();
                        let mean = means.and_then(|means| Spread::over(means.into_iter()));
                        let dirt = if creeping { ", 1 in 100" } else { "" };
                        lines.push(Line {
                            block: source.name().into(),
                            row: format!("{} after {count}{dirt}", kind.title()),
                            column: column.into(),
                            unit: Unit::Percent,
                            printed: None,
                            ours: mean.map(Spread::mean_alone),
                            digits: 1,
                        });
                    }
                }
            }
        }
        lines
    }
}

fn wanted(scope: &Scope) -> impl Iterator<Item = Source> {
    let wanted = |source: &Source| scope.wants_set(source.name());
    SOURCES.into_iter().filter(wanted)
}
