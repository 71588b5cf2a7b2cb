//! Famous combinations by name.

use crate::{
    budget::{
        self, Cached, Compensating, Everything, FewestErrors, Forget, LargestMargin, LeastLoss,
        Merging, Oldest, OnSupport, Projecting, ProjectingMargins, Random, Reservoir, Stop,
    },
    kernel::Gaussian,
    learners::perceptron::KernelPerceptron,
    rule::{MarginRule, PassiveAggressive, Shrinking},
    storage::{Inline, point::Feature},
};

/// Kernel perceptron that keeps every mistake while its `B` slots last.
pub type Unbounded<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, budget::NoBudget, Inline<D, B, F>>;

/// Learns until `B` vectors are stored, then stops.
pub type Stoptron<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Stop, Inline<D, B, F>>;

/// Discards a vector at random.
pub type RandomBudget<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Random, Inline<D, B, F>>;

/// Discards the oldest vector.
pub type RemoveOldest<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Oldest, Inline<D, B, F>>;

/// Discards the vector with the largest margin.
pub type FixedBudget<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, LargestMargin<Inline<D, B, F>>, Inline<D, B, F>>;

/// Self-tuned Forgetron: shrinks, then discards the oldest.
pub type Forgetron<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Forget, Inline<D, B, F>>;

/// Tighter on the support vectors themselves.
pub type Tighter0<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, FewestErrors<OnSupport>, Inline<D, B, F>>;

/// Tighter on a sample of `A` seen points that are not support vectors.
pub type Tighter<const D: usize, const B: usize, const A: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, FewestErrors<Reservoir<Inline<D, A, F>>>, Inline<D, B, F>>;

/// Tighter on everything seen, up to `A` points.
pub type TighterFull<const D: usize, const B: usize, const A: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, FewestErrors<Everything<Inline<D, A, F>>>, Inline<D, B, F>>;

/// Tightest: discards the vector of least expected hinge loss.
pub type Tightest<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, LeastLoss<Inline<D, B, F>>, Inline<D, B, F>>;

/// Tightest that remembers all similarities of its vectors, each as an `E`: what the format `F` computes with, or `u16`.
pub type TightestCached<
    const D: usize,
    const B: usize,
    K = Gaussian,
    F = f32,
    E = <F as Feature>::Number,
> = KernelPerceptron<K, LeastLoss<Inline<D, B, F>, Cached<Inline<D, B, F>, E>>, Inline<D, B, F>>;

/// Projects mistakes onto the span of the stored vectors.
pub type Projectron<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Projecting<Stop, Inline<D, B, F>>, Inline<D, B, F>>;

/// Projectron that also learns from margin errors.
pub type ProjectronPlus<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, ProjectingMargins<Stop, Inline<D, B, F>>, Inline<D, B, F>, MarginRule>;

/// Budgeted passive-aggressive learner, simple removal.
pub type BpaS<const D: usize, const B: usize, K = Gaussian, F = f32> =
    KernelPerceptron<K, Compensating, Inline<D, B, F>, PassiveAggressive>;

/// Merges two vectors when full; steps by a margin rule.
///
/// ```
/// use pocketron::prelude::*;
/// let rule = MarginRule::new(1.0).with_margin(1.0); // unit steps while y f(x) <= 1
/// let mut model = MergingPerceptron::<2, 20>::with_rule(Gaussian::new(0.5)?, rule);
/// assert!(model.learn(&[1.0, 0.0], Sign::Pos)?.changed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type MergingPerceptron<const D: usize, const B: usize, F = f32> =
    KernelPerceptron<Gaussian, Merging, Inline<D, B, F>, MarginRule>;

/// Budgeted stochastic gradient descent: merging with shrinking steps.
///
/// ```
/// use pocketron::prelude::*;
/// let rule = Shrinking::new(10.0 / 5_000.0)?; // for about 5,000 examples
/// let mut model = Bsgd::<2, 20>::with_rule(Gaussian::new(0.5)?, rule);
/// assert!(model.learn(&[1.0, 0.0], Sign::Pos)?.changed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Bsgd<const D: usize, const B: usize, F = f32> =
    KernelPerceptron<Gaussian, Merging, Inline<D, B, F>, Shrinking>;
