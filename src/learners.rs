//! The papers' algorithms by their names.
//!
//! Each is a [`Perceptron`] with a policy and a rule; the parameters are the
//! number of features `D`, the budget `B` and, where it may differ from the
//! Gaussian, the kernel `K`. Bytes are those of the model on a 32-bit core with
//! `f32` features: a slot costs `4 D` for the point, 4 for its coefficient, and
//! what the policy keeps. Cost counts kernel evaluations beyond the `B` of a
//! prediction; `u` marks those of an update that finds the budget full.
//!
//! | algorithm | type | bytes | cost per example |
//! |---|---|---|---|
//! | kernel perceptron | [`Unbounded<D, B>`] | `B (4 D + 4) + 8` | 0 |
//! | Stoptron | [`Stoptron<D, B>`] | `B (4 D + 4) + 8` | 0 |
//! | Random | [`RandomBudget<D, B>`] | `B (4 D + 4) + 12` | 0 |
//! | remove-oldest | [`RemoveOldest<D, B>`] | `B (4 D + 4) + 12` | 0 |
//! | Fixed Budget | [`FixedBudget<D, B>`] | `B (4 D + 8) + 8` | u: `B`; `B^2` with a kernel of the inner product |
//! | Forgetron | [`Forgetron<D, B>`] | `B (4 D + 4) + 16` | u: `B` |
//! | Tighter0 | [`Tighter0<D, B>`] | `B (4 D + 4) + 8` | u: `B^2` |
//! | Tighter | [`Tighter<D, B, A>`] | `B (4 D + 4) + A (4 D + 4) + 20` | u: `A B` |
//! | Tighter-Full | [`TighterFull<D, B, A>`] | `B (4 D + 4) + A (4 D + 4) + 20` | u: `A B` |
//! | Tightest | [`Tightest<D, B>`] | `B (4 D + 20) + 8` | u: `B^2` |
//! | Tightest with a Gram cache | [`TightestCached<D, B>`] | `B (4 D + 20 + 4 B) + 8` | u: `B` (distances) |
//! | Projectron | [`Projectron<D, B>`] | `B (4 D + 4 + 4 B) + 12` | 0, and `B^2` multiplications |
//! | Projectron++ | [`ProjectronPlus<D, B>`] | `B (4 D + 4 + 4 B) + 24` | 0, and `B^2` multiplications |
//! | BPA-S | [`BpaS<D, B>`] | `B (4 D + 4) + 12` | 0 |
//! | merging | [`MergingPerceptron<D, B>`] | `B (4 D + 4) + 20` | u: `B`, and 9 `B` exponentials |
//! | Pocketron | [`Pocketron<D, B>`] | `B (D + 3) + 12 D + 56` | `2 B`; u: `3 B` |
//! | Pocketron, `C` classes | [`PocketronMulti<D, B, C>`] | `B (D + C + 2) + 12 D + 4 C + 48` | `2 B`; u: `3 B` |
//! | Pocketron for rare classes | [`PocketronRare<D, B>`] | `B (D + 3) + 12 D + 64` | `2 B`; u: `3 B` |
//! | BSGD | [`Bsgd<D, B>`] | `B (4 D + 4) + 16` | u: `B`, and 9 `B` exponentials |
//!
//! Pocketron has bytes for features, and is filled up to a multiple of 4.
//! A kernel other than the Gaussian changes the constant by its own size less 4. The Gram cache with 16 bits for a
//! similarity, `TightestCached<D, B, Gaussian, f32, u16>`, has `2 B` in place of `4 B`.
//!
//! With `i8` or `i16` for the format `F`, as in `Stoptron<D, B, Gaussian, i8>` and
//! `MergingPerceptron<D, B, i8>`, a slot has `D` or `2 D` bytes for the point and 2
//! for its coefficient in place of `4 D + 4`, the constant grows by 4, and the whole
//! is filled up to a multiple of 4. [`Standardized`](crate::scale::Standardized) makes
//! such features, and adds `8 D + 4` bytes. Costs and accuracy: `docs/formats.md`.
//!
//! On top of these bytes, `learn` takes stack: a row of `4 B` bytes, 12 `B` more
//! while Tightest evicts, 8 `B` more while Tighter does, 4 `B` more while others
//! do, and two points. `predict` takes 256 bytes, whatever the budget, and `2 D` more for `i8` features on
//! Cortex-M4 and M7. [`ArdGaussian`](crate::kernel::ArdGaussian) takes `8 D` while it adapts.
//!
//! Other combinations are put together from parts: rules with margins and
//! patience ([`MarginRule`], [`Soft`](crate::rule::Soft),
//! [`Alma`](crate::rule::Alma)), linear hypotheses with a bias or update counts
//! ([`hypothesis`](crate::hypothesis)), [histories](crate::history), and
//! [several classes](crate::multiclass).
//!
//! ```
//! use pocketron::prelude::*;
//!
//! let mut model = Tightest::<2, 20>::new(Gaussian::new(0.5)?);
//! model.learn(&[1.0, 0.0], Sign::Pos)?;
//! model.learn(&[-1.0, 0.0], Sign::Neg)?;
//! assert_eq!(model.predict(&[0.8, 0.3])?, Sign::Pos);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(doc)]
use crate::perceptron::Perceptron;
use crate::{
    budget::{
        self, Cached, Compensating, Everything, FewestErrors, Forget, LargestMargin, LeastLoss,
        Merging, Oldest, OnSupport, Projecting, ProjectingMargins, Random, Reservoir, Stop,
    },
    continual::{Binary, ContinualLearner, Settling, Top, Uneven},
    kernel::Gaussian,
    memory::{Features, Inline},
    perceptron::KernelPerceptron,
    point::Feature,
    rule::{Balanced, MarginRule, PassiveAggressive, Shrinking},
};

