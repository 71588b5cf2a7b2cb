//! Results: test errors and counts after so many visits.

use serde::{Deserialize, Serialize};

/// Test errors in percent, by the paper's seven methods; `norm` divides each hypothesis by its norm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Errors {
    /// All hypotheses vote, each with the visits it survived.
    pub vote: f64,
    /// The scores of all hypotheses are added, weighted in the same way.
    pub avg: f64,
    /// The same, normalised.
    pub avg_norm: f64,
    /// The last hypothesis decides.
    pub last: f64,
    /// The same, normalised; the side of a single class stays the same.
    pub last_norm: f64,
    /// The hypotheses decide that all classes had at a visit drawn at random for every test row.
    /// This is the expectation over the draw, which the paper's means of ten runs estimate.
    pub rand: f64,
    /// The same, normalised.
    pub rand_norm: f64,
}

/// One problem after so many visits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Test errors in percent.
    pub errors: Errors,
    /// Different training rows among the mistakes.
    pub support_vectors: usize,
    /// Mistakes in training.
    pub mistakes: usize,
}

/// All problems after so many visits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Training rows looked at, all epochs together.
    pub visits: usize,
    /// Telling all classes apart, the highest score wins; mistakes are summed over the classes.
    pub all: Standing,
    /// Each class against the rest.
    pub each: Vec<Standing>,
}

/// Wrong test rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// With the highest score for another class.
    pub all: u64,
    /// On the wrong side of each class.
    pub each: Vec<u64>,
}

impl Wrong {
    pub fn none(classes: usize) -> Self {
        Wrong {
            all: 0,
            each: vec![0; classes],
        }
    }

    /// Adds others, so many times.
    pub fn add(&mut self, other: &Self, times: u64) {
        self.all += times * other.all;
        for (sum, wrong) in self.each.iter_mut().zip(&other.each) {
            *sum += times * wrong;
        }
    }
}

/// Wrong test rows by method; those of `rand` summed over the visits that could be drawn.
#[derive(Clone, Debug)]
pub(super) struct Verdict(pub [Wrong; 7]);

impl Verdict {
    pub fn none(classes: usize) -> Self {
        Verdict(std::array::from_fn(|_| Wrong::none(classes)))
    }

    pub fn and(mut self, other: &Self) -> Self {
        for (sum, wrong) in self.0.iter_mut().zip(&other.0) {
            sum.add(wrong, 1);
        }
        self
    }

    /// In percent of `tests` rows, of the problem that `choose` names; one of `draws` visits is
    /// drawn.
    pub fn errors(&self, tests: usize, draws: u64, choose: impl Fn(&Wrong) -> u64) -> Errors {
        let percent =
            |wrong, times: u64| 100.0 * choose(wrong) as f64 / (tests as u64 * times) as f64;
        let [vote, avg, avg_norm, last, last_norm, rand, rand_norm] = &self.0;
        Errors {
            vote: percent(vote, 1),
            avg: percent(avg, 1),
            avg_norm: percent(avg_norm, 1),
            last: percent(last, 1),
            last_norm: percent(last_norm, 1),
            rand: percent(rand, draws),
            rand_norm: percent(rand_norm, draws),
        }
    }
}
