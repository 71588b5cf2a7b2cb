//! What can begin anew.

use crate::{
    budget::{
        Compensating, FewestErrors, Forget, LargestMargin, LeastLoss, Merging, MergingAny, Nudging,
        Oldest, Quota, Random, Stop, Unbounded,
    },
    hypothesis::Linear,
    memory::{Blank, Memory},
};

/// A learner, or a part of one, that can forget what it learned.
///
/// Parameters stay, and so does what a kernel has learned about the weights of its features.
pub trait Restart {
    /// Forgets.
    fn restart(&mut self);
}

/// Policies without parameters: blank again.
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
    [] Unbounded;
    [] Stop;
    [] Oldest;
    [] Forget;
    [] Compensating;
    [] Merging;
    [] MergingAny;
    [M: Memory] LargestMargin<M>;
    [M: Memory, G: Blank] LeastLoss<M, G>;
    [V: Blank] FewestErrors<V>;
    [W: Blank] Linear<W>;
}

/// Its seed is a parameter: it goes on to draw.
impl Restart for Random {
    fn restart(&mut self) {}
}

impl<P: Restart> Restart for Nudging<P> {
    fn restart(&mut self) {
        self.inner_mut().restart();
    }
}

impl<P: Restart> Restart for Quota<P> {
    fn restart(&mut self) {
        self.inner_mut().restart();
    }
}
