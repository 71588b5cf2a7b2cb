//! Figure 2: what every algorithm makes of the noisy checkerboard with 500 support vectors, and how long the two best
//! take.

use anyhow::{Context, Result};
use cpu_time::ThreadTime;
use pocketron::kernel::Kernel;

use super::{
    accuracy::COLUMNS,
    problem::Problem,
    runs::{self, ComparedLearner},
};
use crate::{
    data::Dense,
    options::sign,
    plot::{Axis, Contours, Panels, Trend},
    reproduce::{
        About, Bench, Cell, Experiment, Figures, FinishedCells, Name, Pictures, Scope, Watch,
    },
    trace,
};

const BUDGET: usize = 500;
/// Corners of the grid along a side of a panel.
const SIDE: usize = 121;
/// The square of the plane that is shown, in deviations.
const RANGE: (f64, f64) = (-1.9, 1.9);
/// After so many examples the time is taken.
const STEP: usize = 1000;
/// Whose time the paper compares.
const TIMED: [ComparedLearner; 2] = [runs::TIGHTER_FULL, runs::TIGHTEST];

/// The noisy checkerboard.
const SET: &str = "ncheckerboard";

/// Figure 2.
pub struct Boundaries;

impl Experiment for Boundaries {
    fn about(&self) -> About {
        About {
            name: "wv-fig2",
            title: "boundaries, margins and support vectors on the noisy checkerboard (Wang and Vucetic, Figure 2)",
            remarks: "A budget of 500 on the first of the runs of Table 2; the kernel perceptron keeps all its support vectors. Both axes \
                     are features in deviations. The times are those of the host, where both learners have memory for similarities: \
                     Tighter-Full keeps those of all examples seen, Tightest those of its support vectors.",
            sets: &[SET],
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        if !scope.wants_set(problem().name) {
            return Ok(Vec::new());
        }
        let run = scope.seed;
        let panels = shown(scope).map(move |learner| {
            let work = move |bench: &Bench, _: &Watch<'_>| learn(&learner, run, bench);
            Cell::new(name("wv-boundary", &learner, run), 200, work)
        });
        let timed = TIMED.into_iter().filter(|_| !scope.quick);
        let times = timed.map(move |learner| {
            let work = move |bench: &Bench, watch: &Watch<'_>| time(&learner, run, bench, watch);
            Cell::new(name("wv-time", &learner, run), 1000, work)
        });
        Ok(panels.chain(times).collect())
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        let (train, _) = problem().run(&Bench::new(None), scope.seed)?;
        let mut panels = Vec::new();
        for learner in shown(scope) {
            if let Some(figures) = kept.figures(&name("wv-boundary", &learner, scope.seed)) {
                panels.push(panel(&learner, figures, &train)?);
            }
        }
        if !panels.is_empty() {
            let (panels, columns) = (&panels, 4);
            let About { name, title, .. } = self.about();
            to.add(name, title, |path| Panels { panels, columns }.write(path))?;
        }
        self.draw_times(scope, kept, to)
    }
}

impl Boundaries {
    /// Seconds against examples, if they were taken.
    fn draw_times(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        let trend = |(number, learner): (usize, &ComparedLearner)| {
            let figures = kept.figures(&name("wv-time", learner, scope.seed))?;
            let point = |examples: usize| {
                let seconds = figures.get(&format!("seconds {examples}"))?;
                Some((examples as f64, *seconds, 0.0))
            };
            let examples = (STEP..=problem().learned).step_by(STEP);
            Some(Trend {
                name: learner.name.to_owned(),
                colour: number,
                dashed: false,
                points: examples.filter_map(point).collect(),
            })
        };
        let trends: Vec<_> = TIMED.iter().enumerate().filter_map(trend).collect();
        let file = format!("{}-time", self.name());
        let title = "Time to learn the noisy checkerboard";
        to.lines(
            &file,
            "",
            title,
            ["examples", "seconds"].map(Axis::even),
            &trends,
        )
    }
}

fn problem() -> &'static Problem {
    Problem::named(SET).expect("a problem of Table 1")
}

/// The algorithms of the panels: when time is short, those that take seconds.
fn shown(scope: &Scope) -> impl Iterator<Item = ComparedLearner> {
    let quick = scope.quick;
    let slow = [runs::TIGHTER_FULL, runs::TIGHTER];
    let all = COLUMNS.into_iter();
    all.filter(move |learner| !(quick && slow.contains(learner)))
}

fn name(family: &str, learner: &ComparedLearner, run: u64) -> Name {
    let name = Name::new(family).with("learner", learner.name);
    name.with("B", BUDGET).with("run", run)
}

/// Which rows are stored at the end, and with which coefficients.
fn learn(learner: &ComparedLearner, run: u64, bench: &Bench) -> Result<Figures> {
    let (train, _) = problem().run(bench, run)?;
    let mut learner = learner.build(problem(), Some(BUDGET), run)?;
    let trace = trace::follow(&mut *learner, &train, 1)?;
    let stored = trace.sv.iter().zip(&trace.alpha).enumerate();
    let figures = stored.flat_map(|(number, (row, alpha))| {
        [
            (format!("row {number}"), *row as f64),
            (format!("alpha {number}"), f64::from(*alpha)),
        ]
    });
    Ok(figures.collect())
}

/// Seconds of processor until every thousandth example: others may be at work beside it.
fn time(learner: &ComparedLearner, run: u64, bench: &Bench, watch: &Watch<'_>) -> Result<Figures> {
    let (train, _) = problem().run(bench, run)?;
    let mut learner = learner.build(problem(), Some(BUDGET), run)?;
    let mut figures = Figures::new();
    let start = ThreadTime::now();
    for (row, (x, label)) in train.iter().enumerate() {
        learner.learn(x, sign(label))?;
        if (row + 1) % STEP == 0 {
            let seconds = start.elapsed().as_secs_f64();
            figures.insert(format!("seconds {}", row + 1), seconds);
            watch.done(row + 1, train.len());
        }
    }
    Ok(figures)
}

fn panel(learner: &ComparedLearner, figures: &Figures, train: &Dense<f32>) -> Result<Contours> {
    let kernel = problem().kernel();
    let mut stored: Vec<([f32; 2], f32)> = Vec::new();
    while let Some(row) = figures.get(&format!("row {}", stored.len())) {
        let alpha = figures.get(&format!("alpha {}", stored.len()));
        let alpha = alpha.context("a support vector without a coefficient")?;
        let x = train.row(*row as usize);
        stored.push(([x[0], x[1]], *alpha as f32));
    }
    let score = |at: [f64; 2]| {
        let x = at.map(|value| value as f32);
        let terms = stored
            .iter()
            .map(|(own, alpha)| alpha * kernel.pair(own, &x));
        f64::from(terms.sum::<f32>())
    };
    let points = stored
        .iter()
        .map(|(x, alpha)| (x.map(f64::from), *alpha > 0.0));
    Ok(Contours {
        title: format!("{}, {} vectors", learner.name, stored.len()),
        range: RANGE,
        side: SIDE,
        values: Contours::corners(RANGE, SIDE).map(score).collect(),
        points: points.collect(),
    })
}
