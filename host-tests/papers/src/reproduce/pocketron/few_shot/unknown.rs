//! A class that nobody has taught: is it called unknown, and how sure are the answers?

use anyhow::{Context, Result};
use pocketron::{classifier::OnlineClassifier as _, label::Class};

use super::{
    baseline::Batch,
    draw::Draw,
    learner::{self, Shape},
    order::Order,
    percent,
    problem::{self, Problem, Rows},
    seed,
    trial::runs,
};
use crate::{
    data::shuffle::permutation,
    reproduce::{About, Bench, Cell, Experiment, Figures, FinishedCells, Line, Name, Scope, Watch},
};

/// Unknown classes after few examples.
pub struct Unknown;

const SETS: [&str; 5] = ["uwave", "basicmotions", "digits", "pendigits", "penguins"];

const BUDGET: usize = 100;

/// Taught examples of all classes together.
const TAUGHT: [usize; 4] = [16, 24, 48, 100];

/// Rows to test on at most.
const TESTED: usize = 800;

/// Share of the known rows that a threshold calls unknown.
const UNKNOWN: f64 = 0.1;

/// Bins of the calibration error.
const BINS: usize = 10;

const ACCURACY: &str = "accuracy";
const PROBABILITY: &str = "mean probability";
const ERROR: &str = "calibration error";
const FALSE: &str = "known called unknown";
const FOUND: &str = "unknown found";
const OURS: &str = "found at 10 %";
const NEAREST: &str = "found at 10 %, 1-NN";
const NEAREST_THREE: &str = "found at 10 %, 3-NN";

/// Columns of every set: a heading, and the figure.
const COLUMNS: [&str; 8] = [
    ACCURACY,
    PROBABILITY,
    ERROR,
    FALSE,
    FOUND,
    OURS,
    NEAREST,
    NEAREST_THREE,
];