/// The default learner for two classes: raw features in, nothing to tune, learns from the first example.
///
/// See [`continual`](crate::continual) for what it does.
///
/// ```
/// use pocketron::prelude::*;
///
/// // 3 features, 40 support vectors: 332 bytes.
/// let mut model = Pocketron::<3, 40>::new();
/// for n in 0..10 {
///     // First what is cold, then what is hot.
///     let hot = n >= 5;
///     let (temperature, humidity) = (20.0 + 9.0 * f32::from(hot), (n % 3) as f32);
///     let label = if hot { Sign::Pos } else { Sign::Neg };
///     model.learn(&[temperature, humidity, 1013.0], label)?;
/// }
/// assert_eq!(model.predict(&[28.0, 1.0, 1013.0])?, Sign::Pos);
/// assert_eq!(model.predict(&[21.0, 2.0, 1013.0])?, Sign::Neg);
/// assert_eq!(size_of_val(&model), 332);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// A width that is known is a better start than the usual `3 / D`:
///
/// ```
/// use pocketron::prelude::*;
/// let model = Pocketron::<3, 40>::with_gamma(2.0)?;
/// # Ok::<(), pocketron::error::ConfigError>(())
/// ```
pub type Pocketron<const D: usize, const B: usize> =
    ContinualLearner<Features<D>, Inline<D, B, i8>, Binary<Settling<30, 4>>, 2, 1>;

/// The default learner for `C` classes: raw features in, nothing to tune, learns from the first example.
///
/// Classes may be taught in any order, and appear at any time.
///
/// ```
/// use pocketron::{label::Class, prelude::*};
///
/// // 2 features, 30 support vectors, up to 4 classes: 328 bytes.
/// let mut model = PocketronMulti::<2, 30, 4>::new();
/// for n in 0..15_u8 {
///     // Three classes, five examples each, one class after the other.
///     let class = n / 5;
///     let x = [f32::from(class) * 10.0 + f32::from(n % 5), 1013.0 + f32::from(n % 3)];
///     model.learn(&x, Class(class))?;
/// }
/// assert_eq!(model.predict(&[12.0, 1014.0])?, Class(1));
/// assert_eq!(size_of_val(&model), 328);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
///
/// An update moves the true class and the best wrong one. The alternative moves every class that
/// is too close to the wrong side, each with steps of its own; it adds `8 C - 8` bytes:
///
/// ```
/// use pocketron::{continual::{Each, Settling}, prelude::*};
/// let model = PocketronMulti::<2, 30, 4, Each<Settling<35, 3>, 4>>::new();
/// assert_eq!(size_of_val(&model), 352);
/// ```
pub type PocketronMulti<const D: usize, const B: usize, const C: usize, U = Top<Settling<35, 3>>> =
    ContinualLearner<Features<D>, Inline<D, B, i8>, U, C>;

/// Pocketron where one class is rare: `W` says how much more it counts.
///
/// [`Balanced`] is for few errors in each class, however rare it is; [`F1`](crate::rule::F1) for alarms that
/// should be right. Both count the classes in the stream, in 8 bytes more than [`Pocketron`] has.
///
/// ```
/// use pocketron::{perceptron::Scorer, prelude::*, rule::F1};
///
/// let mut model = PocketronRare::<2, 24>::new();
/// let mut careful = PocketronRare::<2, 24, F1>::new();
/// for n in 0..2000 {
///     // One part in fifty is bad, and longer by more than it varies.
///     let bad = n % 50 == 0;
///     let x = [10.0 + (n % 7) as f32 * 0.1 + if bad { 0.5 } else { 0.0 }, (n % 11) as f32];
///     let label = if bad { Sign::Pos } else { Sign::Neg };
///     model.learn(&x, label)?;
///     careful.learn(&x, label)?;
/// }
/// assert_eq!(model.predict(&[10.9, 3.0])?, Sign::Pos);
/// // Between the two the first rather gives an alarm.
/// assert!(model.score(&[10.7, 3.0])? > careful.score(&[10.7, 3.0])?);
/// # Ok::<(), pocketron::error::InputError>(())
/// ```
pub type PocketronRare<const D: usize, const B: usize, W = Balanced> =
    ContinualLearner<Features<D>, Inline<D, B, i8>, Binary<Uneven<Settling<30, 4>, W>>, 2, 1>;

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
