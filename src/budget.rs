//! Budget policies: what to evict when the support set is full.
//!
//! | policy | evicts | keeps a slot | paper's name |
//! |---|---|---|---|
//! | [`NoBudget`] | nothing: says so when memory ends | - | kernel perceptron |
//! | [`Stop`] | everything new | - | Stoptron |
//! | [`Random`] | a slot drawn at random | - | Random budget perceptron |
//! | [`Oldest`] | the oldest | - | remove-oldest |
//! | [`LargestMargin`] | the vector that the others classify best | 4 bytes | Fixed Budget Perceptron |
//! | [`Forget`] | the oldest, after shrinking all | - | self-tuned Forgetron |
//! | [`FewestErrors`] | the vector without which a validation set has fewest errors | - | Tighter |
//! | [`LeastLoss`] | the vector without which the expected hinge loss is least | 16 bytes | Tightest |
//! | [`Projecting`] | the part of the new vector outside the span of the stored ones | `4 B` bytes | Projectron |
//! | [`ProjectingMargins`] | the same, also for margin errors | `4 B` bytes | Projectron++ |
//! | [`Compensating`] | the vector that the new one replaces best | - | BPA-S |
//! | [`Merging`] | nothing: replaces two vectors by one | - | merging, BSGD |
//! | [`WithIdentities<P>`] | what `P` evicts; an example that comes back is not stored twice | 8 bytes | dual form with identities |
//!
//! "Keeps a slot" is the memory beyond the point and its coefficient. A policy is a parameter of
//! [`KernelPerceptron`](crate::learners::perceptron::KernelPerceptron) and of the learners made of it. The default learners take none:
//! they always merge. A policy is one file; `docs/adding-a-policy.md` shows how to write another.

mod compensating;
mod forget;
mod gram;
mod largest_margin;
mod least_loss;
mod merging;
mod no_budget;
mod oldest;
mod projecting;
mod projecting_margins;
mod random;
mod scores;
mod stop;
mod tighter;
mod with_identities;

pub use compensating::Compensating;
pub use forget::Forget;
pub use gram::{CacheFormat, Cacheable, Cached, Gram, Recomputed};
pub use largest_margin::LargestMargin;
pub use least_loss::{Counts, LeastLoss};
pub(crate) use merging::root_of_loss;
pub use merging::{Merging, Ranking};

pub use crate::storage::EvaluatedIn;
pub use no_budget::NoBudget;
pub use oldest::Oldest;
pub use projecting::Projecting;
pub use projecting_margins::ProjectingMargins;
pub use random::Random;
pub use stop::Stop;
pub use tighter::{Everything, FewestErrors, OnSupport, Reservoir, Validation};
pub use with_identities::WithIdentities;

use crate::{
    error::ConfigError,
    kernel::Kernel,
    num::Rank,
    storage::{Memory, SupportSet},
};

/// Result of adding an example.
///
/// Code that keeps its own data per slot follows the slots with it. The list is complete (not
/// `non_exhaustive`) so that such code fails to compile when it grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Admission {
    /// Stored in the next free slot.
    Inserted,
    /// Stored in place of the vector in that slot.
    Replaced(usize),
    /// The vector in that slot is gone, the later ones moved down by one, and
    /// the example was stored behind them.
    Shifted(usize),
    /// Two vectors became one.
    Merged {
        /// Slot that holds the two, before anything moved down; the number of
        /// slots stands for the example itself.
        into: usize,
        /// Slot that was merged away and is gone as in [`Shifted`](Self::Shifted);
        /// `None` when it was the example itself.
        freed: Option<usize>,
    },
    /// Added to the coefficient of that slot, which holds this very example.
    Joined(usize),
    /// Folded into the stored vectors, none of which moved.
    Absorbed,
    /// Not stored; the hypothesis is unchanged.
    Refused,
    /// Not stored because memory ended: the learner is no longer what it
    /// promises to be.
    Exhausted,
}

impl Admission {
    /// Whether the hypothesis moved.
    pub fn changed(self) -> bool {
        !matches!(self, Admission::Refused | Admission::Exhausted)
    }

    /// Slot whose vector was evicted.
    pub fn evicted(self) -> Option<usize> {
        match self {
            Admission::Replaced(slot) | Admission::Shifted(slot) => Some(slot),
            Admission::Merged { freed, .. } => freed,
            _ => None,
        }
    }
}

/// Admits examples so that the set never exceeds its capacity.
pub trait Policy<K: Kernel, M: Memory> {
    /// Whether candidates come with their nearest slot.
    const WANTS_NEAREST: bool = false;

    /// Adds the example with `coefficient`, evicting what must be evicted.
    fn admit(
        &mut self,
        kernel: &K,
        set: &mut SupportSet<M>,
        candidate: &EvaluatedIn<'_, M>,
        coefficient: f32,
    ) -> Admission;

