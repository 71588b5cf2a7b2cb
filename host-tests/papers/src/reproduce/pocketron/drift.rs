//! Drift: what a detector and its reactions bring where the concept changes, and cost where it does not.

use anyhow::{Context, Result};
use pocketron::{
    classifier::OnlineClassifier,
    wrap::drift::{DriftMonitor, Freeze, Reaction, Report, Reset, RollBack},
};

use super::{
    runs::{TEN_SETS, memories},
    streams::{self, STREAMS, Stream},
};
use crate::{
    data::Dense,
    learner::{self, HeapPocketron},
    options::sign,
    plot::{Axis, Trend},
    reproduce::{
        About, Bench, Cell, Experiment, Figures, FinishedCells, Line, Name, Pictures, Scope, Unit,
        Watch, wv::Problem,
    },
    spread::Spread,
};

/// Points of a curve.
const POINTS: usize = 40;

/// Reactions on alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Remedy {
    Nothing,
    Reset,
    RollBack,
    Freeze,
}

const REMEDIES: [Remedy; 4] = [
    Remedy::Nothing,
    Remedy::Reset,
    Remedy::RollBack,
    Remedy::Freeze,
];

impl Remedy {
    const fn name(self) -> &'static str {
        match self {
            Remedy::Nothing => "nothing",
            Remedy::Reset => "empty",
            Remedy::RollBack => "roll back",
            Remedy::Freeze => "freeze",
        }
    }

    /// Result of every example, and of the test part if there is one.
    fn run(
        self,
        train: &Dense<f32>,
        test: Option<&Dense<f32>>,
        task: &Task<'_>,
    ) -> Result<LearningCurve> {
        match self {
            Remedy::Nothing => learn_stream(Report, train, test, task),
            Remedy::Reset => learn_stream(Reset, train, test, task),
            Remedy::RollBack => learn_stream(RollBack::new(), train, test, task),
            Remedy::Freeze => learn_stream(Freeze::default(), train, test, task),
        }
    }
}

/// How large a model, and who watches.
struct Task<'a> {
    vectors: usize,
    watch: &'a Watch<'a>,
}

/// Result of a run.
#[derive(Default)]
struct LearningCurve {
    right: Vec<bool>,
    alarms: Vec<usize>,
    /// In percent.
    accuracy: f64,
}

fn learn_stream<R: Reaction<HeapPocketron>>(
    reaction: R,
    train: &Dense<f32>,
    test: Option<&Dense<f32>>,
    task: &Task<'_>,
) -> Result<LearningCurve> {
    let budget = learner::pocketron_budget(train.dim, task.vectors);
    let mut model = DriftMonitor::of(learner::heap_pocketron(train.dim, budget), reaction);
    let mut curve = LearningCurve::default();
    for (row, (x, label)) in train.iter().enumerate() {
        let outcome = model.learn(x, sign(label));
        let outcome = outcome.with_context(|| format!("row {row}"))?;
        curve.right.push(!outcome.mistake);
        if model.alarmed() {
            curve.alarms.push(row);
        }
        task.watch.done(row, train.len());
    }
    if let Some(test) = test {
        let mut right = 0;
        for (x, label) in test.iter() {
            let score = pocketron::classifier::Scorer::score(&model, x)?;
            right += usize::from(sign(label).value() * score > 0.0);
        }
        curve.accuracy = 100.0 * right as f64 / test.len() as f64;
    }
    Ok(curve)
}

impl LearningCurve {
    /// Percentage of right answers in a part of the stream.
    fn level(&self, from: usize, to: usize) -> f64 {
        let part = self.right.get(from..to.min(self.right.len()));
        let part = part.unwrap_or_default();
        let right = part.iter().filter(|right| **right).count();
        100.0 * right as f64 / part.len().max(1) as f64
    }

    /// Examples from the middle on until a window of 200 is within two points of the level of before.
    fn recovery(&self, before: f64) -> usize {
        const WINDOW: usize = 200;
        let (middle, end) = (self.right.len() / 2, self.right.len());
        let recovered = |from: &usize| self.level(*from, from + WINDOW) >= before - 2.0;
        let from = (middle..=end.saturating_sub(WINDOW)).find(recovered);
        from.map_or(end - middle, |from| from + WINDOW - middle)
    }

    fn figures(&self) -> Figures {
        let (len, middle) = (self.right.len(), self.right.len() / 2);
        let before = self.level(middle / 2, middle);
        let early = self.alarms.iter().filter(|row| **row < middle).count();
        let mut figures = Figures::from([
            ("before".into(), before),
            ("first 500".into(), self.level(middle, middle + 500)),
            ("after".into(), self.level(middle, len)),
            ("recovery".into(), self.recovery(before) as f64),
            ("early alarms".into(), early as f64),
            ("alarms".into(), (self.alarms.len() - early) as f64),
        ]);
        if let Some(alarm) = self.alarms.iter().find(|row| **row >= middle) {
            figures.insert("delay".into(), (alarm - middle) as f64);
        }
        for point in 0..POINTS {
            let (from, to) = (len * point / POINTS, len * (point + 1) / POINTS);
            figures.insert(format!("curve {point:02}"), self.level(from, to));
        }
        figures
    }
}

