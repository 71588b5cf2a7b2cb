//! The voted perceptron at full speed is the core's voted perceptron, bit for bit.

use std::ops::ControlFlow;

use pocketron::{
    budget::NoBudget,
    classifier::OnlineClassifier,
    history::{Averaged, History, Last, Prefixes, Raw, UnitNorm, Voted},
    hypothesis::Expansion,
    kernel::Polynomial,
    label::{Class, Sign},
    learners::{
        multiclass::{FixedClasses, OneVsRest},
        perceptron::{KernelPerceptron, Perceptron},
    },
    persist::Blank,
    rule::UnitSteps,
};
use pocketron_papers::voted::{Errors, Halt, Learner, Problem};
use pocketron_testkit::{
    data::{Dataset, Dense, DenseData, Places},
    heap::{Grown, Heap, HeapPoints},
};

const CLASSES: usize = 10;
/// The digits have 17 shades of grey.
const WHITE: f64 = 16.0;
const SEED: u64 = 3;

/// The first rows of the digits to train on, the last to test.
fn digits(train: usize, test: usize) -> (DenseData, DenseData) {
    let digits = Places::new(None).load("digits").expect("it is committed");
    let rows = digits.len();
    let (head, tail) = digits.split(rows - test).expect("there are more");
    let dense = |data: Dataset| data.to_dense().expect("one label a row");
    (dense(head.limit(train)), dense(tail))
}

fn problem((train, test): &(DenseData, DenseData)) -> Problem {
    Problem::of_pixels(train, test, WHITE, SEED).expect("digits can be told apart")
}

