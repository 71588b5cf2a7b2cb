//! A digit that was never shown: is it called unknown?

use anyhow::{Context, Result, ensure};
use pocketron::{
    classifier::OnlineClassifier,
    label::{Class, Label as _},
    learners::{Pocketron, PocketronMulti, multiclass::OneVsRest},
    persist::Blank,
    wrap::confidence::NoveltyDetector,
};

use super::detection::area;
use crate::{
    data::Dense,
    reproduce::{
        About, Bench, Cell, Experiment, Figure, Figures, FinishedCells, Line, Name, Scope, Unit,
        Watch, printed,
    },
    spread::Spread,
};

/// Results of the prototype with one set of 100 vectors for all digits.
const PROTOTYPE: &str = include_str!("../../../printed/unknown.csv");

/// All digits.
const DIGITS: u8 = 10;

/// Vectors of each of the nine classes.
const EACH: usize = 40;

/// Vectors that all classes share.
const SHARED: usize = 100;

/// The default learner for each digit.
type OneForEach<const D: usize> = OneVsRest<Pocketron<D, EACH>, 10>;

/// How the digits are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    /// A default learner for each, against the rest.
    OneForEach,
    /// The default learner for several classes.
    OneForAll,
}

const MODELS: [Model; 2] = [Model::OneForEach, Model::OneForAll];

impl Model {
    fn block(self, set: &str) -> String {
        match self {
            Model::OneForEach => format!("{set}, a learner of {EACH} vectors for each digit"),
            Model::OneForAll => format!("{set}, `PocketronMulti` with {SHARED} vectors"),
        }
    }

    /// Name of a run; runs of the first model are older than the second.
    fn name(self, set: &str, left_out: u8, run: u64) -> Name {
        let name = Name::new("unknown").with("set", set);
        let name = match self {
            Model::OneForEach => name,
            Model::OneForAll => name.with("shared", SHARED),
        };
        name.with("without", left_out).with("run", run)
    }

    fn run<const D: usize>(
        self,
        parts: &(Dense<f32>, Dense<f32>),
        left_out: u8,
        watch: &Watch<'_>,
    ) -> Result<Figures> {
        match self {
            Model::OneForEach => {
                let model = OneForEach::<D>::BLANK;
                measure(NoveltyDetector::of(model), parts, left_out, watch)
            }
            Model::OneForAll => {
                let model = PocketronMulti::<D, SHARED, 10>::new();
                measure(NoveltyDetector::of(model), parts, left_out, watch)
            }
        }
    }
}

/// Figures of every digit.
const COLUMNS: [(&str, &str); 6] = [
    ("known called unknown, stream %", "stream"),
    ("known called unknown, test %", "known"),
    ("left out called unknown, test %", "unknown"),
    ("AUROC %", "auroc"),
    ("accuracy on known %", "accuracy"),
    ("accuracy on what is called known %", "answered"),
];

/// Unknown digits.
pub struct Unknown;

