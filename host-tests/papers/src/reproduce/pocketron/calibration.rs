//! Probabilities: how far they are from what happens, and what it brings to answer only when sure.

use anyhow::{Context, Result};
use pocketron::{classifier::OnlineClassifier, label::Sign, wrap::confidence::Calibrated};

use super::runs::memories;
use crate::{
    learner,
    options::sign,
    reproduce::{
        About, Bench, Cell, Experiment, Figures, FinishedCells, Line, Name, Scope, Unit, Watch,
        wv::Problem,
    },
    spread::Spread,
};

const SETS: [&str; 6] = [
    "adult9",
    "ijcnn",
    "usps",
    "waveform",
    "letter",
    "ncheckerboard",
];

/// Sets that are drawn.
const QUICK: [&str; 2] = ["waveform", "ncheckerboard"];

/// Shares of the test part that are answered, the surest first.
const ANSWERED: [usize; 6] = [100, 95, 90, 80, 70, 50];

/// Where probabilities are held against labels, and how they are made of scores.
const COLUMNS: [(&str, &str); 4] = [
    ("stream", "sigma(f)"),
    ("stream", "Platt"),
    ("test", "sigma(f)"),
    ("test", "Platt"),
];

/// Probabilities in the stream.
pub struct Calibration;

impl Experiment for Calibration {
    fn about(&self) -> About {
        About {
            name: "calibration",
            title: "the default learner's probabilities, and answers only when sure",
            remarks: "`Calibrated` around the default learner in the bytes of 20 and 100 vectors of Tightest (its own 12 bytes come on \
                     top), one pass, three orders. The expected calibration error has 15 bins of equal width over the probability of the \
                     positive class; the log loss is in nats. *sigma(f)* is the logistic function of the bare score, *Platt* the one that \
                     is fitted in the stream with a rate of 0.01. *stream*: the second half of the pass, every example before it is \
                     learned; *test*: the test part after the pass. NCheckerboard's test labels have no noise, those of its stream 15 %: \
                     probabilities that are right for the stream are too modest for the test part. The last blocks have the accuracy on \
                     the test part when only the most confident share of it is answered. Rate, start and waiting time were taken over \
                     from a prototype; nothing was tried here but them.",
            ..About::EMPTY
        }
    }

    fn sets(&self) -> Vec<&'static str> {
        SETS.into()
    }

    fn cells(&self, scope: &Scope) -> Result<Vec<Cell>> {
        let mut cells = Vec::new();
        for (problem, vectors) in tasks(scope) {
            for run in scope.runs(3, 1) {
                let work = move |bench: &Bench, watch: &Watch<'_>| {
                    measure(problem, vectors, bench, run, watch)
                };
                let cost = problem.learned * problem.dim * vectors / 1_000_000;
                let name = name(problem, vectors, run);
                cells.push(Cell::new(name, cost as u64, work).needing(problem.files()));
            }
        }
        Ok(cells)
    }

    fn lines(&self, scope: &Scope, kept: &FinishedCells) -> Vec<Line> {
        let mut lines = Vec::new();
        for (problem, vectors) in tasks(scope) {
            let spread = |figure: &str| {
                let names = scope.runs(3, 1).map(|run| name(problem, vectors, run));
                kept.spread(names, figure)
            };
            let mut line = |block: String, column: String, unit, ours: Option<Spread>| {
                lines.push(
                    Line::percent(
                        format!("{block}, bytes of {vectors}"),
                        problem.name,
                        column,
                        ours,
                    )
                    .in_unit(unit)
                    .with_digits(if unit == Unit::Value { 3 } else { 1 }),
                );
            };
            for (part, kind) in COLUMNS {
                let column = format!("{kind}, {part}");
                let error = spread(&format!("{column} error"));
                let block = "expected calibration error %".to_owned();
                line(block, column.clone(), Unit::Percent, error);
                let loss = spread(&format!("{column} loss"));
                line("log loss".to_owned(), column, Unit::Value, loss);
            }
            for share in ANSWERED {
                let accuracy = spread(&format!("answered {share}"));
                let block = "accuracy % of the surest".to_owned();
                line(block, format!("{share} %"), Unit::Percent, accuracy);
            }
        }
        // Blocks one after the other, not mixed by sets.
        let mut blocks: Vec<String> = Vec::new();
        for line in &lines {
            if !blocks.contains(&line.block) {
                blocks.push(line.block.clone());
            }
        }
        lines.sort_by_key(|line| blocks.iter().position(|block| *block == line.block));
        lines
    }
}

fn tasks(scope: &Scope) -> impl Iterator<Item = (&'static Problem, usize)> {
    let wanted = |set: &&str| scope.wants_set(set) && (!scope.quick || QUICK.contains(set));
    let problems: Vec<_> = SETS.into_iter().filter(wanted).collect();
    memories(scope).flat_map(move |vectors| {
        let problems = problems.clone().into_iter().filter_map(Problem::named);
        problems.map(move |problem| (problem, vectors))
    })
}

fn name(problem: &Problem, vectors: usize, run: u64) -> Name {
    let name = Name::new("calibration").with("set", problem.name);
    name.with("vectors", vectors).with("run", run)
}