impl Experiment for Unknown {
    fn about(&self) -> About {
        About {
            name: "few-shot-unknown",
            title: "probability and unknown classes after few examples",
            remarks: "`Confident<PocketronMulti, C>` with 100 vectors. Each class is left out in turn; 16, 24, 48 or 100 examples of the \
                     others are taught, class after class. Mean over the classes left out, and its standard deviation over ten draws. \
                     *Accuracy*, *mean probability* and *calibration error* (10 bins, rows of all classes left out together) are on known \
                     test rows; *unknown found* is the share of test rows of the class left out that is called unknown. *Found at 10 %*: \
                     the same at the threshold on the test rows that calls 10 % of the known ones unknown, by our measure, by the \
                     distance to the nearest of all taught examples (*1-NN*), and by the mean distance to the three nearest (*3-NN*), both \
                     standardised on the taught examples. Basicmotions has 60 rows of known classes, so that 100 cannot be taught, and \
                     after 48 there are 12 known test rows in each turn.",
            why: "The target, 80 % of the unknown rows found at 10 % of the known ones called unknown, is not reached after 48 taught \
                     examples. Distances to neighbours need all taught examples: they find more on uwave and penguins, less on \
                     basicmotions and digits. In a trial with other draws of 48 examples, our measure found 64 to 68 % on uwave and 60 to 65 % on \
                     basicmotions; k-NN distances, kernel densities, local outlier factor and Mahalanobis distances found 32 to 67 % \
                     and 52 to 84 %. A distance scaled by each class's own variance per feature found 95 % on basicmotions, but 50 % on \
                     uwave and 35 % on digits. Probabilities are too low after 16 and 24 examples on uwave and digits.",
            sets: &SETS,
            ..About::EMPTY
        }
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for problem in task(scope) {
            for run in runs(scope) {
                let work =
                    move |bench: &Bench, watch: &Watch<'_>| measure(problem, bench, run, watch);
                let cost = 2 * problem.classes * TESTED * BUDGET * problem.dim / 1_000_000;
                let cell = Cell::new(name(problem, run), cost as u64, work);
                cells.push(cell.needing(problem.files()));
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for problem in task(scope) {
            for taught in sizes(problem) {
                for column in COLUMNS {
                    let names = runs(scope).map(|run| name(problem, run));
                    let ours = kept.spread(names, &figure(column, taught));
                    lines.push(Line::percent(
                        problem.name,
                        format!("{taught} taught"),
                        column,
                        ours,
                    ));
                }
            }
        }
        lines
    }
}

/// The sets, if they and the budget are wanted.
fn task(scope: &Scope) -> Vec<&'static Problem> {
    match scope.wants_budget(BUDGET) {
        true => problem::wanted(scope, &SETS),
        false => Vec::new(),
    }
}

fn name(problem: &Problem, run: u64) -> Name {
    let name = Name::new("few-shot-unknown").with("set", problem.name);
    name.with("B", BUDGET).with("run", run)
}

fn figure(column: &str, taught: usize) -> String {
    format!("{column}, {taught} taught")
}

/// Numbers of taught examples that leave rows of every class to test on.
fn sizes(problem: &Problem) -> impl Iterator<Item = usize> {
    let enough =
        |taught: &usize| taught.div_ceil(problem.classes - 1) < problem.rows / problem.classes;
    TAUGHT.into_iter().filter(enough)
}

fn measure(problem: &Problem, bench: &Bench, run: u64, watch: &Watch<'_>) -> Result<Figures> {
    let rows = problem.load(bench)?;
    let mut figures = Figures::new();
    let sizes: Vec<_> = sizes(problem).collect();
    for (number, taught) in sizes.iter().enumerate() {
        let mut turns = Vec::new();
        for left_out in 0..problem.classes {
            turns.push(Turn::new(problem, &rows, left_out as u8, *taught, run)?);
        }
        let values = summary(&turns).context("no test rows")?;
        figures.extend(values.map(|(column, value)| (figure(column, *taught), value)));
        watch.done(number + 1, sizes.len());
    }
    Ok(figures)
}

/// Results of the test rows without one class.
struct Turn {
    /// Of each known row: whether the answer is right, and its probability.
    answers: Vec<(bool, f64)>,
    /// Shares of known and unknown rows that are called unknown.
    rejected: (f64, f64),
    /// Shares of unknown rows beyond the threshold: our measure, the nearest example, the nearest three.
    found: [f64; 3],
}

impl Turn {
    fn new(problem: &Problem, rows: &Rows, left_out: u8, taught: usize, run: u64) -> Result<Self> {
        let (draw, known) = draw(problem, rows, left_out, taught, run);
        let mut model = learner::confident(Shape {
            dim: problem.dim,
            classes: problem.classes,
            budget: BUDGET,
        })?;
        for example in Order::Blocked(1).sequence(&draw.classes, seed(run, 4)) {
            let x = rows.device.row(draw.examples[example]);
            model.learn(x, Class(draw.classes[example]))?;
        }
        let (mut answers, mut novelties, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
        for row in &draw.test {
            let x = rows.device.row(*row);
            let answer = model.answer(x)?;
            let class = rows.class(*row);
            if class != left_out {
                let right = answer.label == Class(class);
                answers.push((right, f64::from(answer.probability)));
            }
            novelties.push(model.novelty(x)?.unwrap_or(f32::INFINITY));
            rejected.push(!answer.known);
        }
        let share = |part: &[bool]| {
            let count = part.iter().filter(|unknown| **unknown).count();
            count as f64 / part.len().max(1) as f64
        };
        let (of_known, of_unknown) = rejected.split_at(known);
        let batch = Batch::new(rows, &draw.examples, &draw.classes, &draw.test)?;
        let measures = [novelties, batch.distances(1), batch.distances(3)];
        Ok(Turn {
            answers,
            rejected: (share(of_known), share(of_unknown)),
            found: measures.map(|measure| {
                let (known, unknown) = measure.split_at(known);
                found(known, unknown, UNKNOWN)
            }),
        })
    }
}

/// As many examples of each class but one, and test rows: how many of them are of known classes, which come first.
fn draw(problem: &Problem, rows: &Rows, left_out: u8, taught: usize, run: u64) -> (Draw, usize) {
    let others = problem.classes - 1;
    let mut left = vec![0; problem.classes];
    let classes = (0..problem.classes).filter(|class| *class != usize::from(left_out));
    for (place, class) in classes.enumerate() {
        left[class] = taught / others + usize::from(place < taught % others);
    }
    let order = permutation(rows.exact.len(), seed(run, 0)).into_iter();
    let (examples, mut test): (Vec<_>, Vec<_>) = order.partition(|row| {
        let left = &mut left[usize::from(rows.class(*row))];
        let taught = *left > 0;
        *left = left.saturating_sub(1);
        taught
    });
    test.truncate(TESTED);
    test.sort_by_key(|row| rows.class(*row) == left_out);
    let known = test.partition_point(|row| rows.class(*row) != left_out);
    let classes = examples.iter().map(|row| rows.class(*row)).collect();
    let draw = Draw {
        examples,
        classes,
        test,
    };
    (draw, known)
}

/// Share of the unknown above the threshold that a share of the known is above; between two known values, the mean of both
/// weighted by distance, as a ROC curve is drawn.
fn found(known: &[f32], unknown: &[f32], share: f64) -> f64 {
    let mut known = known.to_vec();
    known.sort_by(|a, b| b.total_cmp(a));
    let place = share * known.len() as f64;
    let above = |place: usize| {
        let threshold = known.get(place).copied().unwrap_or(f32::NEG_INFINITY);
        let above = unknown.iter().filter(|value| **value > threshold);
        above.count() as f64 / unknown.len().max(1) as f64
    };
    let (whole, part) = (place.floor() as usize, place.fract());
    (1.0 - part) * above(whole) + part * above(whole + 1)
}

/// All figures in percent, if there are test rows.
fn summary(turns: &[Turn]) -> Option<[(&'static str, f64); 8]> {
    let answers: Vec<_> = turns.iter().flat_map(|turn| &turn.answers).collect();
    let count = answers.len() as f64;
    if answers.is_empty() {
        return None;
    }
    let mean = |value: &dyn Fn(&Turn) -> f64| {
        100.0 * turns.iter().map(value).sum::<f64>() / turns.len() as f64
    };
    let right = answers.iter().filter(|(right, _)| *right).count();
    let probable = answers.iter().map(|(_, share)| share).sum::<f64>() / count;
    Some([
        (ACCURACY, percent(right, answers.len())),
        (PROBABILITY, 100.0 * probable),
        (ERROR, 100.0 * calibration_error(&answers)),
        (FALSE, mean(&|turn| turn.rejected.0)),
        (FOUND, mean(&|turn| turn.rejected.1)),
        (OURS, mean(&|turn| turn.found[0])),
        (NEAREST, mean(&|turn| turn.found[1])),
        (NEAREST_THREE, mean(&|turn| turn.found[2])),
    ])
}

/// Expected calibration error in bins of equal width.
pub fn calibration_error(answers: &[&(bool, f64)]) -> f64 {
    let mut bins = [0.0; BINS];
    for (right, probability) in answers {
        let bin = ((probability * BINS as f64) as usize).min(BINS - 1);
        bins[bin] += probability - f64::from(u8::from(*right));
    }
    bins.iter().map(|excess| excess.abs()).sum::<f64>() / answers.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_is_read_off_the_roc_curve() {
        let known: Vec<f32> = (0..10).map(|n| n as f32).collect();
        let unknown = [3.5, 8.5, 9.5, 9.0];
        // One of ten is above 8: three of four are.
        assert_eq!(found(&known, &unknown, 0.1), 0.75);
        // None is above 9: one is; and halfway in between.
        assert_eq!(found(&known, &unknown, 0.0), 0.25);
        assert_eq!(found(&known, &unknown, 0.05), 0.5);
        assert_eq!(found(&known, &unknown, 1.0), 1.0);
        assert_eq!(found(&[1.0], &[f32::INFINITY], 0.1), 1.0);
    }

    #[test]
    fn probabilities_are_compared_with_the_share_that_is_right() {
        let sure = [(true, 0.95), (true, 0.95), (false, 0.55), (true, 0.55)];
        let sure: Vec<_> = sure.iter().collect();
        assert!((calibration_error(&sure) - (0.1 + 0.1) / 4.0).abs() < 1e-9);
        assert_eq!(calibration_error(&[&(true, 1.0)]), 0.0);
    }

    #[test]
    fn no_example_is_of_the_class_left_out_and_none_is_tested() {
        let problem = Problem::named("digits").unwrap();
        let rows = problem.load(&Bench::new(None)).unwrap();
        let (draw, known) = draw(problem, &rows, 3, 48, 1);
        assert_eq!((draw.examples.len(), draw.test.len()), (48, TESTED));
        for class in 0..10 {
            let count = draw.classes.iter().filter(|own| **own == class).count();
            assert!(if class == 3 {
                count == 0
            } else {
                [5, 6].contains(&count)
            });
        }
        let (first, later) = draw.test.split_at(known);
        assert!(first.iter().all(|row| rows.class(*row) != 3));
        assert!(later.iter().all(|row| rows.class(*row) == 3));
        assert!(!later.is_empty());
        assert!(draw.test.iter().all(|row| !draw.examples.contains(row)));
        let largest = |name| sizes(Problem::named(name).unwrap()).max();
        assert_eq!(largest("basicmotions"), Some(48));
        assert_eq!(largest("penguins"), Some(100));
    }
}
