//! Test rows that follow the training: every hypothesis is heard, once.

use pocketron::{history::vote, label::Sign};

use super::{
    mistake_log::{MistakeLog, Step, side},
    outcome::{Verdict, Wrong},
    panel::{Panel, PartialSums, Similarity, Strip, WIDTH},
    problem::Problem,
};

/// Scores of the hypotheses of one class for the test rows of a panel.
#[derive(Clone, Debug)]
struct ClassScores {
    sums: PartialSums,
    /// The score of the present hypothesis once more, added one by one as the core does for votes.
    running: Strip,
    /// Votes of the retired hypotheses.
    votes: Strip,
}

impl ClassScores {
    const NONE: Self = ClassScores {
        sums: PartialSums::ZERO,
        running: [0.0; WIDTH],
        votes: [0.0; WIDTH],
    };

    /// A new hypothesis begins; returns its score.
    fn step(&mut self, step: &Step, near: &Strip) -> Strip {
        self.votes = self.votes_with(step.votes);
        for (running, near) in self.running.iter_mut().zip(near) {
            *running += step.alpha * near;
        }
        self.sums.add(step.slot, step.alpha, near);
        self.sums.totals()
    }

    /// Votes, those of the present hypothesis included.
    fn votes_with(&self, present: u32) -> Strip {
        std::array::from_fn(|row| self.votes[row] + vote(present, self.running[row]))
    }
}

/// The scores of each class for the rows of a panel by the methods that have scores: vote, average,
/// normalised average, last, normalised last.
pub(super) type Scores = [Vec<Strip>; 5];

/// Labels of the test rows of a panel.
#[derive(Debug)]
struct Truth {
    classes: [u32; WIDTH],
    /// One, and zero where the panel has no row.
    present: [u32; WIDTH],
}

impl Truth {
    fn new(classes: &[usize]) -> Self {
        Truth {
            classes: std::array::from_fn(|row| classes.get(row).map_or(0, |class| *class as u32)),
            present: std::array::from_fn(|row| u32::from(row < classes.len())),
        }
    }

    /// Counts the wrong rows with these scores of each class; a tie goes to the lowest class, and
    /// a score of zero to the rest.
    fn count(&self, scores: &[Strip], wrong: &mut Wrong) {
        let (mut best, mut winner) = ([f32::NEG_INFINITY; WIDTH], [0; WIDTH]);
        let each = scores.iter().zip(&mut wrong.each);
        for (class, (strip, wrong)) in (0..).zip(each) {
            for row in 0..WIDTH {
                let wins = strip[row] > best[row];
                best[row] = if wins { strip[row] } else { best[row] };
                winner[row] = if wins { class } else { winner[row] };
            }
            *wrong = self.rows(|row| Sign::of(strip[row]) != side(self.classes[row] == class));
        }
        wrong.all = self.rows(|row| winner[row] != self.classes[row]);
    }

    /// Number of rows that `are` so.
    fn rows(&self, are: impl Fn(usize) -> bool) -> u64 {
        let rows = self.present.iter().enumerate();
        let count: u32 = rows.map(|(row, one)| one * u32::from(are(row))).sum();
        u64::from(count)
    }
}

/// A panel of test rows, as far as it has heard of the mistakes.
#[derive(Debug)]
pub(super) struct Bench<'a> {
    panel: &'a Panel,
    truth: Truth,
    class_scores: Vec<ClassScores>,
    /// Scores of the present hypotheses, and the same divided by their norms.
    last: [Vec<Strip>; 2],
    /// Similarities with the support vectors of all classes.
    similarities: Vec<Strip>,
    heard: usize,
    /// When the present hypotheses began.
    since: u32,
    /// Wrong rows under the present hypotheses, as they are and divided by their norms.
    now: [Wrong; 2],
    /// The same summed over all visits before `since`.
    before: [Wrong; 2],
}

impl<'a> Bench<'a> {
    /// The rows of a panel, with their classes.
    pub fn new(panel: &'a Panel, rows: &[usize], classes: usize) -> Self {
        let truth = Truth::new(rows);
        let last = vec![[0.0; WIDTH]; classes];
        let mut now = Wrong::none(classes);
        truth.count(&last, &mut now);
        Bench {
            panel,
            truth,
            class_scores: vec![ClassScores::NONE; classes],
            last: [last.clone(), last],
            similarities: Vec::new(),
            heard: 0,
            since: 0,
            now: [now.clone(), now],
            before: [Wrong::none(classes), Wrong::none(classes)],
        }
    }

    /// Catches up with the mistakes; returns the kernel evaluations.
    pub fn catch_up(
        &mut self,
        mistake_log: &MistakeLog,
        problem: &Problem,
        kernel: &Similarity,
    ) -> u64 {
        let known = self.similarities.len();
        for event in &mistake_log.events[self.heard..] {
            if event.vector as usize == self.similarities.len() {
                let x = &problem.sparse[event.row as usize];
                self.similarities.push(kernel.row(self.panel, x));
            }
            for (before, now) in self.before.iter_mut().zip(&self.now) {
                before.add(now, u64::from(event.time - self.since));
            }
            self.since = event.time;
            let near = &self.similarities[event.vector as usize];
            for step in &event.steps {
                let score = self.class_scores[step.class].step(step, near);
                self.last[0][step.class] = score;
                self.last[1][step.class] = score.map(|score| step.factor * score);
            }
            for (scores, wrong) in self.last.iter().zip(&mut self.now) {
                self.truth.count(scores, wrong);
            }
        }
        self.heard = mistake_log.events.len();
        ((self.similarities.len() - known) * self.panel.len()) as u64
    }

    /// The scores of each class after so many visits; `masses` are those of each course.
    pub fn scores(&self, mistake_log: &MistakeLog, masses: &[Vec<f32>], visits: u32) -> Scores {
        let (mut vote, mut avg, mut avg_norm) = (Vec::new(), Vec::new(), Vec::new());
        let [last, last_norm] = self.last.clone();
        let class_histories = mistake_log.class_histories().iter().zip(masses);
        let class_scores = self.class_scores.iter().zip(&last);
        for ((history, masses), (own, score)) in class_histories.zip(class_scores) {
            let votes = history.votes(visits);
            vote.push(own.votes_with(votes));
            let masses = [masses.as_slice(), history.unit_masses()];
            let [past, past_norm] = PartialSums::of(masses, history.vectors(), &self.similarities);
            let with_present = |past: &PartialSums, weight: f32| {
                std::array::from_fn(|row| past.total(row) + weight * score[row])
            };
            avg.push(with_present(&past, votes as f32));
            avg_norm.push(with_present(&past_norm, votes as f32 * history.factor()));
        }
        [vote, avg, avg_norm, last, last_norm]
    }

    /// Wrong rows by every method.
    pub fn verdict(&self, scores: &Scores, visits: u32) -> Verdict {
        let mut verdict = Verdict::none(self.class_scores.len());
        let (scored, drawn) = verdict.0.split_at_mut(scores.len());
        for (wrong, scores) in scored.iter_mut().zip(scores) {
            self.truth.count(scores, wrong);
        }
        let rand = self.before.iter().zip(&self.now);
        for (wrong, (before, now)) in drawn.iter_mut().zip(rand) {
            wrong.add(before, 1);
            // The paper draws from 0 to `visits`, the end included: the present counts once more.
            wrong.add(now, u64::from(visits - self.since) + 1);
        }
        verdict
    }
}