    /// An example was seen and left the hypothesis alone.
    fn passed(&mut self, _kernel: &K, _set: &SupportSet<M>, _candidate: &EvaluatedIn<'_, M>) {}

    /// The rule multiplied every coefficient by `factor`.
    fn shrunk(&mut self, _factor: f32) {}

    /// Fails for parameters outside their domain.
    fn check(&self) -> Result<(), ConfigError> {
        Ok(())
    }

    /// Steps already taken on the example `id`; zero when the policy does not count them.
    fn own_steps(&self, _set: &SupportSet<M>, _id: u32) -> u32 {
        0
    }
}

/// Forwards notifications to the policy inside.
macro_rules! forward {
    ($inner:tt) => {
        fn passed(&mut self, kernel: &K, set: &SupportSet<M>, candidate: &EvaluatedIn<'_, M>) {
            self.$inner.passed(kernel, set, candidate);
        }

        fn shrunk(&mut self, factor: f32) {
            Policy::<K, M>::shrunk(&mut self.$inner, factor);
        }
    };
}
use forward;

/// Marker trait: a guarantee about a [`Policy`] that the compiler cannot check, such as "moves no other vector". `P` names it.
///
/// Types that rely on a guarantee require it as a bound. If your policy keeps it, write `impl Guarantee<ChangesOneSlot> for MyPolicy {}`.
///
/// | guarantee | meaning | required by |
/// |---|---|---|
/// | [`ChangesOneSlot`] | [`Policy::admit`] changes no point but the one in the slot that it reports | [`Projecting`], [`WithIdentities`] |
/// | [`IgnoresCoefficients`] | and neither reads nor changes other coefficients | [`SharedSupport`](crate::learners::multiclass::SharedSupport) |
/// | [`KeepsAll`] | nothing is ever evicted: the function only changes by what the rule adds | [`UnitNorm`](crate::history::UnitNorm) |
/// | [`AppendOnly`] | vectors are only appended, and never change afterwards | [histories](crate::history) that look back |
///
/// [`Projecting`] keeps the inverse Gram matrix by slot and would go wrong around a policy that moves other vectors, so
/// this does not compile:
///
/// ```compile_fail,E0277
/// use pocketron::{budget::*, prelude::*, storage::Inline};
/// type Bad = KernelPerceptron<Gaussian, Projecting<Merging, Inline<2, 8>>, Inline<2, 8>>;
/// let mut bad = Bad::with_policy(
///     Gaussian::constant(1.0),
///     Projecting::new(Merging, 0.1).unwrap(),
///     UnitSteps,
/// );
/// bad.learn(&[0.0, 0.0], Sign::Pos).unwrap();
/// ```
pub trait Guarantee<P> {}

/// [Guarantee]: [`Policy::admit`] changes no point but the one in the slot that it reports.
#[derive(Debug)]
pub enum ChangesOneSlot {}

/// [Guarantee]: as [`ChangesOneSlot`], and neither reads nor changes coefficients other than the one that is given.
#[derive(Debug)]
pub enum IgnoresCoefficients {}

/// [Guarantee]: nothing is ever evicted.
#[derive(Debug)]
pub enum KeepsAll {}

/// [Guarantee]: vectors are only appended, and never change afterwards.
#[derive(Debug)]
pub enum AppendOnly {}

macro_rules! guarantees {
    ($($policy:ident: $($guarantee:ident)*;)*) => { $( $( impl Guarantee<$guarantee> for $policy {} )* )* };
}
guarantees! {
    Stop: ChangesOneSlot IgnoresCoefficients KeepsAll AppendOnly;
    NoBudget: ChangesOneSlot IgnoresCoefficients KeepsAll AppendOnly;
    Random: ChangesOneSlot IgnoresCoefficients;
    Oldest: ChangesOneSlot IgnoresCoefficients;
    Forget: ChangesOneSlot;
}

crate::persist::restart_blank! {
    [] NoBudget;
    [] Stop;
    [] Oldest;
    [] Forget;
    [] Compensating;
    [] Merging;
    [M: Memory] LargestMargin<M>;
    [M: Memory, G: crate::persist::Blank] LeastLoss<M, G>;
    [] OnSupport;
}

/// Its seed is a parameter: it goes on to draw.
impl crate::persist::Restart for Random {
    fn restart(&mut self) {}
}

/// Position of the smallest loss; a tie goes to the first, that is the oldest.
#[inline]
pub fn first_least<L: Rank>(losses: impl Iterator<Item = L>) -> usize {
    let mut best: Option<(usize, L)> = None;
    for (position, loss) in losses.enumerate() {
        if best.is_none_or(|(_, least)| loss.is_less(least)) {
            best = Some((position, loss));
        }
    }
    best.map_or(0, |(position, _)| position)
}

/// The page on adding a policy, whose example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../docs/adding-a-policy.md")]
struct AddingAPolicy;