/// One pass, then the test part.
fn measure(
    problem: &Problem,
    vectors: usize,
    bench: &Bench,
    run: u64,
    watch: &Watch<'_>,
) -> Result<Figures> {
    let (train, test) = problem.raw(bench, run)?;
    let (train, test) = (train.to_f32()?, test.to_f32()?);
    let budget = learner::pocketron_budget(train.dim, vectors);
    let mut model = Calibrated::of(learner::heap_pocketron(train.dim, budget));
    let (mut stream, mut tested) = (Answers::default(), Answers::default());
    for (row, (x, label)) in train.iter().enumerate() {
        let (platt, label) = (*model.platt(), sign(label));
        let outcome = model
            .learn(x, label)
            .with_context(|| format!("row {row}"))?;
        if row >= train.len() / 2 {
            stream.add(outcome.score, platt.probability(outcome.score), label);
        }
        watch.done(row, train.len());
    }
    for (x, label) in test.iter() {
        let score = pocketron::classifier::Scorer::score(&model, x)?;
        tested.add(score, model.platt().probability(score), sign(label));
    }
    let mut figures = Figures::new();
    for (part, answers) in [("stream", &stream), ("test", &tested)] {
        let kinds = [("sigma(f)", answers.bare()), ("Platt", answers.platt())];
        for (kind, probabilities) in kinds {
            let error = 100.0 * calibration_error(&probabilities);
            figures.insert(format!("{kind}, {part} error"), error);
            figures.insert(format!("{kind}, {part} loss"), log_loss(&probabilities));
        }
    }
    for (share, accuracy) in ANSWERED.into_iter().zip(tested.answered()) {
        figures.insert(format!("answered {share}"), accuracy);
    }
    Ok(figures)
}

/// Scores, probabilities and labels.
#[derive(Default)]
struct Answers(Vec<(f64, f64, Sign)>);

impl Answers {
    fn add(&mut self, score: f32, probability: f32, label: Sign) {
        self.0.push((score.into(), probability.into(), label));
    }

    fn platt(&self) -> Vec<(f64, Sign)> {
        self.0.iter().map(|(_, p, label)| (*p, *label)).collect()
    }

    fn bare(&self) -> Vec<(f64, Sign)> {
        let logistic = |score: f64| 1.0 / (1.0 + libm::exp(-score));
        let answers = self.0.iter();
        answers
            .map(|(f, _, label)| (logistic(*f), *label))
            .collect()
    }

    /// Accuracy in percent among the surest answers.
    fn answered(&self) -> [f64; ANSWERED.len()] {
        let answer = |(score, positive, label): &(f64, f64, Sign)| {
            let sure = if *score > 0.0 {
                *positive
            } else {
                1.0 - positive
            };
            (sure, label.value() * *score as f32 > 0.0)
        };
        let mut answers: Vec<_> = self.0.iter().map(answer).collect();
        answers.sort_by(|a, b| b.0.total_cmp(&a.0));
        ANSWERED.map(|share| {
            let count = (answers.len() * share / 100).max(1);
            let right = answers.iter().take(count).filter(|answer| answer.1);
            100.0 * right.count() as f64 / count as f64
        })
    }
}

/// Mean distance of probability and share of positive ones, in 15 bins.
fn calibration_error(answers: &[(f64, Sign)]) -> f64 {
    const BINS: usize = 15;
    let mut bins = [(0.0, 0.0); BINS];
    for (p, label) in answers {
        let bin = &mut bins[((p * BINS as f64) as usize).min(BINS - 1)];
        bin.0 += p;
        bin.1 += f64::from(u8::from(*label == Sign::Pos));
    }
    let apart = bins.iter().map(|(said, found)| (said - found).abs());
    apart.sum::<f64>() / answers.len() as f64
}

fn log_loss(answers: &[(f64, Sign)]) -> f64 {
    let loss = |(p, label): &(f64, Sign)| {
        let right = if *label == Sign::Pos { *p } else { 1.0 - p };
        // In f32 a probability may be zero.
        -libm::log(right.max(1e-7))
    };
    answers.iter().map(loss).sum::<f64>() / answers.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_and_losses_are_those_of_hand() {
        let answers = [
            (0.9, Sign::Pos),
            (0.9, Sign::Neg),
            (0.1, Sign::Neg),
            (0.5, Sign::Pos),
        ];
        // |1.8 - 1| + |0.1 - 0| + |0.5 - 1| of four.
        assert!((calibration_error(&answers) - 1.4 / 4.0).abs() < 1e-12);
        let loss = -(0.9_f64.ln() + 0.1_f64.ln() + 0.9_f64.ln() + 0.5_f64.ln()) / 4.0;
        assert!((log_loss(&answers) - loss).abs() < 1e-12);
    }

    #[test]
    fn the_surest_are_answered_first() {
        let mut answers = Answers::default();
        for n in 0..100_u8 {
            // Ten wrong ones, and nobody is less sure than they.
            let sure = if n < 10 { 0.55 } else { 0.9 };
            let label = Sign::of(if n < 10 { -1.0 } else { 1.0 });
            answers.add(1.0, sure, label);
        }
        let expected = [90.0, 100.0 * 90.0 / 95.0, 100.0, 100.0, 100.0, 100.0];
        assert_eq!(answers.answered(), expected);
    }
}
