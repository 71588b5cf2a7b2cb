//! One example on its way through a learning step.

use crate::{
    label::Sign,
    num::Number,
    storage::{NumberIn, Point},
};

/// A labelled example with what the learning step has computed of it: score, margin, similarities to the support vectors.
///
/// The learning step makes one with [`new`](Self::new), the hypothesis fills in what an evaluation pays for, and rule,
/// policy, kernel and history borrow it. `X` is what is classified, `N` the number format of similarities.
#[derive(Debug)]
pub struct Evaluated<'a, X: ?Sized, N = f32> {
    /// The feature vector.
    pub x: &'a X,
    /// True label.
    pub label: Sign,
    /// Its number, if it is one of a finite set.
    pub id: Option<u32>,
    /// `f(x)`, after any shrinking and before the example is added. Of several classes: how far its own is ahead, with
    /// [`Sign::Pos`] as the label.
    pub score: f32,
    /// `f(x)` without a bias; the same as the score where there is none.
    pub unbiased: f32,
    /// `k(x, x)`.
    pub self_similarity: f32,
    /// Steps already taken on this very example; zero when they are not counted.
    pub own_steps: u32,
    /// `k(x, x_j)` for every occupied slot; empty in the primal.
    pub row: &'a [N],
    /// Slot nearest to `x`; only for policies that [want it](crate::budget::Policy::WANTS_NEAREST).
    pub nearest: Option<usize>,
}

/// An example of models in memory `M`.
pub type EvaluatedIn<'a, M> = Evaluated<'a, Point<M>, NumberIn<M>>;

impl<'a, X: ?Sized, N> Evaluated<'a, X, N> {
    /// An example that has not been evaluated yet: a score of zero, no similarities.
    #[inline]
    pub const fn new(x: &'a X, label: Sign, id: Option<u32>) -> Self {
        Evaluated {
            x,
            label,
            id,
            score: 0.0,
            unbiased: 0.0,
            self_similarity: 0.0,
            own_steps: 0,
            row: &[],
            nearest: None,
        }
    }

    /// `y f(x)`: positive when the prediction is right.
    #[inline]
    pub fn margin(&self) -> f32 {
        self.label.value() * self.score
    }

    /// `f(x)` once the example is in with `coefficient`.
    #[inline]
    pub fn score_with(&self, coefficient: f32) -> f32 {
        self.score + coefficient * self.self_similarity
    }

    /// Sets the score of a hypothesis without a bias.
    #[inline]
    pub(crate) fn set_score(&mut self, score: f32) {
        (self.score, self.unbiased) = (score, score);
    }

    /// The rule multiplied the hypothesis by `factor`.
    #[inline]
    pub(crate) fn shrink(&mut self, factor: f32) {
        self.score *= factor;
        self.unbiased *= factor;
    }

    /// The same with another score, as the next rule or hypothesis inside sees it.
    #[inline]
    pub fn with_score(&self, score: f32) -> Self {
        Evaluated { score, ..*self }
    }
}

impl Evaluated<'static, ()> {
    /// The inputs of a [rule](crate::rule): the label, the score, and a `k(x, x)` of one.
    pub const fn scored(label: Sign, score: f32) -> Self {
        Evaluated {
            score,
            unbiased: score,
            self_similarity: 1.0,
            ..Evaluated::new(&(), label, None)
        }
    }
}

impl<X: ?Sized, N: Number> Evaluated<'_, X, N> {
    /// `k(x, x_j)` of one slot; zero when it is not occupied.
    #[inline]
    pub fn near(&self, slot: usize) -> f32 {
        self.row.get(slot).map_or(0.0, |near| near.value())
    }
}
