//! Errors in the recent window.

use heapless::Deque;

use super::ratio;
use crate::{classifier::Outcome, stream::Observer};

/// Error over the last `N` examples; follows a stream that changes.
///
/// ```
/// use pocketron::{classifier::Outcome, prelude::*, stream::{Observer, Window}};
/// let mut window = Window::<2>::new();
/// for mistake in [true, true, false] {
///     let outcome = Outcome { predicted: Sign::Pos, score: 1.0, mistake, admission: None, warning: None };
///     window.learned(Sign::Pos, &outcome);
/// }
/// assert_eq!(window.error(), Some(0.5));
/// ```
#[derive(Clone, Debug)]
pub struct Window<const N: usize> {
    mistakes: Deque<bool, N>,
    wrong: u32,
}

impl<const N: usize> Window<N> {
    /// An empty window; usable in a `static`.
    pub const fn new() -> Self {
        const { assert!(N > 0, "a window of no examples shows nothing") };
        Window {
            mistakes: Deque::new(),
            wrong: 0,
        }
    }

    /// Share of wrong predictions in the window; `None` before the first example.
    pub fn error(&self) -> Option<f32> {
        ratio(self.wrong, self.mistakes.len() as u32)
    }
}

impl<const N: usize> Default for Window<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize, L> Observer<L> for Window<N> {
    fn learned(&mut self, _: L, outcome: &Outcome<L>) {
        if self.mistakes.is_full() && self.mistakes.pop_front() == Some(true) {
            self.wrong = self.wrong.saturating_sub(1);
        }
        if self.mistakes.push_back(outcome.mistake).is_ok() && outcome.mistake {
            self.wrong += 1;
        }
    }
}
