//! A digit that was never shown: is it called unknown?

use anyhow::{Context, Result, ensure};
use pocketron::{
    budget::{MergingAny, Nudging},
    confidence::Familiar,
    kernel::Relevance,
    label::{Class, Label as _},
    memory::{Blank, Features, Inline},
    multiclass::OneVsRest,
    perceptron::{Judge, KernelPerceptron, OnlineClassifier},
    rule::SelfTuned,
    scale::Standardized,
};

use super::detection::area;
use crate::{
    data::Dense,
    reproduce::{
        bench::Bench,
        cell::{Cell, Figures, Name},
        experiment::{Experiment, Scope},
        kept::Kept,
        line::{Line, Unit},
        progress::Watch,
    },
    spread::Spread,
};

/// Vectors of each of the nine classes.
const BUDGET: usize = 40;

/// The default learner for each digit, behind one scale.
type Model<const D: usize> = Familiar<
    Standardized<
        OneVsRest<
            KernelPerceptron<
                Relevance<Features<D>>,
                Nudging<MergingAny>,
                Inline<D, BUDGET, i8>,
                SelfTuned,
            >,
            10,
        >,
        D,
    >,
>;

/// What is told of every digit.
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
    fn name(&self) -> &'static str {
        "unknown"
    }

    fn title(&self) -> &'static str {
        "digits that were never shown, called unknown by the score of the winner"
    }

    fn remarks(&self) -> &'static str {
        "`Familiar` around the default learner, one for each digit with 40 vectors, against the rest, behind one scale. One \
         digit is left out of the training part; what has a smaller highest score than all but 5 % of the stream is called \
         unknown. *stream*: known digits in the second half of the pass, each before it is learned, which the level is to \
         hold at 5 %; *test*: the test part after the pass. The AUROC does not depend on the level. The test part of \
         Pendigits has other writers than the training part, so more than 5 % of its known digits are called unknown. Three orders. The rate of the level (0.03) was chosen among \
         five on the stream's share alone."
    }

    fn sets(&self) -> Vec<&'static str> {
        vec!["pendigits", "digits"]
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        let (set, digits) = task(scope);
        if !scope.wants_set(set) {
            return Ok(cells);
        }
        let file = |part: &str| {
            if set == "digits" {
                set.to_owned()
            } else {
                format!("{set}.{part}")
            }
        };
        for left_out in 0..digits {
            for run in scope.runs(3, 1) {
                let work = move |bench: &Bench, watch: &Watch<'_>| {
                    let (train, test) = parts(set, bench, run)?;
                    match train.dim {
                        16 => measure::<16>(&train, &test, left_out, watch),
                        _ => measure::<64>(&train, &test, left_out, watch),
                    }
                };
                let name = name(set, left_out, run);
                let mut files = vec![file("train"), file("test")];
                files.dedup();
                cells.push(Cell::new(name, 50, work).needing(files));
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &Kept) -> Vec<Line> {
        let (set, digits) = task(scope);
        let spread = |left_out, figure: &str| {
            let names = scope.runs(3, 1).map(|run| name(set, left_out, run));
            kept.spread(names, figure)
        };
        let mut lines = Vec::new();
        let mut line = |row: String, column: &str, ours| {
            lines.push(Line {
                block: set.into(),
                row,
                column: column.into(),
                unit: Unit::Percent,
                printed: None,
                ours,
                digits: 1,
            });
        };
        for left_out in 0..digits {
            for (column, figure) in COLUMNS {
                let row = format!("without {left_out}");
                line(row, column, spread(left_out, figure));
            }
        }
        for (column, figure) in COLUMNS {
            let all = (0..digits).map(|left_out| Some(spread(left_out, figure)?.mean));
            let all: Option<Vec<f64>> = all.collect();
            let mean = all.and_then(|all| Spread::over(all.into_iter()));
            let mean = mean.map(|spread| Spread::single(spread.mean));
            line("mean".into(), column, mean);
        }
        lines
    }
}

/// The set, and how many of its digits are left out one after the other.
fn task(scope: &Scope) -> (&'static str, u8) {
    if scope.quick {
        ("digits", 2)
    } else {
        ("pendigits", 10)
    }
}

fn name(set: &str, left_out: u8, run: u64) -> Name {
    let name = Name::new("unknown").with("set", set);
    name.with("without", left_out).with("run", run)
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

fn measure<const D: usize>(
    train: &Dense<f32>,
    test: &Dense<f32>,
    left_out: u8,
    watch: &Watch<'_>,
) -> Result<Figures> {
    ensure!(train.dim == D && test.dim == D, "other features");
    let row = |x: &[f32]| -> [f32; D] { std::array::from_fn(|feature| x[feature]) };
    let mut model = Model::<D>::of(Standardized::of(OneVsRest::BLANK));
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
        let (class, score) = model.judge(&row(x))?;
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
