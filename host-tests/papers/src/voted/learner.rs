//! One perceptron for each class, all in step.

use std::{
    error::Error,
    fmt,
    ops::{ControlFlow, Range},
};

use rayon::prelude::*;

use super::{
    bench::{Bench, Scores},
    mistake_log::{ClassHistory, MistakeLog, Visit},
    outcome::{Checkpoint, Standing, Verdict},
    panel::{Similarity, WIDTH},
    panel_scores::PanelScores,
    problem::Problem,
};

/// Rows that are visited in one go: those still to come hear of a mistake at once, all others later.
/// A multiple of [`WIDTH`].
const SPAN: usize = 1024;

/// Why training ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Halt {
    /// The one who watches asked for it.
    Asked,
    /// A score or a similarity is beyond f32; the core would refuse the example.
    Overflow,
}

impl fmt::Display for Halt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Halt::Asked => "stopped",
            Halt::Overflow => "a score or a similarity is beyond the range of f32",
        })
    }
}

impl Error for Halt {}

/// Perceptrons for each class against the rest, and what all their hypotheses make of the test rows.
///
/// Keeps the similarities of the support vectors with the test rows: at degree 1 on MNIST, 33,000
/// vectors after ten epochs, that is 1.3 GB.
#[derive(Debug)]
pub struct Learner<'a> {
    problem: &'a Problem,
    kernel: Similarity,
    /// Similarity of each training row with itself.
    own: Vec<f32>,
    panel_scores: Vec<PanelScores<'a>>,
    benches: Vec<Bench<'a>>,
    mistake_log: MistakeLog,
    visits: usize,
    evaluations: u64,
}

impl<'a> Learner<'a> {
    /// Nothing learned yet, with the kernel `(1 + a . b)^degree`; degrees from 1 to 6.
    pub fn new(problem: &'a Problem, degree: u32) -> Option<Self> {
        let kernel = Similarity::of_degree(degree)?;
        let classes = problem.labels().len();
        let panel_scores = problem.training.panels.iter();
        let test = &problem.test;
        let benches = test.panels.iter().zip(test.classes.chunks(WIDTH));
        Some(Learner {
            problem,
            kernel,
            own: problem.sparse.iter().map(|x| kernel.own(x)).collect(),
            panel_scores: panel_scores
                .map(|panel| PanelScores::new(panel, classes))
                .collect(),
            benches: benches
                .map(|(panel, rows)| Bench::new(panel, rows, classes))
                .collect(),
            mistake_log: MistakeLog::new(classes),
            visits: 0,
            evaluations: 0,
        })
    }

    /// Training rows looked at so far, all epochs together.
    pub fn visits(&self) -> usize {
        self.visits
    }

    /// The hypotheses of each class.
    pub fn class_histories(&self) -> &[ClassHistory] {
        self.mistake_log.class_histories()
    }

    /// Kernel evaluations so far.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Goes on until so many visits; `watch` hears now and then how many there were, and may stop.
    ///
    /// # Errors
    ///
    /// Training was stopped, or a score is beyond f32. What was learned stays, and after a stop
    /// it can go on.
    pub fn learn_until(
        &mut self,
        visits: usize,
        mut watch: impl FnMut(usize) -> ControlFlow<()>,
    ) -> Result<(), Halt> {
        let rows = self.problem.rows();
        while self.visits < visits {
            if watch(self.visits).is_break() {
                return Err(Halt::Asked);
            }
            let row = self.visits % rows;
            let span = row - row % SPAN..rows.min(row - row % SPAN + SPAN);
            let panel_scores = span.start / WIDTH..span.end.div_ceil(WIDTH);
            let (mistake_log, problem, kernel) = (&self.mistake_log, self.problem, &self.kernel);
            let near = self.panel_scores[panel_scores.clone()].par_iter_mut();
            let evaluations =
                near.map(|panel_scores| panel_scores.catch_up(mistake_log, problem, kernel));
            self.evaluations += evaluations.sum::<u64>();
            for row in row..span.end.min(row + visits - self.visits) {
                self.visit(row, row / WIDTH..panel_scores.end)?;
            }
        }
        Ok(())
    }

    /// Looks at a row; `near` are the desks with visits soon, which hear of a mistake at once.
    fn visit(&mut self, row: usize, near: Range<usize>) -> Result<(), Halt> {
        let scores: Vec<f32> = self.panel_scores[row / WIDTH].scores(row % WIDTH).collect();
        let mut numbers = scores.iter().chain([&self.own[row]]);
        if !numbers.all(|number| number.is_finite()) {
            return Err(Halt::Overflow);
        }
        let visit = Visit {
            time: self.visits as u32,
            row: row as u32,
            class: self.problem.training.classes[row],
            scores: &scores,
            self_similarity: self.own[row],
        };
        self.visits += 1;
        if self.mistake_log.record(&visit) {
            for panel_scores in &mut self.panel_scores[near] {
                self.evaluations +=
                    panel_scores.catch_up(&self.mistake_log, self.problem, &self.kernel);
            }
        }
        Ok(())
    }

    /// How the present and past hypotheses do on the test rows.
    pub fn checkpoint(&mut self) -> Checkpoint {
        let classes = self.class_histories().len();
        let visits = self.visits as u32;
        let verdicts = self.judge(|bench, scores| bench.verdict(scores, visits));
        let verdicts = verdicts.iter().fold(Verdict::none(classes), Verdict::and);
        let (tests, draws) = (self.problem.tests(), self.visits as u64 + 1);
        let class_histories = self.class_histories().iter().enumerate();
        let each = class_histories.map(|(class, history)| Standing {
            errors: verdicts.errors(tests, draws, |wrong| wrong.each[class]),
            support_vectors: history.support_vectors(),
            mistakes: history.opened().len(),
        });
        let each: Vec<Standing> = each.collect();
        Checkpoint {
            visits: self.visits,
            all: Standing {
                errors: verdicts.errors(tests, draws, |wrong| wrong.all),
                support_vectors: self.mistake_log.support_vectors(),
                mistakes: each.iter().map(|standing| standing.mistakes).sum(),
            },
            each,
        }
    }

    /// The scores of each class for each test row, by the methods that have scores: vote, average,
    /// normalised average, last, normalised last.
    pub fn scores(&mut self) -> [Vec<Vec<f32>>; 5] {
        let (classes, tests) = (self.class_histories().len(), self.problem.tests());
        let panels = self.judge(|_, scores| scores.clone());
        std::array::from_fn(|method| {
            let of_class = |class: usize| {
                let strips = panels.iter().flat_map(|scores| scores[method][class]);
                strips.take(tests).collect()
            };
            (0..classes).map(of_class).collect()
        })
    }

    /// Lets the test rows catch up, and asks each panel.
    fn judge<T: Send>(&mut self, ask: impl Fn(&Bench<'_>, &Scores) -> T + Sync) -> Vec<T> {
        let (mistake_log, problem, kernel) = (&self.mistake_log, self.problem, &self.kernel);
        let visits = self.visits as u32;
        let masses: Vec<_> = mistake_log
            .class_histories()
            .iter()
            .map(ClassHistory::masses)
            .collect();
        let benches = self.benches.par_iter_mut();
        let answers = benches.map(|bench| {
            let evaluations = bench.catch_up(mistake_log, problem, kernel);
            let scores = bench.scores(mistake_log, &masses, visits);
            (evaluations, ask(bench, &scores))
        });
        let (evaluations, answers): (Vec<u64>, Vec<T>) = answers.unzip();
        self.evaluations += evaluations.iter().sum::<u64>();
        answers
    }
}
