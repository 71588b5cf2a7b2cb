//! What can begin anew.

use crate::{
    budget::{
        Compensating, Forget, LargestMargin, LeastLoss, Merging, NoBudget, Oldest, OnSupport,
        Random, Stop,
    },
    history::{Averaged, Last, LongestSurvivor, RandomHypothesis, Voted},
    memory::{Blank, Memory},
};

/// A learner, or a part of one, that can forget what it learned.
///
/// Parameters stay, and so does what a kernel has learned about the weights of its features.
pub trait Restart {
    /// Forgets.
    fn restart(&mut self);
}

/// Policies and histories without parameters: blank again.
macro_rules! blank {
    ($([$($generics:tt)*] $policy:ty;)*) => { $(
        impl<$($generics)*> Restart for $policy {
            fn restart(&mut self) {
                *self = Self::BLANK;
            }
        }
    )* };
}
blank! {
    [] NoBudget;
    [] Stop;
    [] Oldest;
    [] Forget;
    [] Compensating;
    [] Merging;
    [M: Memory] LargestMargin<M>;
    [M: Memory, G: Blank] LeastLoss<M, G>;
    [] OnSupport;
    [S: Blank] Last<S>;
    [S: Blank, N: Blank, const OPENING: u32] Averaged<S, N, OPENING>;
    [S] LongestSurvivor<S>;
    [B: Blank, const OPENING: u32] Voted<B, OPENING>;
    [S, N: Blank, const OPENING: u32] RandomHypothesis<S, N, OPENING>;
}

impl<A: Restart, B: Restart> Restart for (A, B) {
    fn restart(&mut self) {
        self.0.restart();
        self.1.restart();
    }
}

/// Weights.
impl<const D: usize> Restart for [f32; D] {
    fn restart(&mut self) {
        *self = Self::BLANK;
    }
}

/// Its seed is a parameter: it goes on to draw.
impl Restart for Random {
    fn restart(&mut self) {}
}
