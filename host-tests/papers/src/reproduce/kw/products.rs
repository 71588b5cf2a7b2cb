//! Weights that are known by their products with the rows of a set.
//!
//! An experiment asks its learners about rows that are all known before they start, thousands of times each. So
//! `w` is kept as the products `w . x` with every row: a score is looked up, and a step on row `j` adds multiples
//! of the similarities of `j` with all rows, which learners with other parameters use as well. With a kernel in
//! the place of the inner product the same lines are the dual form.

use std::sync::Arc;

use pocketron::{
    error::InputError,
    history::{VoteStore, vote},
    hypothesis::{Snapshots, Weights},
};

/// A row of a set.
#[derive(Clone, Debug, Default)]
pub struct Member {
    /// Its position in the set.
    pub position: usize,
    /// Similarity with itself.
    pub own: f32,
    /// The row with which `similarities` begin.
    pub first: usize,
    /// Similarities with the rows from `first` on; none for a row that is never learned.
    pub similarities: Vec<f32>,
}

/// `w . x` for every row of a set.
#[derive(Clone, Debug, PartialEq)]
pub struct Products(Vec<f32>);

impl Products {
    /// Those of zero weights with so many rows.
    pub fn new(rows: usize) -> Self {
        Products(vec![0.0; rows])
    }
}

impl Weights for Products {
    type Input = Member;

    fn dim(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn check(&self, x: &Member) -> Result<(), InputError> {
        if x.position < self.0.len() && x.first + x.similarities.len() <= self.0.len() {
            Ok(())
        } else {
            Err(InputError::WrongDimension)
        }
    }

    #[inline]
    fn dot(&self, x: &Member) -> f32 {
        self.0[x.position]
    }

    #[inline]
    fn add(&mut self, x: &Member, factor: f32) {
        for (product, near) in self.0[x.first..].iter_mut().zip(&x.similarities) {
            *product += factor * near;
        }
    }

    fn add_weights(&mut self, other: &Self, factor: f32) {
        for (product, other) in self.0.iter_mut().zip(&other.0) {
            *product += factor * other;
        }
    }

    fn scale(&mut self, factor: f32) {
        for product in &mut self.0 {
            *product *= factor;
        }
    }

    #[inline]
    fn norm_squared(x: &Member) -> f32 {
        x.own
    }
}

/// Votes on rows that are known in advance: whoever retires is asked at once, and no copy is kept.
#[derive(Clone, Debug)]
pub struct Poll {
    questions: Arc<[Member]>,
    counts: Vec<f32>,
}

impl Poll {
    /// Nobody has voted yet. The positions of the questions follow each other.
    pub fn new(questions: Arc<[Member]>) -> Self {
        let counts = vec![0.0; questions.len()];
        Poll { questions, counts }
    }
}

impl<H: Snapshots<Input = Member>> VoteStore<H> for Poll {
    fn store(&mut self, hypothesis: &H, votes: u32) {
        for (count, x) in self.counts.iter_mut().zip(&*self.questions) {
            *count += vote(votes, hypothesis.score(x));
        }
    }

    fn count(&self, hypothesis: &H, current: u32, x: &Member) -> f32 {
        let first = self.questions.first().map_or(0, |first| first.position);
        let past = x.position.checked_sub(first);
        let past = past.and_then(|question| self.counts.get(question));
        past.copied().unwrap_or(0.0) + vote(current, hypothesis.score(x))
    }
}