impl Experiment for Unknown {
    fn about(&self) -> About {
        About {
            name: "unknown",
            title: "digits that were never shown, called unknown by the score of the winner",
            remarks: "`NoveltyDetector` around two learners: the default learner for each digit with 40 vectors, against the rest, behind one \
                     scale; and the default learner for several classes with 100 vectors in all. One digit is left out of the training part; what has a smaller highest score than all but 5 % of the stream is called \
                     unknown. *stream*: known digits in the second half of the pass, each before it is learned, which the level is to \
                     hold at 5 %; *test*: the test part after the pass. The AUROC does not depend on the level. The test part of \
                     Pendigits has other writers than the training part, so more than 5 % of its known digits are called \
                     unknown. Three orders. The rate of the level (0.03) was chosen among five on the stream's share alone. What is printed are the figures of a \
                     prototype with one set of 100 vectors for all classes, in floating point and without weights of features: its \
                     squared width, half of the one that it had elsewhere, was the better of two on these very test rows. What it \
                     calls unknown was not measured, for it had no level in the stream.",
            why: "The AUROC of a digit may deviate by many points from order to order, and one bad order of one digit makes the worst; \
                     how many orders the prototype had is not told. Its width was chosen on the test rows, ours finds its own.",
            reference: "prototype",
            sets: &["pendigits", "digits"],
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        let Some((set, digits)) = task(scope) else {
            return Ok(cells);
        };
        let file = |part: &str| {
            if set == "digits" {
                set.to_owned()
            } else {
                format!("{set}.{part}")
            }
        };
        let runs = || scope.runs(3, 1);
        let tasks = MODELS
            .into_iter()
            .flat_map(|model| (0..digits).map(move |digit| (model, digit)));
        for (model, left_out) in tasks {
            for run in runs() {
                let work = move |bench: &Bench, watch: &Watch<'_>| {
                    let parts = parts(set, bench, run)?;
                    match parts.0.dim {
                        16 => model.run::<16>(&parts, left_out, watch),
                        _ => model.run::<64>(&parts, left_out, watch),
                    }
                };
                let name = model.name(set, left_out, run);
                let mut files = vec![file("train"), file("test")];
                files.dedup();
                cells.push(Cell::new(name, 50, work).needing(files));
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let task = task(scope).into_iter();
        let blocks = task.flat_map(|task| MODELS.map(|model| (model, task)));
        blocks
            .flat_map(|(model, (set, digits))| block(model, set, digits, scope, kept))
            .collect()
    }
}

/// Every digit left out; if these are all digits, their mean, and the AUROC of the one that is hardest to tell.
fn block(model: Model, set: &str, digits: u8, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
    let spread = |left_out, figure: &str| {
        let names = scope.runs(3, 1).map(|run| model.name(set, left_out, run));
        kept.spread(names, figure)
    };
    let prototype = |row: &str, figure: &str| {
        let comparable = model == Model::OneForAll && set == "pendigits";
        let figures = printed::figures(PROTOTYPE);
        let fits = |it: &&Figure| it.label("row") == row && it.label("figure") == figure;
        let found = figures.iter().find(fits).filter(|_| comparable);
        Some(found?.printed)
    };
    let mut lines = Vec::new();
    let mut line = |row: &str, column: &str, printed, ours| {
        lines.push(Line {
            block: model.block(set),
            row: row.into(),
            column: column.into(),
            unit: Unit::Percent,
            printed,
            ours,
            digits: 1,
        });
    };
    for left_out in 0..digits {
        for (column, figure) in COLUMNS {
            let row = format!("without {left_out}");
            line(&row, column, None, spread(left_out, figure));
        }
    }
    if digits < DIGITS {
        return lines;
    }
    let means = |figure: &str| -> Option<Vec<f64>> {
        let means = (0..digits).map(|left_out| Some(spread(left_out, figure)?.mean));
        means.collect()
    };
    for (column, figure) in COLUMNS {
        let mean = means(figure).and_then(|all| Spread::over(all.into_iter()));
        let mean = mean.map(Spread::mean_alone);
        line("mean", column, prototype("mean", figure), mean);
    }
    for (column, figure) in COLUMNS.into_iter().filter(|(_, figure)| *figure == "auroc") {
        let worst = means(figure).and_then(|all| all.into_iter().reduce(f64::min));
        let worst = worst.map(Spread::single);
        line("worst", column, prototype("worst", figure), worst);
    }
    lines
}

/// The set, and how many of its digits are left out one after the other; nothing if the set is not wanted.
fn task(scope: &Scope) -> Option<(&'static str, u8)> {
    let (set, digits) = if scope.quick {
        ("digits", 2)
    } else {
        ("pendigits", DIGITS)
    };
    scope.wants_set(set).then_some((set, digits))
}

/// Training and test part, the former in the order of the run.
fn parts(set: &str, bench: &Bench, run: u64) -> Result<(Dense<f32>, Dense<f32>)> {
    let (train, test) = if set == "digits" {
        let rows = bench.places.load(set)?.permuted(run);
        rows.split(1297)?
    } else {
        let (train, test) = bench.places.load_split(set)?;
        (train.permuted(run), test)
    };
    Ok((train.to_dense()?.to_f32()?, test.to_dense()?.to_f32()?))
}

fn measure<L, const D: usize>(
    mut model: NoveltyDetector<L>,
    (train, test): &(Dense<f32>, Dense<f32>),
    left_out: u8,
    watch: &Watch<'_>,
) -> Result<Figures>
where
    L: OnlineClassifier<Input = [f32; D], Label = Class>,
{
    ensure!(train.dim == D && test.dim == D, "other features");
    let row = |x: &[f32]| -> [f32; D] { std::array::from_fn(|feature| x[feature]) };
    let mut below = Vec::new();
    for (number, (x, label)) in train.iter().enumerate() {
        let class = Class(label as u8);
        if class.0 != left_out {
            let level = model.level();
            let outcome = model.learn(&row(x), class);
            let outcome = outcome.with_context(|| format!("row {number}"))?;
            below.push(outcome.predicted.strength(outcome.score) < level);
        }
        watch.done(number, train.len());
    }
    let (mut known, mut unknown) = (Vec::new(), Vec::new());
    let (mut right, mut answered) = (0, (0, 0));
    for (x, label) in test.iter() {
        let (class, score) = model.predict_scored(&row(x))?;
        let strength = class.strength(score);
        if label as u8 == left_out {
            unknown.push(strength);
            continue;
        }
        known.push(strength);
        let hit = usize::from(f64::from(class.0) == label);
        right += hit;
        if strength >= model.level() {
            answered = (answered.0 + 1, answered.1 + hit);
        }
    }
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    let rejected = |strengths: &[f32]| {
        let below = strengths
            .iter()
            .filter(|strength| **strength < model.level());
        share(below.count(), strengths.len())
    };
    let later = &below[below.len() / 2..];
    let held = later.iter().filter(|below| **below).count();
    Ok(Figures::from([
        ("stream".into(), share(held, later.len())),
        ("known".into(), rejected(&known)),
        ("unknown".into(), rejected(&unknown)),
        ("auroc".into(), 100.0 * area(&known, &unknown)),
        ("accuracy".into(), share(right, known.len())),
        ("answered".into(), share(answered.1, answered.0)),
    ]))
}