fn go_on(_: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

// ---------------------------------------------------------------------------------------------------------------
// The same with the core's parts
// ---------------------------------------------------------------------------------------------------------------

type Average<S> = Averaged<Grown<f32>, S>;
type All = (
    (Last<Raw>, Last<UnitNorm>),
    (Voted<Prefixes<Heap>>, (Average<Raw>, Average<UnitNorm>)),
);
type Binary = KernelPerceptron<Polynomial, NoBudget, Heap, UnitSteps, All>;

/// One learner of the core for each class, and the visits that each got wrong.
struct Core {
    train: Dense<f32>,
    test: Dense<f32>,
    learners: Vec<Binary>,
    mistakes: Vec<Vec<u32>>,
    visits: usize,
}

impl Core {
    fn new((train, test): &(DenseData, DenseData), degree: u32, epochs: usize) -> Self {
        let scaled = |data: &DenseData| {
            let mut data = data.clone();
            data.x.iter_mut().for_each(|pixel| *pixel /= WHITE);
            data.to_f32().expect("pixels are small")
        };
        let kernel = Polynomial::new(degree, 1.0, 1.0).expect("a degree of the paper");
        let learner = |_| {
            let points = HeapPoints::new(train.dim, epochs * train.len());
            let expansion = Expansion::with_points(kernel, NoBudget, points);
            Perceptron::with_history(expansion, UnitSteps, All::BLANK)
        };
        Core {
            train: scaled(train).permuted(SEED),
            test: scaled(test),
            learners: (0..CLASSES).map(learner).collect(),
            mistakes: vec![Vec::new(); CLASSES],
            visits: 0,
        }
    }

    fn visit(&mut self) {
        let row = self.visits % self.train.len();
        let (x, truth) = (self.train.row(row), self.train.labels[row] as usize);
        for (class, learner) in self.learners.iter_mut().enumerate() {
            let side = if class == truth { Sign::Pos } else { Sign::Neg };
            if learner.learn(x, side).expect("in range").mistake {
                self.mistakes[class].push(self.visits as u32);
            }
        }
        self.visits += 1;
    }

    /// Scores by method, class and test row, in the order of [`Learner::scores`].
    fn scores(&self) -> [Vec<Vec<f32>>; 5] {
        let by = |score: &dyn Fn(&Binary, &[f32]) -> f32| -> Vec<Vec<f32>> {
            let rows = |learner| self.test.iter().map(move |(x, _)| score(learner, x));
            self.learners.iter().map(|l| rows(l).collect()).collect()
        };
        [
            by(&|l, x| l.history().1.0.score(l.hypothesis(), x)),
            by(&|l, x| l.history().1.1.0.score(l.hypothesis(), x)),
            by(&|l, x| l.history().1.1.1.score(l.hypothesis(), x)),
            by(&|l, x| l.history().0.0.score(l.hypothesis(), x)),
            by(&|l, x| l.history().0.1.score(l.hypothesis(), x)),
        ]
    }

    /// Test rows on the wrong side of each class, and last those that another class wins.
    fn wrong(&self, scores: &[Vec<f32>]) -> Vec<usize> {
        let mut wrong = vec![0; CLASSES + 1];
        for (row, label) in self.test.labels.iter().enumerate() {
            let (truth, mut winner) = (*label as usize, 0);
            for class in 0..CLASSES {
                wrong[class] += usize::from((scores[class][row] > 0.0) != (class == truth));
                if scores[class][row] > scores[winner][row] {
                    winner = class;
                }
            }
            wrong[CLASSES] += usize::from(winner != truth);
        }
        wrong
    }

    /// So many wrong test rows, in percent, when one of `draws` visits is drawn.
    fn percent(&self, wrong: usize, draws: usize) -> f64 {
        100.0 * wrong as f64 / (self.test.len() * draws) as f64
    }
}

fn bits(scores: &[Vec<f32>]) -> Vec<Vec<u32>> {
    let bits = |row: &Vec<f32>| row.iter().map(|score| score.to_bits()).collect();
    scores.iter().map(bits).collect()
}

// ---------------------------------------------------------------------------------------------------------------
// Laws
// ---------------------------------------------------------------------------------------------------------------

/// More rows than hear of a mistake at once, and a last panel with room left.
#[test]
fn mistakes_votes_and_scores_are_those_of_the_core() {
    let data = digits(1150, 100);
    let problem = problem(&data);
    for degree in 1..=6 {
        let mut core = Core::new(&data, degree, 3);
        let mut fast = Learner::new(&problem, degree).expect("a degree of the paper");
        for visits in [1, 115, 1150, 1151, 2300, 3450] {
            fast.learn_until(visits, go_on).expect("in range");
            while core.visits < visits {
                core.visit();
            }
            for (class, history) in fast.class_histories().iter().enumerate() {
                let at = format!("degree {degree}, visits {visits}, class {class}");
                let learner = &core.learners[class];
                assert_eq!(history.opened(), core.mistakes[class], "{at}");
                assert_eq!(history.alphas(), learner.support().alphas(), "{at}");

                let voted = &learner.history().1.0;
                let opened = history.opened().windows(2);
                let votes: Vec<u32> = opened.map(|pair| pair[1] - pair[0]).collect();
                assert_eq!(votes, voted.vote_store().votes(), "{at}");
                assert_eq!(history.votes(visits as u32), voted.current_votes(), "{at}");
            }
            let methods = ["vote", "avg", "avg_norm", "last", "last_norm"];
            let scores = fast.scores().into_iter().zip(core.scores());
            for (method, (fast, core)) in methods.into_iter().zip(scores) {
                let at = format!("degree {degree}, visits {visits}: {method}");
                assert_eq!(bits(&fast), bits(&core), "{at}");
            }
        }
    }
}

/// The digits come in random order, and some late: in the core's default they would wait for their first row.
#[test]
fn ten_digits_are_told_apart_by_the_cores_rule_for_classes_that_are_fixed() {
    type Voting = KernelPerceptron<Polynomial, NoBudget, Heap, UnitSteps, Voted<Prefixes<Heap>>>;
    let data = digits(120, 200);
    let problem = problem(&data);
    let core = Core::new(&data, 2, 1);
    let points = HeapPoints::new(core.train.dim, core.train.len());
    let kernel = Polynomial::new(2, 1.0, 1.0).expect("a degree of the paper");
    let expansion = Expansion::with_points(kernel, NoBudget, points);
    let binary: Voting = Perceptron::with_history(expansion, UnitSteps, Voted::BLANK);
    let waiting = OneVsRest::<_, CLASSES>::of(&binary);
    let mut fast = Learner::new(&problem, 2).expect("a degree of the paper");
    fast.learn_until(120, go_on).expect("in range");
    let vote = fast.checkpoint().all.errors.vote;
    assert_eq!(vote, error(&core, FixedClasses::new(waiting.clone())));
    assert_ne!(vote, error(&core, waiting), "another rule");
}

/// Percent of the test rows that a learner gets wrong after one pass.
fn error<M: OnlineClassifier<Input = [f32], Label = Class>>(core: &Core, mut model: M) -> f64 {
    for (x, label) in core.train.iter() {
        model.learn(x, Class(label as u8)).expect("in range");
    }
    let wrong = |(x, label): &(&[f32], f64)| model.predict(x) != Ok(Class(*label as u8));
    core.percent(core.test.iter().filter(wrong).count(), 1)
}

#[test]
fn errors_count_what_the_scores_get_wrong_and_rand_is_the_mean_over_all_visits() {
    let data = digits(70, 90);
    let problem = problem(&data);
    let mut core = Core::new(&data, 3, 2);
    let mut fast = Learner::new(&problem, 3).expect("a degree of the paper");
    let mut drawn = [vec![0; CLASSES + 1], vec![0; CLASSES + 1]];
    for visits in 1..=140 {
        core.visit();
        let scores = core.scores();
        let [_, _, _, last, last_norm] = scores.each_ref().map(|scores| core.wrong(scores));
        for (sum, now) in drawn.iter_mut().zip([&last, &last_norm]) {
            sum.iter_mut().zip(now).for_each(|(sum, now)| *sum += now);
        }
        if ![7, 70, 140].contains(&visits) {
            continue;
        }
        fast.learn_until(visits, go_on).expect("in range");
        let checkpoint = fast.checkpoint();
        let standings = checkpoint.each.iter().chain([&checkpoint.all]);
        let wrong = scores.each_ref().map(|scores| core.wrong(scores));
        for (at, standing) in standings.enumerate() {
            let [vote, avg, avg_norm, last, last_norm] =
                wrong.each_ref().map(|wrong| core.percent(wrong[at], 1));
            // The last visit counts twice: the paper draws from 0 to the number of visits.
            let rand = core.percent(drawn[0][at] + wrong[3][at], visits + 1);
            let rand_norm = core.percent(drawn[1][at] + wrong[4][at], visits + 1);
            let expected = Errors {
                vote,
                avg,
                avg_norm,
                last,
                last_norm,
                rand,
                rand_norm,
            };
            assert_eq!(standing.errors, expected, "visits {visits}, problem {at}");
        }
        let mistakes = core.mistakes.iter().map(Vec::len);
        assert_eq!(checkpoint.all.mistakes, mistakes.sum::<usize>());
        let rows = |mistakes: &[u32]| -> usize {
            let rows = mistakes.iter().map(|visit| visit % 70);
            rows.collect::<std::collections::BTreeSet<_>>().len()
        };
        assert_eq!(
            checkpoint.all.support_vectors,
            rows(&core.mistakes.concat())
        );
        for (standing, mistakes) in checkpoint.each.iter().zip(&core.mistakes) {
            assert_eq!(standing.mistakes, mistakes.len());
            assert_eq!(standing.support_vectors, rows(mistakes));
        }
    }
}

#[test]
fn stopping_loses_nothing_and_looking_changes_nothing() {
    let problem = problem(&digits(1150, 100));
    let mut straight = Learner::new(&problem, 2).expect("a degree of the paper");
    straight.learn_until(2300, go_on).expect("in range");

    let mut halting = Learner::new(&problem, 2).expect("a degree of the paper");
    let mut calls = 0;
    let stop = |_| {
        calls += 1;
        if calls > 1 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    assert_eq!(halting.learn_until(2300, stop), Err(Halt::Asked));
    assert!((1..2300).contains(&halting.visits()), "in the middle");
    halting.checkpoint();
    halting.learn_until(2300, go_on).expect("in range");
    let checkpoint = halting.checkpoint();
    assert_eq!(checkpoint, straight.checkpoint());
    assert!(checkpoint.all.errors.vote < 10.0, "it learned");
}

#[test]
fn what_cannot_be_learned_is_refused() {
    let (train, test) = digits(60, 60);
    let problem = problem(&(train.clone(), test.clone()));
    assert!(Learner::new(&problem, 0).is_none());
    assert!(Learner::new(&problem, 7).is_none());

    let empty = DenseData {
        dim: 64,
        x: vec![],
        labels: vec![],
    };
    assert!(Problem::of_pixels(&empty, &test, WHITE, SEED).is_err());
    assert!(Problem::of_pixels(&train, &empty, WHITE, SEED).is_err());
    let mut narrow = test.clone();
    (narrow.dim, narrow.x) = (32, narrow.x.split_off(60 * 32));
    assert!(Problem::of_pixels(&train, &narrow, WHITE, SEED).is_err());
    let mut alike = train.clone();
    alike.labels.fill(4.0);
    assert!(Problem::of_pixels(&alike, &test, WHITE, SEED).is_err());

    // Pixels of 1e9: the sixth power of their products is beyond f32, as the core says too.
    let glaring = Problem::of_pixels(&train, &test, 1e-8, SEED).expect("still finite");
    let mut learner = Learner::new(&glaring, 6).expect("a degree of the paper");
    assert_eq!(learner.learn_until(1, go_on), Err(Halt::Overflow));
    assert_eq!(learner.visits(), 0);
}

#[test]
fn a_label_that_was_never_learned_is_always_wrong() {
    let (train, mut test) = digits(60, 60);
    test.labels.fill(11.0);
    let problem = Problem::of_pixels(&train, &test, WHITE, SEED).expect("it can be tested");
    let mut learner = Learner::new(&problem, 2).expect("a degree of the paper");
    learner.learn_until(120, go_on).expect("in range");
    let errors = learner.checkpoint().all.errors;
    assert_eq!((errors.vote, errors.rand), (100.0, 100.0));
}