/// Drift.
pub struct Drift;

impl Experiment for Drift {
    fn about(&self) -> About {
        About {
            name: "drift",
            title: "the default learner where the concept changes, and where it does not",
            remarks: "`DriftMonitor` around the default learner in the bytes of 20 and 100 vectors of Tightest (its own 16 bytes, and a second \
                     model for *roll back*, come on top), one pass, three orders, every example predicted before it is learned. *before* \
                     is the second quarter of the stream. *Turned* streams turn at once in the middle (a board of 3 x 3 cells with one \
                     label in ten wrong by 45 degrees, the two Gaussians by 90 around the middle of one of them), *swapped* ones have \
                     their labels swapped from there on; *turning* and *swapping* ones do so little by little all through the second \
                     half (the board by 90 degrees, which brings it back to where it was, the Gaussians by 180). In *shifted* and *amplified* \
                     ones it is the sensor that changes: all features move by ten or more deviations, or are four times as large. *Disturbed* ones have swapped \
                     labels for a 25th of their examples. *recovery*: examples \
                     from the middle until a window of 200 is within two points of the level before; all that there are if none is. \
                     On alarm: *nothing* goes on, *empty* forgets vectors and scale, *roll back* returns to a copy of at most 256 examples \
                     before, *freeze* stops learning for ever. Steady sets have the accuracy on their test part. The floor of the variance (0.03) was chosen among \
                     five on simulated coin tosses, the third rate \
                     was added after the first two had not noticed any gradual change; all else was taken over from a prototype.",
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        let streams = STREAMS.iter().map(|stream| stream.name);
        streams.chain(TEN_SETS).collect()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for vectors in memories(scope) {
            for stream in streams(scope) {
                for (remedy, run) in trials(REMEDIES.into(), scope) {
                    let work = move |bench: &Bench, watch: &Watch<'_>| {
                        let data = stream.draw(bench, run)?;
                        let task = Task { vectors, watch };
                        Ok(remedy.run(&data, None, &task)?.figures())
                    };
                    let cost = stream.len * stream.dim * vectors / 1_000_000;
                    let cell =
                        Cell::new(name(stream.name, vectors, remedy, run), cost as u64, work);
                    cells.push(cell.needing(stream.files()));
                }
            }
            for problem in steady(scope) {
                for (remedy, run) in trials(AT_REST.into(), scope) {
                    let work = move |bench: &Bench, watch: &Watch<'_>| {
                        let (train, test) = problem.raw(bench, run)?;
                        let (train, test) = (train.to_f32()?, test.to_f32()?);
                        let task = Task { vectors, watch };
                        let curve = remedy.run(&train, Some(&test), &task)?;
                        Ok(Figures::from([
                            ("accuracy".into(), curve.accuracy),
                            ("alarms".into(), curve.alarms.len() as f64),
                        ]))
                    };
                    let cost = problem.learned * problem.dim * vectors / 1_000_000;
                    let cell =
                        Cell::new(name(problem.name, vectors, remedy, run), cost as u64, work);
                    cells.push(cell.needing(problem.files()));
                }
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for vectors in memories(scope) {
            for (title, figure, unit) in TABLES {
                let block = format!("{title}, bytes of {vectors}");
                lines.extend(table(&block, figure, unit, vectors, scope, kept));
            }
            let block = format!("nothing changes, bytes of {vectors}");
            for problem in steady(scope) {
                let spread = |remedy, figure| {
                    let runs = scope.runs(3, 1);
                    let names = runs.map(|run| name(problem.name, vectors, remedy, run));
                    kept.spread(names, figure)
                };
                let columns = [
                    (
                        "accuracy %, nothing",
                        Remedy::Nothing,
                        "accuracy",
                        Unit::Percent,
                    ),
                    (
                        "accuracy %, empty",
                        Remedy::Reset,
                        "accuracy",
                        Unit::Percent,
                    ),
                    ("alarms", Remedy::Reset, "alarms", Unit::Count),
                ];
                for (column, remedy, figure, unit) in columns {
                    let ours = spread(remedy, figure);
                    lines.push(Line::percent(&block, problem.name, column, ours).in_unit(unit));
                }
            }
        }
        lines
    }

    fn pictures(&self, scope: &Scope, kept: &FinishedCells, to: &mut Pictures<'_>) -> Result<()> {
        for stream in streams(scope) {
            let trend = |(colour, remedy): (usize, Remedy)| {
                let level = |point: usize| {
                    let runs = scope.runs(3, 1);
                    let names = runs.map(|run| name(stream.name, SHOWN, remedy, run));
                    let accuracy = kept.spread(names, &format!("curve {point:02}"))?;
                    let middle = (point as f64 + 0.5) / POINTS as f64;
                    Some((middle * stream.len as f64, accuracy.mean, 0.0))
                };
                Trend {
                    name: remedy.name().to_owned(),
                    colour,
                    dashed: remedy == Remedy::Nothing,
                    points: (0..POINTS).filter_map(level).collect(),
                }
            };
            let trends: Vec<_> = REMEDIES.into_iter().enumerate().map(trend).collect();
            if trends.iter().any(|trend| trend.points.is_empty()) {
                continue;
            }
            let file = format!("drift-{}", stream.name.replace(' ', "-"));
            let title = format!("{}, bytes of {SHOWN} vectors", stream.name);
            let axes = ["examples", "right before learning (%)"].map(Axis::even);
            to.lines(&file, "prequential accuracy: ", &title, axes, &trends)?;
        }
        Ok(())
    }
}

/// Remedies on sets on which nothing changes.
const AT_REST: [Remedy; 2] = [Remedy::Nothing, Remedy::Reset];

/// The memory whose curves are drawn.
const SHOWN: usize = 20;

/// Figures of every stream.
const TABLES: [(&str, &str, Unit); 6] = [
    ("accuracy % before the change", "before", Unit::Percent),
    (
        "accuracy % of the first 500 after it",
        "first 500",
        Unit::Percent,
    ),
    ("accuracy % of all after it", "after", Unit::Percent),
    ("recovery, examples", "recovery", Unit::Count),
    ("alarms after the change", "alarms", Unit::Count),
    ("alarms before the change", "early alarms", Unit::Count),
];

/// A figure of every stream by remedies, and the mean of the abrupt ones.
fn table(
    block: &str,
    figure: &str,
    unit: Unit,
    vectors: usize,
    scope: &Scope,
    kept: &FinishedCells,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for stream in streams(scope) {
        for remedy in REMEDIES {
            let runs = scope.runs(3, 1);
            let names = runs.map(|run| name(stream.name, vectors, remedy, run));
            let ours = kept.spread(names, figure);
            lines.push(Line::percent(block, stream.name, remedy.name(), ours).in_unit(unit));
        }
    }
    let groups = [
        ("mean of abrupt", streams::DriftKind::Abrupt),
        ("mean of gradual", streams::DriftKind::Gradual),
        ("mean of passing", streams::DriftKind::Passing),
    ];
    for (row, drift) in groups {
        if !streams(scope).any(|stream| stream.drift == drift) {
            continue;
        }
        for remedy in REMEDIES {
            let means = streams(scope).filter(|stream| stream.drift == drift);
            let means = means.map(|stream| {
                let own = |line: &&Line| line.row == stream.name && line.column == remedy.name();
                Some(lines.iter().find(own)?.ours?.mean)
            });
            let means: Option<Vec<f64>> = means.collect();
            let mean = means.and_then(|means| Spread::over(means.into_iter()));
            let mean = mean.map(Spread::mean_alone);
            lines.push(Line::percent(block, row, remedy.name(), mean).in_unit(unit));
        }
    }
    lines
}

fn name(set: &str, vectors: usize, remedy: Remedy, run: u64) -> Name {
    let set = set.replace(' ', "-");
    let name = Name::new("drift").with("set", set).with("vectors", vectors);
    name.with("on-alarm", remedy.name().replace(' ', "-"))
        .with("run", run)
}

fn trials(remedies: Vec<Remedy>, scope: &Scope) -> Vec<(Remedy, u64)> {
    let runs = scope.runs(3, 1);
    let trials = remedies.into_iter();
    trials
        .flat_map(|remedy| runs.clone().map(move |run| (remedy, run)))
        .collect()
}

fn streams(scope: &Scope) -> impl Iterator<Item = &'static Stream> {
    let quick = |stream: &&Stream| !scope.quick || stream.name.starts_with("board");
    let wanted = STREAMS.iter().filter(|stream| scope.wants_set(stream.name));
    wanted.filter(quick)
}

fn steady(scope: &Scope) -> impl Iterator<Item = &'static Problem> {
    let quick = |set: &&str| !scope.quick || *set == "gauss";
    let wanted = TEN_SETS.into_iter().filter(|set| scope.wants_set(set));
    wanted.filter(quick).filter_map(Problem::named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recovery_counts_from_the_middle() {
        let mut curve = LearningCurve {
            right: vec![true; 2000],
            ..LearningCurve::default()
        };
        assert_eq!(curve.recovery(100.0), 200);
        curve.right[1000..1100].fill(false);
        // Two in a hundred may be wrong: the window from 1096 to 1296 has four.
        assert_eq!(curve.recovery(100.0), 296);
        curve.right[1000..].fill(false);
        assert_eq!(curve.recovery(100.0), 1000);
        assert_eq!(curve.level(500, 1500), 50.0);
    }
}
